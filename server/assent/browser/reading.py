"""What the browser's server says of a page, read as it writes it.

The page's address is the browser's word and stands before anything that the page says itself.
"""

import re
from itertools import pairwise
from typing import Final

from attrs import frozen

__all__ = ["Element", "element_in", "url_in"]

_HEAD: Final = "### Page"
_URL: Final = "- Page URL: "
_ELEMENT: Final = re.compile(
    r"(?P<role>[\w-]+)(?: (?P<name>\"(?:[^\"\\]|\\.)*\"))?(?P<notes>(?: \[[^\]\"]*\])*)"
    r"(?:: (?P<text>[^\n]*))?"
)
_BOX: Final = re.compile(r"\[box=(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)\]")
_LONGEST: Final = 300


@frozen(kw_only=True)
class Element:
    """Something on a page."""

    shown: str
    """Its role and its name."""
    box: tuple[float, float, float, float] | None = None
    """Where it lies: left, top, width and height, in pixels."""


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


def element_in(text: str) -> Element | None:
    r"""The one element of a snapshot, by its role and its name; None where there is none.

    >>> element_in('```yaml\n- button "Go" [active] [ref=e3] [box=8,67,136,21]\n```')
    Element(shown='button "Go"', box=(8.0, 67.0, 136.0, 21.0))
    """
    _, found, body = text.partition("```yaml\n- ")
    line = body.partition("\n")[0]
    if line.startswith("'"):
        line = line[1:].replace("''", "'")
    read = _ELEMENT.match(line) if found else None
    if read is None:
        return None
    # What is told of it stands before its text, which may hold anything.
    box = _BOX.search(read["notes"])
    said = read["name"] or read["text"] or ""
    return Element(
        shown=f"{read['role']} {said}".strip()[:_LONGEST],
        box=None if box is None else (float(box[1]), float(box[2]), float(box[3]), float(box[4])),
    )
