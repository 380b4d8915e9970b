"""Turns an HTML page into plain text for a model.

Headings, lists, links and code stay what they are; what a reader would not see is left out. The
work is in proportion to the page, and what comes out is bounded whatever the page does.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final
from urllib.parse import urljoin

from assent.agent.tools.lines import Lines
from assent.agent.tools.markup import Tag, tokens
from assent.agent.tools.page_landmarks import OWN, is_unseen, leads_around
from assent.gate.values import define, field, frozen

__all__ = ["readable"]

_MAX_PARTS: Final = 500_000
"""Tags and the texts between them: a page that people read has far fewer."""
_MAX_LINK_LETTERS: Final = 1_000
_MAX_NAME_LETTERS: Final = 300
_MAX_INDENTS: Final = 8
"""Lists deeper than that are not moved in any further."""
_FENCE: Final = "```"

_BLANKS: Final = re.compile(r"[ \t\n\f\r]+")
_VOID: Final = frozenset("area base br col embed hr img input link meta source track wbr".split())
_LISTS: Final = frozenset({"ul", "ol", "menu"})
_CODE: Final = frozenset({"code", "kbd", "samp", "tt"})
_CELLS: Final = frozenset({"td", "th"})
_MARKS: Final = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_CLOSE: Final = frozenset("br dd dt li option tr".split())
"""These begin a line."""
_APART: Final = frozenset(
    "address article aside blockquote body caption center details dialog div dl fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend main menu nav ol p pre"
    " search section select summary table title ul".split()
)
"""These begin a line, with an empty one before."""

_MIN_MAIN_LETTERS: Final = 200
"""In letters: of a page with less beside its navigation, that is what it is about."""
_SKIPPED: Final = "(Links that lead around the site are left out.)"
_PARAGRAPH: Final = frozenset({"p"})
_ENDED_BY: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(_APART, _PARAGRAPH),
    "li": frozenset({"li", "p"}),
    "dt": frozenset({"dt", "dd", "p"}),
    "dd": frozenset({"dt", "dd", "p"}),
    "tr": frozenset({"tr", "td", "th", "p"}),
    "td": frozenset({"td", "th", "p"}),
    "th": frozenset({"td", "th", "p"}),
    "option": frozenset({"option"}),
    "a": frozenset({"a"}),
}
"""What a tag ends, where its own end was left out."""


def readable(page: str, url: str) -> str:
    """The text of a page that lies at an address, without its navigation where there is more."""
    reader = _reader_of(page, url, whole=False)
    text = reader.lines.whole()
    if not reader.has_skipped:
        return text
    if len(text) < _MIN_MAIN_LETTERS:
        return _reader_of(page, url, whole=True).lines.whole()
    return f"{text}\n\n{_SKIPPED}"


def _reader_of(page: str, url: str, *, whole: bool) -> "_Reader":
    """Who has read the page to its end."""
    reader = _Reader(url=url, whole=whole)
    for count, token in enumerate(tokens(page)):
        if isinstance(token, str):
            reader.read(token)
        elif token.closing:
            reader.close(token.name)
        else:
            reader.open(token)
        if reader.lines.is_full or count == _MAX_PARTS:
            reader.read(" (The rest of this page is left out.)")
            break
    reader.end()
    return reader


@frozen(kw_only=True)
class _Element:
    name: str
    hidden: bool
    link: str = ""


@define(kw_only=True)
class _Reader:
    """Which elements are open, and what was read of them."""

    url: str
    whole: bool
    """Whether its navigation is read as well."""
    has_skipped: bool = False
    lines: Lines = field(factory=Lines)
    _open: list[_Element] = field(factory=list)
    _names: Counter[str] = field(factory=Counter)
    """How many elements of a name are open, so that none is searched for in vain."""
    _counts: list[int | None] = field(factory=list)
    """Of each list that is open, how many entries it had; None where they are not counted."""

    @property
    def _hidden(self) -> bool:
        return bool(self._open) and self._open[-1].hidden

    def open(self, tag: Tag) -> None:
        """An element begins."""
        ended = _ENDED_BY.get(tag.name, frozenset())
        while self._open and self._open[-1].name in ended:
            self._leave()
        hidden = self._hidden or is_unseen(tag) or self._is_skipped(tag)
        link = "" if hidden or tag.name != "a" else self._address(tag.attributes.get("href", ""))
        if tag.name not in _VOID:
            self._open.append(_Element(name=tag.name, hidden=hidden, link=link))
            self._names[tag.name] += 1
        if not hidden:
            self._begin(tag)
        if link:
            self.lines.open_link()

    def _is_skipped(self, tag: Tag) -> bool:
        """Whether it only leads around the site."""
        skipped = leads_around(tag, is_within=any(self._names[name] for name in OWN))
        self.has_skipped = self.has_skipped or skipped
        return skipped and not self.whole

    def close(self, name: str) -> None:
        """An element ends, and with it whatever was left open within."""
        while self._names[name]:
            if self._leave() == name:
                return

    def end(self) -> None:
        """The page ends, and with it whatever was left open."""
        while self._open:
            self._leave()

    def read(self, text: str) -> None:
        """Something is said."""
        if self._hidden:
            return
        if self._names["pre"]:
            self._read_as_it_is(text)
            return
        text = _BLANKS.sub(" ", text)
        self.lines.put(text.lstrip(" ") if self.lines.is_fresh else text)

    def _read_as_it_is(self, text: str) -> None:
        first, *more = text.replace("\r\n", "\n").split("\n")
        if not first and self.lines.last == _FENCE and not self.lines.has_begun:
            # The end of the line in which the code began is no part of it.
            first, *more = more or [""]
        self.lines.put(first)
        for line in more:
            self.lines.end_line_as_it_is()
            self.lines.put(line)

    def _begin(self, tag: Tag) -> None:
        name, lines = tag.name, self.lines
        self._part(name)
        lines.mark = _MARKS.get(name, lines.mark)
        if name in _LISTS:
            self._counts.append(0 if name == "ol" else None)
            self._move_in()
        elif name == "li":
            lines.mark = self._bullet()
        elif name in _CODE and not self._names["pre"]:
            lines.put("`")
        elif name in _CELLS and lines.has_begun:
            lines.put(" | ")
        elif name == "img":
            self._name_picture(tag.attributes.get("alt", ""))
        elif name == "hr":
            self._add_line("---")
            lines.leave_gap()
        elif name == "pre" and self._names["pre"] == 1:
            self._add_line(_FENCE)
        elif name == "base":
            self.url = self._address(tag.attributes.get("href", "")) or self.url

    def _leave(self) -> str:
        """The innermost element ends."""
        element = self._open.pop()
        name = element.name
        self._names[name] -= 1
        if element.hidden:
            return name
        if element.link:
            self.lines.close_link(element.link)
        if name in _CODE and not self._names["pre"]:
            self.lines.put("`")
        elif name == "pre" and not self._names["pre"]:
            self._add_line(_FENCE)
        elif name in _LISTS:
            self.lines.end_line()
            self.lines.mark = ""
            self._counts.pop()
            self._move_in()
        self._part(name)
        return name

    def _part(self, name: str) -> None:
        """Begin a line, or leave a gap, where an element stands for itself."""
        if name in _CLOSE or (name in _LISTS and self._counts):
            self.lines.end_line()
        elif name in _APART:
            self.lines.leave_gap()

    def _add_line(self, line: str) -> None:
        self.lines.end_line()
        self.lines.put(line)
        self.lines.end_line()

    def _move_in(self) -> None:
        self.lines.indent = "  " * min(len(self._counts), _MAX_INDENTS)

    def _bullet(self) -> str:
        before = "  " * (min(len(self._counts), _MAX_INDENTS) - 1)
        if not self._counts or self._counts[-1] is None:
            return f"{before}- "
        self._counts[-1] += 1
        return f"{before}{self._counts[-1]}. "

    def _name_picture(self, says: str) -> None:
        says = _BLANKS.sub(" ", says).strip()[:_MAX_NAME_LETTERS]
        if says:
            self.lines.put(f"![{says}]")

    def _address(self, href: str) -> str:
        """The whole address that a link leads to; nothing for one that is not worth its place."""
        if not href or href.startswith("#") or len(href) > _MAX_LINK_LETTERS:
            return ""
        try:
            url = urljoin(self.url, _BLANKS.sub("", href))
        except ValueError:
            return ""
        fit = len(url) <= _MAX_LINK_LETTERS and url.lower().startswith(("http://", "https://"))
        return url if fit else ""
