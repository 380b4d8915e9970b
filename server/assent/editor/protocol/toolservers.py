"""The messages about tool servers: each one's state, and what a person does about it."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Shape

__all__ = ["LogInAt", "ToolServer", "ToolServerRef", "ToolServers"]


class ToolServer(Shape):
    """One server, as it is now."""

    name: str
    state: Literal["idle", "starting", "running", "ended", "stopped", "unfit", "locked"]
    """Idle is one that nobody has needed yet; unfit one that cannot be started as it is set up;
    locked one that lets nobody in who has not logged in."""
    account: Literal["none", "out", "in"]
    """Whether the person is logged in there, as far as is known; none where nobody logs in."""
    tools: int
    """How many it offers."""
    says: str
    """Why it is not there, or what of it was left out, in a sentence; nothing where all is well."""
    lines: list[str]
    """The last that it wrote to its standard error. They are its own words."""


class ToolServers(Shape):
    """All that the settings name, and those of the repository that the person let run."""

    servers: list[ToolServer]


class ToolServerRef(Shape):
    """One of them."""

    name: str


class LogInAt(Shape):
    """Log in to one of them, and what the page says to which the browser comes back."""

    name: str
    back: Annotated[str, Field(max_length=500)] = ""
    """To whom it waited for, in the editor's language; in English where that is not told."""
    odd: Annotated[str, Field(max_length=500)] = ""
    """To anybody else."""


class AskInput(Shape):
    """Ask the person for what a workspace's file has them give a server of tools, and keep it.

    All words are the file's; the person alone says what it is.
    """

    name: Annotated[str, Field(pattern=r"^serverInput\.[0-9a-f]{32}$")]
    """As what it is kept."""
    server: str
    """What the server is called here."""
    input: str
    """What the file calls it."""
    says: str = ""
    """What the file says of it."""
    hidden: bool = False
    """Whether it is typed unseen."""
    options: list[str] = Field(default_factory=list)
    """What it is chosen from; nothing where it is typed."""
    is_kept: bool = False
    """Whether something is kept that stays where the person draws back."""
