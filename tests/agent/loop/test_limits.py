"""How far one turn goes before the person has to say something."""

import json

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import Model, Reply, Table, calling, saying
from assent.agent.loop.model_in_use import Mind
from assent.agent.loop.setup import Limits
from assent.agent.models.events import Used
from assent.agent.models.known_models import read_on
from assent.gate.call.calls import Call
from assent.gate.call.modes import Mode
from assent.gate.journal.events import Used as Told
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import HookWord
from gate.admit.scene import within
from tables import each_row


async def test_a_model_that_goes_on_and_on_is_stopped(table: Table, probes: Probes) -> None:
    table.limits = Limits(rounds=3)
    table.model.will(*(calling(probe(str(number))) for number in range(9)))
    reason, because = await table.says()
    assert reason == "limit"
    assert because == "The agent went on for 3 requests in one turn, so it was stopped."
    assert len(table.model.requests) == 3
    assert (await table.says("go on"))[0] == "limit"
    assert len(table.model.requests) == 6


async def test_a_turn_that_took_too_many_tokens_is_stopped_and_the_next_goes_on(
    table: Table, probes: Probes
) -> None:
    table.limits = Limits(tokens=1_000)

    def spending(reply: Reply) -> None:
        reply.say(Used(read=600, wrote=50))
        calling(probe("a"))(reply)

    table.model.will(spending, spending)
    reason, because = await table.says()
    assert (reason, len(table.model.requests)) == ("limit", 2)
    assert because == "The agent used 1,300 tokens in one turn, so it was stopped."
    table.model.will(saying("Done."))
    assert await table.says("Go on.") == ("done", "")


async def test_what_it_has_cost_is_told_of_the_chat_and_of_the_turn_by_the_known_prices(
    table: Table,
) -> None:
    table.model.price = (1.0, 10.0, 0.1)

    def spending(reply: Reply) -> None:
        # 0.1 for what was read anew, 0.05 for what was kept, 0.5 for what was written.
        reply.say(Used(read=600_000, wrote=0, cached=500_000), Used(read=0, wrote=50_000))
        saying("x")(reply)

    table.model.tokens = 10_000_000
    table.model.will(spending, spending, spending)
    await table.says()
    await table.says()
    told = [it for it in table.happened if isinstance(it, Told)]
    costs = [(it.cost, it.turn_cost) for it in told]
    assert (costs[0], costs[-1]) == (("$0.65", "$0.65"), ("$1.30", "$0.65"))
    assert told[-1].cached == 500_000
    assert told[-1].prices_of == read_on()
    table.model.price = None
    await table.says()
    last = [it for it in table.happened if isinstance(it, Told)][-1]
    assert (last.cost, last.turn_cost) == ("over $1.30", "")


async def test_too_many_changes_are_refused_with_words_and_then_end_the_turn(
    table: Table, probes: Probes
) -> None:
    table.mode = Mode.ACCEPT_EDITS
    table.limits = Limits(writes=2)
    writes = [probe(str(number), effect="write") for number in range(5)]
    table.model.will(calling(*writes[:3]), calling(writes[3], probe("look")), calling(writes[4]))
    reason, because = await table.says()
    assert reason == "limit"
    assert "changed files 2 times" in because
    assert probes.begun == {"0": 1, "1": 1, "look": 1}
    assert len(table.model.requests) == 2
    assert "Change no more" in table.model.requests[1].turns[-1].results[2].text  # type: ignore[union-attr]


async def test_a_model_that_takes_the_hint_goes_on(table: Table, probes: Probes) -> None:
    table.mode = Mode.ACCEPT_EDITS
    table.limits = Limits(writes=1)
    writes = [probe(str(number), effect="write") for number in range(2)]
    table.model.will(calling(*writes), calling(probe("look")), saying("One is left."))
    assert await table.says() == ("done", "")


async def test_changes_that_were_refused_do_not_count(table: Table, probes: Probes) -> None:
    table.limits = Limits(writes=1)
    table.model.will(
        calling(probe("a", effect="write")), calling(probe("b", effect="write")), saying("Done.")
    )
    turn = table.prompt()
    await table.deny(await table.card())
    await table.answer(await table.card())
    assert (await within(turn))[0] == "done"
    assert probes.begun == {"b": 1}


