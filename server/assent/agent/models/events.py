"""The events of a model's stream, whichever host sends it.

Text and thoughts that follow each other are one block, until `Closed` or another kind comes.
"""

from assent.agent.models.conversation import Given
from assent.gate.values import frozen

__all__ = [
    "Argued",
    "CallReady",
    "CallSigned",
    "CallStarted",
    "Closed",
    "Event",
    "Kept",
    "Stopped",
    "Text",
    "Thinking",
    "Used",
]


@frozen(kw_only=True)
class Text:
    """More text."""

    text: str


@frozen(kw_only=True)
class Thinking:
    """More thought. Without text a thought begins that the model may keep to itself."""

    text: str = ""


@frozen(kw_only=True)
class Closed:
    """The text or the thought that is being said is whole; its host gave this with it."""

    given: Given | None = None


@frozen(kw_only=True)
class Kept:
    """A block that only its host understands, to be handed back to it."""

    given: Given


@frozen(kw_only=True)
class CallStarted:
    """The model began to write a call; `key` tells calls of one reply apart."""

    key: int
    name: str


@frozen(kw_only=True)
class Argued:
    """More of a call's arguments."""

    key: int
    piece: str


@frozen(kw_only=True)
class CallReady:
    """A call is whole, although the stream may go on: nothing that follows can change it.

    The arguments are their JSON text as it came. A call that the stream broke off is never ready.
    """

    key: int
    id: str
    """As the model called it; it may be empty, or the same as another's."""
    name: str
    arguments: str
    given: Given | None = None


@frozen(kw_only=True)
class CallSigned:
    """What its host gave with a call that was ready before; it is no part of what is done."""

    key: int
    given: Given


@frozen(kw_only=True)
class Used:
    """How many tokens went in and came out so far; each replaces the one before it."""

    read: int
    wrote: int
    cached: int = 0
    """How many of those that went in its host had kept from before, where it says so."""


@frozen(kw_only=True)
class Stopped:
    """The reply is whole. `reason` is `done`, `calls`, `length` or `refused`."""

    reason: str


Event = (
    Text | Thinking | Closed | Kept | CallStarted | Argued | CallReady | CallSigned | Used | Stopped
)
