"""Stretches of files are replaced exactly, and nobody learns what they may not read."""

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from agent.tools.workbench import Workbench
from assent.agent.tools.replacements import Unfit, replaced
from assent.gate.call.calls import Effect


@frozen
class Swap:
    old: str
    new: str
    everywhere: bool = False


LETTERS = st.text(alphabet="ab\n", max_size=12)
SWAPS = st.lists(
    st.builds(Swap, LETTERS.filter(bool), LETTERS, st.booleans()), min_size=1, max_size=4
)


def modelled(text: str, swaps: list[Swap]) -> str | None:
    """What comes of it by the simplest means; None where something does not fit."""
    for swap in swaps:
        starts = [at for at in range(len(text)) if text.startswith(swap.old, at)]
        if not starts or (len(starts) > 1 and not swap.everywhere):
            return None
        text = text.replace(swap.old, swap.new)
    return text


def outcome(text: str, swaps: list[Swap]) -> str | None:
    try:
        return replaced(text, swaps).text
    except Unfit:
        return None


@given(LETTERS, SWAPS)
def test_replacing_is_replacing_one_after_the_other(text: str, swaps: list[Swap]) -> None:
    assert outcome(text, swaps) == modelled(text, swaps)


@given(LETTERS.filter(lambda it: "\n" in it), SWAPS, st.booleans())
def test_a_file_with_carriage_returns_is_edited_as_without_and_keeps_them(
    text: str, swaps: list[Swap], with_returns: bool
) -> None:
    def dos(plain: str) -> str:
        return plain.replace("\n", "\r\n")

    written = [Swap(dos(it.old), dos(it.new), it.everywhere) for it in swaps]
    after = modelled(text, swaps)
    expected = None if after is None else dos(after)
    assert outcome(dos(text), written if with_returns else swaps) == expected


@given(LETTERS, SWAPS)
def test_the_lines_that_are_told_are_lines_of_the_new_text(text: str, swaps: list[Swap]) -> None:
    try:
        change = replaced(text, swaps)
    except Unfit:
        return
    whole = change.text.count("\n") + 1
    flat = [line for span in change.lines for line in span]
    assert flat == sorted(flat)
    assert 1 <= flat[0] <= flat[-1] <= whole


