"""The person's tool servers, as one source of nodes."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from operator import attrgetter
from typing import Any, Final

from assent.catalogue.browser.browser_tools import described
from assent.catalogue.browser.preset import is_browser
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.link import Link
from assent.catalogue.nodes.node import Node
from assent.catalogue.nodes.source import (
    Ask,
    Image,
    ListedNode,
    Listing,
    NodeFailed,
    Order,
    Outcome,
    Page,
    ReportProgress,
    Source,
    ask_nobody,
)
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.text.sounds import sound_from
from assent.gate.values import define, field

__all__ = ["Servers"]

_CLOSE_TIMEOUT_S: Final = 3.0
"""In seconds: longer nobody waits for it who closes a window."""
_name: Final = attrgetter("name")


@define(eq=False)
class Servers(Source):
    """Starts what is asked for, and asks it."""

    _entries: Callable[[], Iterable[ServerEntry]]
    _launches: Launches
    link: Link
    _sent_servers: tuple[int, tuple[ServerEntry, ...]] = (0, ())
    """Which hub was told last of which servers."""
    _browsers: dict[str, bool] = field(factory=dict)
    """The servers that come to the browser, by their names, and whether each is the preset."""
    _unfit: tuple[str, ...] = ()
    """Why some of them could not be started, a sentence each."""

    @property
    def has_any(self) -> bool:
        """See `Source`."""
        return any(True for _ in self._entries())

    @property
    def names(self) -> tuple[str, ...]:
        """See `Source`."""
        return tuple(entry.name for entry in self._entries() if entry.is_handed)

    async def page(self, name: str, begin: int) -> Page:
        """See `Source`."""
        await self._tell_servers()
        self._insist_on(name)
        return Page(**await self.link.ask("page", name=name, begin=begin))

    async def search(self, words: str, limit: int) -> Listing:
        """See `Source`."""
        await self._tell_servers()
        came = await self.link.ask("search", words=words, limit=limit)
        return Listing(
            nodes=tuple(ListedNode(name=node["name"], says=node["says"]) for node in came["found"]),
            total=came["total"],
            notes=(*self._unfit, *came["notes"]),
        )

    async def describe(self, name: str) -> Node:
        """See `Source`."""
        await self._tell_servers()
        self._insist_on(name.partition(":")[0])
        node = Node(**await self.link.ask("describe", name=name))
        preset = self._browsers.get(node.source)
        return node if preset is None else described(node, is_preset=preset)

    async def run(
        self,
        node: Node,
        arguments: dict[str, Any],
        report_progress: ReportProgress,
        ask: Ask = ask_nobody,
    ) -> Outcome:
        """See `Source`."""
        await self._tell_servers()
        came = await self.link.ask(
            "run",
            report_progress,
            ask,
            source=node.source,
            tool=node.tool,
            fingerprint=node.fingerprint,
            arguments=arguments,
        )
        images = tuple(Image(mime=image["mime"], data=image["data"]) for image in came["images"])
        sounds = tuple(filter(None, map(sound_from, came["sounds"])))
        said = {name: came[name] for name in ("text", "has_words", "failed")}
        return Outcome(**said, images=images, sounds=sounds)

    async def states(self) -> list[dict[str, Any]]:
        """See `Source`."""
        if self.link.pid is None:
            return [_idle(entry) for entry in sorted(self._entries(), key=_name)]
        await self._tell_servers()
        states: list[dict[str, Any]] = (await self.link.ask("states"))["states"]
        unfit = {"state": "unfit", "tools": 0, "lines": [], "account": "none"}
        states += [
            {"name": sentence.partition(" ")[0], "says": sentence, **unfit}
            for sentence in self._unfit
        ]
        return states

    async def order(
        self, do: Order, name: str, ask: Ask = ask_nobody, **more: str
    ) -> dict[str, Any]:
        """See `Source`."""
        await self._tell_servers()
        self._insist_on(name)
        given: dict[str, Any] = {"name": name, **more}
        return await self.link.ask(do, ask=ask, **given)

    async def renew(self, name: str) -> None:
        """See `Source`."""
        for entry in self._entries():
            if entry.name == name and entry.inputs:
                await self._launches.renew(entry)
                self._sent_servers = (0, ())

    async def stop_log_in(self, name: str) -> bool:
        """See `Source`. What the settings say meanwhile is not waited for."""
        if self.link.pid is None:
            return False
        return bool((await self.link.ask("stopLogIn", name=name))["found"])

    async def close(self) -> None:
        """End all of them, once what is being made new of a log-in is kept."""
        if self.link.pid is not None:
            with suppress(NodeFailed, TimeoutError):
                async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                    await self.link.ask("settle")
        await self.link.close()

    def _insist_on(self, name: str) -> None:
        """Raise where one could not be started."""
        for why in self._unfit:
            if why.partition(" ")[0] == name:
                raise NodeFailed(why)

    async def _tell_servers(self) -> None:
        """Tell the hub which servers there are, where it was not told of just these."""
        entries = tuple(self._entries())
        if (await self.link.up(), entries) == self._sent_servers:
            return
        launches: list[Launch] = []
        unfit: list[str] = []
        for entry in entries:
            try:
                launches.append(await self._launches.of(entry))
            except NodeFailed as error:
                unfit.append(str(error))
        await self.link.ask("servers", servers=[launch.as_json() for launch in launches])
        ours = {entry.name for entry in entries if entry.preset}
        names = (launch.name for launch in launches if is_browser(launch.program, launch.args))
        self._browsers = {name: name in ours for name in names}
        # One whose secret was not had is asked for again the next time.
        self._unfit = tuple(unfit)
        self._sent_servers = (self.link.generation, entries) if not unfit else (0, ())


def _idle(entry: ServerEntry) -> dict[str, Any]:
    """One that nobody has needed yet, as far as that can be told without asking anybody."""
    launch = Launch(name=entry.name, url=entry.url, headers=entry.headers)
    account = "out" if launch.has_account else "none"
    return {"name": entry.name, "state": "idle", "tools": 0, "says": "", "lines": []} | {
        "account": account
    }
