"""Places in a text are counted as editors count them, held against UTF-16 itself."""

import re
from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.gate.text.positions import Change, difference, offset_of, position_of, text_after

LETTERS = st.text(alphabet="ab \r\n\tä😀\u2028\x0c", max_size=40)


def _counted(text: str, offset: int) -> tuple[int, int]:
    """Where a letter stands, counted in the text's own UTF-16."""
    before = text[:offset]
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        # Between the two there is no place of its own.
        before = before[:-1]
    lines = re.split(r"\r\n|\r|\n", before)
    return len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2


@given(LETTERS, st.data())
def test_a_place_is_where_editors_count_it(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[max(offset - 1, 0) : offset + 1] == "\r\n":
        offset -= 1
    place = _counted(text, offset)
    assert position_of(text, offset) == place
    assert offset_of(text, place) == offset


@given(LETTERS, st.integers(0, 50), st.integers(0, 50))
@example("\r\U0001f600", 1, 1)
def test_what_lies_behind_an_end_is_that_end(text: str, line: int, column: int) -> None:
    lines = re.split(r"\r\n|\r|\n", text)
    if line >= len(lines):
        assert offset_of(text, (line, column)) == len(text)
        return
    units = [len(it.encode("utf-16-le")) // 2 for it in lines[line]]
    if column in {0, *accumulate(units)} or column > sum(units):
        assert _counted(text, offset_of(text, (line, column))) == (line, min(column, sum(units)))
    else:
        with pytest.raises(ValueError, match="within a letter"):
            offset_of(text, (line, column))


@given(LETTERS, LETTERS)
def test_the_difference_of_two_texts_makes_the_one_the_other(old: str, new: str) -> None:
    change = difference(old, new)
    assert text_after(old, change) == new


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_a_difference_is_no_longer_than_what_differs(
    head: str, old: str, new: str, tail: str
) -> None:
    change = difference(head + old + tail, head + new + tail)
    # A line break of two letters is not cut, so one letter more may be taken at each end.
    assert len(change.text) <= len(new) + 2


@given(LETTERS, LETTERS)
def test_a_change_without_a_stretch_is_of_all(old: str, new: str) -> None:
    assert text_after(old, Change(text=new)) == new
