"""The messages about chats: what is said, what is called, what a person asks for."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.agents import AgentCommand, AgentSetting, LogIn, Picture, Sound
from assent.editor.protocol.card import Span
from assent.editor.protocol.changes import ChangedFile, FilesUndone
from assent.editor.protocol.notices import (
    ModeName,
    ModeOffer,
    Notice,
    Offer,
    PromptOffer,
    RetryOffer,
)
from assent.editor.protocol.records import CallRecord, ShellInfo
from assent.editor.protocol.references import MAX_REFERENCES, Reference
from assent.editor.protocol.shapes import Id, ImageData, Millis, Shape, Text

__all__ = [
    "AgentInfo",
    "AgentList",
    "Chat",
    "ChatRef",
    "Effort",
    "Ending",
    "Item",
    "ModeName",
    "ModeOffer",
    "ModelInfo",
    "NewChat",
    "Nothing",
    "Notice",
    "Offer",
    "PlanEntry",
    "Prompt",
    "PromptOffer",
    "RetryOffer",
    "Said",
    "SetEffort",
    "SetMode",
    "SetModel",
    "TurnEnd",
    "Turns",
    "Usage",
    "Waiting",
    "WantTurns",
]

Effort = Literal["low", "medium", "high", "xhigh", "max"]
Ending = Literal["done", "stopped", "limit", "refused", "error"]
"""How a turn can end."""


class Nothing(Shape):
    """A message without content."""


class ModelInfo(Shape):
    """A model that our own agent can work with."""

    id: str
    name: str


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
    models: list[ModelInfo] = Field(default_factory=list)
    """The models that it can work with, the one to begin with first; an agent of somebody
    else's has its own."""


class AgentList(Shape):
    """The agents, in the order of the dropdown."""

    agents: list[AgentInfo]


class Said(Shape):
    """What the person or the agent said or thought."""

    kind: Literal["user", "agent", "thought"]
    message_id: str
    text: str
    references: list[str] = Field(default_factory=list)
    """What the person named beside it, by what it is called."""


class Usage(Shape):
    """How much of what the model can read the conversation takes, in tokens."""

    read: int
    wrote: int
    window: int
    cached: int = 0
    """How many of those that were read its host had kept from before, where it says so."""
    cost: str = ""
    """What it has cost so far, with its currency."""
    turn_cost: str = ""
    """What the last turn has cost of it; nothing where that is not known."""
    prices_of: str = ""
    """The day of the prices that this was worked out by; nothing where the agent said it."""


class Waiting(Shape):
    """The agent's model failed for now; it is asked again at a moment."""

    because: str
    """Why, in a sentence."""
    now: Millis
    """By the clock that says when."""
    until: Millis


class PlanEntry(Shape):
    """One line of an agent's plan."""

    text: str
    state: Literal["pending", "inProgress", "done"]


Item = Annotated[Said | CallRecord | Notice | Picture | Sound, Field(discriminator="kind")]


class Chat(Shape):
    """One chat, with its last entries."""

    chat_id: str
    agent_id: str
    agent_name: str
    title: str
    mode: ModeName
    running: bool
    gate: Literal["verified", "advisory", "unverified"]
    """How surely this agent's calls all pass the gate."""
    passed: Annotated[int, Field(ge=0)] = 0
    """How many of the tools that it has called had each call ruled on before it ran."""
    tools: Annotated[int, Field(ge=0)] = 0
    """How many tools it has called."""
    model: str = ""
    """The model's name, where it is our own agent's."""
    effort: Effort | None = None
    """How much the model is to think; null is as it likes."""
    efforts: list[Effort] = Field(default_factory=list)
    """What it can be told of that; nothing where it can be told nothing."""
    plan: list[PlanEntry]
    agent_title: str = ""
    """What the agent calls the chat; cards call it by what the person said."""
    commands: list[AgentCommand] = Field(default_factory=list)
    """What may be said to the agent with a slash."""
    settings: list[AgentSetting] = Field(default_factory=list)
    """Those that the agent keeps itself; `agent/setOption` changes them."""
    loose: str = ""
    """How these let it ask less, in a sentence; nothing where they do not."""
    left_out: str = ""
    """What the agent does not get of your own and the workspace's configuration, in sentences."""
    log_in: LogIn | None = None
    """How one can log in to its agent, where it wants that; `agent/logIn` does it."""
    shells: list[ShellInfo] = Field(default_factory=list)
    """Those that run, and the last that ended."""
    usage: Usage | None = None
    limit: str = ""
    """At which limit its last turn was stopped, in a sentence; nothing where it was not."""
    waiting: Waiting | None = None
    """While its model is left alone for a moment; `agent/tryNow` ends that."""
    drafted: list[Span] = Field(default_factory=list)
    """What it proposes in a long call that it still writes; nobody has judged it."""
    changes: list[ChangedFile] = Field(default_factory=list)
    """The files with changes of our edits that were neither kept nor undone."""
    undone: FilesUndone | None = None
    elsewhere: bool = False
    """Whether another window has it, so that it can only be read; `chat/continue` takes it over."""
    first: Annotated[int, Field(ge=0)] = 0
    """How many entries come before those in `items`; `agent/turns` gives them."""
    items: list[Item]
    """The last entries."""


class WantTurns(Shape):
    """Older entries of a chat: those before a number, so many of them."""

    chat_id: Id
    before: Annotated[int, Field(ge=0)]
    limit: Annotated[int, Field(ge=1, le=500)] = 100


class Turns(Shape):
    """Entries of a chat in a row, up to the one before which they were wanted."""

    first: int
    """The number of the first of them."""
    items: list[Item]
    kept_from: int
    """The number of the first entry that is still kept."""


class NewChat(Shape):
    """Open a chat with an agent."""

    agent_id: Id
    mode: ModeName | None = None
    model: Id | None = None
    """One of the agent's models; null is the first."""


class ChatRef(Shape):
    """One chat."""

    chat_id: Id


class Prompt(Shape):
    """Say something to the agent. Answered when its turn ends."""

    chat_id: Id
    text: Text
    images: Annotated[list[ImageData], Field(max_length=4)] = Field(default_factory=list)
    """Pictures that go with it, for agents that take such."""
    references: Annotated[list[Reference], Field(max_length=MAX_REFERENCES)] = Field(
        default_factory=list
    )
    """What it is about, such as files; if the agent could not read one unasked, nothing is sent."""


class TurnEnd(Shape):
    """How a turn ended."""

    reason: Ending
    because: str = ""


class SetModel(Shape):
    """Go on with another model."""

    chat_id: Id
    model: Id


class SetEffort(Shape):
    """Let the model think so much from now on; null is as it likes."""

    chat_id: Id
    effort: Effort | None


class SetMode(Shape):
    """Change a chat's mode."""

    chat_id: Id
    mode: ModeName
