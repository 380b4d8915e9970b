"""The messages about collections of documents: each index's state, and stopping one."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Shape

__all__ = ["CollectionRef", "CollectionState", "CollectionStates"]

Count = Annotated[int, Field(ge=0)]


class CollectionState(Shape):
    """One collection, as its index is now."""

    name: str
    paths: list[str]
    state: Literal["idle", "reading", "embedding", "ready", "stopped", "failed"]
    """Idle is one that nobody has searched yet. While `reading`, files are taken in; while
    `embedding`, a model is asked what passages mean."""
    done: Count
    total: Count
    """How far that is: of files while reading, of passages while embedding."""
    left_out: Count
    """How many files are not in it: denied by a rule, or secrets by their names."""
    says: str
    """What went wrong, in a sentence; nothing where all is well."""


class CollectionStates(Shape):
    """All that the settings name."""

    collections: list[CollectionState]


class CollectionRef(Shape):
    """One of them."""

    name: str
