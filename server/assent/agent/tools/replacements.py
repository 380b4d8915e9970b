"""Replaces stretches of a text in order, or explains why one does not fit.

A stretch stands there to the letter; or one alone does that differs in blanks and quotes.
Line breaks are the text's own, whichever a replacement is written with. No text grows beyond what
can be shown.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Protocol

from assent.agent.tools.loose_match import loose_match
from assent.gate.call.errors import AssentError
from assent.gate.disk.files import MAX_FILE_BYTES
from assent.gate.values import frozen

__all__ = ["Replaced", "Replacement", "Unfit", "breaks_of", "in_editor", "replaced"]

_MAX_LINES_NAMED: Final = 8
_MAX_PLACES: Final = 20_000
"""Nobody looks at more on a card, and finding them would keep others waiting."""
_CRLF: Final = "\r\n"

Span = tuple[int, int]


class Replacement(Protocol):
    """One stretch, and what is to stand in its place."""

    @property
    def old(self) -> str:
        """What stands there."""
        ...

    @property
    def new(self) -> str:
        """What is to stand there."""
        ...

    @property
    def everywhere(self) -> bool:
        """Whether each place is meant at which the old text stands."""
        ...


class Unfit(AssentError):
    """A replacement does not fit the text; the message is for the model."""

    def __init__(self, missing: str | None, message: str) -> None:
        self.missing = missing
        """The old text, where that stands nowhere."""
        super().__init__(message)


@frozen(kw_only=True)
class Replaced:
    """A text after its replacements."""

    text: str
    lines: tuple[Span, ...]
    """The lines that they left, as first and last, from 1, in their order."""


def breaks_of(text: str) -> str:
    """The line break of a text; where it has several kinds, or none, the plain one."""
    both = text.count(_CRLF)
    return _CRLF if both and both == text.count("\n") else "\n"


def in_editor(old: str | None, new: str) -> str:
    """A text with the line breaks that an editor makes of all of them: those of the old text."""
    plain = new.replace(_CRLF, "\n").replace("\r", "\n")
    return plain.replace("\n", _CRLF) if breaks_of(old or "") == _CRLF else plain


def replaced(
    text: str,
    replacements: Sequence[Replacement],
    most: int = MAX_FILE_BYTES,
    *,
    loosely: bool = True,
) -> Replaced:
    """The text after all replacements, made one after the other; raises `Unfit`.

    `loosely` takes a stretch, too, that differs in blanks and quotes alone.
    """
    breaks = breaks_of(text)
    now = _plain(text) if breaks == _CRLF else text
    spans: list[Span] = []
    left = _MAX_PLACES
    for index, replacement in enumerate(replacements):
        old, new = _fitting(now, replacement, breaks)
        if loosely:
            old, new = _meant(now, old, new, replacement)
        count = now.count(old)
        left -= count
        meant = count if replacement.everywhere else 1
        if len(now) + meant * (len(new) - len(old)) > most:
            size = f"{most // (1024 * 1024)} MB"
            raise Unfit(None, f"edits[{index}] would make the file larger than {size}.")
        if left < 0:
            raise Unfit(None, f"The old text of edits[{index}] stands in too many places.")
        places = _places(now, old, index, replacement)
        now = now.replace(old, new)
        spans = [*(_moved(span, places, old, new) for span in spans), _span(places, old, new)]
    lines = _lines(now, spans)
    return Replaced(text=now.replace("\n", _CRLF) if breaks == _CRLF else now, lines=lines)


def _plain(text: str) -> str:
    return text.replace(_CRLF, "\n")


def _fitting(text: str, replacement: Replacement, breaks: str) -> tuple[str, str]:
    """The old and the new stretch, with line breaks as the text has them there."""
    old, new = replacement.old, replacement.new
    if breaks == _CRLF:
        return _plain(old), _plain(new)
    if _CRLF in text and old not in text:
        return _plain(old).replace("\n", _CRLF), _plain(new).replace("\n", _CRLF)
    return old, new


def _meant(text: str, old: str, new: str, replacement: Replacement) -> tuple[str, str]:
    """The stretch that is meant where the old text differs from it in blanks and quotes alone."""
    if replacement.everywhere or old in text:
        return old, new
    return loose_match(text, old, new) or (old, new)


def _places(text: str, old: str, index: int, replacement: Replacement) -> list[int]:
    """Where the old stretch stands: once, or wherever it may."""
    if replacement.everywhere:
        places = list(_find_places(text, old, len(old)))
    else:
        # Also where it overlaps itself it cannot be told which one is meant.
        places = list(islice(_find_places(text, old, 1), _MAX_LINES_NAMED + 1))
    if not places:
        raise Unfit(replacement.old, f"The old text of edits[{index}] does not stand in the file.")
    if len(places) > 1 and not replacement.everywhere:
        raise Unfit(None, f"The old text of edits[{index}] stands {_times(text, places)}.")
    return places


def _find_places(text: str, old: str, step: int) -> Iterator[int]:
    place = text.find(old)
    while place >= 0:
        yield place
        place = text.find(old, place + step)


def _times(text: str, places: list[int]) -> str:
    named = [str(1 + text.count("\n", 0, place)) for place in places[:_MAX_LINES_NAMED]]
    times = str(len(places)) if len(places) <= _MAX_LINES_NAMED else f"more than {_MAX_LINES_NAMED}"
    return (
        f"{times} times in the file (lines {', '.join(named)}): give more of the text around the"
        " one you mean, or set all to true"
    )


def _span(places: list[int], old: str, new: str) -> Span:
    """The stretch from the first new text to the last."""
    return places[0], places[-1] + (len(places) - 1) * (len(new) - len(old)) + len(new)


def _moved(span: Span, places: list[int], old: str, new: str) -> Span:
    """Where a stretch lies after these places were replaced."""
    start, end = (_moved_to(at, places, old, new) for at in span)
    return start, end


def _moved_to(at: int, places: list[int], old: str, new: str) -> int:
    before = bisect_left(places, at)
    growth = len(new) - len(old)
    if before and at < places[before - 1] + len(old):
        inside = at - places[before - 1]
        return places[before - 1] + (before - 1) * growth + min(inside, len(new))
    return at + before * growth


def _lines(text: str, spans: list[Span]) -> tuple[Span, ...]:
    """The lines of all stretches; those that follow each other are one."""
    lines: list[Span] = []
    for start, end in sorted(spans):
        first = 1 + text.count("\n", 0, start)
        last = first + text.count("\n", start, max(start, end - 1))
        if lines and first <= lines[-1][1] + 1:
            lines[-1] = (lines[-1][0], max(last, lines[-1][1]))
        else:
            lines.append((first, last))
    return tuple(lines)
