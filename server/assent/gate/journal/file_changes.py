"""The files that a chat's edits changed, as values."""

from assent.gate.call.calls import ChatId
from assent.gate.values import frozen

__all__ = ["ChangedFile", "FilesChanged", "FilesUndone"]


@frozen(kw_only=True)
class ChangedFile:
    """One file with changes that the person has neither kept nor undone."""

    id: str
    path: str
    """As a person would write it."""
    added: int
    removed: int
    """In lines."""
    is_new: bool
    digest: str
    """Of what stood there and what stands there: whoever acts on it names this."""


@frozen(kw_only=True)
class FilesUndone:
    """What the person undid last, which can be brought back."""

    id: str
    """Of what stood there and what stands there: whoever brings it back names this."""
    paths: tuple[str, ...]
    """As a person would write them."""


@frozen(kw_only=True)
class FilesChanged:
    """The files with such changes are now these."""

    chat: ChatId
    files: tuple[ChangedFile, ...]
    undone: FilesUndone | None = None
