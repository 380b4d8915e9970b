"""All nodes that our own agent can find, and whether each is as it was when it was allowed."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from assent.catalogue.nodes.guard import NO_GUARD, Guard
from assent.catalogue.nodes.node import Node
from assent.catalogue.nodes.pins import Pins
from assent.catalogue.nodes.source import (
    Ask,
    Listing,
    NodeFailed,
    Order,
    Outcome,
    Page,
    ReportProgress,
    Source,
    ask_nobody,
)
from assent.gate.call.calls import Call, Described
from assent.gate.settings.private_files import UnfitFile
from assent.gate.values import define, evolve, field, frozen

__all__ = ["Catalogue", "NoSource", "Seen"]

_LOG = logging.getLogger(__name__)
_CHANGED: Final = "The server {} changed what it says of this tool since it was allowed last."
_UNREAD: Final = "What this tool was when it was allowed last cannot be read."
_MAX_NODES_HELD: Final = 500
"""So many nodes are held as they were seen last."""


@frozen(kw_only=True)
class Seen:
    """A node as it is now, beside what it was when it was allowed last."""

    node: Node
    before: str | None = None
    """What was said of it then, where that was something else; nothing where that was dropped."""
    unread: bool = False
    """Whether nobody can tell what it was."""
    page: str | None = None
    """What it would act on now, where its server is one of which that is known."""

    @property
    def described(self) -> Described:
        """What an answer to a call of it is bound to."""
        return Described(digest=self.node.fingerprint, now=self.node.text, before=self.before)

    @property
    def caution(self) -> str:
        """Why a person should see a call of it whatever the rules say; nothing where none need."""
        if self.unread:
            return _UNREAD
        return "" if self.before is None else _CHANGED.format(self.node.source)

    def given(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The input of a call of it, with the arguments as a person looks for them."""
        node = self.node
        whole = {"server": node.source, "tool": node.tool, "arguments": node.ordered(arguments)}
        whole |= {"page": self.page} if self.page else {}
        # What its server says of it can make it weigh more, and never less.
        return {**whole, "annotations": {"destructiveHint": True}} if node.destructive else whole


class NoSource(Source):
    """Nobody has any."""

    @property
    def has_any(self) -> bool:
        """See `Source`."""
        return False

    @property
    def names(self) -> tuple[str, ...]:
        """See `Source`."""
        return ()

    async def search(self, words: str, limit: int) -> Listing:
        """See `Source`."""
        return Listing()

    async def page(self, name: str, begin: int) -> Page:
        """See `Source`."""
        raise NodeFailed("There are no nodes: nobody is set up to offer any.")

    async def describe(self, name: str) -> Node:
        """See `Source`."""
        raise NodeFailed("There are no nodes: nobody is set up to offer any.")

    async def states(self) -> list[dict[str, Any]]:
        """See `Source`."""
        return []

    async def order(
        self, do: Order, name: str, ask: Ask = ask_nobody, **more: str
    ) -> dict[str, Any]:
        """See `Source`."""
        raise NodeFailed("There is no such server.")

    async def stop_log_in(self, name: str) -> bool:
        """See `Source`."""
        return False

    async def close(self) -> None:
        """See `Source`."""

    async def run(
        self,
        node: Node,
        arguments: dict[str, Any],
        report_progress: ReportProgress,
        ask: Ask = ask_nobody,
    ) -> Outcome:
        """See `Source`."""
        raise NodeFailed("There are no nodes: nobody is set up to offer any.")


@define
class Catalogue:
    """What is searched, described and run."""

    source: Source = field(factory=NoSource)
    _pins: Pins = field(factory=lambda: Pins(None))
    _guard: Guard = NO_GUARD
    _seen: dict[str, Seen] = field(factory=dict)

    async def look(self, name: str) -> Seen:
        """The node of that name, as it is now; raises `NodeFailed`."""
        node = await self.source.describe(name)
        seen = await asyncio.to_thread(self._compared, node)
        seen = evolve(seen, page=await self._guard.page(node))
        self._seen.pop(name, None)
        self._seen[name] = seen
        while len(self._seen) > _MAX_NODES_HELD:
            del self._seen[next(iter(self._seen))]
        return seen

    def seen(self, name: str) -> Seen | None:
        """The node of that name, as it was looked at last."""
        return self._seen.get(name)

    async def add_screenshot(self, call: Call) -> Call:
        """The call with what a person is to see of what it acts on. Never raises."""
        seen = self._seen.get(f"{call.input.get('server')}:{call.input.get('tool')}")
        if call.tool != "mcp" or seen is None:
            return call
        return await self._guard.add_screenshot(call, seen.node)

    async def run(
        self,
        node: Node,
        call: Call,
        arguments: dict[str, Any],
        report_progress: ReportProgress,
        ask: Ask = ask_nobody,
    ) -> Outcome:
        """Run a node that was allowed as it is; raises `NodeFailed`."""
        try:
            await asyncio.to_thread(self._pins.keep, node)
        except UnfitFile as error:
            _LOG.warning("what was allowed could not be kept: %s", error)
        return await self._guard.run(
            node, call, lambda: self.source.run(node, arguments, report_progress, ask)
        )

    def _compared(self, node: Node) -> Seen:
        try:
            pin = self._pins.of(node)
        except UnfitFile:
            return Seen(node=node, unread=True)
        is_same = pin is None or pin.fingerprint == node.fingerprint
        return Seen(node=node, before=None if is_same or pin is None else pin.text)
