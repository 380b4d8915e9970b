"""What an edit changes, as hunks of lines with a few lines around them.

The lines of all hunks, without the removed ones, stand in the new text as they are.
"""

import difflib
from collections import Counter
from typing import Final, Literal

from assent.calls import Edit
from assent.cards.spans import code
from assent.protocol.card import Hunk, HunkLine, Span

__all__ = ["MOST_LINES", "changed_lines", "hunks_of"]

AROUND: Final = 3
"""Unchanged lines shown before and after a change."""

MOST_LINES: Final = 4_000
"""Longer changes are shown as one piece taken out and one put in: comparing them is quadratic."""

_MOST_WORK: Final = 200_000
"""Files of many equal lines are compared coarsely too: each line would be held against each."""

Line = tuple[str, bool]
"""A line's text, and whether a line break ends it; only the last one of a file may lack it."""

Group = list[tuple[str, int, int, int, int]]


def hunks_of(edit: Edit) -> list[Hunk]:
    """The hunks of one edit, from the file's beginning to its end."""
    old, new = _lines(edit.old or ""), _lines(edit.new)
    return [_hunk(group, old, new) for group in _groups(old, new)]


def changed_lines(hunks: list[Hunk]) -> tuple[int, int]:
    """How many lines are added and removed."""
    signs = [line.sign for hunk in hunks for line in hunk.lines]
    return signs.count("+"), signs.count("-")


def _lines(text: str) -> list[Line]:
    *ended, last = text.split("\n")
    return [*((line, True) for line in ended), *([(last, False)] if last else [])]


def _groups(old: list[Line], new: list[Line]) -> list[Group]:
    if max(len(old), len(new)) <= MOST_LINES and _work(old, new) <= _MOST_WORK:
        matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
        return [list(group) for group in matcher.get_grouped_opcodes(AROUND)]
    return _coarse(old, new)


def _work(old: list[Line], new: list[Line]) -> int:
    """How many pairs of equal lines a comparison would look at."""
    counts = Counter(old)
    return sum(counts[line] for line in new)


def _coarse(old: list[Line], new: list[Line]) -> list[Group]:
    """One replacement between the common beginning and the common end."""
    before = 0
    while before < min(len(old), len(new)) and old[before] == new[before]:
        before += 1
    after = 0
    while after < min(len(old), len(new)) - before and old[-1 - after] == new[-1 - after]:
        after += 1
    if before == len(old) == len(new):
        return []
    return [[("replace", before, len(old) - after, before, len(new) - after)]]


def _hunk(group: Group, old: list[Line], new: list[Line]) -> Hunk:
    lines: list[HunkLine] = []
    for tag, old_from, old_to, new_from, new_to in group:
        if tag == "equal":
            lines.extend(_drawn(" ", line) for line in old[old_from:old_to])
            continue
        lines.extend(_drawn("-", line) for line in old[old_from:old_to])
        lines.extend(_drawn("+", line) for line in new[new_from:new_to])
    return Hunk(old_start=group[0][1] + 1, new_start=group[0][3] + 1, lines=lines)


def _drawn(sign: Literal["+", "-", " "], line: Line) -> HunkLine:
    text, is_ended = line
    unended = [] if is_ended else [Span(kind="hidden", text="", shown="no line break")]
    return HunkLine(sign=sign, text=[*code(text), *unended])
