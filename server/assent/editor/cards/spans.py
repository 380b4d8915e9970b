"""Spans of text in which every character is visible, or a mark is drawn in its place.

The spans of a text, joined by `text`, are that text. What would not be seen (controls, bidi
marks, zero-width and look-alike blanks, long runs of blanks) carries what to draw instead. What
only says how the sign before it is drawn, as in most emoji, is seen with that sign.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

from assent.editor.protocol.card import Span
from assent.gate.text.invisible_characters import drawn, hides, is_unseen
from assent.gate.text.shortening import bytes_of

__all__ = ["code", "cut_spans", "line", "plain", "shown", "text_of"]

Kind = Literal["plain", "code"]

_LONG_BLANK: Final = re.compile(r"[ \t]{8,}|\n(?:[ \t]*\n){3,}")

_MAX_SPANS_BYTES: Final = 4 * 1024
"""In bytes on the wire: what is kept of a title, a command in a list, a member."""
_SPAN_OVERHEAD_BYTES: Final = 64
"""What a span takes beside its text."""

_MAX_HIDDEN_SHOWN_SINGLY: Final = 8
"""So many hidden characters in a row are shown one by one."""


def plain(text: str) -> list[Span]:
    """Prose, with its line breaks."""
    return list(_spans(text, "plain", keep="\n\t"))


def code(text: str) -> list[Span]:
    """Something literal, such as a command, with its line breaks."""
    return list(_spans(text, "code", keep="\n\t"))


def line(text: str) -> list[Span]:
    """Something literal that is drawn in one line, such as a path: even line breaks are shown."""
    return list(_spans(text, "code", keep=""))


def text_of(spans: list[Span]) -> str:
    """What a person reads: for labels, notifications and the journal."""
    return "".join(span.text if span.shown is None else span.shown for span in spans)


def shown(text: str) -> str:
    """The text for a page that is made of it: blanks stay, whatever would not be seen is named.

    >>> shown("one" + chr(27) + "        two")
    'oneU+001B        two'
    """
    return text_of(list(_visible(text, "plain", keep="\n\t"))) if hides(text) else text


def cut_spans(spans: list[Span]) -> list[Span]:
    """A line of spans; the beginning of it where it is too long."""
    kept: list[Span] = []
    left = _MAX_SPANS_BYTES
    for span in spans:
        cost = _SPAN_OVERHEAD_BYTES + bytes_of(span.text) + bytes_of(span.shown or "")
        if cost > left:
            begun = (
                span.text[: max(0, left - _SPAN_OVERHEAD_BYTES) // 6] if span.shown is None else ""
            )
            kept += [span.model_copy(update={"text": begun})] if begun else []
            length = sum(len(span.text) for span in spans) - sum(len(span.text) for span in kept)
            return [*kept, *plain(f" [… {length:,} characters left out …]")]
        kept.append(span)
        left -= cost
    return kept


def _spans(text: str, kind: Kind, keep: str) -> Iterator[Span]:
    at = 0
    for blank in _LONG_BLANK.finditer(text):
        yield from _visible(text[at : blank.start()], kind, keep)
        yield Span(kind="spaces", text=blank.group(), shown=_count(blank.group()))
        at = blank.end()
    yield from _visible(text[at:], kind, keep)


def _count(blanks: str) -> str:
    breaks = blanks.count("\n")
    return f"⟨{breaks} line breaks⟩" if breaks else f"⟨{len(blanks)} spaces⟩"


def _visible(text: str, kind: Kind, keep: str) -> Iterator[Span]:
    """Runs of characters that can be seen, and a box for what cannot."""
    if text.isascii() and text.isprintable():
        # Nearly every line of every card.
        yield from [Span(kind=kind, text=text)] if text else []
        return
    hidden = {character for character in set(text) if character not in keep}
    hidden = {character for character in hidden if is_unseen(character)}
    seen = drawn(text)
    start = 0
    for is_hidden, run in groupby(
        character in hidden and at not in seen for at, character in enumerate(text)
    ):
        end = start + sum(1 for _ in run)
        if is_hidden:
            yield from _boxes(text[start:end])
        else:
            yield Span(kind=kind, text=text[start:end])
        start = end


def _boxes(unseen: str) -> Iterator[Span]:
    """One box for each of a few characters; one for all of many, which would fill the card."""
    if len(unseen) > _MAX_HIDDEN_SHOWN_SINGLY:
        yield Span(kind="hidden", text=unseen, shown=f"⟨{len(unseen):,} hidden characters⟩")
        return
    yield from map(_box, unseen)


@lru_cache(maxsize=256)
def _box(character: str) -> Span:
    return Span(kind="hidden", text=character, shown=f"U+{ord(character):04X}")
