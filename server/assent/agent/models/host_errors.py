"""The errors between us and a host, before they are put into words for a person.

The words of a host are kept short, on one line, and without keys.
"""

from enum import StrEnum
from typing import Final

from assent.gate.call.errors import AssentError

__all__ = ["Declined", "Foreign", "Garbled", "HostError", "Keyless", "Loss", "Lost", "shortened"]

_MAX_MESSAGE_LETTERS: Final = 400


class HostError(AssentError):
    """Any of these."""


class Declined(HostError):
    """The host said no, in its own words."""

    def __init__(
        self,
        status: int,
        words: str = "",
        *,
        kind: str = "",
        member: str = "",
        after: float | None = None,
        again: bool | None = None,
    ) -> None:
        self.status = status
        """The status of its answer; the one that fits best, for a no in mid-stream."""
        self.words = words
        self.kind = kind
        self.member = member
        """Which member of the request it minds, by its path, where it says so apart from words."""
        self.after = after
        """In how many seconds it would be asked again."""
        self.again = again
        """Whether asking again may help, where it says so itself."""
        super().__init__(f"{status} {kind} {words}")


class Loss(StrEnum):
    """How a connection fails."""

    ABSENT = "absent"
    BROKEN = "broken"
    LATE = "late"
    UNTRUSTED = "untrusted"
    UNUSABLE = "unusable"


class Lost(HostError):
    """There is no connection, or no more."""

    def __init__(self, loss: Loss, why: str = "") -> None:
        self.loss = loss
        self.why = why
        super().__init__(f"{loss} {why}")


class Garbled(HostError):
    """The host said something that its dialect does not know; the message says what."""


class Foreign(HostError):
    """Something answers that does not speak the dialect at all."""

    def __init__(self, words: str, status: int = 0) -> None:
        self.status = status
        """The status of its answer, where that was a no."""
        super().__init__(words)


class Keyless(HostError):
    """A key is needed and none is there, or it cannot be one; the message says which."""


def shortened(words: str, secrets: tuple[str, ...] = ()) -> str:
    """Somebody else's words, as far as they can be shown."""
    line = " ".join(words.split())
    for secret in secrets:
        line = line.replace(secret, "…")
    return line if len(line) <= _MAX_MESSAGE_LETTERS else f"{line[:_MAX_MESSAGE_LETTERS]}…"
