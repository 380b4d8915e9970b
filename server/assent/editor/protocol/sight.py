"""What the person sees in the editor, requested at the moment when it is needed.

Names and texts of files go no further than the ruling on reading each of them lets them.
"""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Shape

__all__ = [
    "ChangedText",
    "FoundIn",
    "GitChange",
    "GitChanges",
    "GitState",
    "InFront",
    "Look",
    "Problem",
    "Problems",
    "Sight",
    "Symbol",
    "Symbols",
    "TerminalSaid",
    "WantChanges",
    "WantProblems",
    "WantSymbols",
    "WantTerminal",
]

Uri = Annotated[str, Field(max_length=8_192)]


class Look(Shape):
    """What does the person see now?"""


class InFront(Shape):
    """The file in front; lines count from 1."""

    uri: Uri
    line: int
    """Where the cursor stands."""
    last_line: int
    """Where what is selected ends; the cursor's line where nothing is."""
    selected: Annotated[str, Field(max_length=20_000)] = ""


class GitChange(Shape):
    """A file that git finds changed."""

    uri: Uri
    how: Literal["modified", "added", "deleted", "untracked", "changed"]


class GitState(Shape):
    """What git says of the repository in the workspace."""

    branch: Annotated[str, Field(max_length=1_000)]
    """Nothing where none is checked out."""
    changes: list[GitChange] = Field(default_factory=list)


class WantChanges(Shape):
    """What has changed since the last commit?"""


class ChangedText(GitChange):
    """A file that git finds changed, and what stood there at the last commit."""

    old: Annotated[str | None, Field(max_length=200_000)] = None
    """Null where there was no such file."""
    is_left_out: bool = False
    """Whether its text is too long to be told, or could not be read."""


class GitChanges(Shape):
    """What has changed, by file."""

    has_git: bool = True
    """Whether the editor's git is there, and knows a repository in the workspace."""
    files: list[ChangedText] = Field(default_factory=list)
    is_whole: bool = True
    """Whether these are all."""


class WantSymbols(Shape):
    """Which symbols have this word in their names?"""

    word: Annotated[str, Field(min_length=1, max_length=200)]


class Symbol(Shape):
    """A function, a class or the like; lines count from 1."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    uri: Uri
    line: Annotated[int, Field(ge=1)]
    last_line: Annotated[int, Field(ge=1)]
    """Where it ends; some language servers give the line of its name again."""


class Symbols(Shape):
    """Symbols with the word in their names. Names that begin with it come first."""

    symbols: Annotated[list[Symbol], Field(max_length=20)] = Field(default_factory=list)


class Sight(Shape):
    """What is open, in front, not saved and changed."""

    front: InFront | None = None
    open: list[Uri] = Field(default_factory=list)
    unsaved: list[Uri] = Field(default_factory=list)
    git: GitState | None = None


class WantProblems(Shape):
    """What is wrong in these files, once the editor has looked at their last change?"""

    uris: list[Uri]
    everywhere: bool = False
    """Whether it is asked what is known just now of all files instead; nobody waits for more."""


class WantTerminal(Shape):
    """What did the terminal in front print last?"""


class TerminalSaid(Shape):
    """The last command there that has ended, and what it printed; the end where that is long."""

    command: Annotated[str, Field(max_length=4_000)] = ""
    output: Annotated[str, Field(max_length=30_000)] = ""
    code: int | None = None
    """How it ended, where the editor knows."""
    is_whole: bool = True
    because: str = ""
    """Why there is nothing to tell; empty where there is."""


class Problem(Shape):
    """Something that a language server or a linter finds wrong; lines count from 1."""

    line: int
    severity: Literal["error", "warning"]
    message: Annotated[str, Field(max_length=4_000)]
    source: Annotated[str, Field(max_length=200)] = ""


class FoundIn(Shape):
    """What is wrong in one file, the gravest first."""

    uri: Uri
    problems: list[Problem]


class Problems(Shape):
    """What is wrong, by file; a file in which nothing is known to be wrong is absent."""

    files: list[FoundIn] = Field(default_factory=list)
