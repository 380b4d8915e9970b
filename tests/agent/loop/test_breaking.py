"""A reply that breaks off: what was whole is kept and answered, what was not is not run."""

from collections.abc import Callable

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import Reply, Table, calling, saying, without_mode
from assent.agent.loop.wording import BROKEN_OFF, CUT_OFF
from assent.agent.models.conversation import Replied
from assent.agent.models.conversation import Said as Prompt
from assent.agent.models.events import Argued, CallStarted, Text
from assent.agent.models.provider import ModelFailed
from gate.admit.scene import within
from replies import replied

BROKE = ModelFailed("The connection to parrot broke off.")
ENDING = ("error", "The connection to parrot broke off.")


async def test_in_a_call_s_arguments_it_is_not_run_and_the_rest_is_kept(
    table: Table, probes: Probes
) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(Text(text="Now.")).call(*probe("whole"))
    reply.say(CallStarted(key=9, name="probe"), Argued(key=9, piece='{"label": "ha'))
    reply.fail(BROKE)
    assert await within(turn) == ENDING
    assert probes.begun == {"whole": 1}
    said = table.turns[1]
    assert isinstance(said, Replied)
    assert (said.text, len(said.calls)) == ("Now.", 1)
    assert [it.text for it in table.results] == ["whole is done"]


async def test_the_next_prompt_goes_on_from_there(table: Table, probes: Probes) -> None:
    turn = table.prompt()
    (await table.model.asked()).call(*probe("whole")).fail(BROKE)
    await within(turn)
    table.model.will(saying("There."))
    assert await table.says("again") == ("done", "")
    assert without_mode(table.model.requests[1].turns) == (*table.turns[:3], Prompt(text="again"))


async def test_a_call_that_is_under_way_is_finished(table: Table, probes: Probes) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*probe("slow", does="wait")).call(*probe("asked", effect="execute"))
    card = await table.card()
    reply.fail(BROKE)
    await within(reply.closed.wait())
    probes.release("slow")
    await table.answer(card)
    assert await within(turn) == ENDING
    assert [it.text for it in table.results] == ["slow is done", "asked is done"]


async def test_before_a_word_nothing_is_kept_but_what_the_person_said(table: Table) -> None:
    turn = table.prompt("one")
    (await table.model.asked()).fail(BROKE)
    assert await within(turn) == ENDING
    assert table.turns == (Prompt(text="one"),)


def breaking_off(reply: Reply) -> None:
    """Words, and a call that is never whole."""
    reply.say(Text(text="x"), CallStarted(key=9, name="probe")).end()


def cut_off(reply: Reply) -> None:
    """A reply that is too long."""
    reply.say(Text(text="x")).end("length")


@pytest.mark.parametrize(
    ("broken", "told", "ending"),
    [
        (breaking_off, BROKEN_OFF, ("error", "The model broke off a call, so it was not run.")),
        (cut_off, CUT_OFF, ("limit", "The model's reply was cut off, because it was too long.")),
    ],
)
class TestAReplyThatIsNotWhole:
    async def test_goes_on_once_with_a_word_to_the_model(
        self, table: Table, broken: Callable[[Reply], None], told: str, ending: tuple[str, str]
    ) -> None:
        table.model.will(broken, saying("There."))
        assert await table.says("one") == ("done", "")
        assert table.turns[1:3] == (replied("x"), Prompt(text=told))
        table.model.will(broken, broken)
        assert await table.says("two") == ending
        assert len(table.model.requests) == 4
        assert table.chat.conversation.asked == "two"

    async def test_beside_whole_calls_is_told_with_the_last_result(
        self,
        table: Table,
        probes: Probes,
        broken: Callable[[Reply], None],
        told: str,
        ending: tuple[str, str],
    ) -> None:
        turn = table.prompt()
        reply = await table.model.asked()
        broken(reply.call(*probe("a")).call(*probe("b")))
        (await table.model.asked()).end()
        assert (await within(turn))[0] == "done"
        assert probes.begun == {"a": 1, "b": 1}
        assert [it.text for it in table.results] == ["a is done", f"b is done\n\n{told}"]

    async def test_may_come_again_after_one_that_was(
        self,
        table: Table,
        probes: Probes,
        broken: Callable[[Reply], None],
        told: str,
        ending: tuple[str, str],
    ) -> None:
        table.model.will(broken, calling(probe("a")), broken, saying("There."))
        assert await table.says() == ("done", "")


async def test_a_call_that_is_never_whole_and_no_word_leaves_nothing_but_what_is_told(
    table: Table, probes: Probes
) -> None:
    table.model.will(lambda reply: reply.say(CallStarted(key=0, name="probe")).end())
    table.model.will(saying("There."))
    assert await table.says("one") == ("done", "")
    assert table.turns[0] == Prompt(text=f"one\n\n{BROKEN_OFF}")


async def test_what_is_wrong_with_a_provider_leaves_the_chat_usable(
    table: Table, probes: Probes
) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*probe("a", does="wait"))
    await probes.begins("a")
    reply.fail(ValueError("a fault of ours"))
    with pytest.raises(ExceptionGroup):
        await within(turn)
    assert table.ends[-1].reason == "error"
    assert len(table.results) == 1
    table.model.will(calling(probe("b")), saying("There."))
    assert await table.says("again") == ("done", "")
