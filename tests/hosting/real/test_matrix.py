"""The gate matrix is written by a run that is to write it, and else only held against."""

from pathlib import Path

import pytest

from hosting.real import matrix
from hosting.real.known import KNOWN, Known

CODEX = KNOWN["codex"]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A copy of the page."""
    copy = tmp_path / "README.md"
    copy.write_text(matrix.PAGE.read_text("utf-8"), "utf-8")
    return copy


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_the_page_tells_of_each_agent_at_the_version_that_is_tried(known: Known) -> None:
    text = matrix.PAGE.read_text("utf-8")
    assert f"| {matrix.label(known)} |" in text
    (line,) = (it for it in text.splitlines() if it.startswith(f"| {matrix.label(known)} |"))
    assert line.count("| unasked |") == len(known.past)


def test_a_run_that_checks_the_page_changes_nothing_and_fails_where_it_tells_otherwise(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASSENT_MATRIX", raising=False)
    matrix.put(CODEX, {"read": "ruled"}, page)
    written = page.read_text("utf-8")
    assert "1 of 1" in written
    monkeypatch.setenv("ASSENT_MATRIX", "check")
    matrix.put(CODEX, {"read": "ruled"}, page)
    with pytest.raises(AssertionError, match="tells otherwise of Codex"):
        matrix.put(CODEX, {"read": "card"}, page)
    assert page.read_text("utf-8") == written
