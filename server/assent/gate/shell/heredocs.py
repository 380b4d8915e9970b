"""Takes here-documents out of a text before the grammar parses it.

The grammar loses its way in most of them. Each marker becomes a redirect of the same length and
each body becomes blanks, so every offset stays what it was. Where a marker or its body cannot be
found for sure there is no answer, and the text is not read.
"""

import re
from collections.abc import Mapping
from typing import Final

from assent.gate.text.lazy_patterns import late
from assent.gate.values import Factory, define, frozen

__all__ = ["Heredoc", "lift"]

_TOKEN: Final = late(
    r"\\.|'[^']*'|\$'(?:[^'\\]|\\.)*'|\"|\$\(\(|\$\(|\$\{|\$\[|`|<<<|<<-?|[()}\n]|(?<![^\s;&|()<>])#",
    re.DOTALL,
)
_QUOTED: Final = late(r'\\.|"|\$\(\(|\$\(|\$\{|\$\[|`|\n', re.DOTALL)
_MARKER: Final = late(
    r"""<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\\`$\n]*"|\\[^\n]|[\w.!%+,:@=^~/\-])+)(?=[\s;&|()<>]|$)"""
)
_CASE: Final = late(r"\bcase\b")
_QUOTES: Final = late(r"['\"]|\\(?=.)")
_ODD: Final = late(r"(?<!\\)(?:\\\\)*\\$")

_OPENS: Final = {"$((": "a", "$(": "c", "${": "b", "(": "c"}


@frozen(kw_only=True)
class Heredoc:
    """One here-document."""

    body: str
    start: int
    """Where the body begins in its text."""
    expands: bool
    """Whether the shell reads the body before it hands it on."""
    tabs: bool


@define
class _Scan:
    """What is open, innermost last: a command, a quoted text, braces, arithmetic, a backtick."""

    chooses: bool  # Whether there is a `case`, whose patterns end in a bracket.
    open: list[str] = Factory(lambda: ["c"])
    waiting: list[tuple[int, str, bool, bool]] = Factory(list)
    first: int = 0
    """How much was open where the first marker stood that waits for its body."""
    marked: int = 0
    """How much was open where the last marker stood."""
    found: dict[int, Heredoc | None] = Factory(dict)
    masks: list[tuple[int, int, str]] = Factory(list)
    """What stands instead of a stretch of the text."""


def lift(text: str) -> tuple[str, Mapping[int, Heredoc | None]] | None:
    r"""The text without its here-documents, and each of them by where its marker begins.

    None where one cannot be found for sure. A here-string becomes a redirect of the word that it
    gives, and has no document.

    >>> source, found = lift("cat <<E | wc\n$(ls)\nE\n")
    >>> source
    'cat <hh | wc\n       \n'
    >>> found[4].body, found[4].expands
    ('$(ls)\n', True)
    >>> lift("wc <<< notes")
    ('wc <   notes', {3: None})
    >>> lift("cat <<E\nno end") is None
    True
    """
    if "<<" not in text:
        return text, {}
    scan = _Scan(chooses=_CASE.search(text) is not None)
    at: int | None = 0
    while at is not None and at < len(text):
        quoted = scan.open[-1] == "q"
        token = (_QUOTED if quoted else _TOKEN).search(text, at)
        if token is None:
            break
        at = _take(scan, text, token)
    if at is None or scan.waiting or len(scan.open) > 1:
        return None
    return _masked(text, scan), scan.found


def _take(scan: _Scan, text: str, token: re.Match[str]) -> int | None:
    """Go past one token; None where the way is lost."""
    letters, top = token.group(), scan.open[-1]
    if letters == "\n":
        return _line(scan, text, token.end()) if scan.waiting else token.end()
    if letters in _OPENS:
        scan.open.append(_OPENS[letters] if top != "a" or letters != "(" else "p")
        return token.end() if len(scan.open) < 64 else None  # noqa: PLR2004 -- deep enough
    if letters in ('"', "`"):
        _toggle(scan, "q" if letters == '"' else "t")
        return token.end()
    if letters == "$[":
        return None
    if letters in (")", "}"):
        return _close(scan, text, token, letters)
    if top in ("b", "a", "p"):
        return token.end()
    if letters == "#":
        end = text.find("\n", token.end())
        return len(text) if end < 0 else end
    if letters == "<<<":
        scan.found[token.start()] = None
        scan.masks.append((*token.span(), "<  "))
    if letters in ("<<", "<<-"):
        return _mark(scan, text, token.start())
    return token.end()


def _toggle(scan: _Scan, what: str) -> None:
    if scan.open[-1] == what:
        scan.open.pop()
    else:
        scan.open.append(what)


def _close(scan: _Scan, text: str, token: re.Match[str], letters: str) -> int | None:
    top = scan.open[-1]
    if letters == "}":
        if top == "b":
            scan.open.pop()
        return token.end()
    if top == "a":
        if not text.startswith("))", token.start()):
            return None
        scan.open.pop()
        return token.end() + 1
    if top in ("c", "p") and len(scan.open) > 1:
        if (scan.waiting and len(scan.open) <= scan.marked) or scan.chooses:
            return None
        scan.open.pop()
    return token.end()


def _mark(scan: _Scan, text: str, at: int) -> int | None:
    """Note a marker, whose body begins in the next line."""
    if text.startswith("((") or "((" in text[max(0, at - 200) : at].rpartition("\n")[2]:
        return None  # It may be a shift of bits.
    marker = _MARKER.match(text, at)
    if marker is None:
        return None
    scan.first = min(scan.first, len(scan.open)) if scan.waiting else len(scan.open)
    scan.marked = len(scan.open)
    scan.masks.append((at, marker.end(), "<" + "h" * (marker.end() - at - 1)))
    spelled = marker.group(2)
    delimiter = _QUOTES.sub("", spelled)
    scan.waiting.append((at, delimiter, delimiter == spelled, bool(marker.group(1))))
    return marker.end()


def _line(scan: _Scan, text: str, at: int) -> int | None:
    """Take the bodies that begin here."""
    # Bodies begin behind what was opened since their markers, and shells differ in where that is.
    if scan.open[-1] != "c" or len(scan.open) > scan.first:
        return None
    for start, delimiter, expands, tabs in scan.waiting:
        body = at
        at_delimiter = _end_of_body(text, body, delimiter, expands=expands, tabs=tabs)
        if at_delimiter is None:
            return None
        scan.found[start] = Heredoc(
            body=text[body : at_delimiter[0]], start=body, expands=expands, tabs=tabs
        )
        scan.masks.append((body, at_delimiter[1], " " * (at_delimiter[1] - body)))
        at = min(at_delimiter[1] + 1, len(text))
    scan.waiting.clear()
    return max(at - 1, 0) if at < len(text) else len(text)


def _end_of_body(
    text: str, at: int, delimiter: str, *, expands: bool, tabs: bool
) -> tuple[int, int] | None:
    """Where the line with the delimiter begins and ends."""
    joined = False
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        if not joined and (line.lstrip("\t") if tabs else line) == delimiter:
            return at, end
        joined = expands and _ODD.search(line) is not None
        at = end + 1
    return None


def _masked(text: str, scan: _Scan) -> str:
    parts: list[str] = []
    at = 0
    for start, end, instead in sorted(scan.masks):
        parts += (text[at:start], instead)
        at = end
    return "".join((*parts, text[at:]))
