"""Cuts a text into passages of about two hundred words, each with its headings and lines."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from assent.gate.values import define, field, frozen

__all__ = ["MAX_PASSAGES", "Passage", "PassageFound", "has_headings", "passages_in"]

MAX_PASSAGES: Final = 20_000
"""So many passages of one file are kept."""
_FULL_PASSAGE_WORDS: Final = 150
"""In words: from here on a passage ends with its paragraph."""
_MAX_PASSAGE_WORDS: Final = 250
"""In words: here it ends wherever it is."""
_MAX_LINE_LETTERS: Final = 8_000
"""In letters: a longer line is cut, and no passage is longer."""
_MAX_CARRIED_WORDS: Final = 40
"""In words: a longer sentence is not said again in the next passage."""
_MAX_HEADING_LEVEL: Final = 6
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_UNDERLINE: Final = re.compile(r"(?:={3,}|-{3,})[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(?:```|~~~)")
_SENTENCES: Final = re.compile(r"(?<=[.!?])[ \t]+")
_MAX_HEADING_LETTERS: Final = 120
_PROSE: Final = (".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".org")


@frozen(kw_only=True)
class Passage:
    """A few paragraphs of a text."""

    first: int
    """The line in which it begins, counted from 1."""
    last: int
    heading: str
    """The headings above it, from the outermost."""
    text: str


@frozen(kw_only=True)
class PassageFound:
    """A passage that was found."""

    path: str
    first: int
    last: int
    heading: str
    text: str


def has_headings(path: str) -> bool:
    """Whether a line that begins with `#` is a heading in a file of that name, and no comment."""
    return path.lower().endswith(_PROSE)


def passages_in(text: str, *, headed: bool = True) -> list[Passage]:
    r"""The passages of a text, in order.

    >>> passages_in("# A\n\nOne.\n\n## B\n\nTwo.")[1]
    Passage(first=5, last=7, heading='A › B', text='Two.')
    """
    return [*islice(_passages(text.split("\n"), headed=headed), MAX_PASSAGES)]


def _passages(lines: list[str], *, headed: bool) -> Iterator[Passage]:
    cutter = _Cutter()
    is_code = False
    for number, line in enumerate(lines, 1):
        is_code ^= bool(_FENCE.match(line))
        level, name = _heading(lines, number) if headed and not is_code else (0, "")
        if level:
            yield from cutter.end()
            cutter.enter(level, name, number)
        else:
            yield from cutter.take(number, line.rstrip("\r"))
    yield from cutter.end()


def _heading(lines: list[str], number: int) -> tuple[int, str]:
    """How deep the heading in a line is, and what it says; nothing where it is none."""
    line = lines[number - 1].rstrip()
    marked = _HEADING.fullmatch(line)
    if marked:
        return len(marked[1]), marked[2].rstrip("# ")[:_MAX_HEADING_LETTERS]
    is_alone = number == 1 or not lines[number - 2].strip()
    after = lines[number] if number < len(lines) else ""
    if (
        is_alone
        and line.strip()
        and len(line) <= _MAX_HEADING_LETTERS
        and _UNDERLINE.fullmatch(after)
    ):
        return (1 if after[0] == "=" else 2), line.strip()
    return 0, ""


@define
class _Cutter:
    """What was read of the passage that is open."""

    _headings: list[str] = field(factory=lambda: [""] * _MAX_HEADING_LEVEL)
    _lines: list[str] = field(factory=list)
    _words: int = 0
    _letters: int = 0
    _carried: str = ""
    """The last sentence of the passage before, where that was cut within its section."""
    _first: int = 0
    _last: int = 0

    def enter(self, level: int, name: str, number: int) -> None:
        """A section begins."""
        self._headings[level - 1 :] = [name, *[""] * (_MAX_HEADING_LEVEL - level)]
        self._carried, self._first = "", number

    def take(self, number: int, line: str) -> Iterator[Passage]:
        """One more line; what ends with it."""
        for piece in _pieces(line):
            yield from self._take(number, piece)

    def end(self) -> Iterator[Passage]:
        """Nothing more belongs to it."""
        if self._words:
            yield from self._cut()
        self._carried = ""

    def _take(self, number: int, line: str) -> Iterator[Passage]:
        words = line.split()
        if not words:
            if self._words >= _FULL_PASSAGE_WORDS:
                yield from self._cut()
            elif self._words:
                self._lines.append("")
                self._letters += 1
            return
        is_full = self._letters + len(line) > _MAX_LINE_LETTERS
        if self._words and (is_full or self._words + len(words) > _MAX_PASSAGE_WORDS):
            yield from self._cut()
        for at in range(0, len(words), _MAX_PASSAGE_WORDS):
            # A whole paragraph may stand in one line.
            piece = words[at : at + _MAX_PASSAGE_WORDS]
            self._add(
                number, " ".join(piece) if len(words) > _MAX_PASSAGE_WORDS else line, len(piece)
            )
            if len(piece) == _MAX_PASSAGE_WORDS:
                yield from self._cut()

    def _add(self, number: int, line: str, words: int) -> None:
        self._first = self._first or number
        self._last = number
        self._lines.append(line)
        self._words += words
        self._letters += len(line) + 1

    def _cut(self) -> Iterator[Passage]:
        own = "\n".join(self._lines).strip("\n")
        yield Passage(
            first=self._first,
            last=self._last,
            heading=" › ".join(filter(None, self._headings)),
            text=f"{self._carried}\n{own}" if self._has_room(own) else own,
        )
        sentence = _SENTENCES.split(own.rpartition("\n")[2])[-1]
        self._carried = sentence if len(sentence.split()) <= _MAX_CARRIED_WORDS else ""
        self._lines, self._words, self._letters, self._first = [], 0, 0, 0

    def _has_room(self, own: str) -> bool:
        """Whether there is a sentence to be said again, and room for it."""
        return bool(self._carried) and len(self._carried) + 1 + len(own) <= _MAX_LINE_LETTERS


def _pieces(line: str) -> Iterator[str]:
    """A line in pieces that are short enough, cut between words where there are any."""
    while len(line) > _MAX_LINE_LETTERS:
        at = line.rfind(" ", 1, _MAX_LINE_LETTERS) + 1 or _MAX_LINE_LETTERS
        yield line[:at]
        line = line[at:]
    yield line
