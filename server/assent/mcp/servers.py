"""The servers that the person set up, as one source of nodes."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from attrs import define, field

from assent.browser.preset import is_browser, started
from assent.browser.table import described
from assent.catalogue.node import Node
from assent.catalogue.source import (
    Ask,
    Found,
    Image,
    Listing,
    NodeFailed,
    Order,
    Outcome,
    Page,
    Source,
    Told,
    ask_nobody,
)
from assent.disk.executables import Executables
from assent.errors import AssentError
from assent.mcp.launch import Launch
from assent.mcp.link import Link
from assent.settings.paths import browser_folder, state_path
from assent.settings.references import Reference, filled, references_in
from assent.settings.served import ServerEntry
from assent.shells.surroundings import inherited

__all__ = ["Servers", "program_of"]

_name: Final = attrgetter("name")

Secret = Callable[[str, str], Awaitable[str | None]]
"""A secret by its name, for whom; None where there is none."""


@define(eq=False)
class Servers(Source):
    """Starts what is asked for, and asks it."""

    _entries: Callable[[], Iterable[ServerEntry]]
    _secret: Secret
    _roots: Callable[[], tuple[str, ...]]
    link: Link
    _told: tuple[int, tuple[ServerEntry, ...]] = (0, ())
    """Which hub was told last of which servers."""
    _output: Path = field(factory=lambda: browser_folder(state_path()))
    """Where a browser puts what it makes."""
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
        return tuple(it.name for it in self._entries() if it.is_handed)

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
            found=tuple(Found(name=it["name"], says=it["says"]) for it in came["found"]),
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
        self, node: Node, arguments: dict[str, Any], told: Told, ask: Ask = ask_nobody
    ) -> Outcome:
        """See `Source`."""
        await self._tell_servers()
        came = await self.link.ask(
            "run",
            told,
            ask,
            source=node.source,
            tool=node.tool,
            fingerprint=node.fingerprint,
            arguments=arguments,
        )
        images = tuple(Image(mime=it["mime"], data=it["data"]) for it in came["images"])
        return Outcome(text=came["text"], failed=came["failed"], images=images)

    async def states(self) -> list[dict[str, Any]]:
        """See `Source`."""
        if self.link.pid is None:
            return [_idle(it) for it in sorted(self._entries(), key=_name)]
        await self._tell_servers()
        states: list[dict[str, Any]] = (await self.link.ask("states"))["states"]
        unfit = {"state": "unfit", "tools": 0, "lines": [], "account": "none"}
        states += [{"name": it.partition(" ")[0], "says": it, **unfit} for it in self._unfit]
        return states

    async def order(self, do: Order, name: str, ask: Ask = ask_nobody) -> dict[str, Any]:
        """See `Source`."""
        await self._tell_servers()
        self._insist_on(name)
        return await self.link.ask(do, ask=ask, name=name)

    async def close(self) -> None:
        """End all of them."""
        await self.link.close()

    def _insist_on(self, name: str) -> None:
        """Raise where one could not be started."""
        for why in self._unfit:
            if why.partition(" ")[0] == name:
                raise NodeFailed(why)

    async def _tell_servers(self) -> None:
        """Tell the hub which servers there are, where it was not told of just these."""
        entries = tuple(self._entries())
        if (await self.link.up(), entries) == self._told:
            return
        launches: list[Launch] = []
        unfit: list[str] = []
        for entry in entries:
            try:
                launches.append(await self._launch(entry))
            except NodeFailed as error:
                unfit.append(str(error))
        await self.link.ask("servers", servers=[it.as_json() for it in launches])
        ours = {it.name for it in entries if it.preset}
        found = (it.name for it in launches if is_browser(it.program, it.args))
        self._browsers = {it: it in ours for it in found}
        # One whose secret was not had is asked for again the next time.
        self._unfit = tuple(unfit)
        self._told = (self.link.generation, entries) if not unfit else (0, ())

    async def _launch(self, entry: ServerEntry) -> Launch:
        values = await self._values(entry)
        if entry.url:
            return _reached(entry, filled(entry.headers, values), _secret_of(entry, values))
        own = filled(entry.env, values)
        env = {**inherited(os.environ), **own}
        programs = Executables(roots=self._roots(), path=env.get("PATH", os.defpath))
        program, args = await asyncio.to_thread(self._begun, entry, programs)
        return Launch(
            name=entry.name,
            program=program,
            args=args,
            env={**env, "PATH": programs.outside()},
            named=tuple(sorted(own)),
            known=entry.known,
        )

    def _begun(self, entry: ServerEntry, programs: Executables) -> tuple[str, tuple[str, ...]]:
        """The program of a server and its words."""
        if entry.preset:
            output = self._output / entry.name
            return started(entry.name, programs, output, headed=entry.headed)
        return program_of(entry, programs), entry.args

    async def _values(self, entry: ServerEntry) -> dict[Reference, str]:
        """What the references of a server's variables stand for."""
        found: dict[Reference, str] = {}
        where = "headers" if entry.url else "env"
        given = {**entry.headers, "oauth": entry.client_secret} if entry.url else entry.env
        for it in references_in(given):
            if it.kind == "env":
                value = os.environ.get(it.name)
            else:
                try:
                    value = await self._secret(it.name, entry.name)
                except AssentError:
                    value = None
            if value is None or "\0" in value:
                what = "variable" if it.kind == "env" else "secret"
                raise NodeFailed(
                    f"{entry.name} was not started: the {what} {it.name}, which"
                    f" assent.mcpServers.{entry.name}.{where} names, is not to be had."
                )
            found[it] = value
        return found


