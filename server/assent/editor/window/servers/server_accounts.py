"""Stored log-ins at tool servers, and the hosts that a log-in may go to.

It lies in the editor's secret storage, under names that no agent and no model has, and goes to the
hub alone. Whoever presses *Log in* has answered what a rule would ask about a host; what a rule
denies stays denied.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.link import Link
from assent.editor.lsp.editor_requests import NotOffered, in_time
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats, editor
from assent.editor.window.rules.read_rulings import fetching
from assent.editor.window.servers.kept_logins import KeptLogIn, KeptLogIns, Named, whose
from assent.editor.window.servers.workspace_servers import WorkspaceServers, servers_of
from assent.editor.window.settings.policies import Policies
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AssentError
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.disk.places import Places
from assent.gate.journal.journal import Entry, Journal
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.paths import logins_folder
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.text.addresses import address_of
from assent.gate.values import Factory, define, evolve, field

__all__ = ["ServerAccounts"]

_LOG = logging.getLogger(__name__)
_GONE: Final = "the server is not there any more"
_FORGOTTEN: Final = "The server {} left the settings, so your log-in there was forgotten."


@define
class ServerAccounts:
    """For one window."""

    _wire: Wire
    _workspace: Workspace
    journal: Journal
    _state: Path
    _policies: Policies
    _places: Callable[[], Places]
    _wished: WorkspaceServers
    _spawn: Spawn
    _kept: KeptLogIns = field(
        init=False,
        default=Factory(lambda self: KeptLogIns(logins_folder(self._state)), takes_self=True),
    )
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    _looked: set[str] = field(factory=set)
    """The servers of which it is known what versions before kept."""

    @property
    def link(self) -> Link:
        """A way to a hub that is served with what somebody is logged in by."""
        return Link(self._spawn, self.serve)

    def take_settings(self) -> None:
        """The settings were read, for the first time or again."""
        self._spawn(self.forget_gone())

    async def serve(self, what: str, server: str, text: str) -> str:
        """See `Serve`."""
        match what:
            case "judge":
                return self._judged(text)
            case "kept":
                return await self._get(server)
            case _:
                async with self._turn:
                    await (self._keep(server, text) if text else self._forget(server))
                return ""

    def host(self, name: str) -> str:
        """Where a server is; nothing where there is no such one."""
        url = next((entry.url for entry in self._entries() if entry.name == name), "")
        address = address_of(url)
        return address.host if address else ""

    async def forget_gone(self) -> None:
        """Forget what is kept of log-ins at servers that left the settings."""
        await self._find_older()
        for kept_log_in in await asyncio.to_thread(self._kept.gone, self._named()):
            try:
                async with self._turn:
                    await self._leave(kept_log_in)
            except AssentError:
                _LOG.warning(
                    "what is kept of a log-in at %s is not forgotten yet", kept_log_in.name
                )

    async def _leave(self, kept_log_in: KeptLogIn) -> None:
        """It is not this window's any more; what is kept is forgotten where it is nobody's."""
        if not await asyncio.to_thread(self._kept.is_gone, kept_log_in, self._named()):
            return  # It is there again, or was forgotten meanwhile.
        is_last = await asyncio.to_thread(
            self._kept.of, kept_log_in.secret, kept_log_in.settings
        ) == [kept_log_in]
        if is_last and (
            not kept_log_in.is_older
            or whose(await self._read(kept_log_in.secret)) == kept_log_in.url
        ):
            await self._set(kept_log_in.secret, "")
            self.journal.note(_row(kept_log_in))
        await asyncio.to_thread(self._kept.drop, kept_log_in)

    async def _find_older(self) -> None:
        """Find what versions before kept, so that it is forgotten as the rest is."""
        for entry in self._entries():
            if entry.url and _secret_of(entry) not in self._looked:
                try:
                    async with self._turn:
                        await self._look_for_older(entry)
                except AssentError:
                    _LOG.warning("what was kept of a log-in at %s is not known yet", entry.name)
                else:
                    self._looked.add(_secret_of(entry))

    async def _look_for_older(self, entry: ServerEntry) -> None:
        """It is let go of at once where there is a newer one, else when its server leaves."""
        if whose(await self._read(entry.name)) != entry.url:
            return  # There is none, or it is of another server, or nobody knows of which.
        if await self._read(_secret_of(entry)):
            await self._forget(entry.name)
        else:
            older = evolve(self._record(entry), secret=entry.name)
            await asyncio.to_thread(self._kept.add, older)

    def _entries(self) -> list[ServerEntry]:
        return servers_of(self._workspace, self._wished)

    def _entry(self, secret: str) -> ServerEntry | None:
        return next((entry for entry in self._entries() if _secret_of(entry) == secret), None)

    def _named(self) -> Named:
        inspected = self._workspace.inspected
        files = inspected.files if inspected is not None else None
        return Named(
            user=self._workspace.keys.get("mcpServers", {}).get("user"),
            settings=(files.user if files is not None else None) or "",
            folders=frozenset(map(os.path.realpath, self._places().roots)),
        )

    def _judged(self, url: str) -> str:
        """Whether an address may be reached; see `Judge`."""
        if address_of(url) is None:
            return "odd"
        agent = ASSENT.id
        policy = self._policies.of_new(agent)
        ruling = fetching(policy, self._places(), ChatId(""), agent, url)
        is_denied = ruling.verdict is Verdict.DENY and ruling.by is not Actor.MODE
        return "denied" if is_denied else ""

    async def _get(self, server: str) -> str:
        login_text = await self._read(server)
        if login_text:
            await self._note_use(server)
        return login_text

    async def _read(self, secret: str) -> str:
        wanted = editor.SecretName(name=f"serverLogIn.{secret}")
        try:
            async with in_time("secret/get"):
                secret_value = await self._wire.request("secret/get", wanted, editor.SecretValue)
        except NotOffered:
            return ""  # An editor that keeps no secrets keeps none.
        return secret_value.value or ""

    async def _note_use(self, server: str) -> None:
        """Another profile that only uses what this one made has a say in when it is forgotten."""
        async with self._turn:
            entry = self._entry(server)
            if entry is not None and not self._kept.has(self._record(entry)):
                with suppress(AssentError):
                    await asyncio.to_thread(self._kept.add, self._record(entry))

    async def _keep(self, server: str, text: str) -> None:
        """Keep it; that there is one is written down before."""
        server_entry = self._entry(server)
        if server_entry is not None:
            await asyncio.to_thread(self._kept.add, self._record(server_entry))
        elif not await self._records(server):
            raise AssentError(_GONE)  # Nothing is kept of a server that left meanwhile.
        await self._set(server, text)
        if server_entry is not None:
            with suppress(AssentError):  # At the next start it is looked for again.
                await self._look_for_older(server_entry)

    async def _forget(self, server: str) -> None:
        """Forget it; that there was one is taken out after."""
        await self._set(server, "")
        for record in await self._records(server):
            await asyncio.to_thread(self._kept.drop, record)

    async def _set(self, server: str, text: str) -> None:
        wanted = editor.SetSecret(name=f"serverLogIn.{server}", value=text)
        async with in_time("secret/set"):
            await self._wire.request("secret/set", wanted, chats.Nothing)

    async def _records(self, server: str) -> list[KeptLogIn]:
        return await asyncio.to_thread(self._kept.of, server, self._named().settings)

    def _record(self, entry: ServerEntry) -> KeptLogIn:
        return KeptLogIn(
            secret=_secret_of(entry),
            name=entry.name,
            url=entry.url,
            workspace=entry.workspace,
            file=entry.file,
            settings=self._named().settings,
        )


def _secret_of(entry: ServerEntry) -> str:
    return Launch(name=entry.name, url=entry.url, workspace=entry.workspace).account


def _row(kept_log_in: KeptLogIn) -> Entry:
    address = address_of(kept_log_in.url)
    body = {
        "what": f"log out of {kept_log_in.name}",
        "server": kept_log_in.name,
        "hosts": [address.host] if address else [],
        "outcome": "out",
        "because": _FORGOTTEN.format(kept_log_in.name),
    }
    return Entry(kind="noted", body=body)
