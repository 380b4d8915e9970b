"""A command that a person changes on its card: judged anew, shown, and only then run."""

import sys
from pathlib import Path

import pytest

from editor.wire.client import Refusal
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.test_asking import edit
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


def asks(it: Own, command: str) -> None:
    """Let the model run a command, and say that it is done."""
    it.model.reply(call("run_command", {"command": command, "description": "Makes it"}))
    it.model.reply(text("Done."))


@requirement("S-06")
async def test_what_a_person_left_of_a_command_is_judged_shown_and_run(own: OwnStage) -> None:
    it = await own()
    asks(it, "touch one two")
    turn = it.say()
    card = await it.scene.card()
    assert (card.card.edits, card.call.input["command"]) == ("command", "touch one two")
    edited = await edit(it.scene, card, "touch one")
    again = await it.scene.card()
    assert (again.revision, again.digest) == (card.revision + 1, edited.digest)
    assert again.call.input["command"] == "touch one"
    assert again.card.because.text.startswith("You have changed this since the agent proposed it.")
    # What the agent had said was about its own text.
    assert (card.card.says is None, again.card.says) == (False, None)
    assert (await it.scene.answer(card, "once")).kind == "stale"
    assert (await it.scene.answer(again, "once")).outcome == "allowed"
    assert (await turn).reason == "done"
    assert (it.scene.folder / "one").exists()
    assert not (it.scene.folder / "two").exists()
    assert (
        "It was changed before it was allowed. What ran is: touch one]" in it.model.requests[1].last
    )
    asked = [row["body"]["input"]["command"] for row in it.scene.rows("asked")]
    (decided,) = it.scene.rows("decided")
    assert asked == ["touch one two", "touch one"]
    assert decided["body"]["input"]["command"] == "touch one"


async def test_a_command_that_was_left_as_it_is_says_nothing_of_a_change(own: OwnStage) -> None:
    it = await own()
    asks(it, "touch one")
    turn = it.say()
    card = await it.scene.card()
    same = await edit(it.scene, card, "touch one")
    assert (same.was, same.digest, same.revision) == (card.digest, card.digest, card.revision)
    await it.scene.answer(card, "once")
    await turn
    assert "changed" not in it.model.requests[1].last


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("rm one", "This would be refused: The rule `shell(rm:*)` denies this"),
        ("touch one; rm one", "This would be refused: The rule `shell(rm:*)` denies this"),
        (" \n", "cannot be asked about: run_command takes no such input; the card still shows"),
        ("touch \0", "cannot be asked about: run_command takes no such input"),
    ],
)
async def test_what_would_be_refused_does_not_take_the_place_of_what_was_asked(
    words: str, why: str, own: OwnStage
) -> None:
    it = await own(rules={"deny": ["shell(rm:*)"]})
    asks(it, "touch one")
    turn = it.say()
    card = await it.scene.card()
    with pytest.raises(Refusal) as refused:
        await edit(it.scene, card, words)
    assert why in str(refused.value)
    receipt = await it.scene.answer(card, "once")
    assert (receipt.kind, receipt.outcome) == ("applied", "allowed")
    await turn
    assert (it.scene.folder / "one").exists()


async def test_what_would_pass_unasked_waits_for_the_answer_all_the_same(own: OwnStage) -> None:
    it = await own()
    asks(it, "touch one")
    turn = it.say()
    card = await it.scene.card()
    await edit(it.scene, card, "ls")
    again = await it.scene.card()
    assert again.approval_id == card.approval_id
    assert it.scene.rows("decided") == []
    await it.scene.answer(again, "once")
    await turn
    assert [row["body"]["input"]["command"] for row in it.scene.rows("decided")] == ["ls"]


@pytest.mark.parametrize("mode", ["acceptEdits", "auto"])
async def test_no_rule_or_mode_lets_run_what_is_still_being_typed(mode: str, own: OwnStage) -> None:
    it = await own(rules={"allow": ["shell(touch two:*)"]}, approvalTimeout=9)
    asks(it, "touch one")
    turn = it.say()
    card = await it.scene.card()
    assert card.expires_at is not None
    await edit(it.scene, card, "touch two")
    await it.scene.client.request("agent/setMode", {"chatId": it.chat, "mode": mode})
    # Answered by nobody, it is still there to be edited, and has no deadline.
    edited = await edit(it.scene, card, "touch three")
    again = await it.scene.card()
    while again.digest != edited.digest:
        again = await it.scene.card()
    assert it.scene.rows("decided") == []
    assert again.expires_at is None
    assert again.card.because.text == "You have changed this since the agent proposed it."
    await it.scene.answer(again, "once")
    await turn
    made = {path.name for path in it.scene.folder.iterdir()}
    assert made & {"one", "two", "three"} == {"three"}


async def test_a_grant_on_another_card_lets_no_edited_command_run(own: OwnStage) -> None:
    it = await own()
    it.model.reply(
        call("run_command", {"command": "touch a"}), call("run_command", {"command": "touch b"})
    )
    it.model.reply(text("Done."))
    turn = it.say()
    one, two = await it.scene.card(), await it.scene.card()
    await edit(it.scene, two, "ls; pwd")
    await it.scene.answer(one, "chat")
    assert [row["body"]["input"]["command"] for row in it.scene.rows("decided")] == ["touch a"]
    again = await it.scene.card()
    await it.scene.answer(again, "deny")
    await turn


async def test_a_hook_hears_what_was_changed_before_it_runs(own: OwnStage, tmp_path: Path) -> None:
    script = tmp_path / "hook.py"
    script.write_text("import sys\nsys.exit(2 if 'touch two' in sys.stdin.read() else 0)\n")
    hook = {"event": "PreToolUse", "command": f"{sys.executable} {script}"}
    it = await own(hooks=[hook])
    asks(it, "touch one")
    turn = it.say()
    card = await it.scene.card()
    await edit(it.scene, card, "touch two")
    await it.scene.answer(await it.scene.card(), "once")
    await turn
    assert not (it.scene.folder / "two").exists()
    assert it.scene.rows("decided")[-1]["body"]["outcome"] == "refused"


async def test_a_command_that_was_decided_or_stopped_is_not_edited_any_more(own: OwnStage) -> None:
    it = await own()
    asks(it, "touch one")
    turn = it.say()
    card = await it.scene.card()
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    await turn
    with pytest.raises(Refusal, match="does not wait for you any more"):
        await edit(it.scene, card, "touch two")
    assert not (it.scene.folder / "two").exists()
