"""Which bytes of a command's output came from standard output, and which from standard error.

Both stand on one tape, in the order in which they came. `TaggedBytes` is a stretch of one of them.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from assent.gate.processes.plain_output import plain
from assent.gate.values import define, field, frozen

__all__ = ["StreamTags", "TaggedBytes", "lines_of"]

_MAX_CHANGES: Final = 65_536
"""So many changes from one to the other are known; of what is older nobody can tell."""


@frozen(kw_only=True)
class TaggedBytes:
    """A stretch of text that came on one of the two."""

    text: str
    start: int
    is_error: bool


@define(eq=False)
class StreamTags:
    """Where on a tape the one ends and the other begins."""

    _changes: "array[int]" = field(factory=lambda: array("Q"))
    _is_error: bool = False
    """Which of them came last."""
    _is_cut: bool = False

    def add(self, start: int, is_error: bool) -> None:  # noqa: FBT001 -- the one fact of it
        """From this place on it is this one."""
        if is_error is self._is_error:
            return
        self._changes.append(start)
        self._is_error = is_error
        if len(self._changes) > _MAX_CHANGES:
            del self._changes[: _MAX_CHANGES // 2]
            self._is_cut = True

    def between(self, start: int, end: int) -> list[tuple[int, int, bool]]:
        """The stretches between two places: where each begins and ends, and whether it is errors.

        >>> stream_tags = StreamTags()
        >>> stream_tags.add(4, True)
        >>> stream_tags.between(0, 10)
        [(0, 4, False), (4, 10, True)]
        """
        index = bisect_right(self._changes, start)
        stretches: list[tuple[int, int, bool]] = []
        while start < end or not stretches:
            upto = self._changes[index] if index < len(self._changes) else end
            stretches.append((start, min(upto, end), self._before(index)))
            start, index = upto, index + 1
        return stretches

    def untold(self, start: int, end: int) -> int:
        """Of how many bytes between two places nobody can tell any more which of them it was."""
        return max(0, min(end, self._changes[0]) - start) if self._is_cut else 0

    def _before(self, index: int) -> bool:
        """Which of them it is before the change at an index."""
        if index == 0 and self._is_cut:
            return False
        return self._is_error ^ bool((len(self._changes) - index) % 2)


def lines_of(stream_tags: Iterable[TaggedBytes]) -> tuple[str, list[int]]:
    r"""A text for people, and the lines of it that are errors; each begins with a line of its own.

    >>> one = TaggedBytes(text="busy", start=0, is_error=False)
    >>> two = TaggedBytes(text="bad\n", start=4, is_error=True)
    >>> lines_of([one, two])
    ('busy\nbad\n', [1, 2])
    """
    pieces: list[str] = []
    errors: list[int] = []
    line, ends = 0, True
    for tagged in stream_tags:
        text = plain(tagged.text)
        if not text:
            continue
        if not ends:
            pieces.append("\n")
            line += 1
        ends = text.endswith("\n")
        after = line + text.count("\n")
        if tagged.is_error:
            errors += [line, after if ends else after + 1]
        pieces.append(text)
        line = after
    return "".join(pieces), errors
