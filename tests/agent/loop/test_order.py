"""Calls of one reply run side by side, but none meets a change that is only half made."""

import asyncio
import json
from collections.abc import Sequence
from itertools import pairwise

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import Table, calling, saying
from assent.agent.loop.reach import Reach
from assent.agent.models.events import Text
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from gate.admit.scene import within
from tables import each_row

MODES = [Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.AUTO]
TIMES = 34
"""In each mode: a hundred in all."""


def edited(old: str, new: str, path: str = "till.py") -> tuple[str, str]:
    """A change of one place of a file."""
    return "edit_file", json.dumps({"path": path, "edits": [{"old": old, "new": new}]})


def command(line: str) -> tuple[str, str]:
    return "run_command", json.dumps({"command": line})


async def allowing(table: Table, turn: "asyncio.Task[tuple[str, str]]") -> Sequence[Call]:
    """See a turn to its end, and allow whatever is asked; what was asked about, in order."""
    asked: list[Call] = []
    while not turn.done():
        card = asyncio.ensure_future(table.card())
        await within(asyncio.wait({card, turn}, return_when=asyncio.FIRST_COMPLETED))
        if card.done():
            ticket = card.result()
            assert isinstance(ticket.asks, Call)
            asked.append(ticket.asks)
            await table.answer(ticket)
        card.cancel()
    return asked


async def test_of_the_calls_of_one_reply_one_at_most_is_proposed_in_a_round_of_the_loop(
    table: Table, probes: Probes
) -> None:
    calls = [probe(f"{number}", effect="execute") for number in range(TIMES)]
    table.model.will(calling(*calls), saying("Well."))
    turn, proposed = table.prompt(), [0]
    async with asyncio.timeout(30):
        while proposed[-1] < TIMES:
            await asyncio.sleep(0)
            proposed.append(sum(it.state is State.PROPOSED for it in table.told))
    assert max(after - before for before, after in pairwise(proposed)) == 1
    assert len(await allowing(table, turn)) == TIMES
    assert probes.begun.total() == TIMES


@pytest.mark.requirement("T-07")
@pytest.mark.parametrize("mode", MODES)
async def test_a_command_sees_the_edit_that_stands_before_it_in_its_reply(
    table: Table, mode: Mode
) -> None:
    path = table.root / "till.py"
    table.mode = mode
    for number in range(TIMES):
        path.write_text(f"price = {number}\n")
        changed = edited(f"= {number}", f"= {number}00")
        table.model.will(calling(changed, command("cat till.py")), saying("Done."))
        await allowing(table, table.prompt())
        assert [it.failed for it in table.results] == [False, False], table.results
        assert f"price = {number}00" in table.results[1].text


async def test_a_command_waits_although_the_person_takes_their_time(table: Table) -> None:
    (table.root / "till.py").write_text("a = 1\n")
    table.model.will(calling(edited("1", "2"), command("cat till.py")), saying("Done."))
    turn = table.prompt()
    card = await table.card()
    assert [call.tool for call in table.calls] == ["write"]
    await table.deny(card)
    await within(turn)
    assert "a = 1" in table.results[1].text


async def test_a_search_sees_the_edits_below_its_folder(table: Table) -> None:
    table.mode = Mode.ACCEPT_EDITS
    (table.root / "src").mkdir()
    written = json.dumps({"path": "src/new.py", "content": "needle = 1\n"})
    searched = json.dumps({"pattern": "needle", "path": "src"})
    table.model.will(calling(("write_file", written), ("search_text", searched)), saying("Done."))
    await table.says()
    assert "new.py" in table.results[1].text


async def test_a_search_of_another_folder_does_not_wait(table: Table) -> None:
    for name in ("src", "docs"):
        (table.root / name).mkdir()
        (table.root / name / "a.py").write_text("needle = 1\n")
    searched = json.dumps({"pattern": "needle", "path": "docs"})
    table.model.will(
        calling(edited("1", "2", "src/a.py"), ("search_text", searched)), saying("Done.")
    )
    turn = table.prompt()
    card = await table.card()
    async with asyncio.timeout(5):
        while len(table.calls) < 2:
            await table.more()
    await table.answer(card)
    await within(turn)
    assert [it.failed for it in table.results] == [False, False]


