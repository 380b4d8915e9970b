"""The processes of agents: one for each agent, shared by its chats, ended when unused.

A process that ended, or whose agent is configured otherwise by now, is replaced when the next chat
wants one. Whoever takes a host gives it back.
"""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from assent.gate.call.errors import AgentFailed
from assent.gate.disk.places import Places
from assent.gate.journal.events import Tell
from assent.gate.values import define, field
from assent.hosting.connection.host import Host
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.connection.time_limits import Patience
from assent.hosting.connection.variables import Started
from assent.hosting.hooks.hook_socket import HookSocket, is_offered
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.shared_answers import Rulings

__all__ = ["Hosts"]

_LOG: Final = logging.getLogger(__name__)


@define(eq=False)
class Hosts:
    """What runs of the agents that Assent hosts."""

    _tell: Tell
    _places: Callable[[], Places]
    _patience: Patience
    _group: asyncio.TaskGroup
    """What their processes are watched in, and their hooks heard."""
    _sockets: Path | None
    """The folder in which agents' hooks find the gate; None where there is none."""
    _newest: dict[str, Host] = field(factory=dict)
    """The newest process of each agent."""
    _alive: set[Host] = field(factory=set)
    _hooks: HookSocket | None = field(init=False, default=None)
    _closed: bool = False

    def __attrs_post_init__(self) -> None:
        if self._sockets is not None and is_offered():
            self._hooks = HookSocket(self._sockets, self._group)

    @property
    def hooks(self) -> HookSocket | None:
        """Where the hooks of agents ask; None where this system has no such place."""
        return self._hooks

    def rulings_on(self, agent: str, hooked: Hooked) -> Rulings | None:
        """Where the answer to a call of a hosted agent is had, which its own hook asks about."""
        candidates = (host.hooks.rulings_on(agent, hooked) for host in self._alive)
        return next((rulings for rulings in candidates if rulings is not None), None)

    def take(self, spec: AgentSpec, started: Started, cwd: str) -> Host:
        """The agent's process; a new one where it does not run, or would be started otherwise."""
        if self._closed:
            raise AgentFailed("Assent is being ended, so no agent is started.")
        host = self._newest.get(spec.id)
        given = None if host is None else (host.spec, host.started.given)
        if host is None or not host.is_usable or given != (spec, started.given):
            host = Host(
                spec=spec,
                started=started,
                tell=self._tell,
                patience=self._patience,
                socket=self._hooks,
            )
            self._newest[spec.id] = host
            self._alive.add(host)
            self._group.create_task(self._run(host, cwd))
        host.claims += 1
        return host

    async def give_back(self, host: Host) -> None:
        """End an agent that nobody needs any more."""
        host.claims -= 1
        if host.claims == 0:
            await host.end()

    def close(self) -> None:
        """Start none any more."""
        self._closed = True

    async def end_all(self) -> None:
        """End all that run."""
        async with asyncio.TaskGroup() as group:
            for host in tuple(self._alive):
                group.create_task(host.end())

    def forget_hooks(self) -> None:
        """Take the place away where hooks ask."""
        if self._hooks is not None:
            self._hooks.close()

    async def _run(self, host: Host, cwd: str) -> None:
        """Run an agent to its end, and tell its chats where that was not wanted."""
        try:
            await host.live(cwd, self._places().executables.roots)
        except Exception:  # noqa: BLE001 -- a supervisor: what ails one agent ends no other
            _LOG.exception("hosting %s failed", host.spec.id)
        finally:
            self._alive.discard(host)
        if host.why:
            for session in host.sessions.values():
                session.notice("error", host.why)
