"""What a replica asks for and receives: everything, or what it missed."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.approvals import ApprovalRequest, ApprovalSettled
from assent.editor.protocol.chats import AgentInfo, Chat, ModeName
from assent.editor.protocol.happenings import AgentEvent
from assent.editor.protocol.shapes import Id, Shape

__all__ = [
    "Delivered",
    "DeliveredEvent",
    "DeliveredRequest",
    "DeliveredSettled",
    "Have",
    "Snapshot",
    "Subscribe",
    "Subscribed",
]


class Have(Shape):
    """How far a replica has read."""

    epoch: str
    seq: int


class Subscribe(Shape):
    """A replica came, or noticed that it missed something."""

    view_id: Id
    have: Have | None = None


class DeliveredEvent(Shape):
    """An `agent/event` that the replica missed."""

    kind: Literal["event"] = "event"
    message: AgentEvent


class DeliveredRequest(Shape):
    """A `tool/approvalRequest` that the replica missed."""

    kind: Literal["request"] = "request"
    message: ApprovalRequest


class DeliveredSettled(Shape):
    """A `tool/approvalSettled` that the replica missed."""

    kind: Literal["settled"] = "settled"
    message: ApprovalSettled


Delivered = Annotated[
    DeliveredEvent | DeliveredRequest | DeliveredSettled, Field(discriminator="kind")
]


class Snapshot(Shape):
    """Everything that a replica has to know."""

    agents: list[AgentInfo]
    chats: list[Chat]
    tickets: list[ApprovalRequest]
    """The open tickets, in the order in which they were opened."""
    more: list[Id] = Field(default_factory=list)
    """Those after them whose cards had no room here; `tool/card` gives each."""
    trusted: bool
    default_mode: ModeName
    banners: list[str]


class Subscribed(Shape):
    """The missing events where the server still has them, else a snapshot."""

    epoch: str
    seq: int
    snapshot: Snapshot | None = None
    events: list[Delivered] = Field(default_factory=list)
