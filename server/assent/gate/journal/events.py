"""What happens in chats, as values: the one stream from which everything shown is made.

Whoever makes things happen tells; who listens is not its business.
"""

from collections.abc import Callable

from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.journal.agent_events import AgentWord
from assent.gate.journal.plans import PlanLine, PlanMade
from assent.gate.values import frozen

__all__ = [
    "AgentMoved",
    "CallMoved",
    "CallPrinted",
    "CallUndone",
    "ChatClosed",
    "ChatNamed",
    "ChatOpened",
    "GateSeen",
    "Happening",
    "ModeSet",
    "ModelSet",
    "Noticed",
    "OneStep",
    "PlanLine",
    "PlanMade",
    "Said",
    "ShellMoved",
    "Tell",
    "TurnBegan",
    "TurnEnded",
    "Used",
    "Waiting",
]


@frozen(kw_only=True)
class Said:
    """More of what somebody says; a new `message` begins a new paragraph."""

    chat: ChatId
    who: str  # `user`, `agent` or `thought`
    message: str
    text: str
    references: tuple[str, ...] = ()  # what the person named beside it


@frozen(kw_only=True)
class CallMoved:
    """A call is new, or took a step."""

    call: Call
    state: State
    ticket: str | None = None
    by: Actor | None = None
    because: str = ""
    record: int | None = None
    on_copy: bool = False
    """Whether it runs on a copy, of which nothing is real before another call makes it so."""


@frozen(kw_only=True)
class CallPrinted:
    """A call's output, or more of it."""

    chat: ChatId
    call: CallId
    text: str
    is_error: bool = False
    """Whether it came on standard error."""


@frozen(kw_only=True)
class ShellMoved:
    """A shell of a chat began, went to the background, or ended."""

    chat: ChatId
    shell: str
    call: CallId
    command: str
    state: str
    """`running`, `exited`, `killed` or `expired`."""
    code: int | None = None
    in_background: bool = False


@frozen(kw_only=True)
class Used:
    """How much of what the model can read the conversation takes by now, in tokens."""

    chat: ChatId
    read: int
    wrote: int
    window: int
    cached: int = 0
    """How many of those that were read its host had kept from before, where it says so."""
    cost: str = ""  # so far, with its currency
    turn_cost: str = ""  # of this turn, where that is known
    prices_of: str = ""
    """The day of the prices that both were worked out by; nothing where the agent said it."""


@frozen(kw_only=True)
class Waiting:
    """The model failed for now and is asked again in so many seconds; or it is waited no longer."""

    chat: ChatId
    because: str = ""
    """Why, in a sentence; nothing where nobody waits any more."""
    seconds: float = 0.0


@frozen(kw_only=True)
class CallUndone:
    """What a call had changed was put back as it was."""

    chat: ChatId
    call: CallId


@frozen(kw_only=True)
class ModeSet:
    """The chat's mode is now this."""

    chat: ChatId
    mode: Mode


@frozen(kw_only=True)
class ModelSet:
    """The chat goes on with this model."""

    chat: ChatId
    model: str
    """Its name."""
    effort: str = ""  # how much it is to think; nothing is as it likes
    efforts: tuple[str, ...] = ()
    """What else it can be told of that."""


@frozen(kw_only=True)
class GateSeen:
    """How surely an agent's calls pass the gate, by what was seen of them in this chat."""

    chat: ChatId
    gate: str
    """`verified`, `advisory` or `unverified`."""
    passed: int
    """How many of the tools that it has called had each call ruled on before it ran."""
    tools: int
    """How many tools it has called."""


@frozen(kw_only=True)
class TurnBegan:
    """The agent began to work."""

    chat: ChatId


@frozen(kw_only=True)
class TurnEnded:
    """The agent's turn is over; `reason` is done, stopped, limit, refused or error."""

    chat: ChatId
    reason: str
    because: str = ""


@frozen(kw_only=True)
class Noticed:
    """Something that the person should know and that nobody said."""

    chat: ChatId
    level: str
    """`info`, `warning` or `error`."""
    text: str
    mode: Mode | None = None  # one that the person can go back to from it
    again: str = ""  # what they can say once more from it
    retry: bool = False  # whether the model can be asked the same again from it
    wants_key: bool = False  # whether it needs a key for that
    back_to: str = ""  # the message before which the conversation goes on from here
    alarm: bool = False  # whether it tells of a call that ran although nobody let it run


@frozen(kw_only=True)
class ChatNamed:
    """The person gave the chat a title."""

    chat: ChatId
    title: str


@frozen(kw_only=True)
class ChatOpened:
    """There is a new chat."""

    chat: ChatId
    agent: AgentId
    mode: Mode
    model: str = ""
    """The model's name, where it is our own agent's."""
    effort: str = ""
    efforts: tuple[str, ...] = ()
    """As in `ModelSet`."""
    title: str = ""
    """What it is called; nothing leaves that to the first prompt."""


@frozen(kw_only=True)
class ChatClosed:
    """A chat is gone."""

    chat: ChatId


@frozen(kw_only=True)
class AgentMoved:
    """An agent's process began, is ready, or is gone."""

    agent: AgentId
    state: str  # `ready`, `starting`, `running` or `failed`
    because: str = ""


OneStep = (
    AgentWord
    | CallMoved
    | CallPrinted
    | CallUndone
    | ChatNamed
    | GateSeen
    | PlanMade
    | ShellMoved
    | Used
    | ModeSet
    | ModelSet
    | TurnBegan
    | TurnEnded
    | Noticed
    | Waiting
)
"""What is told of a chat at once; speech may come in pieces."""

Happening = Said | OneStep | ChatOpened | ChatClosed | AgentMoved

Tell = Callable[[Happening], None]
