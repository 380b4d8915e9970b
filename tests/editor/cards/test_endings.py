"""A record tells how its command ended: the exit code, and how long the command itself ran."""

from pathlib import Path
from typing import Final

import pytest

from agent.tools.workbench import Workbench
from assent.editor.protocol import records
from assent.editor.window.chats.archive import archives_in
from assent.editor.window.chats.call_records import JudgedCalls
from assent.editor.window.chats.entries import Entries
from assent.editor.window.chats.transcript import Transcript
from assent.gate.call.calls import CallId, ChatId
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.journal.events import CallMoved, ShellMoved
from tables import each_row

Step = tuple[int, str]
"""When, in milliseconds, and what: a state of the call, or of its shell behind `$`."""

ENDED: Final[dict[str, tuple[list[Step], tuple[int | None, int | None]]]] = {
    "well": ([(0, "running"), (5, "$running"), (905, "$exited"), (950, "succeeded")], (3, 900)),
    "after a person was asked about its changes": (
        [(0, "running"), (5, "$running"), (905, "$exited"), (99_000, "succeeded")],
        (3, 900),
    ),
    "by a signal": ([(0, "running"), (5, "$running"), (25, "$killed"), (30, "killed")], (None, 20)),
    "in the background": (
        [(0, "running"), (5, "$running"), (9, "$&running"), (10, "backgrounded"), (99, "$&exited")],
        (None, None),
    ),
    "and left something behind": (
        [(0, "running"), (5, "$running"), (9, "$exited"), (10, "backgrounded")],
        (None, None),
    ),
    "as no command": ([(0, "running"), (5, "succeeded")], (None, None)),
}


@pytest.mark.requirement("T-06")
@each_row("how", ENDED)
def test_a_record_says_how_its_command_ended_and_how_long_it_ran_itself(
    tmp_path: Path, how: str
) -> None:
    steps, ending = ENDED[how]
    call = Workbench(tmp_path).wants("run_command", command="make").call
    now = [0]
    entries, judged = Entries(archives_in(None)()), JudgedCalls(archives_in(None)())
    transcript = Transcript(
        call.chat, call.agent, Mode.ASK, lambda: now[0], entries=entries, judged=judged
    )
    for now[0], step in steps:
        if not step.startswith("$"):
            transcript.step(CallMoved(call=call, state=State(step)))
            continue
        state = step.removeprefix("$").removeprefix("&")
        moved = ShellMoved(  # noqa: S604 -- it is the name of one
            chat=ChatId(call.chat),
            shell="1",
            call=CallId(call.id),
            command="make",
            state=state,
            code=3 if state == "exited" else None,
            in_background="&" in step,
        )
        transcript.step(moved)
    (record,) = transcript.shown("Assent", 1_000_000).items
    assert isinstance(record, records.CallRecord)
    assert (record.exit_code, record.took) == ending
