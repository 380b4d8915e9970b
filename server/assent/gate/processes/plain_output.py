"""Removes terminal control from output: colours, cursor movements, overwritten lines.

It takes time in proportion to the text, whatever stands in it, and hides no letters: an escape
that does not end is taken out by its beginning alone.
"""

import re
from typing import Final

from assent.gate.values import define

__all__ = ["Plainly", "plain"]

_ESCAPE: Final = re.compile(
    r"\x1b\[[0-?]{0,64}+[ -/]{0,8}+[@-~]"
    r"|\x1b[\]PX^_][^\x07\x1b\n]{0,2048}+(?:\x07|\x1b\\)"
    r"|\x1b[ -/]{0,8}+[0-~]"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
_UNFINISHED: Final = re.compile(
    r"\x1b(?:\[[0-?]{0,64}+[ -/]{0,8}+|[\]PX^_][^\x07\x1b\n]{0,2048}+\x1b?|[ -/]{0,8}+)"
)
_MAX_SEQUENCE_LETTERS: Final = 2_100


def plain(text: str) -> str:
    """A text as it would stand on a terminal in the end."""
    text = _ESCAPE.sub("", text)
    if "\r" not in text:
        return text
    return "\n".join(map(_last_painted, text.split("\n")))


@define(eq=False)
class Plainly:
    """Plain text from pieces: shows each as it comes.

    What was shown cannot be taken back: of a line that is painted over again and again the first
    state is shown, and then the last.
    """

    _held: str = ""
    """The end of what came, where an escape or the end of a line may go on in the next piece."""
    _painted: str = ""
    """The last state of a line that is being painted over."""
    _is_shown: bool = False
    """Whether something of the unfinished line was shown."""

    def more(self, text: str) -> str:
        """What to show of the next piece."""
        text = self._held + text
        cut = _safe_end(text)
        text, self._held = _ESCAPE.sub("", text[:cut]), text[cut:]
        if "\r" not in text and not self._painted:
            self._is_shown = not text.endswith("\n") if text else self._is_shown
            return text
        *lines, last = text.split("\n")
        return "".join([*map(self._line, lines), self._rest(last)])

    def last(self) -> str:
        """What to show when nothing more comes."""
        rest, self._held = self._held, ""
        shown = self._rest(_ESCAPE.sub("", rest))
        return shown + self._end_painting()

    def _line(self, text: str) -> str:
        """The end of a line."""
        text = text.rstrip("\r")
        if not self._painted and not self._is_shown:
            return f"{_last_painted(text)}\n"
        shown = f"{self._rest(text)}{self._end_painting()}\n"
        self._is_shown = False
        return shown

    def _rest(self, text: str) -> str:
        """More of a line whose end has not come."""
        if self._painted:
            self._paint(text)
            return ""
        if not self._is_shown:
            text = text.lstrip("\r")
        shown, painted, later = text.partition("\r")
        self._is_shown = self._is_shown or shown != ""
        self._paint(painted + later)
        return shown

    def _paint(self, text: str) -> None:
        """Keep the last state that says something, and whether another is about to come."""
        whole = self._painted + text
        said = whole.rstrip("\r")
        self._painted = whole[said.rfind("\r") + 1 :] if said else whole[-1:]

    def _end_painting(self) -> str:
        painted, self._painted = _last_painted(self._painted), ""
        return f"\n{painted}" if painted else ""


def _safe_end(text: str) -> int:
    """Up to where the text means the same whatever comes next."""
    last = text.rfind("\x1b", -_MAX_SEQUENCE_LETTERS)
    for place in (text.rfind("\x1b", -_MAX_SEQUENCE_LETTERS, max(0, last)), last):
        if place >= 0 and _UNFINISHED.fullmatch(text, place):
            return place
    return len(text) - 1 if text.endswith("\r") else len(text)


def _last_painted(line: str) -> str:
    """What a line shows after it was painted over: its last state that says something."""
    states = [state for state in line.split("\r") if state]
    return states[-1] if states else ""
