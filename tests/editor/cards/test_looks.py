"""How the record of a call says that it only looked at one place."""

from pathlib import Path
from typing import Any

import pytest

from agent.tools.workbench import Workbench
from assent.editor.window.chats.call_shapes import record_shape
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor
from assent.gate.journal.events import CallMoved
from tables import each_row


@pytest.mark.requirement("T-13")
@each_row(
    ("tool", "given", "looks"),
    [
        ("read_file", {"path": "a.txt"}, "read"),
        ("list_files", {"path": "."}, "list"),
        ("search_text", {"pattern": "x", "path": "."}, "search"),
        ("write_file", {"path": "b.txt", "content": "x"}, None),
        ("run_command", {"command": "cat a.txt"}, None),
    ],
)
def test_a_record_says_how_its_call_looks_at_one_place(
    tmp_path: Path, tool: str, given: dict[str, Any], looks: str | None
) -> None:
    (tmp_path / "a.txt").write_text("x")
    call = Workbench(root=tmp_path).wants(tool, **given).call

    moved = CallMoved(call=call, state=State.SUCCEEDED, by=Actor.MODE)
    assert record_shape(moved, None, 0).looks == looks


@pytest.mark.requirement("T-13")
@each_row(
    ("path", "by", "looks"),
    [
        ("a.txt", Actor.RULE, "read"),
        ("a.txt", Actor.USER, None),
        ("a.txt", None, None),
        ("../outside.txt", Actor.MODE, None),
        ("leads-out.txt", Actor.RULE, None),
    ],
)
def test_what_a_person_answered_or_lies_elsewhere_is_told_by_itself(
    tmp_path: Path, path: str, by: Actor | None, looks: str | None
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.txt").write_text("x")
    (tmp_path / "outside.txt").write_text("x")
    (root / "leads-out.txt").symlink_to(tmp_path / "outside.txt")
    call = Workbench(root=root).wants("read_file", path=path).call

    moved = CallMoved(call=call, state=State.SUCCEEDED, by=by)
    assert record_shape(moved, None, 0).looks == looks
