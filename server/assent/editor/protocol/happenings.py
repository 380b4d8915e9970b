"""The events of `agent/event`, which every replica receives."""

from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from assent.editor.protocol.agents import AgentTitled, CommandsTold, LogInTold, OptionsTold, Shown
from assent.editor.protocol.card import Span
from assent.editor.protocol.changes import FilesChanged
from assent.editor.protocol.chats import (
    AgentInfo,
    Chat,
    Effort,
    Ending,
    ModeName,
    Notice,
    PlanEntry,
    Usage,
    Waiting,
)
from assent.editor.protocol.records import CallRecord, ShellInfo
from assent.editor.protocol.shapes import Shape

__all__ = [
    "AgentEvent",
    "AgentsChanged",
    "Archived",
    "CallMoved",
    "CallPrinted",
    "ChatClosed",
    "ChatNamed",
    "ChatOpened",
    "Drafted",
    "Event",
    "GateSeen",
    "ModeSet",
    "ModelSet",
    "Noticed",
    "PlanMade",
    "SaidMore",
    "ShellMoved",
    "TurnBegan",
    "TurnEnded",
    "Used",
    "WaitsForModel",
    "WorkspaceChanged",
]


class SaidMore(Shape):
    """More text of a message, or the beginning of one."""

    kind: Literal["said"] = "said"
    who: Literal["user", "agent", "thought"]
    message_id: str
    append: str
    references: list[str] = Field(default_factory=list)
    """As in `Said`, with the beginning of a message."""


class CallMoved(Shape):
    """A call is new, or took a step."""

    kind: Literal["call"] = "call"
    entry: int
    """Its place among the chat's entries, counted from 0."""
    call: CallRecord


class CallPrinted(Shape):
    """A running call printed something."""

    kind: Literal["output"] = "output"
    call_id: str
    append: str
    errors: list[int] = Field(default_factory=list)
    """The lines of its whole output that came on standard error by this: a pair, or none."""


class Archived(Shape):
    """Replicas need not keep the entries before this one any more; `agent/turns` gives them."""

    kind: Literal["archived"] = "archived"
    first: int


class PlanMade(Shape):
    """The agent's plan is now this."""

    kind: Literal["plan"] = "plan"
    entries: list[PlanEntry]


class ShellMoved(Shape):
    """A shell began, went to the background, or ended."""

    kind: Literal["shell"] = "shell"
    shell: ShellInfo


class Used(Shape):
    """How much the conversation takes by now."""

    kind: Literal["used"] = "used"
    usage: Usage


class WaitsForModel(Shape):
    """The agent's model is left alone for a moment, or is asked again."""

    kind: Literal["waiting"] = "waiting"
    waiting: Waiting | None


class Drafted(Shape):
    """The agent writes a long call, which nobody has judged yet; or it writes none any more."""

    kind: Literal["drafted"] = "drafted"
    line: list[Span]


class ModeSet(Shape):
    """The chat's mode is now this."""

    kind: Literal["mode"] = "mode"
    mode: ModeName


class ModelSet(Shape):
    """The chat goes on with this model."""

    kind: Literal["model"] = "model"
    model: str
    effort: Effort | None = None
    efforts: list[Effort] = Field(default_factory=list)
    """How much it thinks, and what it can be told of that."""


class GateSeen(Shape):
    """How surely the agent's calls pass the gate, by what was seen of them."""

    kind: Literal["gate"] = "gate"
    gate: Literal["verified", "advisory", "unverified"]
    passed: int
    """How many of the tools that it has called had each call ruled on before it ran."""
    tools: int
    """How many tools it has called."""


class TurnBegan(Shape):
    """The agent began to work on a prompt."""

    kind: Literal["turnBegan"] = "turnBegan"


class TurnEnded(Shape):
    """The agent's turn is over."""

    kind: Literal["turnEnded"] = "turnEnded"
    reason: Ending
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


class ChatNamed(Shape):
    """The person gave the chat a title, which stands before the agent's."""

    kind: Literal["named"] = "named"
    title: str


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
        | Archived
        | PlanMade
        | ShellMoved
        | Used
        | AgentTitled
        | CommandsTold
        | OptionsTold
        | LogInTold
        | Shown
        | WaitsForModel
        | Drafted
        | FilesChanged
        | ModeSet
        | ModelSet
        | GateSeen
        | TurnBegan
        | TurnEnded
        | Noticed
        | ChatOpened
        | ChatClosed
        | ChatNamed
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
