"""An edit as hunks: its changed lines with a few lines around them.

The lines of all hunks, without the removed ones, stand in the new text as they are. A card has
room for so many: where there are more, it says in their place how many, and is not whole.
"""

from collections.abc import Iterator
from typing import Final, Literal

from assent.editor.cards.differences import MAX_LINES, Difference, Differences, Line, between
from assent.editor.cards.headings import heading_of
from assent.editor.cards.spans import code
from assent.editor.cards.spans import line as in_one_line
from assent.editor.protocol.card import Hunk, HunkLine, Span
from assent.gate.call.calls import Edit
from assent.gate.text.prefixes import shared
from assent.gate.values import define, frozen

__all__ = ["CARD_LETTERS", "Changes", "Room", "changes_of"]

_MAX_LINE_LETTERS: Final = 10_000
_CONTEXT_LETTERS: Final = 200
"""Characters shown before and after what differs in a long line."""
_SPAN_OVERHEAD_LETTERS: Final = 50
"""About so much a span takes beside its text."""
_MORE: Final = {
    "-": ("line is taken out", "lines are taken out"),
    "+": ("line is put in", "lines are put in"),
    " ": ("line changes", "lines change"),
}
"""What becomes of one line, and of several, that there is no room for."""

CARD_LETTERS: Final = 256 * 1024
"""In characters: how much a card shows of what may be long."""

Part = tuple[int, int]
"""From where to where in a line, in characters."""
Sign = Literal["+", "-", " "]


@define
class Room:
    """How much room a card has for what changes; all files of a call share it."""

    lines: int = 2_000
    size: int = CARD_LETTERS
    """In characters, about."""
    whole: bool = True
    """Whether it was enough for all that was to be shown."""

    @property
    def is_used_up(self) -> bool:
        """Whether there is no room for another line."""
        return self.lines <= 0 or self.size <= 0

    def give(self, lines: int, size: int) -> None:
        """Have so much more, or less."""
        self.lines += lines
        self.size += size


@frozen(kw_only=True)
class Changes:
    """What one edit changes, as far as there was room for it."""

    hunks: list[Hunk]
    added: int
    removed: int
    """In lines, shown or not."""


def changes_of(edit: Edit, room: Room) -> Changes:
    """The changes of one edit, from the file's beginning to its end."""
    differences = between(edit.old or "", edit.new)
    sizes = [_size(difference) for group in differences.groups for difference in group]
    added, removed = (sum(side) for side in zip(*sizes, strict=True)) if sizes else (0, 0)
    left = added + removed
    above = edit.stretch.lines if edit.stretch is not None else 0
    hunks: list[Hunk] = []
    for group in differences.groups:
        lines, left = _drawn_group(group, differences, room, left)
        hunks.append(
            _hunk(group, above + differences.before, lines, _heading(edit, group, differences))
        )
        if not left:
            break
    return Changes(hunks=hunks, added=added, removed=removed)


def _drawn_group(
    group: list[Difference], differences: Differences, room: Room, left: int
) -> tuple[list[HunkLine], int]:
    """The lines of a group, and of how many changed ones nothing has been said by then."""
    lines: list[HunkLine] = []
    for difference in group:
        if left and room.is_used_up:
            return [*lines, _more(" ", left, room)], 0
        lines += _lines(difference, differences, room)
        left -= sum(_size(difference))
    return lines, left


def _size(difference: Difference) -> tuple[int, int]:
    """How many lines are added and removed."""
    tag, old_from, old_to, new_from, new_to = difference
    return (0, 0) if tag == "equal" else (new_to - new_from, old_to - old_from)


def _hunk(group: list[Difference], before: int, lines: list[HunkLine], heading: list[Span]) -> Hunk:
    _, old, _, new, _ = group[0]
    start = {"old_start": before + old + 1, "new_start": before + new + 1}
    return Hunk(**start, lines=lines, heading=heading)


def _heading(edit: Edit, group: list[Difference], differences: Differences) -> list[Span]:
    """What the first line that changes stands in, by the new text."""
    _, old, old_to, new, new_to = next(
        difference for difference in group if difference[0] != "equal"
    )
    at = differences.before + new
    if at > MAX_LINES:
        return []
    changed = differences.new[new:new_to] or differences.old[old:old_to]
    first = next((text for text, _ in changed if text.strip()), "")
    return in_one_line(heading_of(edit.path, edit.new.split("\n", at)[:at], first))


def _lines(difference: Difference, differences: Differences, room: Room) -> Iterator[HunkLine]:
    tag, old_from, old_to, new_from, new_to = difference
    old, new = differences.old[old_from:old_to], differences.new[new_from:new_to]
    if tag == "equal":
        yield from (_drawn(" ", line, room) for line in old)
        return
    gone, come = old_to - old_from, new_to - new_from
    stretches = _stretches(old[0][0], new[0][0]) if gone == come == 1 else (None, None)
    # What comes is worth as much room as what goes, which is shown before it.
    kept = Room(lines=min(come, room.lines // 2), size=room.size // 2 if come else 0)
    room.give(-kept.lines, -kept.size)
    yield from _side("-", old, gone, room, stretches[0])
    room.give(kept.lines, kept.size)
    yield from _side("+", new, come, room, stretches[1])


def _stretches(old: str, new: str) -> tuple[Part, Part] | tuple[None, None]:
    """Where two long lines differ, with a little around: the rest of them is the same."""
    if max(len(old), len(new)) <= _MAX_LINE_LETTERS:
        return None, None
    head = shared(old, new)
    tail = shared(old[head:][::-1], new[head:][::-1])
    begin = max(0, head - _CONTEXT_LETTERS)
    return (begin, _behind(old, tail)), (begin, _behind(new, tail))


def _behind(text: str, tail: int) -> int:
    return min(len(text), len(text) - tail + _CONTEXT_LETTERS)


def _side(
    sign: Sign, lines: list[Line], count: int, room: Room, stretch: Part | None
) -> Iterator[HunkLine]:
    """The lines that go or come, as far as there is room, and how many more there are."""
    shown = 0
    for line in lines:
        if room.is_used_up:
            break
        room.give(-1, 0)
        shown += 1
        yield _drawn(sign, line, room, stretch)
    if shown < count:
        yield _more(sign, count - shown, room)


def _drawn(sign: Sign, line: Line, room: Room, stretch: Part | None = None) -> HunkLine:
    """One line, or the stretch of it outside of which it is the same as the other."""
    text, is_ended = line
    begin, end = stretch or (0, len(text))
    stop = min(end, begin + _MAX_LINE_LETTERS)
    spans = code(text[begin:stop])
    if begin:
        spans.insert(0, _note(f"{begin:,} characters before this stay"))
    if stop < end:
        room.whole = False
        spans.append(_note(f"{len(text) - stop:,} more characters, not shown here"))
    elif end < len(text):
        spans.append(_note(f"{len(text) - end:,} characters after this stay"))
    if not is_ended:
        spans.append(_note("no line break"))
    room.give(
        0, -sum(len(span.text) + len(span.shown or "") + _SPAN_OVERHEAD_LETTERS for span in spans)
    )
    return HunkLine(sign=sign, text=spans)


def _more(sign: Sign, count: int, room: Room) -> HunkLine:
    room.whole = False
    singular, several = _MORE[sign]
    return HunkLine(
        sign=sign,
        text=[_note(f"{count:,} more {singular if count == 1 else several!s}, not shown here")],
    )


def _note(words: str) -> Span:
    """Something that is said of a line, and is no part of it."""
    return Span(kind="hidden", text="", shown=words)
