"""Whatever breaks, nothing runs, everybody is told, and the next call finds the gate whole."""

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import assent.gate.admit
from assent.catalogue.mcp.server_requests import ServerRequest
from assent.catalogue.nodes.source import Reply
from assent.gate.admit import Gate
from assent.gate.approvals.grants import Grants
from assent.gate.approvals.tickets import Outcome, ReceiptKind, Ticket
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.journal import records
from assent.gate.journal.journal import Journal
from assent.gate.values import evolve
from gate.admit.scene import Scene, within
from gate.ruling.samples import reading, running, using

Fault = Callable[[Scene], None]


def _a_folder_in_its_place(scene: Scene) -> None:
    scene.path.unlink(missing_ok=True)
    scene.path.mkdir(parents=True)


def _a_file_in_place_of_its_folder(scene: Scene) -> None:
    shutil.rmtree(scene.path.parent, ignore_errors=True)
    scene.path.parent.write_text("not a folder")


def _not_a_database(scene: Scene) -> None:
    scene.path.parent.mkdir(parents=True, exist_ok=True)
    elsewhere = scene.path.with_name("elsewhere")
    elsewhere.write_bytes(b"this is no database, " * 500)
    elsewhere.replace(scene.path)


def _another_table_of_that_name(scene: Scene) -> None:
    scene.path.parent.mkdir(parents=True, exist_ok=True)
    elsewhere = scene.path.with_name("elsewhere")
    database = sqlite3.connect(elsewhere)
    database.execute("create table entries (seq integer)")
    database.close()
    elsewhere.replace(scene.path)


def _closed(scene: Scene) -> None:
    scene.journal.close()


AT_THE_START = [
    _a_folder_in_its_place,
    _a_file_in_place_of_its_folder,
    _not_a_database,
    _another_table_of_that_name,
    _closed,
]
IN_USE = [_a_folder_in_its_place, _a_file_in_place_of_its_folder, _closed]
"""SQLite mends the others from its log, see the test of losses."""


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize(
    ("fault", "in_use"),
    [*((fault, False) for fault in AT_THE_START), *((fault, True) for fault in IN_USE)],
)
async def test_nothing_runs_where_its_decision_cannot_be_written(
    scene: Scene,
    fault: Fault,
    in_use: bool,
) -> None:
    if in_use:
        await within(scene.admit(reading()))
        await scene.written()
        scene.entered.clear()
    fault(scene)
    calls = [reading(), running()]
    for call in calls:
        settlement = (await within(scene.admit(call))).settlement
        assert (settlement.outcome, settlement.by) == (Outcome.REFUSED, Actor.ERROR)
        assert settlement.because.startswith("Nothing ran, because the journal ")
        assert settlement.because.endswith(".")
        assert scene.steps(call)[-1] is State.REFUSED
    assert scene.shown.empty()
    assert scene.entered == {}


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize("fault", IN_USE)
async def test_an_answer_that_cannot_be_written_is_told_to_have_come_to_nothing(
    scene: Scene, fault: Fault
) -> None:
    admitted = scene.admit(running())
    card = await scene.card()
    fault(scene)
    receipt = await scene.answer(card)
    assert (await within(admitted)).settlement == receipt.settlement
    assert receipt.kind is ReceiptKind.APPLIED
    assert receipt.settlement is not None
    assert (receipt.settlement.outcome, receipt.settlement.by) == (Outcome.REFUSED, Actor.ERROR)
    assert receipt.settlement.because.startswith("Nothing ran, because the journal ")
    assert scene.closed[card.id] == (receipt.settlement, None)
    assert scene.entered == {}


