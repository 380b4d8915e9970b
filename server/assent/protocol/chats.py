"""The messages about chats: what is said, what is called, what a replica has to know."""

from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from assent.protocol.approvals import ApprovalRequest, ApprovalSettled, By
from assent.protocol.card import Level, Span
from assent.protocol.shapes import Id, Millis, Shape, Text

__all__ = [
    "AgentEvent",
    "AgentInfo",
    "AgentList",
    "CallRecord",
    "Chat",
    "ChatRef",
    "Delivered",
    "Event",
    "Have",
    "ModeName",
    "NewChat",
    "Nothing",
    "Prompt",
    "SetMode",
    "Snapshot",
    "Subscribe",
    "Subscribed",
    "TurnEnd",
]

ModeName = Literal["plan", "ask", "default", "acceptEdits", "auto"]
CallState = Literal[
    "proposed", "waiting", "running", "refused", "succeeded", "failed", "killed", "backgrounded"
]


class Nothing(Shape):
    """A message without content."""


class AgentInfo(Shape):
    """An agent that a chat can be opened with."""

    id: str
    name: str
    state: Literal["ready", "starting", "running", "failed", "needsAnswer"]
    """`needsAnswer` where the workspace defines its command and nobody has agreed yet."""
    because: str = ""
    """Why it failed or must wait, in a sentence."""
    bypassed: bool
    """Whether a bypass is in force for it."""


class AgentList(Shape):
    """The agents, in the order of the dropdown."""

    agents: list[AgentInfo]


class CallRecord(Shape):
    """One call, as the transcript shows it."""

    kind: Literal["call"] = "call"
    call_id: str
    approval_id: str | None = None
    """The ticket that was opened for it, if one was."""
    title: list[Span]
    level: Level
    state: CallState
    by: By | None = None
    """Who decided; null while nobody has."""
    because: str = ""
    """Why it was decided so, in words for a person."""
    output: str = ""
    record_id: int | None = None
    at: Millis


class Said(Shape):
    """What the person or the agent said or thought."""

    kind: Literal["user", "agent", "thought"]
    message_id: str
    text: str


class Notice(Shape):
    """Something that the person should know and that nobody said."""

    kind: Literal["notice"] = "notice"
    level: Literal["info", "warning", "error"]
    text: str
    at: Millis


class PlanEntry(Shape):
    """One line of an agent's plan."""

    text: str
    state: Literal["pending", "inProgress", "done"]


Item = Annotated[Said | CallRecord | Notice, Field(discriminator="kind")]


class Chat(Shape):
    """One chat, whole."""

    chat_id: str
    agent_id: str
    agent_name: str
    title: str
    mode: ModeName
    running: bool
    gate: Literal["verified", "advisory", "unverified"]
    """How surely this agent's calls all pass the gate."""
    plan: list[PlanEntry]
    items: list[Item]


class SaidMore(Shape):
    """More text of a message, or the beginning of one."""

    kind: Literal["said"] = "said"
    who: Literal["user", "agent", "thought"]
    message_id: str
    append: str


class CallMoved(Shape):
    """A call is new, or took a step."""

    kind: Literal["call"] = "call"
    call: CallRecord


class CallPrinted(Shape):
    """A running call printed something."""

    kind: Literal["output"] = "output"
    call_id: str
    append: str


class PlanMade(Shape):
    """The agent's plan is now this."""

    kind: Literal["plan"] = "plan"
    entries: list[PlanEntry]


class ModeSet(Shape):
    """The chat's mode is now this."""

    kind: Literal["mode"] = "mode"
    mode: ModeName


class TurnBegan(Shape):
    """The agent began to work on a prompt."""

    kind: Literal["turnBegan"] = "turnBegan"


class TurnEnded(Shape):
    """The agent's turn is over."""

    kind: Literal["turnEnded"] = "turnEnded"
    reason: Literal["done", "stopped", "limit", "refused", "error"]
    because: str = ""


class Noticed(Shape):
    """Something happened that belongs into the transcript."""

    kind: Literal["notice"] = "notice"
    notice: Notice


class ChatOpened(Shape):
    """There is a new chat."""

    kind: Literal["chatOpened"] = "chatOpened"
    chat: Chat


class ChatClosed(Shape):
    """A chat is gone."""

    kind: Literal["chatClosed"] = "chatClosed"


class AgentsChanged(Shape):
    """The agents, or what is known of them, changed. Belongs to no chat."""

    kind: Literal["agents"] = "agents"
    agents: list[AgentInfo]


class WorkspaceChanged(Shape):
    """What holds for the whole workspace is now this. Belongs to no chat."""

    kind: Literal["workspace"] = "workspace"
    trusted: bool
    """Whether the person trusts this workspace, in the editor's sense."""
    default_mode: ModeName
    """What a new chat starts with."""
    banners: list[str]
    """Lines above all chats, such as a setting that could not be read."""


# Each is written by its own shape: of a union pydantic would first make plain Python, then JSON.
Event = SerializeAsAny[
    Annotated[
        SaidMore
        | CallMoved
        | CallPrinted
        | PlanMade
        | ModeSet
        | TurnBegan
        | TurnEnded
        | Noticed
        | ChatOpened
        | ChatClosed
        | AgentsChanged
        | WorkspaceChanged,
        Field(discriminator="kind"),
    ]
]


class AgentEvent(Shape):
    """Something happened in a chat, or (`chatId` null) to all of them."""

    epoch: str
    seq: int
    chat_id: str | None
    event: Event


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
    """All open tickets, in the order in which they were opened."""
    trusted: bool
    default_mode: ModeName
    banners: list[str]


class Subscribed(Shape):
    """The missing events where the server still has them, else a snapshot."""

    epoch: str
    seq: int
    snapshot: Snapshot | None = None
    events: list[Delivered] = Field(default_factory=list)


class NewChat(Shape):
    """Open a chat with an agent."""

    agent_id: Id
    mode: ModeName | None = None


class ChatRef(Shape):
    """One chat."""

    chat_id: Id


class Prompt(Shape):
    """Say something to the agent. Answered when its turn ends."""

    chat_id: Id
    text: Text


class TurnEnd(Shape):
    """How a turn ended."""

    reason: Literal["done", "stopped", "limit", "refused", "error"]
    because: str = ""


class SetMode(Shape):
    """Change a chat's mode."""

    chat_id: Id
    mode: ModeName
