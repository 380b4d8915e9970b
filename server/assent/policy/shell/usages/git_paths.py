"""Operands of git as paths: `REVISION:path`, and patterns with a magic word before them."""

import re
from typing import Final

from assent.policy.shell.flags import part_of
from assent.policy.shell.script import Word

__all__ = ["pathspec", "revision"]

_MAGIC: Final = re.compile(r":\(([^)]*)\)")


def pathspec(word: Word) -> Word | None:
    """The path that git reads out of an operand, or None where it only leaves paths out."""
    text = word.text
    magic = _MAGIC.match(text)
    if magic:
        if "exclude" in magic.group(1):
            return None
        text = text[magic.end() :] or "."
    elif text.startswith((":!", ":^")):
        return None
    elif text.startswith(":/"):
        text = text[2:] or "."
    if text == word.text and not any(letter in text for letter in "*?["):
        return word
    # Git itself takes such letters for a pattern, even where the shell saw them quoted.
    glob = word.glob or any(letter in text for letter in "*?[")
    return Word(text=text, known=word.known, glob=glob, several=word.several)


def revision(word: Word) -> Word | None:
    """The path in `REVISION:path`, else the operand as a path."""
    revision, colon, path = word.text.partition(":")
    if not colon or "/" in revision[:1]:
        return pathspec(word)
    if not revision:
        return pathspec(word) if re.match(r":[(!^/]", word.text) else part_of(word, path)
    return part_of(word, path) if path else None