@pytest.mark.requirement("T-01", "N-08")
@pytest.mark.parametrize("fault", IN_USE)
@pytest.mark.parametrize("option", ["answer", "decline"])
async def test_no_server_gets_an_answer_that_cannot_be_written(
    scene: Scene, fault: Fault, option: str
) -> None:
    form = {"message": "Where?", "fields": [{"name": "city", "kind": "text"}]}
    asked = ServerRequest(scene.gate.admit, using({"server": "github", "tool": "create_issue"}))
    reply = asyncio.ensure_future(asked.ask(form))
    card = await scene.card()
    fault(scene)
    receipt = await scene.answer(card, option, values={"city": "Bern"})
    assert await within(reply) == Reply(action="cancel")
    assert receipt.settlement is not None
    assert (receipt.settlement.outcome, receipt.settlement.by) == (Outcome.REFUSED, Actor.ERROR)
    assert receipt.settlement.because.startswith("The answer was not sent, because the journal ")
    assert scene.told[-1].state is State.REFUSED


@pytest.mark.parametrize("fault", IN_USE)
async def test_a_refusal_needs_no_journal(scene: Scene, fault: Fault) -> None:
    admitted = scene.admit(running())
    card = await scene.card()
    fault(scene)
    receipt = await scene.answer(card, "deny")
    passage = await within(admitted)
    assert passage.settlement == receipt.settlement
    assert passage.settlement.by is Actor.USER


async def test_calls_run_again_once_the_journal_can_be_written(scene: Scene) -> None:
    _a_folder_in_its_place(scene)
    assert (await within(scene.admit(reading()))).ended is None
    scene.path.rmdir()
    assert (await within(scene.admit(reading()))).ended is not None


def _deleted(scene: Scene) -> None:
    for path in scene.path.parent.iterdir():
        path.unlink()


def _replaced_by_an_empty_file(scene: Scene) -> None:
    elsewhere = scene.path.with_name("elsewhere")
    elsewhere.touch()
    elsewhere.replace(scene.path)


def _cut_to_nothing(scene: Scene) -> None:
    os.truncate(scene.path, 0)


