"""Cuts texts of a chat to the size of a message, with a mark where something is missing.

Nothing that is answered is cut here: a card is whole, or its call is refused.
"""

from typing import Final

from assent.gate.text.shortening import bytes_of, shortened

__all__ = ["MAX_OUTPUT_BYTES", "cut_line", "cut_lines", "cut_output", "pieces_of"]

MAX_OUTPUT_BYTES: Final = 96 * 1024
"""In bytes on the wire: how much of a call's output a replica is given."""

_MAX_LINE_LETTERS: Final = 1_000
"""In characters: a reason, a line of a plan."""
_MAX_LINES_BYTES: Final = 32 * 1024
"""In bytes on the wire: all lines of a plan."""
_LINE_OVERHEAD_BYTES: Final = 64
"""What a line takes beside its text."""
_PIECE_LETTERS: Final = 10_000
"""In characters: what is said at once."""

_CUT: Final = "\n[… more came after this, and is not shown here …]\n"


def cut_line(text: str) -> str:
    """A text of a sentence or a few."""
    return shortened(text, _MAX_LINE_LETTERS)


def cut_lines(lines: list[str]) -> list[str]:
    """The first of some lines; the last that is kept says how many more there were."""
    kept: list[str] = []
    left = _MAX_LINES_BYTES
    for line in map(cut_line, lines):
        left -= bytes_of(line) + _LINE_OVERHEAD_BYTES
        if left < 0:
            return [*kept, f"[… {len(lines) - len(kept):,} more lines …]"]
        kept.append(line)
    return kept


def cut_output(before: str, more: str) -> str:
    """As much of what was printed as still fits behind what is shown; the last of it says so."""
    room = MAX_OUTPUT_BYTES - bytes_of(before)
    if bytes_of(more) <= room:
        return more
    # Of no character are there more bytes than twelve.
    return "" if before.endswith(_CUT) else more[: max(0, room) // 12] + _CUT


def pieces_of(text: str) -> list[str]:
    """What is said, in pieces that can be told at once."""
    return [text[at : at + _PIECE_LETTERS] for at in range(0, len(text), _PIECE_LETTERS)] or [text]
