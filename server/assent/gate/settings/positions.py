"""Finds the place of a value in a settings file, by line and column.

JSON with comments and trailing commas, as editors write it; whatever is malformed is passed over.
Every letter is looked at once. Columns count as the editor counts them, in UTF-16.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from assent.gate.values import define, frozen

__all__ = ["Span", "plain_json", "spans_of", "value_of"]

Path = tuple[str | int, ...]

MAX_DEPTH: Final = 5
"""Below that no value's place is kept."""

_TOKEN: Final = re.compile(
    r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}\[\],:]|[^\s"{}\[\],:/]+|/', re.DOTALL
)


_NO_LINE_END: Final = re.compile(r"[^\n]")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")


@frozen(kw_only=True)
class Span:
    """A stretch of a text; lines and columns from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


@define
class _Open:
    """An object or a list that has begun."""

    path: Path
    begun: int
    keyed: bool
    key: str | None = None
    index: int = 0

    def next_path(self) -> Path:
        """Where the value that comes now stands."""
        return (*self.path, (self.key or "") if self.keyed else self.index)


def spans_of(text: str, section: str = "assent.") -> dict[Path, Span]:
    """Where each value of a section stands, by its path: `("assent.rules", "deny", 3)`.

    In a workspace's file the settings stand below `settings`. Of a key that stands there twice
    the last counts, as it does for the editor.
    """
    offsets: dict[Path, tuple[int, int]] = {}
    for path, begin, end in _values(text):
        own = path[1:] if path[:1] == ("settings",) and len(path) > 1 else path
        if own and isinstance(own[0], str) and own[0].startswith(section):
            offsets[own] = (begin, end)
    places = _places(text, (offset for both in offsets.values() for offset in both))
    return {path: _span(*places[begin], *places[end]) for path, (begin, end) in offsets.items()}


def plain_json(text: str) -> str:
    """Blank out comments and trailing commas, and leave everything else in its place."""
    parts: list[str] = []
    done = 0
    comma: int | None = None
    for match in _TOKEN.finditer(text):
        mark = match.group()
        if mark.startswith(("//", "/*")):
            parts += (text[done : match.start()], _NO_LINE_END.sub(" ", mark))
            done = match.end()
        elif mark == ",":
            # It stands in a part of its own, so that it can be taken out again.
            parts += (text[done : match.start()], mark)
            comma, done = len(parts) - 1, match.end()
        else:
            if mark in {"}", "]"} and comma is not None:
                parts[comma] = " "
            comma = None
    return "".join([*parts, text[done:]])


def value_of(text: str) -> object:
    """What a file says, an empty one as an empty object; `ValueError` where it is no such JSON.

    Control characters within a text are let pass, as the editor does.
    """
    return json.loads(plain_json(text).strip() or "{}", strict=False)


def _values(text: str) -> Iterator[tuple[Path, int, int]]:
    """Every value that is not too deep, with where it begins and ends."""
    stack: list[_Open] = []
    for match in _TOKEN.finditer(text):
        mark, begin, end = match.group(), match.start(), match.end()
        if mark.startswith(("//", "/*")) or mark == ":":
            continue
        top = stack[-1] if stack else None
        if mark in {"{", "["}:
            path = top.next_path() if top and len(stack) <= MAX_DEPTH else ()
            stack.append(_Open(path=path, begun=begin, keyed=mark == "{"))
        elif mark in {"}", "]"}:
            if top is not None:
                stack.pop()
                if 0 < len(stack) <= MAX_DEPTH:
                    yield top.path, top.begun, end
        elif mark == "," and top is not None:
            top.key = None
            top.index += 1
        elif top is not None and top.keyed and top.key is None:
            top.key = _text(mark)
        elif top is not None and len(stack) <= MAX_DEPTH:
            yield top.next_path(), begin, end


def _text(mark: str) -> str:
    try:
        value = json.loads(mark)
    except ValueError:
        return mark
    return value if isinstance(value, str) else mark


def _span(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span(line=line, column=column, end_line=end_line, end_column=end_column)


def _places(text: str, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Line and column of each of these letters, in one pass over the text."""
    places = {}
    line = column = done = 0
    for offset in sorted(set(offsets)):
        passed = text[done:offset]
        ended = passed.count("\n")
        if ended:
            line, column = line + ended, 0
            passed = passed[passed.rfind("\n") + 1 :]
        column += len(passed) + (0 if passed.isascii() else len(_ASTRAL.findall(passed)))
        places[offset] = (line, column)
        done = offset
    return places
