"""How many tokens a model can read: as the person says, as its host says, or a cautious guess."""

import re
from collections.abc import Awaitable, Callable
from typing import Final

from attrs import define

from assent.providers.trouble import Trouble

__all__ = ["UNKNOWN", "Window", "guessed"]

UNKNOWN: Final = 32_768
"""For models of which nobody says anything."""

_FAMILIES: Final = (
    (re.compile(r"\bclaude\b"), 200_000),
    (re.compile(r"\bgpt-4\.1\b"), 1_000_000),
    (re.compile(r"\bgpt-5"), 272_000),
    (re.compile(r"\b(gpt-4o|gpt-4-turbo|chatgpt-4o|o1-mini|o1-preview)"), 128_000),
    (re.compile(r"(^|/)o[134]\b"), 200_000),
    (re.compile(r"\bgpt-4\b"), 8_192),
    (re.compile(r"\bgpt-3\.5"), 16_385),
    (re.compile(r"\bgemini\b"), 1_000_000),
    (re.compile(r"\bgrok\b"), 128_000),
    (re.compile(r"\bdeepseek-(chat|reasoner)\b"), 64_000),
)
"""What those can read that only their makers host; the first that fits counts."""


def guessed(model: str) -> int | None:
    """What a model of that name can read, where its name tells."""
    return next((size for name, size in _FAMILIES if name.search(model.casefold())), None)


@define
class Window:
    """The window of one model, which is asked for once."""

    _ask: Callable[[], Awaitable[int | None]]
    """What the host says; raises `Trouble`."""
    _known: int | None = None
    _otherwise: int = UNKNOWN

    async def size(self) -> int:
        """How many tokens it is. Where the host cannot be asked now, it is asked again."""
        if self._known is None:
            try:
                self._known = await self._ask() or self._otherwise
            except Trouble:
                return self._otherwise
        return self._known
