"""The hunks of an edit show every line that changes."""

from hypothesis import given
from hypothesis import strategies as st

from assent.calls import Edit
from assent.cards.hunks import MOST_LINES, changed_lines, hunks_of
from assent.cards.spans import text_of

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), max_size=40).map("\n".join)


def edit(old: str | None, new: str) -> Edit:
    return Edit(path="/w/a", old=old, new=new)


def replayed(old: str, made: list) -> str:  # type: ignore[type-arg]
    """What the old text becomes if only the hunks are carried out."""
    lines = old.split("\n") if old else []
    for hunk in reversed(made):
        start = hunk.old_start - 1
        gone = sum(line.sign != "+" for line in hunk.lines)
        stays = ["".join(s.text for s in line.text) for line in hunk.lines if line.sign != "-"]
        lines[start : start + gone] = stays
    return "\n".join(lines)


@given(LINES, LINES)
def test_carrying_out_the_hunks_gives_the_new_text(old: str, new: str) -> None:
    assert replayed(old, hunks_of(edit(old, new))) == new


def test_a_new_file_is_all_added() -> None:
    made = hunks_of(edit(None, "one\ntwo"))
    assert [(line.sign, text_of(line.text)) for line in made[0].lines] == [
        ("+", "one"),
        ("+", "two"),
    ]
    assert changed_lines(made) == (2, 0)


def test_an_edit_that_changes_nothing_has_no_hunks() -> None:
    assert hunks_of(edit("same", "same")) == []


def test_a_very_long_edit_is_one_piece_out_and_one_piece_in() -> None:
    old = [f"line {number}" for number in range(MOST_LINES * 2)]
    new = [*old[:100], "changed", *old[101:]]
    made = hunks_of(edit("\n".join(old), "\n".join(new)))
    assert changed_lines(made) == (1, 1)
    assert replayed("\n".join(old), made) == "\n".join(new)