@given(st.text(alphabet="ab\n", min_size=1), st.data())
def test_each_changed_line_is_among_those_that_are_told(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    marked = f"{text[:at]}<>{text[at:]}"
    new = data.draw(LETTERS.filter(bool))
    change = replaced(marked, [Swap("<>", f"[{new}]")])
    told = {line for first, last in change.lines for line in range(first, last + 1)}
    lines = change.text.split("\n")
    changed = {number for number, line in enumerate(lines, 1) if "[" in line or "]" in line}
    assert changed <= told


def test_a_line_break_of_a_mixed_file_is_matched_as_it_stands() -> None:
    assert outcome("a\r\nb\nc\n", [Swap("a\nb", "x\ny")]) == "x\r\ny\nc\n"
    assert outcome("a\r\nb\nc\n", [Swap("b\nc", "y\nz")]) == "a\r\ny\nz\n"


def test_no_file_grows_without_bounds() -> None:
    swaps = [Swap("a", "a" * 1_000, everywhere=True) for _ in range(50)]
    with pytest.raises(Unfit, match="larger than 4 MB"):
        replaced("a", swaps)


@pytest.mark.requirement("N-07")
async def test_a_file_is_edited_and_its_changed_lines_are_told(work: Workbench) -> None:
    file = work.file("a.py", "one\ntwo\nthree\nfour\n")
    edits = [{"old": "one\n", "new": "1\n1.5\n"}, {"old": "four", "new": "4"}]
    made = work.wants("edit_file", path="a.py", edits=edits)
    assert (made.call.tool, made.call.effect) == ("write", Effect.WRITE)
    assert (await work.does(made)).text == "Changed a.py: now lines 1–2, 5."
    assert file.read_text() == "1\n1.5\ntwo\nthree\n4\n"


async def test_a_text_that_stands_several_times_is_told_with_its_lines(work: Workbench) -> None:
    work.file("a", "x\nyy\nx\n")
    told = await work.fails("edit_file", path="a", edits=[{"old": "x", "new": "z"}])
    assert "The old text of edits[0] stands 2 times in the file (lines 1, 3)" in told
    told = await work.use("edit_file", path="a", edits=[{"old": "x", "new": "z", "all": True}])
    assert told == "Changed a: now lines 1–3."


async def test_a_text_that_stands_nowhere_is_told_with_the_nearest(work: Workbench) -> None:
    work.file("a", "def one():\n    return 1\n\ndef two():\n    return 2\n")
    told = await work.fails(
        "edit_file", path="a", edits=[{"old": "def two():\n  return 3", "new": ""}]
    )
    assert told.endswith("The nearest is line 4, which reads:\ndef two():")
    told = await work.fails("edit_file", path="a", edits=[{"old": "  retrun 2", "new": ""}])
    assert told.endswith("The nearest is line 5, which reads:\n    return 2")
    told = await work.fails("edit_file", path="a", edits=[{"old": "zzz", "new": ""}])
    assert told.endswith("Read the file again to see what stands there.")


async def test_looking_for_the_nearest_is_bounded(work: Workbench) -> None:
    work.file("a", "ab" * 1_000_000 + "\n" + "abc\n" * 100_000)
    told = await work.fails("edit_file", path="a", edits=[{"old": "bac" * 100_000, "new": ""}])
    assert len(told) < 1_000


async def test_if_one_edit_does_not_fit_none_is_made(work: Workbench) -> None:
    file = work.file("a", "one\n")
    edits = [{"old": "one", "new": "1"}, {"old": "one", "new": "2"}]
    assert "edits[1]" in await work.fails("edit_file", path="a", edits=edits)
    assert file.read_text() == "one\n"


async def test_a_file_that_is_not_there_is_told(work: Workbench) -> None:
    told = await work.fails("edit_file", path="a", edits=[{"old": "x", "new": "y"}])
    assert told == "a does not exist; write_file makes new files."


@pytest.mark.parametrize("old", ["secret", "guess"])
async def test_whether_a_guess_is_right_is_judged_as_reading_where_reading_is_denied(
    work: Workbench, old: str
) -> None:
    work.file(".env", "secret\n")
    work.denied.add(".env")
    call = work.wants("edit_file", path=".env", edits=[{"old": old, "new": "x"}]).call
    assert (call.tool, call.effect, call.edits) == ("read", Effect.READ, ())


async def test_edits_that_do_not_fit_are_judged_as_reading(work: Workbench) -> None:
    work.file("a", "one\n")
    call = work.wants("edit_file", path="a", edits=[{"old": "two", "new": "x"}]).call
    assert (call.tool, call.effect, call.edits) == ("read", Effect.READ, ())


async def test_edits_of_a_file_that_may_be_read_after_all_are_asked_for(work: Workbench) -> None:
    file = work.file("a", "one\n")
    work.denied.add("a")
    made = work.wants("edit_file", path="a", edits=[{"old": "one", "new": "1"}])
    work.denied.clear()
    work.refusal = "You may not change it."
    with pytest.raises(Exception, match="You may not change it"):
        await work.does(made)
    assert file.read_text() == "one\n"
    work.refusal = None
    assert (await work.does(made)).text == "Changed a: now line 1."
    assert [aim.edits[0].new for aim in work.asked] == ["1\n", "1\n"]
    assert file.read_text() == "1\n"


def test_a_text_that_stands_everywhere_is_not_replaced_place_by_place_for_ever() -> None:
    there = Swap(old="a", new="c", everywhere=True)
    back = Swap(old="c", new="a", everywhere=True)
    with pytest.raises(Unfit, match="too many places"):
        replaced("ab" * 5_000, [there, back] * 4)
    assert replaced("ab" * 5_000, [there, back]).text == "ab" * 5_000
