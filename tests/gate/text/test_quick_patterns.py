"""Patterns that read what agents write, tried with a few letters many times, then another.

What is tried is what the letters of a pattern suggest. One that goes back over all ways to part a
text then does not end, and its name is that of the test which was stopped. It is no proof: a
pattern that only takes the square of a text's length ends all the same.
"""

import importlib
import pkgutil
import random
import re
from collections.abc import Iterator
from typing import Final

import pytest

from tables import each_row

_ROOMS: Final = ("gate", "editor.cards", "hosting", "catalogue.workflows")
_TIMES: Final = 48
_TAILS: Final = ("", "\0", "x config", "!")
_PUMPS: Final = ("-a,", "-a ", "a/", "a.", "a b", "a=b ", "\\\\", "--a ", '"a"', "'a'", "$a", "a,")
_SIGNS: Final = " \ta-,/0\"'\\\n(=;$"


def _found() -> Iterator[tuple[str, tuple[str, int]]]:
    """Each pattern of the rooms that read what agents write, with its name."""
    for room in _ROOMS:
        package = importlib.import_module(f"assent.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"assent.{room}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                pattern, flags = getattr(value, "pattern", None), getattr(value, "flags", 0)
                if isinstance(pattern, str):
                    yield f"{module.name.removeprefix('assent.')}.{name}", (pattern, flags)


_PATTERNS: Final = dict(_found())


def _tried(pattern: str) -> Iterator[str]:
    """What may take long: beginnings that it names, then a few of its letters many times."""
    choice = random.Random(pattern)  # noqa: S311 -- the same for the same pattern, and no secret
    letters = re.sub(r"\\[a-zA-Z]", " ", pattern)
    begins = ["", *re.findall(r"[A-Za-z0-9_./$@:=-]{2,}", letters)[:8]]
    own = sorted({it for it in letters if it not in "()[]{}|?*+^"})[:14] + list(_SIGNS)
    pairs = ["".join(choice.choices(own, k=choice.randint(2, 6))) for _ in range(60)]
    begins += ["".join(choice.choices(own, k=3)) for _ in range(4)]
    for begin in begins:
        for pump in (*own, *pairs, *_PUMPS):
            for blank in {"", " "} if begin else {""}:
                yield f"{begin}{blank}{pump * _TIMES}{choice.choice(_TAILS)}"


@pytest.mark.long
@each_row("name", _PATTERNS)
def test_a_pattern_ends_over_letters_that_come_again_and_again(name: str) -> None:
    text, flags = _PATTERNS[name]
    pattern = re.compile(text, flags)
    for tried in _tried(text):
        pattern.search(tried)
        pattern.fullmatch(tried)


def test_a_pattern_that_goes_back_over_all_ways_would_be_tried_with_what_stops_it() -> None:
    tried = [*_tried(r"\bgit[\s,]+(?:-\S+[\s,]+)*config x")]
    assert any(it.startswith(f"git {'-a,' * _TIMES}") for it in tried)
