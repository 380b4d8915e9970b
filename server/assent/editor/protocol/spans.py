"""Texts as a client draws them: the spans of a text joined by `text` are that text."""

from typing import Literal

from assent.editor.protocol.shapes import Shape

__all__ = ["Row", "Span"]


class Span(Shape):
    """A stretch of text that is drawn in one way."""

    kind: Literal["plain", "code", "danger", "hidden", "spaces"]
    """`hidden` is a character that would not be seen; `spaces` is a long run of blanks."""
    text: str
    """The exact characters."""
    shown: str | None = None
    """What to draw instead of `text`, such as `U+202E` or `⟨188 spaces⟩`."""


class Row(Shape):
    """One named argument."""

    name: list[Span]
    value: list[Span]
