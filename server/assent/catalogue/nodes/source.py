"""The interface of a source of nodes."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol

from assent.catalogue.nodes.node import Node
from assent.gate.call.errors import AssentError
from assent.gate.text.sounds import Sound
from assent.gate.values import field, frozen

__all__ = [
    "Ask",
    "Image",
    "ListedNode",
    "Listing",
    "NodeFailed",
    "Order",
    "Outcome",
    "Page",
    "Reply",
    "ReportProgress",
    "Source",
    "ask_nobody",
]

ReportProgress = Callable[[str], None]
"""Is told how far a run is."""


@frozen(kw_only=True)
class Reply:
    """What came of a question that a source asked in the midst of a run."""

    action: Literal["accept", "decline", "cancel"] = "cancel"
    content: dict[str, Any] = field(factory=dict, hash=False, repr=False)
    """What a person wrote, by the names of the form's fields."""


Ask = Callable[[dict[str, Any]], Awaitable[Reply]]
"""Asks the person something for the source: a form, or to open a page."""


async def ask_nobody(_: dict[str, Any]) -> Reply:
    """Nobody is there to be asked."""
    return Reply()


Order = Literal["restart", "stop", "logIn", "logOut"]
"""Start one anew, end it until somebody does, log the person in there, or forget that.

A log-in is answered as soon as it is kept; the server is started anew by an order of its own.
"""


class NodeFailed(AssentError):
    """A node could not be found or run; the message is written for the model."""


@frozen(kw_only=True)
class ListedNode:
    """One node in a list."""

    name: str
    says: str
    """One line of its source's words."""


@frozen(kw_only=True)
class Listing:
    """What was found, and what could not be looked through."""

    nodes: tuple[ListedNode, ...] = ()
    total: int = 0
    """How many nodes there are in all."""
    notes: tuple[str, ...] = ()
    """What ails whom, a sentence each."""


@frozen(kw_only=True)
class Page:
    """Some of what one server offers, for a program that lists it."""

    tools: str = field(repr=False)
    """What its server says of them, as a list in JSON; whoever passes it on does not read it."""
    names: list[str]
    """What they are called."""
    rest: int | None = None
    """Where the others begin; None where there are none."""


@frozen(kw_only=True)
class Image:
    """A picture among what came of a run."""

    mime: str
    data: str = field(repr=False)
    """Its bytes, in base64."""


@frozen(kw_only=True)
class Outcome:
    """What came of a run, as its source tells."""

    text: str
    has_words: bool = True
    """Whether any of it is the source's own word, and not only ours for what it gave."""
    failed: bool = False
    images: tuple[Image, ...] = ()
    sounds: tuple[Sound, ...] = ()
    """Only the person hears them."""


class Source(Protocol):
    """Somebody who has nodes."""

    @property
    def has_any(self) -> bool:
        """Whether anybody is set up to have some."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Who is set up to have some; nobody is started to tell that."""
        ...

    async def page(self, name: str, begin: int) -> Page:
        """What one of them offers, from the nth on; raises `NodeFailed`."""
        ...

    async def search(self, words: str, limit: int) -> Listing:
        """The nodes that these words are about, the best first; some where there are no words."""
        ...

    async def describe(self, name: str) -> Node:
        """The node of that name, as it is now; raises `NodeFailed`."""
        ...

    async def states(self) -> list[dict[str, Any]]:
        """How each is who offers something; nothing is started to tell that."""
        ...

    async def order(
        self, do: Order, name: str, ask: Ask = ask_nobody, **more: str
    ) -> dict[str, Any]:
        """Do something with one; how it is then. Raises `NodeFailed`."""
        ...

    async def renew(self, name: str) -> None:
        """Ask the person anew for what one of them is given, where it has them asked."""
        ...

    async def stop_log_in(self, name: str) -> bool:
        """Give up a log-in there as long as nothing of it is kept; whether there was one."""
        ...

    async def close(self) -> None:
        """End all that was started."""
        ...

    async def run(
        self,
        node: Node,
        arguments: dict[str, Any],
        report_progress: ReportProgress,
        ask: Ask = ask_nobody,
    ) -> Outcome:
        """Run it if it still is what it was; raises `NodeFailed`."""
        ...
