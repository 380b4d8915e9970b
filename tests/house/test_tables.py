"""A table that is one test names every row that fails, and runs all of them."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tables import each_row


def _failure(run: Callable[[], Any]) -> str:
    """What a test says that fails, with all that is noted about it."""
    with pytest.raises(BaseException, match="row") as caught:
        run()
    group = caught.value
    parts = group.exceptions if isinstance(group, BaseExceptionGroup) else []
    return "\n".join((str(group), *(note for part in parts for note in part.__notes__)))


def test_every_row_that_fails_is_named_and_the_others_run() -> None:
    ran = []

    @each_row(("text", "length"), [("a", 1), ("bc", 3), ("", 0), ("d", 2)])
    def test(text: str, length: int) -> None:
        ran.append(text)
        assert len(text) == length

    said = _failure(test)
    assert ran == ["a", "bc", "", "d"]
    assert said.startswith("2 of 4 rows fail:\n  text='bc', length=3\n  text='d', length=2\n")
    assert "in the row text='bc', length=3" in said


def test_a_coroutine_runs_for_each_row_too() -> None:
    @each_row("number", [1, pytest.param(2, id="two")])
    async def test(number: int) -> None:
        await asyncio.sleep(0)
        assert number == 1

    assert "1 of 2 rows fail:\n  two, number=2" in _failure(lambda: asyncio.run(test()))


def test_what_should_be_raised_and_is_not_fails_that_row() -> None:
    @each_row("text", ["x", "1"], ids=lambda text: f"the text {text}")
    def test(text: str) -> None:
        with pytest.raises(ValueError, match="invalid"):
            int(text)

    assert "1 of 2 rows fail:\n  the text 1, text='1'" in _failure(test)


def test_a_row_that_is_skipped_fails() -> None:
    @each_row("number", [1])
    def test(number: int) -> None:
        pytest.skip(f"not {number}")

    assert _failure(test).startswith("A row must not be skipped: number=1")


def test_an_empty_table_is_no_test() -> None:
    with pytest.raises(AssertionError, match="empty"):
        each_row("number", [])


@each_row("number", [1, 2, 3])
def test_each_row_has_a_folder_and_changes_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    assert "ASSENT_ROW" not in os.environ
    monkeypatch.setenv("ASSENT_ROW", str(number))
    (tmp_path / "file").touch(exist_ok=False)
