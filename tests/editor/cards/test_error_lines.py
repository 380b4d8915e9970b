"""What came on standard error keeps its lines: in the record, in each event, in an export."""

from pathlib import Path

import pytest

from agent.tools.workbench import Workbench
from assent.editor.protocol import happenings, records
from assent.editor.window.chats.archive import archives_in
from assent.editor.window.chats.call_records import JudgedCalls
from assent.editor.window.chats.call_shapes import with_lines
from assent.editor.window.chats.entries import Entries
from assent.editor.window.chats.kept.export import as_markdown
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import CallId, ChatId
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.journal.events import CallMoved, CallPrinted
from assent.gate.text.error_lines import marked


@pytest.fixture
def work(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


requirement = pytest.mark.requirement


def record_of(work: Workbench, *printed: tuple[str, bool]) -> tuple[records.CallRecord, list[int]]:
    """The record of a call that printed this, and the error lines that its events told."""
    call = work.wants("run_command", command="make").call
    entries, judged = Entries(archives_in(None)()), JudgedCalls(archives_in(None)())
    transcript = Transcript(
        call.chat, call.agent, Mode.ASK, lambda: 0, entries=entries, judged=judged
    )
    transcript.step(CallMoved(call=call, state=State.RUNNING))
    output, errors = "", list[int]()
    for text, is_error in printed:
        one = CallPrinted(
            chat=ChatId(call.chat), call=CallId(call.id), text=text, is_error=is_error
        )
        for event in transcript.step(one):
            assert isinstance(event, happenings.CallPrinted)
            output += event.append
            errors = with_lines(errors, event.errors)
    transcript.step(CallMoved(call=call, state=State.SUCCEEDED))
    (record,) = transcript.shown("Assent", 1_000_000).items
    assert isinstance(record, records.CallRecord)
    assert record.output == output
    assert record.errors == errors
    return record, errors


@requirement("T-06")
def test_a_record_says_which_of_its_lines_are_errors(work: Workbench) -> None:
    record, _ = record_of(
        work, ("a\n", False), ("b\nc", True), ("d\n", True), ("e", False), ("f", True), ("g", False)
    )
    assert marked(record.output, record.errors) == "a\n2> b\n2> cd\ne\n2> f\ng"
    text = as_markdown("T", "Agent", 0, [record])
    assert "\na\n2> b\n2> cd\ne\n2> f\ng\n" in text


def test_what_is_cut_of_an_output_is_no_line_of_errors_that_is_not_there(work: Workbench) -> None:
    flood = [("x" * 90 + "\n", bool(it % 2)) for it in range(2_000)]
    record, errors = record_of(work, *flood)
    lines = record.output.split("\n")
    assert max(errors) <= len(lines)
    assert "more came after this" in record.output


def test_a_flood_of_errors_in_small_pieces_is_one_stretch(work: Workbench) -> None:
    _, errors = record_of(work, *[("x\n" if it % 3 else "x", True) for it in range(3_000)])
    assert errors == [0, 2_000]
