"""What a person names with an `@` in a prompt: files, and what the editor shows.

A reference only names. What is told of it is read when the prompt comes, and only where the agent
could read it unasked; else the prompt is refused and nothing of it is sent.
"""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Id, Shape

__all__ = [
    "MAX_PATH_LETTERS",
    "MAX_REFERENCES",
    "ChangesReference",
    "ChatReference",
    "FileReference",
    "FolderReference",
    "Offered",
    "ProblemsReference",
    "Reference",
    "ReferencesFound",
    "SelectionReference",
    "SymbolReference",
    "TerminalReference",
    "WantReferences",
]

MAX_REFERENCES = 20
"""So many go with one prompt."""

MAX_PATH_LETTERS = 4_096
"""In characters."""


class FileReference(Shape):
    """A file, by its path."""

    kind: Literal["file"]
    path: Annotated[str, Field(min_length=1, max_length=MAX_PATH_LETTERS)]


class FolderReference(Shape):
    """What lies in a folder, by its path: names, and no text."""

    kind: Literal["folder"]
    path: Annotated[str, Field(min_length=1, max_length=MAX_PATH_LETTERS)]


class TerminalReference(Shape):
    """What the terminal in front printed last."""

    kind: Literal["terminal"]


class SymbolReference(Shape):
    """What a language server knows by a name: a function, a class; lines count from 1."""

    kind: Literal["symbol"]
    path: Annotated[str, Field(min_length=1, max_length=MAX_PATH_LETTERS)]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    line: Annotated[int, Field(ge=1)]
    last_line: Annotated[int, Field(ge=1)]


class ChatReference(Shape):
    """What was said in an earlier chat of this workspace."""

    kind: Literal["chat"]
    chat_id: Id


class ChangesReference(Shape):
    """What git finds changed since the last commit."""

    kind: Literal["changes"]


class SelectionReference(Shape):
    """What is selected in the editor when the prompt comes."""

    kind: Literal["selection"]


class ProblemsReference(Shape):
    """What the editor finds wrong when the prompt comes."""

    kind: Literal["problems"]


Reference = Annotated[
    FileReference
    | FolderReference
    | SelectionReference
    | ProblemsReference
    | TerminalReference
    | ChangesReference
    | SymbolReference
    | ChatReference,
    Field(discriminator="kind"),
]


class WantReferences(Shape):
    """What could be meant by this word behind an `@`?"""

    chat_id: Id | None = None
    """The chat in which it is written; null for one that is yet to be opened."""
    word: Annotated[str, Field(max_length=200)]
    """Nothing where only the `@` stands there."""


class Offered(Shape):
    """Something that could be meant."""

    reference: Reference
    name: str
    """What it is called, in one line, with unseen letters spelled out."""
    says: str = ""
    """What it is, where its name does not tell."""


class ReferencesFound(Shape):
    """What could be meant, the likeliest first; of no file that the agent may not read unasked."""

    found: list[Offered]
