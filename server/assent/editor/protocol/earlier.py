"""The messages about kept chats: their list, and what a person does with one."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Id, Line, Millis, Shape

__all__ = [
    "ChatList",
    "ChatText",
    "ExportChat",
    "KeptChat",
    "ListChats",
    "RenameChat",
]


class ListChats(Shape):
    """Which chats of this workspace are kept."""

    find: Line = ""
    """Only those in which these words were said, or whose title has them."""
    limit: Annotated[int, Field(ge=1, le=1_000)] = 200


class KeptChat(Shape):
    """One chat that is kept."""

    chat_id: str
    agent_id: str
    agent_name: str
    title: str
    begun: Millis
    touched: Millis
    """When something happened in it last."""
    entries: Annotated[int, Field(ge=0)]
    where: Literal["here", "elsewhere", "closed"]
    """Whether it is open in this window, in another, or in none."""
    found: str = ""
    """What was found in it, with a little around."""


class ChatList(Shape):
    """The chats, those first in which something happened last."""

    chats: list[KeptChat]


class RenameChat(Shape):
    """Give a chat another title."""

    chat_id: Id
    title: Annotated[str, Field(min_length=1, max_length=200)]


class ExportChat(Shape):
    """Write a chat down for somebody else to read."""

    chat_id: Id
    format: Literal["markdown", "json"]


class ChatText(Shape):
    """A chat, written down."""

    name: str
    """What its file may be called."""
    text: str
    is_cut: bool
    """Whether its oldest entries had no room."""
