"""The model that a turn uses now, and how much of the conversation fits into it."""

from typing import Final

from assent.agent.loop.conversation import letters_in
from assent.agent.models.provider import Provider
from assent.agent.tools.tool import MAX_RESULT_LETTERS
from assent.gate.values import frozen

__all__ = ["Mind"]

_MIN_RESULT_LETTERS: Final = 2_000
"""So many letters of a result are passed on, however little is read."""
_MAX_REPLY_TOKENS, _MIN_REPLY_TOKENS = 32_000, 4_096
"""In tokens: enough for a large file, and for a small one; a third of the window at most."""
_FULL_SHARE: Final = 0.8
"""From this share of the window on, room is made."""


@frozen(kw_only=True)
class Mind:
    """A model, and how many tokens it can read."""

    id: str
    provider: Provider
    window: int
    is_window_known: bool = True
    """Whether that is no guess, made because its host could not be asked just now."""

    takes: frozenset[str] = frozenset()
    """The kinds of pictures and documents that it can be shown."""

    @property
    def quarter(self) -> int:
        """About how many letters a quarter of what it can read is."""
        return letters_in(self.window // 4)

    @property
    def exhibit(self) -> int | None:
        """How many tokens one picture or document may take; None where that is not known.

        A larger one would make room by itself for what is of more use than it.
        """
        return self.window // 2 if self.is_window_known else None

    @property
    def result(self) -> int:
        """How many letters it is given of one result."""
        return max(_MIN_RESULT_LETTERS, min(MAX_RESULT_LETTERS, self.quarter))

    @property
    def reply(self) -> int:
        """How many tokens it may reply with."""
        return max(
            min(_MIN_REPLY_TOKENS, self.window // 3), min(_MAX_REPLY_TOKENS, self.window // 4)
        )

    @property
    def room(self) -> int:
        """How many tokens may be before it, so that a reply has room behind them."""
        return min(int(_FULL_SHARE * self.window), self.window - self.reply)
