"""Rules that a person may begin with, where an answer is meant for always."""

from typing import Final

from attrs import frozen

__all__ = ["NONE", "Drafts"]


@frozen(kw_only=True)
class Drafts:
    """Rules as texts."""

    allow: tuple[str, ...] = ()
    """All of them together let the call pass."""
    deny: tuple[str, ...] = ()
    """Each of them refuses the call."""


NONE: Final = Drafts()