async def test_a_change_waits_for_a_command_that_stands_before_it(
    table: Table, probes: Probes
) -> None:
    table.mode = Mode.AUTO
    running, changing = probe("a", effect="execute", does="wait"), probe("b", effect="write")
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*running)
    await probes.begins("a")
    reply.call(*changing).call(*probe("c", effect="read"))
    await probes.begins("c")
    assert probes.begun == {"a": 1, "c": 1}
    probes.release("a")
    reply.end("calls")
    (await table.model.asked()).end()
    await within(turn)
    assert probes.begun == {"a": 1, "b": 1, "c": 1}


@pytest.mark.requirement("T-07")
async def test_commands_do_not_wait_for_each_other(table: Table, probes: Probes) -> None:
    one, other = probe("a", effect="execute"), probe("b", effect="execute")
    table.model.will(calling(one, other), saying("Done."))
    turn = table.prompt()
    first, second = await table.card(), await table.card()
    await table.answer(second)
    await probes.begins("b")
    await table.answer(first)
    await within(turn)
    assert probes.begun == {"a": 1, "b": 1}


async def test_a_command_sees_the_edits_of_a_part_that_stands_before_it(table: Table) -> None:
    table.mode = Mode.AUTO
    (table.root / "till.py").write_text("price = 1\n")
    table.model.will(calling(part("edit"), command("cat till.py")))
    turn = table.prompt()
    inner = await table.model.asked()
    assert len(table.calls) == 1, "the command is not even judged"
    inner.call(*edited("= 1", "= 100")).end("calls")
    (await table.model.asked()).say(Text(text="Edited.")).end()
    (await table.model.asked()).end()
    await within(turn)
    assert "price = 100" in table.results[1].text


async def test_a_part_edits_nothing_under_a_command_that_stands_before_it(
    table: Table, probes: Probes
) -> None:
    table.mode = Mode.AUTO
    running = probe("a", effect="execute", does="wait")
    table.model.will(calling(running, part("edit")))
    turn = table.prompt()
    inner = await table.model.asked()
    inner.call(*probe("b", effect="write")).call(*probe("c", effect="read"))
    await probes.begins("c")
    assert probes.begun == {"a": 1, "c": 1}
    inner.end("calls")
    probes.release("a")
    for _ in range(2):
        (await table.model.asked()).end()
    await within(turn)
    assert probes.begun == {"a": 1, "b": 1, "c": 1}


async def test_parts_are_worked_on_side_by_side(table: Table, probes: Probes) -> None:
    table.mode = Mode.AUTO
    table.model.will(calling(part("one"), part("other")))
    turn = table.prompt()
    one, other = await table.model.asked(), await table.model.asked()
    one.call(*probe("a", effect="execute", does="wait"))
    await probes.begins("a")
    other.call(*probe("b", effect="write"))
    await probes.begins("b")
    probes.release("a")
    for reply in (one, other):
        reply.end("calls")
    for _ in range(3):
        (await table.model.asked()).end()
    assert (await within(turn))[0] == "done"


def part(name: str) -> tuple[str, str]:
    return "run_subtask", json.dumps({"name": name, "prompt": "Do it."})


def changing(path: str) -> Reach:
    return Reach(looks_at=frozenset({path}), changes=frozenset({path}))


def looking(path: str) -> Reach:
    return Reach(looks_at=frozenset({path}))


PART = Reach(roams=True, is_part=True)


@each_row(
    ("later", "earlier", "waits"),
    [
        (looking("/ws/a"), changing("/ws/a"), True),
        (looking("/ws"), changing("/ws/a"), True),
        (looking("/"), changing("/ws/a"), True),
        (looking("/ws/a"), changing("/ws/ab"), False),
        (looking("/ws/a"), looking("/ws/a"), False),
        (changing("/ws/a"), looking("/ws/a"), False),
        (Reach(roams=True), changing("/ws/a"), True),
        (Reach(roams=True), looking("/ws/a"), False),
        (changing("/ws/a"), Reach(roams=True), True),
        (looking("/ws/a"), Reach(roams=True), False),
        (Reach(roams=True), Reach(roams=True), False),
        (Reach(), changing("/ws/a"), False),
        (Reach(roams=True), PART, True),
        (PART, PART, False),
        (PART, Reach(roams=True), False),
        (PART, changing("/ws/a"), True),
        (changing("/ws/a"), PART, True),
        (looking("/ws/a"), PART, False),
    ],
)  # fmt: skip
def test_what_waits_for_what(later: Reach, earlier: Reach, waits: bool) -> None:
    assert later.meets(earlier) is waits
