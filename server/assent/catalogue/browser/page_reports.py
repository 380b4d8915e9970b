"""Reads what the browser's server reports about a page.

Where nothing failed, the page's address stands before anything that the page says over lines of
its own. A title has no line breaks, and may look like an address.
"""

import re
from itertools import pairwise
from typing import Final

from assent.gate.values import frozen

__all__ = ["Element", "Tab", "element_in", "is_whole", "tabs_in", "untitled", "url_in"]

_HEAD: Final = "### Page"
_URL: Final = "- Page URL: "
_ELEMENT: Final = re.compile(
    r"(?P<role>[\w-]+)(?: (?P<name>\"(?:[^\"\\]|\\.)*\"))?(?P<notes>(?: \[[^\]\"]*\])*)"
    r"(?:: (?P<text>[^\n]*))?"
)
_BOX: Final = re.compile(r"\[box=(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)\]")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_TAB: Final = re.compile(r"(- (\d+):( \(current\))?) \[(.*)\)(?: \[crashed\])?", re.ASCII)
_MAX_ELEMENT_LETTERS: Final = 300


@frozen(kw_only=True)
class Element:
    """Something on a page."""

    shown: str
    """Its role and its name."""
    box: tuple[float, float, float, float] | None = None
    """Where it lies: left, top, width and height, in pixels."""


@frozen(kw_only=True)
class Tab:
    """One page that is open."""

    index: int
    is_current: bool
    urls: tuple[str, ...]
    """What its address may be: more than one where its title looks like one."""


def tabs_in(text: str) -> tuple[Tab, ...]:
    r"""The pages of a list of them; no more than stand there in a row from the first on.

    >>> [it.urls for it in tabs_in("### Result\n- 0: (current) [A](http://a/)\n### Page")]
    [('http://a/',)]
    >>> tabs_in("- 0: [x](http://a/)](http://b/)")[0].urls
    ('http://a/)](http://b/', 'http://b/')
    """
    lines = text.removeprefix("### Result\n").split("\n")
    tabs: list[Tab] = []
    for index, line in enumerate(lines):
        read = _TAB.fullmatch(line)
        if read is None or int(read[2]) != index:
            break
        parts = read[4].split("](")
        rests = ["](".join(parts[at:]) for at in range(1, len(parts))]
        urls = tuple(rest for rest in rests if _SCHEME.match(rest))
        tabs.append(Tab(index=index, is_current=bool(read[3]), urls=urls))
    return tuple(tabs)


def is_whole(text: str, tabs: tuple[Tab, ...]) -> bool:
    r"""Whether a list of tabs goes on to its end.

    >>> text = "### Result\n- 0: (current) [A](http://a/)\n- 1: [cut off"
    >>> is_whole(text, tabs_in(text)), is_whole(text[:40], tabs_in(text[:40]))
    (False, True)
    """
    rest = text.removeprefix("### Result\n").split("\n")[len(tabs) :]
    return not rest or not rest[0] or rest[0].startswith("### ")


def untitled(text: str) -> str:
    r"""What was told, without the titles of the pages that are open.

    >>> untitled("### Open tabs\n- 0: (current) [Shop](http://a/)\n- 1: [Words](http://b/)")
    '### Open tabs\n- 0: (current) http://a/\n- 1: http://b/'
    """
    return "\n".join(map(_untitled, text.split("\n")))


def _untitled(line: str) -> str:
    read = _TAB.fullmatch(line)
    return line if read is None else f"{read[1]} {read[4].rpartition('](')[2]}"


def url_in(text: str) -> str:
    r"""Which page is open; nothing where that is not said.

    >>> url_in("### Open tabs\n- 0: [### Page](http://a/)\n### Page\n- Page URL: http://b/\n")
    'http://b/'
    """
    lines = text.split("\n")
    for head, line in pairwise(lines):
        if head == _HEAD:
            return line.removeprefix(_URL) if line.startswith(_URL) else ""
    return ""


def element_in(text: str, ref: str = "") -> Element | None:
    r"""The first element of a snapshot, or that of a reference; None where there is none.

    >>> element_in('```yaml\n- button "Go" [active] [ref=e3] [box=8,67,136,21]\n```')
    Element(shown='button "Go"', box=(8.0, 67.0, 136.0, 21.0))
    >>> element_in('```yaml\n- main:\n  - text: "[ref=e3]"\n  - link "A" [ref=e3]\n```', "e3").shown
    'link "A"'
    """
    lines = text.partition("```yaml\n")[2].split("\n")
    for line in lines if ref else lines[:1]:
        read = _element_on(line)
        if read is not None and (not ref or f" [ref={ref}]" in read["notes"]):
            return _of(read)
    return None


def _element_on(line: str) -> re.Match[str] | None:
    line = line.lstrip(" ")
    if not line.startswith("- "):
        return None
    line = line.removeprefix("- ")
    if line.startswith("'"):
        line = line[1:].replace("''", "'")
    return _ELEMENT.match(line)


def _of(read: re.Match[str]) -> Element:
    # What is told of it stands before its text, which may hold anything.
    box = _BOX.search(read["notes"])
    said = read["name"] or read["text"] or ""
    return Element(
        shown=f"{read['role']} {said}".strip()[:_MAX_ELEMENT_LETTERS],
        box=None if box is None else (float(box[1]), float(box[2]), float(box[3]), float(box[4])),
    )
