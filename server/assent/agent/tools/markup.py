"""Parses HTML into texts and tags, and broken HTML as browsers do.

Each character is looked at a fixed number of times, whatever stands there: what is never closed
takes the rest of the page with it, as it does in a browser. The library's parser starts over.
"""

import html
import re
from collections.abc import Iterator
from typing import Final

from assent.gate.values import field, frozen

__all__ = ["DEAF", "Tag", "tokens", "unescaped"]

_NAME: Final = re.compile(r"</?([A-Za-z][^ \t\n\f\r/>]*+)")
_ATTRIBUTE: Final = re.compile(
    r"[ \t\n\f\r/]*+(?:(>)|(=?[^ \t\n\f\r/>=]*+)"
    r"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+"
    r"""(?:"([^"]*+)(?:"|\Z)|'([^']*+)(?:'|\Z)|([^ \t\n\f\r>"'][^ \t\n\f\r>]*+)?))?)"""
)
_COMMENT_END: Final = re.compile(r"--!?>")
DEAF: Final = frozenset({"script", "style", "iframe", "noembed", "noframes", "xmp"})
"""Within these nothing is a tag, and nothing is shown."""
_PLAIN: Final = frozenset({"title", "textarea"})
"""Within these nothing is a tag, and all is text."""
_ENDS: Final = {
    name: re.compile(rf"</{name}(?=[ \t\n\f\r/>])", re.IGNORECASE) for name in DEAF | _PLAIN
}
_HUGE: Final = re.compile(r"&#0*+[0-9]{8,}+;?")
"""No character has such a number, and reading it takes long."""


@frozen(kw_only=True)
class Tag:
    """The beginning or the end of an element."""

    name: str
    """In small letters."""
    closing: bool = False
    attributes: dict[str, str] = field(factory=dict, hash=False)


def unescaped(text: str) -> str:
    """A text with the characters that it names."""
    return html.unescape(_HUGE.sub("\N{REPLACEMENT CHARACTER}", text)) if "&" in text else text


def tokens(page: str) -> Iterator[str | Tag]:
    """The texts of a page and its tags, in order, without comments and scripts."""
    at, text = 0, 0
    while (at := page.find("<", at)) != -1:
        end = _end(page, at)
        if end is None:
            at += 1
            continue
        if text < at:
            yield unescaped(page[text:at])
        tag, at = end
        if tag is not None:
            yield tag
            inner, at = _inner(page, at, tag)
            if inner:
                yield unescaped(inner)
        text = at
    if text < len(page):
        yield unescaped(page[text:])


def _end(page: str, at: int) -> tuple[Tag | None, int] | None:
    """What begins with this `<` and where it ends; None where it is only a character."""
    named = _NAME.match(page, at)
    if named is not None:
        return _tag(page, named)
    if page.startswith("<!--", at):
        # `<!-->` and `<!--->` are whole already.
        ended = _COMMENT_END.search(page, at + 2)
        return None, len(page) if ended is None else ended.end()
    if page.startswith(("<!", "<?", "</"), at):
        closed = page.find(">", at)
        return None, len(page) if closed == -1 else closed + 1
    return None


def _tag(page: str, named: re.Match[str]) -> tuple[Tag | None, int]:
    """A tag with its attributes; none where the page ends within it."""
    attributes: dict[str, str] = {}
    at = named.end()
    while at < len(page):
        match = _ATTRIBUTE.match(page, at)
        assert match is not None  # noqa: S101 -- it matches anything, at the end of the page nothing
        at = match.end()
        if match[1]:
            closing = page.startswith("</", named.start())
            return Tag(name=named[1].lower(), closing=closing, attributes=attributes), at
        value = match[3] or match[4] or match[5] or ""
        attributes.setdefault(match[2].lower(), unescaped(value))
    return None, len(page)


def _inner(page: str, at: int, tag: Tag) -> tuple[str, int]:
    """The text of an element that holds no tags, and where it ends."""
    ends = None if tag.closing else _ENDS.get(tag.name)
    if ends is None:
        return "", at
    match = ends.search(page, at)
    end = len(page) if match is None else match.start()
    return (page[at:end] if tag.name in _PLAIN else ""), end
