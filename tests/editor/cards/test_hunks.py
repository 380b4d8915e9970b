"""The hunks of an edit show every line that changes, or say how many they do not show."""

import re

from hypothesis import given
from hypothesis import strategies as st

from assent.editor.cards.differences import MAX_LINES
from assent.editor.cards.hunks import Changes, Room, changes_of
from assent.editor.cards.spans import text_of
from assent.editor.protocol.card import Hunk, HunkLine
from assent.gate.call.calls import Edit
from steps import steps_of
from tables import each_row

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "  d"]), max_size=40).map("\n".join)
SINGLE = st.permutations([str(number) for number in range(30)]).map("\n".join)
"""Lines of which each stands once."""


def edit(old: str | None, new: str) -> Edit:
    return Edit(path="/w/a", old=old, new=new)


def changes(old: str | None, new: str) -> Changes:
    """The changes, for which there is room enough."""
    room = Room(lines=10**6, size=10**9)
    made = changes_of(edit(old, new), room)
    assert room.whole
    return made


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
        assert "".join(lines[start : start + gone]) == "".join(
            exact(line) for line in hunk.lines if line.sign != "+"
        )
        lines[start : start + gone] = [exact(line) for line in hunk.lines if line.sign != "-"]
    return "".join(lines)


def signs(made: Changes) -> str:
    return "".join(line.sign for hunk in made.hunks for line in hunk.lines)


@given(LINES | SINGLE, LINES | SINGLE)
def test_carrying_out_the_hunks_gives_the_new_text(old: str, new: str) -> None:
    made = changes(old, new)
    assert replayed(old, made.hunks) == new
    assert (made.added, made.removed) == (signs(made).count("+"), signs(made).count("-"))


@given(LINES | SINGLE, LINES, LINES)
def test_what_stands_around_a_change_is_shown_and_no_more(around: str, old: str, new: str) -> None:
    before, after = f"{around}\nbegin\n", f"\nend\n{around}"
    made = changes(before + old + after, before + new + after)
    assert replayed(before + old + after, made.hunks) == before + new + after
    assert not re.search(" {7}", signs(made))


def test_a_new_file_is_all_added() -> None:
    made = changes(None, "one\ntwo\n")
    assert [(line.sign, text_of(line.text)) for line in made.hunks[0].lines] == [
        ("+", "one"),
        ("+", "two"),
    ]
    assert (made.added, made.removed) == (2, 0)


def test_a_line_break_that_comes_or_goes_at_the_end_is_shown() -> None:
    made = changes("one\n", "one")
    assert [(line.sign, text_of(line.text)) for line in made.hunks[0].lines] == [
        ("-", "one"),
        ("+", "oneno line break"),
    ]


def test_an_edit_that_changes_nothing_has_no_hunks() -> None:
    assert changes("same", "same").hunks == []


def test_lines_that_stand_once_are_found_again_in_a_long_file() -> None:
    old = [f"line {number}" for number in range(5_000)]
    new = [f"new {at}" if at % 500 == 0 else line for at, line in enumerate(old)]
    made = changes("\n".join(old), "\n".join(new))
    assert (made.added, made.removed, len(made.hunks)) == (10, 10, 10)
    assert replayed("\n".join(old), made.hunks) == "\n".join(new)


def test_a_small_change_of_a_very_long_file_is_shown_as_one() -> None:
    old = [f"line {number}" for number in range(MAX_LINES * 2)]
    new = [*old[:100], "changed", *old[101:]]
    made = changes("\n".join(old), "\n".join(new))
    assert (made.added, made.removed, signs(made)) == (1, 1, "   -+   ")
    assert replayed("\n".join(old), made.hunks) == "\n".join(new)


def test_many_equal_lines_take_no_time_and_are_shown_all_the_same() -> None:
    old = "same\n" * 1_500
    made = changes(old, old + "new\n")
    assert (made.added, made.removed) == (1, 0)
    assert replayed(old, made.hunks) == old + "new\n"


MORE = re.compile(
    r"([\d,]+) more lines? (?:is taken out|are taken out|is put in|are put in|changes?)"
)


def left_out(made: Changes) -> int:
    """How many lines a card says that it does not show."""
    notes = [text_of(line.text) for hunk in made.hunks for line in hunk.lines]
    return sum(int(it[1].replace(",", "")) for it in map(MORE.match, notes) if it)


@given(LINES | SINGLE, LINES | SINGLE, st.integers(0, 30), st.integers(0, 2_000))
def test_every_line_that_is_not_shown_is_counted(old: str, new: str, lines: int, size: int) -> None:
    room = Room(lines=lines, size=size)
    made = changes_of(edit(old, new), room)
    shown = [
        line
        for hunk in made.hunks
        for line in hunk.lines
        if line.sign != " " and not MORE.match(text_of(line.text))
    ]
    assert len(shown) + left_out(made) == made.added + made.removed
    assert len(shown) <= lines
    assert room.whole == (not left_out(made))


def test_of_a_file_that_is_rewritten_the_beginnings_of_both_are_shown() -> None:
    old, new = ("".join(f"{word} {at}\n" for at in range(100_000)) for word in ("old", "new"))
    room = Room()
    made = changes_of(edit(old, new), room)
    assert (made.added, made.removed, room.whole) == (100_000, 100_000, False)
    told = [text_of(line.text) for line in made.hunks[0].lines]
    assert told[0] == "old 0"
    assert told[1_000:1_002] == ["99,000 more lines are taken out, not shown here", "new 0"]
    assert told[-1] == "99,000 more lines are put in, not shown here"


def test_files_of_one_call_share_the_room() -> None:
    room = Room(lines=3)
    first, second = (changes_of(edit(None, "a\nb\n"), room) for _ in range(2))
    assert (left_out(first), left_out(second)) == (0, 1)
    assert [text_of(line.text) for line in changes_of(edit("x", "y"), room).hunks[0].lines] == [
        "2 more lines change, not shown here"
    ]


def test_of_a_very_long_line_the_rest_is_counted() -> None:
    room = Room()
    made = changes_of(edit(None, "x" * 4_000_000), room)
    assert text_of(made.hunks[0].lines[0].text).startswith("x" * 10_000 + "3,990,000 more")
    assert not room.whole


@each_row("unseen", ["\u200b", "a\u200b", "\n", "a\u200b\n"])
def test_what_is_not_seen_takes_room_as_well(unseen: str) -> None:
    made = changes_of(edit(None, unseen * 500_000), Room())
    assert sum(len(hunk.model_dump_json()) for hunk in made.hunks) < 2_000_000


WAYS = st.sampled_from(
    [
        lambda at: (f"{at}\n", f"x{at}\n"),
        lambda at: (f"{at}\n", f"{at}\n" if at % 2 else f"x{at}\n"),
        lambda at: (f"{at}\n", f"{at ^ 1}\n"),
        lambda at: (f"{at}\n", f"{-at}\n"),
        lambda at: (f"{at % 2}\n", f"{at % 3}\n"),
        lambda at: (f"{at % 7}\n", f"{at * at % 7}\n"),
        lambda at: ("same\n", "same\n" if at % 3 else "other\n"),
        lambda at: ("", f"{at}\n"),
    ]
)


@given(WAYS)
def test_a_change_twice_as_long_takes_about_twice_as_long(way: object) -> None:
    def steps(count: int) -> int:
        pairs = [way(at) for at in range(count)]  # type: ignore[operator]
        old, new = ("".join(side) for side in zip(*pairs, strict=True))
        return steps_of(lambda: changes_of(edit(old, new), Room()))

    short, long = steps(2_000), steps(4_000)
    assert long <= 2.5 * short + 20_000