async def test_changes_whose_gate_breaks_do_not_count(table: Table, probes: Probes) -> None:
    class Broken:
        async def before(self, call: Call) -> HookWord:
            if call.input.get("label") == "a" or call.tool == "write":
                raise ValueError("broken")
            return HookWord()

        async def after(self, _: Call, __: Ended) -> str:
            return ""

    (table.root / "till.py").write_text("1")
    table.hooked(Broken())
    table.limits, table.mode, table.may_read = Limits(writes=1), Mode.ACCEPT_EDITS, False
    edit = {"path": "till.py", "edits": [{"old": "1", "new": "2"}]}
    table.model.will(
        calling(probe("a", effect="write")),
        calling(("edit_file", json.dumps(edit))),
        calling(probe("b", effect="write")),
        saying("Done."),
    )
    assert await table.says() == ("done", "")
    assert probes.begun == {"b": 1}


@pytest.mark.parametrize("repeated", [3, 4])
async def test_the_same_call_again_and_again_asks(
    table: Table, probes: Probes, repeated: int
) -> None:
    table.mode = Mode.AUTO
    table.model.will(*(calling(probe("a", effect="read")) for _ in range(repeated)), saying("Oh."))
    turn = table.prompt()
    third = await table.card()
    assert probes.begun == {"a": 2}
    assert third.ruling.because == "The agent makes this same call for the third time in a row."
    await table.answer(third)
    if repeated == 4:
        fourth = await table.card()
        assert fourth.ruling.because == "The agent has made this same call 3 times in a row."
        await table.deny(fourth, "It will not change.")
    assert (await within(turn))[0] == "done"
    if repeated == 4:
        assert "It will not change." in table.results[0].text


async def test_the_same_call_between_others_does_not_ask(table: Table, probes: Probes) -> None:
    table.mode = Mode.AUTO
    same, other = probe("a", effect="read"), probe("b", effect="read")
    table.model.will(calling(same, same, other, same), calling(same, other), saying("Oh."))
    assert (await table.says())[0] == "done"
    assert table.opened == set()


async def test_looking_after_a_shell_again_and_again_does_not_ask(
    table: Table, probes: Probes
) -> None:
    table.model.will(*(calling(probe("a", effect="chat")) for _ in range(5)), saying("Oh."))
    assert (await table.says())[0] == "done"
    assert probes.begun == {"a": 5}


async def test_a_new_prompt_begins_to_count_anew(table: Table, probes: Probes) -> None:
    table.mode = Mode.AUTO
    twice = [calling(probe("a", effect="read")) for _ in range(2)]
    table.model.will(*twice, saying("Oh."), *twice, saying("Oh."))
    await table.says("one")
    await table.says("two")
    assert probes.begun == {"a": 4}


async def test_too_many_calls_in_one_reply_are_not_made(table: Table, probes: Probes) -> None:
    table.model.will(calling(*(probe(str(number)) for number in range(205))), saying("Oh."))
    assert (await table.says())[0] == "done"
    assert len(probes.begun) == 200
    assert [it.failed for it in table.results].count(True) == 5


@pytest.mark.parametrize("mode", [Mode.ACCEPT_EDITS, Mode.PLAN])
async def test_changes_count_that_turn_out_to_be_some_where_they_are_made(
    table: Table, mode: Mode
) -> None:
    paths = [table.root / name for name in "abc"]
    for path in paths:
        path.write_text("1")
    table.limits, table.mode, table.may_read = Limits(writes=1), mode, False
    edits = [{"old": "1", "new": "2"}]
    table.model.will(
        *(
            calling(("edit_file", json.dumps({"path": str(path), "edits": edits})))
            for path in paths[:2]
        ),
        saying("Done."),
    )
    assert await table.says() == ("done", "")
    if mode is Mode.PLAN:
        assert "Plan" in table.results[0].text
    else:
        assert [path.read_text() for path in paths] == ["2", "1", "1"]
        assert "Change no more" in table.results[0].text


@each_row(
    ("window", "reply", "result"),
    [
        (2_000, 666, 2_000),
        (8_192, 2_730, 8_192),
        (16_384, 4_096, 16_384),
        (32_768, 8_192, 30_000),
        (128_000, 32_000, 30_000),
        (200_000, 32_000, 30_000),
    ],
)
def test_a_reply_has_room_for_a_file_and_behind_the_conversation(
    window: int, reply: int, result: int
) -> None:
    mind = Mind(id="m", provider=Model(), window=window)
    assert (mind.reply, mind.result) == (reply, result)
    assert mind.room + mind.reply <= window
    assert mind.room >= window // 2
