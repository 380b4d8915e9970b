"""Which cases of a test that runs many times are left to the long run."""

from collections.abc import Iterable
from typing import Final

__all__ = ["left_out"]

_MANY: Final = 4


def left_out(names: Iterable[str]) -> list[str]:
    """Of each test with many cases, all but every fourth; `names` are those of pytest."""
    tests: dict[str, list[str]] = {}
    for name in names:
        tests.setdefault(name.partition("[")[0], []).append(name)
    return [
        name
        for cases in tests.values()
        for number, name in enumerate(cases)
        if len(cases) >= _MANY and number % _MANY
    ]
