"""The interface by which our own agent's tools search collections."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from assent.catalogue.documents.passages import PassageFound
from assent.gate.call.errors import AssentError
from assent.gate.values import frozen

__all__ = ["About", "Answer", "Documents", "DocumentsFailed", "Store"]


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


class Store(Protocol):
    """The index of one collection: on this machine, or in a team's database."""

    def close(self) -> None:
        """Nothing more is asked."""
        ...

    def counts(self) -> tuple[int, int, int]:
        """How many files, passages and vectors there are."""
        ...

    def compare(self, stamps: Mapping[str, str]) -> list[str]:
        """The files that are other than when they were read; those that are gone are dropped."""
        ...

    def drop(self, paths: Iterable[str]) -> None:
        """Keep nothing of these files."""
        ...

    def take(self, paths: Iterable[str]) -> None:
        """Read these files, as far as they are there and are text."""
        ...

    def find(
        self, question: str, vector: bytes, limit: int
    ) -> tuple[list[PassageFound], list[str]]:
        """The passages that answer a question best, and the files that are others by now."""
        ...

    def lacking(self, model: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Passages of which this model has made no vector."""
        ...

    def learn(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Keep what a model has made of passages."""
        ...


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
