"""Remembers by id which calls an agent reported while it made them.

An agent that goes on with a chat of before tells of it again. What it then tells of and never told
of before was made where nobody ruled on it.
"""

import hashlib
from collections.abc import Iterable
from typing import Final

from assent.gate.values import define, field

__all__ = ["ToldCallIds"]

_MAX_IDS: Final = 2_000
_TOLD: Final = (
    "{name} tells of {count} of before that Assent has not seen: {calls} ran without being ruled"
    " on, or while this chat was not kept. {calls_} not run again."
)


@define
class ToldCallIds:
    """Those of one chat."""

    _known: dict[str, None] = field(factory=dict)
    """By a short digest of the agent's id."""
    _unseen: int = 0
    """How many were told of again and not before."""

    @classmethod
    def of(cls, known: Iterable[str]) -> "ToldCallIds":
        """Those that are known by these digests."""
        return cls(known=dict.fromkeys(known))

    @property
    def known(self) -> tuple[str, ...]:
        """By what they are known."""
        return tuple(self._known)

    def tell(self, call: object, *, again: bool) -> None:
        """The agent tells of a call, as it makes it or once more."""
        digest = hashlib.sha256(str(call).encode("utf-8", "replace")).hexdigest()[:12]
        if again and digest not in self._known:
            self._unseen += 1
        if len(self._known) < _MAX_IDS:
            self._known[digest] = None

    def sentence(self, name: str) -> str:
        """What a person should know of those that were told of again; nothing where all is well.

        Of a very long chat not all are known, and nothing is said.
        """
        count, self._unseen = self._unseen, 0
        if not count or len(self._known) >= _MAX_IDS:
            return ""
        is_single = count == 1
        return _TOLD.format(
            name=name,
            count="one call" if is_single else f"{count} calls",
            calls="it" if is_single else "they",
            calls_="It is" if is_single else "They are",
        )
