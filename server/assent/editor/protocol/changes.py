"""The files that a chat's edits changed, and what a person does about them."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.card import EditedFile
from assent.editor.protocol.shapes import Id, Shape
from assent.editor.protocol.spans import Span

__all__ = [
    "AtChanges",
    "AtHunk",
    "ChangeAt",
    "ChangeShown",
    "ChangedFile",
    "ChangesDone",
    "FilesChanged",
    "FilesUndone",
    "Redo",
    "Rewind",
    "RewindFile",
    "RewindPlan",
    "WantChange",
    "WantRewind",
]

MAX_FILES = 500
"""So many are told of, and acted on at once."""


class ChangedFile(Shape):
    """One file with changes that were neither kept nor undone."""

    file_id: str
    path: list[Span]
    added: int
    removed: int
    new: bool
    """Whether there was no such file before."""
    digest: str
    """Of all that somebody acts on who acts on these changes."""


class FilesUndone(Shape):
    """What the person undid last; `change/redo` brings it back."""

    undo_id: str
    """Of all that somebody brings back who brings this back."""
    paths: list[list[Span]]
    more: int = 0
    """How many more files there are."""


class FilesChanged(Shape):
    """The files with such changes are now these."""

    kind: Literal["changes"] = "changes"
    files: list[ChangedFile]
    undone: FilesUndone | None = None


class ChangeAt(Shape):
    """The changes of one file, as they were shown."""

    file_id: Id
    digest: Id


class WantChange(ChangeAt):
    """The changes of one file, to be shown."""

    chat_id: Id


class ChangeShown(Shape):
    """The changes of one file."""

    file: EditedFile
    note: str = ""
    """Why they cannot be undone now, in a sentence; nothing where they can."""
    apart: bool
    """Whether each hunk can be kept or undone by itself."""


class AtChanges(Shape):
    """Keep or undo the changes of these files."""

    chat_id: Id
    files: Annotated[list[ChangeAt], Field(min_length=1, max_length=MAX_FILES)]


class AtHunk(WantChange):
    """Keep or undo one hunk of a file."""

    hunk: Annotated[int, Field(ge=0)]


class Redo(Shape):
    """Bring back what was undone last, as it was shown."""

    chat_id: Id
    undo_id: Id


class ChangesDone(Shape):
    """What became of it."""

    because: str = ""
    """Why some of it was not done, in sentences; nothing where all was."""


class WantRewind(Shape):
    """What rewinding to before a message would do."""

    chat_id: Id
    message_id: Id


class RewindFile(Shape):
    """One file that our edits have changed since."""

    file_id: str
    path: list[Span]
    fate: Literal["back", "gone", "edited", "stays"]
    """`gone` where there was no such file; `edited` where somebody else wrote into it since, so
    that it is left unless the person says otherwise; `stays` where it cannot be put back."""
    because: str = ""
    """Why it is left or stays, in a sentence."""


class RewindPlan(Shape):
    """What rewinding would do, before it does anything."""

    digest: str
    """Of all that is said here."""
    files: list[RewindFile]
    ran: list[list[Span]]
    """What ran since and may have changed files; none of that is undone."""
    more_ran: int
    """How many more of these there are."""
    conversation: bool
    """Whether the agent can be made to forget what was said since."""
    because: str = ""
    """Why it cannot, in a sentence."""


class Rewind(WantRewind):
    """Rewind to before a message, as the plan said."""

    digest: Id
    files: bool
    over: Annotated[list[Id], Field(max_length=MAX_FILES)] = Field(default_factory=list)
    """The files that are put back although somebody else wrote into them since."""
    conversation: bool
