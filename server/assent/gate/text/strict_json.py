"""Reads JSON that every parser reads alike: no duplicate members, no number that is none.

What two readers may take in two ways is refused, since one of them would judge and the other run.
"""

import json
from typing import Any, Final

__all__ = ["Ambiguous", "decoded"]

_MAX_SHOWN_LETTERS: Final = 60


class Ambiguous(ValueError):
    """Something that JSON's readers take in different ways; the message says what."""


def decoded(text: str) -> Any:
    """The value in a JSON text; raises `ValueError`, and `RecursionError` where it is too deep."""
    return _READER.decode(text)


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(members)
    if len(whole) == len(members):
        return whole
    seen: set[str] = set()
    twice = next(name for name, _ in members if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # it returns None, which is the point
    raise Ambiguous(f"`{_short(twice)}` stands twice in them")


def _no_number(name: str) -> Any:
    raise Ambiguous(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise Ambiguous(f"{_short(text)} is no number that can be used")
    return number


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_LETTERS else f"{text[:_MAX_SHOWN_LETTERS]}…"


_READER: Final = json.JSONDecoder(
    object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite
)
