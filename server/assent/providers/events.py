"""What a model says while it streams, whoever hosts it."""

from attrs import frozen

__all__ = [
    "Again",
    "Argued",
    "CallReady",
    "CallStarted",
    "Event",
    "Stopped",
    "Text",
    "Thinking",
    "Used",
]


@frozen(kw_only=True)
class Again:
    """The model did not reply and is asked again; before this there was nothing but counts."""

    why: str
    """In a sentence for the person."""


@frozen(kw_only=True)
class Text:
    """More text."""

    text: str


@frozen(kw_only=True)
class Thinking:
    """More thought; `seal` and `hidden` as in `conversation.Thought`, at the end of a thought."""

    text: str = ""
    seal: str = ""
    hidden: str = ""


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


@frozen(kw_only=True)
class Used:
    """How many tokens went in and came out so far; each replaces the one before it."""

    read: int
    wrote: int


@frozen(kw_only=True)
class Stopped:
    """The reply is whole. `reason` is `done`, `calls`, `length` or `refused`."""

    reason: str


Event = Again | Text | Thinking | CallStarted | Argued | CallReady | Used | Stopped