def _cut_by_half(scene: Scene) -> None:
    os.truncate(scene.path, scene.path.stat().st_size // 2)


def _folder_moved_away(scene: Scene) -> None:
    scene.path.parent.rename(scene.path.parent.with_name("moved"))


@pytest.mark.parametrize("checkpoint", [False, True], ids=["rows in the log", "rows in the file"])
@pytest.mark.parametrize(
    "loss",
    [
        _deleted,
        _replaced_by_an_empty_file,
        _cut_to_nothing,
        _cut_by_half,
        _folder_moved_away,
        _not_a_database,
        _another_table_of_that_name,
    ],
)
async def test_a_journal_that_is_lost_in_use_is_never_taken_for_written(
    scene: Scene,
    loss: Fault,
    checkpoint: bool,
) -> None:
    for _ in range(5):
        await within(scene.admit(reading()))
    await scene.written()
    if checkpoint:
        database = sqlite3.connect(scene.path)
        database.execute("pragma wal_checkpoint(truncate)")
        database.close()
    loss(scene)
    # Either it runs and its row can be read by others (the scene looks), or it does not run.
    for _ in range(3):
        call = reading()
        passage = await within(scene.admit(call))
        assert (passage.ended is None) is (call.id not in scene.entered)
        if passage.ended is None:
            assert passage.settlement.because.startswith("Nothing ran, because the journal ")


async def test_nothing_runs_once_the_journal_is_gone_until_a_person_begins_another(
    scene: Scene,
) -> None:
    for _ in range(3):
        await within(scene.admit(reading()))
    await scene.written()
    _deleted(scene)
    refused = reading()
    told = await within(scene.admit(refused))
    assert told.ended is None
    assert "lost rows while it was in use" in told.settlement.because
    assert "Start a New Journal" in told.settlement.because
    await within(scene.journal.begin_anew())
    call = reading()
    assert (await within(scene.admit(call))).ended is not None
    noted, decided = scene.rows()[:2]
    assert (noted["seq"], noted["kind"]) == (1, "noted")
    assert "lost rows" in noted["body"]["because"]
    assert decided["call"] == call.id


_ON_A_FULL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from assent.gate.approvals.tickets import Outcome
from gate.admit.scene import Scene, within
from gate.ruling.samples import reading

async def main():
    scene = Scene(Path(sys.argv[1]))
    first = await within(scene.admit(reading()))
    assert first.ended is not None, first
    await scene.written()
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    call = reading()
    full = await within(scene.admit(call))
    assert full.ended is None, full
    assert call.id not in scene.entered
    print(full.settlement.because)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    again = await within(scene.admit(reading()))
    assert again.ended is not None, again
    scene.journal.close()

asyncio.run(main())
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit to set here")
def test_nothing_runs_on_a_full_disk_and_it_runs_again_when_there_is_room(tmp_path: Path) -> None:
    tests = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _ON_A_FULL_DISK, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tests), *sys.path])},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Nothing ran, because the journal could not be written (")
    assert "rollback" not in done.stdout


class _BrokenPartError(Exception):
    """What the tests below let each part raise."""


def _raise(*_: object, **__: object) -> None:
    raise _BrokenPartError("a part broke")


PARTS: list[tuple[object, str]] = [
    (assent.gate.admit, "decide"),
    (assent.gate.admit, "options_for"),
    (assent.gate.admit, "Ticket"),
    (assent.gate.admit, "decided"),
    (assent.gate.admit.endings, "by_ruling"),
    (records, "decided"),
    (records, "asked"),
    (Gate, "_policy_for"),
    (Gate, "_ask"),
    (Gate, "_keep"),
    (Gate, "_ticket"),
    (Gate, "_remember"),
    (Grants, "of"),
    (Journal, "keep"),
    (WaitingRoom, "ask"),
    (Call, "digest"),
]


NOT_ON_THE_WAY_OF_WHAT_IS_ALLOWED = {
    "options_for",
    "Ticket",
    "asked",
    "_ask",
    "_ticket",
    "_remember",
    "ask",
}


@pytest.mark.requirement("T-01", "T-12")
@pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.AUTO])
@pytest.mark.parametrize(("owner", "name"), PARTS, ids=[name for _, name in PARTS])
async def test_a_gate_that_breaks_anywhere_on_its_way_to_a_decision_runs_nothing(
    scene: Scene, owner: object, name: str, mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.mode = mode
    broken = property(_raise) if name == "digest" else _raise
    monkeypatch.setattr(owner, name, broken)
    call = running()
    admitted = scene.admit(call)
    click = asyncio.ensure_future(_click_what_is_shown(scene))
    ended = (await within(asyncio.gather(admitted, return_exceptions=True)))[0]
    click.cancel()
    reached = not (mode is Mode.AUTO and name in NOT_ON_THE_WAY_OF_WHAT_IS_ALLOWED)
    if reached and (mode, name) != (Mode.DEFAULT, "by_ruling"):
        assert isinstance(ended, _BrokenPartError)
        assert scene.entered == {}
        assert Outcome.ALLOWED not in {settled.outcome for settled, _ in scene.closed.values()}
        assert scene.steps(call)[-1:] in ([State.REFUSED], [])
    else:
        assert scene.entered == {call.id: 1}


@pytest.mark.parametrize("name", ["policy", "patience", "agent_name"])
async def test_a_gate_whose_ports_break_runs_nothing(scene: Scene, name: str) -> None:
    broken = evolve(scene.gate, **{name: _raise})
    call = running()
    with pytest.raises(_BrokenPartError):
        await within(broken.admit(call, scene.carry_out(call)))
    assert scene.entered == {}
    assert scene.steps(call)[-1] is State.REFUSED
    assert scene.told[-1].because == "The gate failed (_BrokenPartError), so it was not run."


@pytest.mark.requirement("T-12")
async def test_what_was_allowed_and_is_lost_is_asked_about(scene: Scene) -> None:
    admitted = scene.admit(running())
    await scene.answer(await scene.card(), "chat")
    await within(admitted)
    scene.gate.grants.drop(running().chat)
    again = scene.admit(running())
    await scene.answer(await scene.card(), "deny")
    assert (await within(again)).ended is None


async def _click_what_is_shown(scene: Scene) -> None:
    card: Ticket = await scene.shown.get()
    await scene.answer(card, "chat")
