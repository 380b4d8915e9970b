"""The wall around one command: how its program is started inside."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from assent.gate.values import field, frozen

__all__ = ["Beginning", "Wall"]


@frozen(kw_only=True)
class Beginning:
    """What a keeper is told to start."""

    program: str
    args: Sequence[str] = field(hash=False)
    env: Mapping[str, str] = field(hash=False)
    inherited: tuple[int, ...] = ()
    """Descriptors that the program must inherit."""
    watched_by: tuple[int, ...] = ()
    """Where others hear of its calls: the filter of them, and the socket to which the listener
    is sent. Both are among those that it inherits."""


class Wall(Protocol):
    """Says how a command is started behind it."""

    def around(self, beginning: Beginning) -> AbstractContextManager[Beginning]:
        """The command behind the wall, to be begun while this lasts; raises `AssentError`."""
        ...
