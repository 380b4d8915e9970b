"""The lines of a text that is being written: marks before them, gaps between them.

No line is empty but where a gap is wanted, and no two gaps follow each other.
"""

from collections import defaultdict
from typing import Final

from assent.gate.values import define, field

__all__ = ["Lines"]

_MAX_LETTERS: Final = 5_000_000
"""In characters: addresses written out in full could make a page many times as long."""
_OPENED = "["


@define
class Lines:
    """What was written so far."""

    written: int = 0
    """In characters, about."""
    indent: str = ""
    """What stands before each line that has no mark."""
    mark: str = ""
    """What stands before the next line: a bullet, the mark of a heading."""
    _lines: list[str] = field(factory=list)
    _line: list[str] = field(factory=list)
    _ends: defaultdict[int, list[str]] = field(factory=lambda: defaultdict(list))
    """What stands behind lines that have ended, which would be written anew each time."""

    @property
    def is_full(self) -> bool:
        """Whether no more should be written."""
        return self.written > _MAX_LETTERS

    @property
    def is_fresh(self) -> bool:
        """Whether a blank would be one too many."""
        return not self._line or self._line[-1].endswith((" ", _OPENED))

    @property
    def has_begun(self) -> bool:
        """Whether something stands in the line."""
        return bool(self._line)

    @property
    def last(self) -> str:
        """The last line that has ended."""
        return self._lines[-1] if self._lines else ""

    def put(self, text: str) -> None:
        """Go on in the same line."""
        if text:
            self._line.append(text)
            self.written += len(text)

    def end_line(self) -> None:
        """Whatever comes next stands in a line of its own."""
        # A link that has just begun, has yet to say something.
        if self._line == [_OPENED]:
            return
        line = "".join(self._line).rstrip()
        self._line.clear()
        if line:
            self._add(line)

    def end_line_as_it_is(self) -> None:
        """End the line, where empty lines and blanks matter."""
        self._add("".join(self._line))
        self._line.clear()

    def leave_gap(self) -> None:
        """Whatever comes next has an empty line before it."""
        self.end_line()
        if not self.mark and self._lines and self._lines[-1]:
            self._lines.append("")

    def open_link(self) -> None:
        """What comes next is the text of a link."""
        self.put(_OPENED)

    def close_link(self, url: str) -> None:
        """The text of a link was said, if there was any."""
        if self._line[-1:] == [_OPENED]:
            self._line.pop()
            return
        close = "]" if self.is_full else f"]({url})"
        if not self._line and self._lines:
            at = len(self._lines) - (2 if not self.last and len(self._lines) > 1 else 1)
            self._ends[at].append(close)
            self.written += len(close)
            return
        self.put(close)

    def whole(self) -> str:
        """The text."""
        self.end_line()
        for at, ends in self._ends.items():
            self._lines[at] += "".join(ends)
        self._ends.clear()
        return "\n".join(self._lines).strip("\n")

    def _add(self, line: str) -> None:
        lead = self.mark or self.indent
        self.mark = ""
        self._lines.append(lead + line)
        self.written += len(lead) + 1
