"""What is kept of a call as it was judged: bounded, to the letter, and drawn whoever wrote it."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from agent.tools.workbench import Workbench
from assent.editor.cards.spans import text_of
from assent.editor.window.chats.entries import beside, entry_of
from assent.editor.window.chats.judged_calls import (
    MAX_CALL_BYTES,
    NO_MORE,
    judged_of,
    kept_as,
    picture_of,
    texts_of,
)
from assent.gate.call.calls import Call, Edit
from tables import each_row

requirement = pytest.mark.requirement


@pytest.fixture
def work(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


def changing(work: Workbench, old: str | None, new: str) -> Call:
    """A call that changes a file from one text to another."""
    call = work.wants("write_file", path="a.txt", content="x").call
    (edit,) = call.edits
    return evolve(call, edits=(Edit(path=edit.path, old=old, new=new),))


@requirement("S-04")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (None, "new\n"),
        ("gone\n", ""),
        ("aaa", "aa"),
        ("one\ntwo\nthree\n", "one\n2\nthree\n"),
        ("half \ud800", "half \udfff"),
        ("same", "same"),
    ],
)
def test_the_texts_of_a_change_come_back_to_the_letter(
    work: Workbench, old: str | None, new: str
) -> None:
    call = changing(work, old, new)
    body = beside(b'{"kind":"call"}', kept_as(call))
    assert entry_of(body) == b'{"kind":"call"}'
    assert texts_of(judged_of(body)) == call.edits
    assert picture_of(judged_of(body)).texts


@requirement("S-04")
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run_command", {"command": "echo " + "\x01\u202e" * 60_000}),
        ("run_command", {"command": "true", "env": {f"V{n}": "x" * 9_000 for n in range(40)}}),
        ("web_fetch", {"url": "https://example.com/" + "é" * 900_000}),
    ],
)
def test_a_call_that_is_too_long_is_kept_within_its_bound_and_says_so(
    work: Workbench, tool: str, given: dict[str, Any]
) -> None:
    call = evolve(work.wants("run_command", command="true").call, input=given)
    if tool != "run_command":
        call = evolve(call, tool="fetch")
    kept = kept_as(call)
    assert 0 < len(kept) <= MAX_CALL_BYTES
    told = picture_of(kept)
    assert told.body is not None
    assert told.note.startswith("It was too long to be kept whole")
    assert "left out" in told.model_dump_json()


@requirement("S-04")
def test_no_member_of_a_call_that_is_too_long_is_lost_without_a_word(work: Workbench) -> None:
    many = {f"{'n' * 100}{number}": "x" * 300 for number in range(1_300)}
    told = picture_of(kept_as(evolve(work.wants("run_command", command="true").call, input=many)))
    rows = [text_of(it.name) for it in told.members if text_of(it.name) in many]
    assert len(rows) > 100
    assert rows == list(many)[: len(rows)]
    assert f"Its last {1_300 - len(rows):,} members are left out." in told.note


@requirement("S-04")
def test_a_long_change_keeps_what_stands_beside_its_text(work: Workbench) -> None:
    call = changing(work, None, "line\n" * 300_000)
    call = evolve(call, input={**call.input, "content": "line\n" * 300_000, "mode": "0777"})
    told = picture_of(kept_as(call))
    assert ("mode", "0777") in {(text_of(it.name), text_of(it.value)) for it in told.members}


@requirement("S-04")
def test_a_long_change_keeps_its_lines_and_says_that_its_texts_are_gone(work: Workbench) -> None:
    lines = [f"line {number} {'x' * 60}\n" for number in range(9_000)]
    call = changing(work, "".join(lines), "".join([*lines[:50], "new\n", *lines[51:]]))
    kept = kept_as(call)
    assert 0 < len(kept) <= MAX_CALL_BYTES
    told = picture_of(kept)
    assert told.body is not None
    assert told.body.kind == "edit"
    (file,) = told.body.files
    assert [text_of(it.text) for hunk in file.hunks for it in hunk.lines if it.sign == "+"] == [
        "new"
    ]
    assert not told.texts
    assert "no diff to open" in told.note
    assert texts_of(kept) == ()


@requirement("N-12")
@each_row(
    "kept",
    [
        b"",
        b"[",
        b"[" * 200_000,
        b'{"call":7}',
        b'{"call":{"tool":"write"}}',
        b'{"picture":{"body":null}}',
        b"\xff\xfe",
    ],
)
def test_what_nobody_here_wrote_is_no_record_and_breaks_nothing(kept: bytes) -> None:
    assert picture_of(kept).note == NO_MORE
    assert texts_of(kept) == ()


@requirement("N-12")
def test_a_path_that_somebody_planted_opens_no_diff(work: Workbench) -> None:
    kept = kept_as(changing(work, "a", "b"))
    path = str(work.root / "a.txt").encode()
    planted = kept.replace(path, b"../a.txt")
    assert planted != kept
    assert texts_of(planted) == ()
    assert picture_of(planted).body is None
