"""Cuts what is told of a chat to what a message can hold, with a mark of what was left out.

Nothing that is answered is cut here: a card is whole, or its call is refused.
"""

import json
from typing import Final

from assent.cards.spans import plain
from assent.protocol.card import Span
from assent.shortening import shortened

__all__ = ["OUTPUT", "bytes_of", "cut_line", "cut_lines", "cut_output", "cut_spans", "pieces_of"]

OUTPUT: Final = 96 * 1024
"""In bytes on the wire: how much of a call's output a replica is given."""

_LINE: Final = 1_000
"""In characters: a reason, a line of a plan."""
_LINES: Final = 32 * 1024
"""In bytes on the wire: all lines of a plan."""
_SPANS: Final = 4 * 1024
"""In bytes on the wire: a title, a command in a list."""
_SPAN: Final = 64
"""What a span takes beside its text."""
_PIECE: Final = 10_000
"""In characters: what is said at once."""

_CUT: Final = "\n[… more came after this, and is not shown here …]\n"


def bytes_of(text: str) -> int:
    """At most so many bytes are a text on the wire."""
    return len(text) if text.isascii() and text.isprintable() else len(json.dumps(text))


def cut_line(text: str) -> str:
    """A text of a sentence or a few."""
    return shortened(text, _LINE)


def cut_lines(lines: list[str]) -> list[str]:
    """The first of some lines; the last that is kept says how many more there were."""
    kept: list[str] = []
    left = _LINES
    for line in map(cut_line, lines):
        left -= bytes_of(line) + _SPAN
        if left < 0:
            return [*kept, f"[… {len(lines) - len(kept):,} more lines …]"]
        kept.append(line)
    return kept


def cut_spans(spans: list[Span]) -> list[Span]:
    """A line of spans; the beginning of it where it is too long."""
    kept: list[Span] = []
    left = _SPANS
    for span in spans:
        cost = _SPAN + bytes_of(span.text) + bytes_of(span.shown or "")
        if cost > left:
            begun = span.text[: max(0, left - _SPAN) // 6] if span.shown is None else ""
            kept += [span.model_copy(update={"text": begun})] if begun else []
            length = sum(len(it.text) for it in spans) - sum(len(it.text) for it in kept)
            return [*kept, *plain(f" [… {length:,} characters left out …]")]
        kept.append(span)
        left -= cost
    return kept


def cut_output(before: str, more: str) -> str:
    """As much of what was printed as still fits behind what is shown; the last of it says so."""
    room = OUTPUT - bytes_of(before)
    if bytes_of(more) <= room:
        return more
    # Of no character are there more bytes than twelve.
    return "" if before.endswith(_CUT) else more[: max(0, room) // 12] + _CUT


def pieces_of(text: str) -> list[str]:
    """What is said, in pieces that can be told at once."""
    return [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)] or [text]