def _idle(entry: ServerEntry) -> dict[str, Any]:
    """One that nobody has needed yet, as far as that can be told without asking anybody."""
    found = Launch(name=entry.name, url=entry.url, headers=entry.headers)
    account = "out" if found.has_account else "none"
    return {"name": entry.name, "state": "idle", "tools": 0, "says": "", "lines": []} | {
        "account": account
    }


def _secret_of(entry: ServerEntry, values: dict[Reference, str]) -> str:
    return filled({"": entry.client_secret}, values)[""]


def _reached(entry: ServerEntry, headers: dict[str, str], secret: str) -> Launch:
    """One that is somewhere else."""
    if odd := [name for name, it in headers.items() if not _is_sendable(it)]:
        raise NodeFailed(
            f"{entry.name} was not asked: what stands in its header {odd[0]} cannot be sent in one."
        )
    named = tuple(sorted(headers))
    return Launch(
        name=entry.name,
        url=entry.url,
        headers=headers,
        named=named,
        client=entry.client_id,
        client_secret=secret,
        port=entry.port,
    )


def _is_sendable(value: str) -> bool:
    """Whether it can stand in a header; who sends one that cannot would say what it is."""
    return value.isascii() and value.isprintable() and value == value.strip()


def program_of(entry: ServerEntry, programs: Executables) -> str:
    """The file that is run: named in full, or found outside the workspace; raises `NodeFailed`."""
    where = f"change assent.mcpServers.{entry.name}.command."
    path = os.path.expanduser(entry.command)  # noqa: PTH111 -- a string in and out
    if "/" not in path:
        found = programs.find(path)
        if found is None:
            raise NodeFailed(
                f"{entry.name} was not started: there is no program `{path}` outside of this"
                f" workspace; install it or {where}"
            )
        return found
    if not os.path.isabs(path):  # noqa: PTH117 -- a string
        raise NodeFailed(
            f"{entry.name} was not started: its command is named in full or by its name alone;"
            f" {where}"
        )
    if not os.access(path, os.X_OK):
        raise NodeFailed(f"{entry.name} was not started: `{path}` cannot be run; {where}")
    return path
