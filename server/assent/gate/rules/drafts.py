"""The rules that a card suggests for an answer "always"."""

from typing import Final

from assent.gate.values import frozen

__all__ = ["NONE", "Drafts"]


@frozen(kw_only=True)
class Drafts:
    """Rules as texts."""

    allow: tuple[str, ...] = ()
    """All of them together let the call pass."""
    deny: tuple[str, ...] = ()
    """Each of them refuses the call."""
    project: tuple[str, ...] = ()
    """What builds, tests, lints and commits the project; empty where that is allowed or unknown."""
    why: str = ""
    """Why no rule lets it pass, where that is not plain to see."""
    for_workspace: bool = True
    """Whether a workspace is there that they can be written for."""
    for_folder: bool = False
    """Whether it is one folder, for which the person's own settings can say them."""


NONE: Final = Drafts()
