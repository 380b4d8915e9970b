"""Commands after which something is gone, or out in the world, for good; and others like them."""

from pathlib import Path
from typing import Final

__all__ = ["HARMLESS", "LOSSES"]

_HERE: Final = Path(__file__).parent


def _lines(name: str) -> list[str]:
    return (_HERE / name).read_text(encoding="utf-8").splitlines()


LOSSES: Final = tuple(
    (line, says) for line, _, says in (it.partition(" | ") for it in _lines("losses.txt"))
)
"""Each with what is told of it."""

HARMLESS: Final = tuple(_lines("harmless.txt"))
"""What people do every day, however near it is to what is grave."""
