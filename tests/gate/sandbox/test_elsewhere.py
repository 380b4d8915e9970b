"""What is told of what a command wrote to the home of its box."""

import os
from pathlib import Path

import pytest

from assent.gate.sandbox import elsewhere
from assent.gate.sandbox.elsewhere import written_in


def layer(top: Path, *names: str) -> str:
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return str(top)


def test_each_file_is_told_and_what_lies_in_caches_is_not(tmp_path: Path) -> None:
    top = layer(tmp_path, ".profile", "a/b", ".cache/pip/x", ".npm/_logs/1.log", "mycache/x")
    assert written_in(top) == [".profile", "a/b", "mycache/x"]


def test_a_folder_that_was_emptied_is_told(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    os.setxattr(tmp_path / "docs", "user.overlay.opaque", b"y")
    assert written_in(str(tmp_path)) == ["docs/"]


def test_where_there_is_more_than_is_looked_at_the_whole_home_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "_MAX_WALKED", 3)
    top = layer(tmp_path, "a", "b", "c", "d")
    assert written_in(top) == ["", "a", "b", "c"]
