"""Shortens a text in its middle, by whole lines."""

import json
from typing import Final

__all__ = ["bytes_of", "shortened"]

_MAX_LETTERS: Final = 30_000
"""In characters."""


def shortened(text: str, most: int = _MAX_LETTERS, where: str = "") -> str:
    """The text, or its beginning and its end with a note between them that says what is left out.

    `where` says in the note where all of it can be found.
    """
    if len(text) <= most:
        return text
    half = most // 2
    head, tail = _whole_lines(text[:half]), _from_a_line(text[len(text) - half :])
    left_out = text[len(head) : len(text) - len(tail)]
    lines = left_out.count("\n")
    counted = f"{lines:,} lines, " if lines > 1 else ""
    note = f"[… {counted}{len(left_out):,} characters left out{where and '; '}{where} …]"
    return f"{head.rstrip(chr(10))}\n{note}\n{tail}"


def bytes_of(text: str) -> int:
    """At most so many bytes are a text on the wire."""
    return len(text) if text.isascii() and text.isprintable() else len(json.dumps(text))


def _whole_lines(text: str) -> str:
    """Without the last line, which is not whole, unless most of the text would go with it."""
    end = text.rfind("\n") + 1
    return text[:end] if end > len(text) // 2 else text


def _from_a_line(text: str) -> str:
    begin = text.find("\n") + 1
    return text[begin:] if 0 < begin < len(text) // 2 else text
