"""What is kept of calls is bounded: the newest stay, and nobody else may look."""

import os
from pathlib import Path

import pytest
from attrs import evolve

from assent.agent.loop import outputs as room
from assent.agent.loop import undo_stack as bounds
from assent.agent.loop.outputs import Outputs
from assent.agent.loop.undo_stack import UndoStack
from assent.gate.call.calls import Call, CallId, Edit
from gate.ruling.samples import reading, writing


async def test_long_results_make_room_for_newer_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_MAX_FILES", 3)
    kept = await fill(Outputs(folder=tmp_path / "outputs"), 5)
    assert [path.exists() for path in kept] == [False, False, True, True, True]


async def test_long_results_take_no_more_of_the_disk_than_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "_MAX_BYTES", 25)
    kept = await fill(Outputs(folder=tmp_path / "outputs"), 4)
    assert [path.exists() for path in kept] == [False, False, True, True]
    outputs = Outputs(folder=tmp_path / "outputs")
    alone = await outputs.keep(CallId("alone"), "x" * 100)
    assert alone is not None
    assert alone.read_text() == "x" * 100


async def test_a_result_that_cannot_be_kept_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "outputs").write_text("a file stands in the way")
    outputs = Outputs(folder=tmp_path / "outputs")
    assert await outputs.keep(CallId("a"), "x") is None


async def test_letters_that_are_none_are_kept_as_well(tmp_path: Path) -> None:
    path = await Outputs(folder=tmp_path / "outputs").keep(CallId("a"), "x\ud800y")
    assert path is not None
    assert path.read_bytes().startswith(b"x")


async def fill(outputs: Outputs, count: int) -> list[Path]:
    """Results of ten letters, each younger than the one before."""
    paths = []
    for number in range(count):
        path = await outputs.keep(CallId(str(number)), "0123456789")
        assert path is not None
        if path.exists():
            os.utime(path, ns=(number, number))
        paths.append(path)
    return paths


def kept_in(shelf: UndoStack, call: Call) -> Call | None:
    found = shelf.find(call.id)
    return None if found is None else found.call


def test_the_newest_changes_can_be_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_MAX_CALLS", 2)
    shelf, calls = UndoStack(), [writing(new="x") for _ in range(3)]
    shelf.put(reading(), *calls)
    assert [kept_in(shelf, call) for call in calls] == [None, *calls[1:]]


def test_changes_are_kept_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_MAX_LETTERS", 25)
    edit = Edit(path="/a", old="12345", new="67890")
    calls = [evolve(writing(), edits=(edit,)) for _ in range(3)]
    shelf = UndoStack()
    for call in calls:
        shelf.put(call)
    assert [kept_in(shelf, call) for call in calls] == [None, *calls[1:]]
