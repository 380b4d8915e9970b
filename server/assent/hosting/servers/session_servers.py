"""The tool servers of one session: for each, a small program of ours and a key.

The agent starts that program as a server and speaks with it; the server itself is never the
agent's, whose environment, keys included, would be given to it.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from assent.catalogue.nodes.catalogue import Catalogue, Seen
from assent.catalogue.nodes.source import NodeFailed
from assent.gate.call.errors import AssentError
from assent.gate.values import define, evolve, field
from assent.hosting.hooks.hook_channel import HookChannel
from assent.hosting.hooks.hook_socket import HookSocket
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.mcp_tool_names import names_in, served_in
from assent.hosting.recipes.recipe import Recipe
from assent.hosting.servers.message_seal import SealedMessages
from assent.hosting.servers.served_calls import ServedCalls
from assent.hosting.servers.tool_server import ToolServer

__all__ = ["MAX_SERVERS", "SessionServers"]

_LOG = logging.getLogger(__name__)

MAX_SERVERS: Final = 40
"""So many are handed to one session: each keeps a program and a socket."""
_MAX_TOOLS: Final = 10_000


@define(eq=False)
class SessionServers:
    """Those of one session."""

    _nodes: Catalogue
    _names: frozenset[str] = frozenset()
    _socket: HookSocket | None = None
    _channels: list[HookChannel] = field(factory=list)
    _open: set[SealedMessages] = field(factory=set)
    _tools: set[tuple[str, str]] = field(factory=set)
    """Those that the agent was told of: each with its server."""

    def seen(self, name: str) -> Seen | None:
        """A tool of theirs, as it was looked at last."""
        return self._nodes.seen(name) if name.partition(":")[0] in self._names else None

    def has(self, whole: dict[str, Any]) -> bool:
        """Whether a call says that it is a tool of theirs."""
        return bool(self._names) and any(
            name.partition(":")[0] in self._names for name in names_in(whole)
        )

    def plain(self, hooked: Hooked, recipe: Recipe) -> Hooked:
        """A call of theirs in the words that can be read in one way, where its agent has others.

        What the agent's own tools are called is nothing else, whatever a server calls its own.
        """
        is_own = recipe.kinds.get(hooked.tool) or hooked.tool in recipe.notes
        if not recipe.joint or is_own or recipe.patch(hooked) is not None:
            return hooked
        fits = [tool for tool in self._tools if recipe.joint.join(tool) == hooked.tool]
        return evolve(hooked, tool="__".join(("mcp", *fits[0]))) if len(fits) == 1 else hooked

    async def look(self, whole: dict[str, Any]) -> None:
        """See what a tool is by now that an agent wants to use, since that is what is asked about.

        Where it cannot be seen it is asked about all the same, and asked about again if it can be
        when it is to run.
        """
        served = served_in(whole) if self._names else None
        if served is None or served.server not in self._names:
            return
        try:
            await self._nodes.look(served.name)
        except NodeFailed as error:
            _LOG.info("%s could not be looked at: %s", served.name, error)

    async def entries(
        self, calls: ServedCalls, socket: HookSocket | None, besides: list[Any]
    ) -> list[Any]:
        """What a session is opened with: these, and of others those whose names are not taken."""
        self.close()
        self._socket = socket
        names = self._nodes.source.names[:MAX_SERVERS] if socket is not None else ()
        entries: list[Any] = []
        for name in names:
            try:
                entries.append(await self._entry(name, calls))
            except (OSError, AssentError):
                _LOG.exception("there is no way to the server %s", name)
        self._names = frozenset(entry["name"] for entry in entries)
        return [*entries, *(beside for beside in besides if beside.get("name") not in self._names)]

    @contextmanager
    def opening(self) -> Iterator[None]:
        """Shut the ways in again where the session that they are for comes to nothing."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let nobody in any more, and answer nobody who is."""
        for channel in self._channels:
            if self._socket is not None:
                self._socket.shut(channel)
        for stream in self._open:
            stream.close()
        self._channels, self._names = [], frozenset()
        self._tools.clear()

    async def _entry(self, name: str, calls: ServedCalls) -> dict[str, Any]:
        def listed(tools: list[str]) -> None:
            self._tools |= {(name, tool) for tool in tools[:_MAX_TOOLS]}

        async def speak(stream: SealedMessages) -> None:
            self._open.add(stream)
            try:
                await ToolServer(name, self._nodes.source, calls, stream, listed).serve()
            finally:
                self._open.discard(stream)

        assert self._socket is not None  # noqa: S101 -- it was asked for only where there is one
        channel = await self._socket.open(pipe=speak)
        self._channels.append(channel)
        program, words = channel.piped
        return {"name": name, "command": program, "args": words, "env": []}
