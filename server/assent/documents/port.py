"""What our own agent asks of collections: the one port that its tools know."""

from collections.abc import Callable
from typing import Protocol

from attrs import frozen

from assent.documents.passages import PassageFound
from assent.errors import AssentError

__all__ = ["About", "Answer", "Documents", "DocumentsFailed"]


class DocumentsFailed(AssentError):
    """Documents could not be searched; the message is written for the model."""


@frozen(kw_only=True)
class About:
    """One collection, as it is now."""

    name: str
    paths: tuple[str, ...]
    says: str
    """How far its index is, in a clause."""


@frozen(kw_only=True)
class Answer:
    """What was found."""

    found: tuple[PassageFound, ...] = ()
    notes: tuple[str, ...] = ()
    """What is to be said about it, a sentence each."""


class Documents(Protocol):
    """All collections of a window."""

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called; none where nobody has set one up."""
        ...

    def bases(self, name: str) -> tuple[str, ...]:
        """The folders and files that hold it, as they are written; raises `DocumentsFailed`."""
        ...

    async def about(self) -> tuple[About, ...]:
        """How each is."""
        ...

    async def find(
        self,
        name: str,
        question: str,
        limit: int,
        *,
        may_read: Callable[[str], bool],
        by_meaning: bool,
    ) -> Answer:
        """The passages that answer a question best, of files that may be read now."""
        ...

    async def close(self) -> None:
        """Nothing is read any more."""
        ...
