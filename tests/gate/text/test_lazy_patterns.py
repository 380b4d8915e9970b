"""A pattern that is only looked for where a word of it stands finds all that it would find."""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from assent import gate
from assent.gate.text.lazy_patterns import late

_PARSER: Any = vars(re)["_parser"]


def _late_in(value: object) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    if type(value) is type(late("")):
        if needs := vars(value)["_needs"]:
            yield vars(value)["_text"], vars(value)["_flags"], needs
    elif isinstance(value, tuple):
        for it in value:
            yield from _late_in(it)


def _all() -> Iterable[tuple[str, int, tuple[str, ...]]]:
    modules = pkgutil.walk_packages(gate.__path__, "assent.gate.")
    values = (vars(importlib.import_module(it.name)).values() for it in modules)
    return {found for value in values for it in value for found in _late_in(it)}


def _spelled(items: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """The shortest text that has what these parts of a pattern say, once by each alternative."""
    each = [list(_ways(str(kind), value)) for kind, value in items]
    first = [ways[0] for ways in each]
    yield "".join(first)
    for at, ways in enumerate(each):
        yield from ("".join([*first[:at], way, *first[at + 1 :]]) for way in ways[1:])


def _ways(kind: str, value: Any) -> Iterator[str]:
    match kind:
        case "LITERAL":
            yield chr(value)
        case "BRANCH":
            for way in value[1]:
                yield from _spelled(way)
        case "SUBPATTERN":
            yield from _spelled(value[-1])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, _, inner = value
            yield from ([""] if not least else [])
            yield from (way * max(least, 1) for way in _spelled(inner))
        case _:
            # Letters of a kind, places between letters, and what stood there before.
            yield ""


@pytest.mark.parametrize("pattern", sorted(_all()), ids=lambda it: it[0][:40])
def test_a_word_that_a_pattern_needs_stands_in_whatever_it_finds(
    pattern: tuple[str, int, tuple[str, ...]],
) -> None:
    text, flags, needs = pattern
    spelled = {*_spelled(_PARSER.parse(text, flags))}
    assert [it for it in spelled if not any(need in it for need in needs)] == []


def test_the_alternatives_of_a_pattern_are_each_spelled() -> None:
    parsed = _PARSER.parse(r"(?:read|open)dir(?:Sync)?\(|\bx{2}[yz]")
    assert {*_spelled(parsed)} == {"readdir(", "opendir(", "readdirSync(", "xx"}
