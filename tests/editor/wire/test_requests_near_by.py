"""In Auto a command that asks this machine is asked about, at a real server with a real port."""

from editor.wire.own import OwnStage, model, own
from models.script import call, text

__all__ = ["model", "own"]


async def test_curl_of_a_program_that_listens_here_waits_for_the_person(own: OwnStage) -> None:
    it = await own(mode="auto")
    before = len(it.model.requests)
    # The host of the model listens on this machine, as any service might.
    for command in (f"curl -s {it.model.url}/x", "curl -m 1 http://169.254.169.254/latest/"):
        it.model.reply(call("run_command", {"command": command}))
        it.model.reply(text("I am not let."))
        turn = it.say()
        card = await it.scene.card()
        assert "on this machine or its own network" in str(card)
        await it.scene.answer(card, "deny")
        await turn
    assert len(it.model.requests) == before + 4, "nobody but the agent asked the model's host"
