"""The interface of what looks at a node's target: before the ruling, before the run, after it."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from assent.catalogue.nodes.node import Node
from assent.catalogue.nodes.source import Outcome
from assent.gate.call.calls import Call

__all__ = ["NO_GUARD", "Go", "Guard"]

Go = Callable[[], Awaitable[Outcome]]
"""Runs the node, once."""


class Guard(Protocol):
    """Looks, before a call is judged and before it runs, and after it ran."""

    async def page(self, node: Node) -> str | None:
        """What it acts on now; None where it is none of those. Raises `NodeFailed`."""
        ...

    async def run(self, node: Node, call: Call, go: Go) -> Outcome:
        """Run it if what it acts on is what was judged; raises `NodeFailed`."""
        ...

    async def add_screenshot(self, call: Call, node: Node) -> Call:
        """The call with what a person is to see of what it acts on. Never raises."""
        ...


class _NoGuard(Guard):
    async def page(self, node: Node) -> str | None:
        return None

    async def run(self, node: Node, call: Call, go: Go) -> Outcome:
        return await go()

    async def add_screenshot(self, call: Call, node: Node) -> Call:
        return call


NO_GUARD: Final[Guard] = _NoGuard()
