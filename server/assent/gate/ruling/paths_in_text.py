"""Finds the gate's own premises in any text: each piece that may be a path.

What a program does with a path nobody can tell, so naming one is as good as changing it.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.ruling.denied_paths_in_input import MAX_PATH_LETTERS
from assent.gate.ruling.destinations import is_harmless
from assent.gate.ruling.protected import (
    MEMORY,
    change_of,
    is_protected,
    keys_in,
    lies_in,
    premise_of,
)
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.ruling.wildcards import PROC, has_glob
from assent.gate.text.lazy_patterns import late

__all__ = ["HOME", "given_in", "mentioned_in", "patterns_in", "pieces_of"]

_PIECES: Final = late(r"[\s=,:;'\"()\[\]{}<>|&`]+")
_GLUED: Final = late(r"\A(?:-\w|@)")
_SIGNS: Final = frozenset("-@")
HOME: Final = late(r"\$(?:HOME\b|\{HOME\})")
_QUOTES: Final = late(r"[\"'\\]")
_ANOTHER: Final = late(r"/+proc/+[^/]+/+(?:task/+[^/]+/+)?(?:root|cwd|fd|environ|mem)(?:/|\Z)")
"""What leads each program elsewhere, or shows what it was started with or has in memory."""
_MEMORY: Final = late(r"(?<![\w.-])(?:environ|mem)\b")
"""The same, where the number of the program stands elsewhere in a text or is not known yet."""
_BEGINS: Final = (".", "~")
"""What a path begins with in which no folder stands."""
_MAX_WORD_LETTERS: Final = 128
_MAX_PIECES_FOLLOWED: Final = 200
_MAX_PATHS: Final = 2_000
"""So many pieces are followed whatever they look like, and so many that look like paths."""
_MAX_PATTERNS: Final = 20
"""So many patterns are looked up, of which a disk has to be asked."""
_TOO_MANY: Final = "more paths than can be followed"


def mentioned_in(
    context: RulingContext, texts: Iterable[str], folders: Iterable[str], *, keys: bool = False
) -> str | None:
    """The part of the gate that stands in a text, in words; with `keys` only what holds keys."""
    whole = _QUOTES.sub("", "\n".join(texts := [*texts]))
    if PROC.search(whole) and _MEMORY.search(whole):
        return MEMORY
    candidates = _candidates(texts)
    if candidates is None:
        return _TOO_MANY
    for folder in folders:
        for path in (".", *candidates):
            said = _mentioned(context, path, folder, keys=keys, run=False)
            if said:
                return said
    return None


def given_in(context: RulingContext, texts: Collection[str]) -> str | None:
    """The same of the arguments of a tool that nobody knows.

    As a whole one may be a program, or the path that it writes: then all that is protected counts,
    and not only what no other text names.
    """
    if not texts:
        # Most often only numbers are handed to a tool, or nothing.
        here = context.located(".", context.call.cwd)
        return None if here is None else _mention(context, here)
    candidates = _candidates(texts)
    if candidates is None:
        return _TOO_MANY
    whole = {*texts}
    for path in (".", *candidates):
        said = _mentioned(context, path, context.call.cwd, keys=False, run=path in whole)
        if said:
            return said
    return None


def _mentioned(
    context: RulingContext, path: str, folder: str, *, keys: bool, run: bool
) -> str | None:
    if path[:1] == "/" and is_harmless(path):
        return None
    if path[:1] == "/" and _ANOTHER.match(path):
        return path
    target = context.located(path, folder)
    if target is None or (not run and _is_far(target)):
        return None
    is_path = run and ("/" in path or path[:1] in _BEGINS)
    if (run and target.own is not None) or (is_path and lies_in(target)):
        return premise_of(target) or target.shown
    return keys_in(target) if keys else _mention(context, target)


def pieces_of(text: str) -> frozenset[str]:
    """What in a text may be a path, such as the value of a flag in the same word."""
    return _pieces_of_word(text) if len(text) <= _MAX_WORD_LETTERS else _pieces(text)


def _pieces(text: str) -> frozenset[str]:
    if text and text[0] not in _SIGNS and "@" not in text and _PIECES.search(text) is None:
        return frozenset((text,))
    pieces = set(_PIECES.split(text))
    # The value of a flag may stand in the same word, and a file of further words behind a sign.
    pieces.update([_GLUED.sub("", piece) for piece in pieces if piece[:1] in _SIGNS])
    # So may a file that is sent (`photo@a.png`), or an address that begins where it is used.
    pieces.update([piece.rpartition("@")[2] for piece in pieces if "@" in piece])
    pieces.update([piece[2:] for piece in pieces if piece.startswith("//")])
    return frozenset(filter(None, pieces))


_pieces_of_word: Final = lru_cache(maxsize=512)(_pieces)
"""A word is looked at for each thing that may be said of it."""


def patterns_in(text: str) -> list[str]:
    """What in a text a shell may take for a pattern of paths."""
    found = (piece for piece in pieces_of(HOME.sub("~", text)) if has_glob(piece) and "/" in piece)
    return sorted(found)[:_MAX_PATTERNS]


def _mention(context: RulingContext, target: Target) -> str | None:
    """What naming a path may change; a program is named to be run, and a home for much else."""
    if target.own is not None:
        return None if target.own.run else premise_of(target)
    if _is_led(target):
        return change_of(target)
    above = target.above
    if above is None or above.run or target.inside or context.facts.holds(target):
        return None
    return premise_of(target)


def _is_far(target: Target) -> bool:
    """Whether it neither lies in a part of the gate, nor has one in it, nor is led anywhere."""
    return target.own is None and target.above is None and target.resolved == target.named


def _is_led(target: Target) -> bool:
    """Whether a link leads there, so that no name in its spelling says what it is."""
    led = target.resolved != target.named and target.spelled != "."
    return led and not is_protected(target.named or "")


def _candidates(texts: Iterable[str]) -> list[str] | None:
    """Whole texts and their pieces, each once; None where they are too many to be followed."""
    found = dict.fromkeys([form for text in texts for form in _forms_in(text)])
    if len(found) <= _MAX_PIECES_FOLLOWED:
        return list(found)
    paths = [it for it in found if "/" in it or it.startswith("~")]
    return paths if len(paths) <= _MAX_PATHS else None


def _forms_in(text: str) -> tuple[str, ...]:
    """A text, and what in it may be a path."""
    return _forms_of_word(text) if len(text) <= _MAX_WORD_LETTERS else _forms(text)


def _forms(text: str) -> tuple[str, ...]:
    if "$" in text:
        text = HOME.sub("~", text)
    found = [text, *pieces_of(text)]
    if _QUOTES.search(text):
        found += pieces_of(_QUOTES.sub("", text))
    return tuple(it for it in found if len(it) <= MAX_PATH_LETTERS and (it[:1] != "-" or "/" in it))


_forms_of_word: Final = lru_cache(maxsize=512)(_forms)
