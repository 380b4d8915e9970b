"""The hunks of an edit show every line that changes."""

from hypothesis import given
from hypothesis import strategies as st

from assent.calls import Edit
from assent.cards.hunks import MOST_LINES, changed_lines, hunks_of
from assent.cards.spans import text_of
from assent.protocol.card import Hunk, HunkLine

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), max_size=40).map("\n".join)


def edit(old: str | None, new: str) -> Edit:
    return Edit(path="/w/a", old=old, new=new)


def exact(line: HunkLine) -> str:
    """A line with the line break that it has, or without."""
    text = "".join(span.text for span in line.text)
    return text if line.text and line.text[-1].shown == "no line break" else text + "\n"


def replayed(old: str, made: list[Hunk]) -> str:
    """What the old text becomes if only the hunks are carried out."""
    lines = old.splitlines(keepends=True)
    for hunk in reversed(made):
        start = hunk.old_start - 1
        gone = sum(line.sign != "+" for line in hunk.lines)
        lines[start : start + gone] = [exact(line) for line in hunk.lines if line.sign != "-"]
    return "".join(lines)


@given(LINES, LINES)
def test_carrying_out_the_hunks_gives_the_new_text(old: str, new: str) -> None:
    assert replayed(old, hunks_of(edit(old, new))) == new


def test_a_new_file_is_all_added() -> None:
    made = hunks_of(edit(None, "one\ntwo\n"))
    assert [(line.sign, text_of(line.text)) for line in made[0].lines] == [
        ("+", "one"),
        ("+", "two"),
    ]
    assert changed_lines(made) == (2, 0)


def test_a_line_break_that_comes_or_goes_at_the_end_is_shown() -> None:
    made = hunks_of(edit("one\n", "one"))
    assert [(line.sign, text_of(line.text)) for line in made[0].lines] == [
        ("-", "one"),
        ("+", "oneno line break"),
    ]


def test_an_edit_that_changes_nothing_has_no_hunks() -> None:
    assert hunks_of(edit("same", "same")) == []


def test_a_very_long_edit_is_one_piece_out_and_one_piece_in() -> None:
    old = [f"line {number}" for number in range(MOST_LINES * 2)]
    new = [*old[:100], "changed", *old[101:]]
    made = hunks_of(edit("\n".join(old), "\n".join(new)))
    assert changed_lines(made) == (1, 1)
    assert replayed("\n".join(old), made) == "\n".join(new)


def test_many_equal_lines_are_compared_coarsely_and_shown_all_the_same() -> None:
    old = "same\n" * 1_500
    made = hunks_of(edit(old, old + "new\n"))
    assert changed_lines(made) == (1, 0)
    assert replayed(old, made) == old + "new\n"
