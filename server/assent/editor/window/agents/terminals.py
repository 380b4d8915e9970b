"""Lets agents in terminals reach this window, and leaves settings for later."""

import asyncio
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import orjson

from assent.editor.protocol.chats import SetMode
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.editor.window.settings.premises_survey import premises_of_editor
from assent.editor.window.settings.workspace import Workspace
from assent.gate.admit import Gate
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode, held
from assent.gate.settings.entries import EVERYTHING
from assent.gate.settings.layers import Layer
from assent.gate.settings.left_settings import leave_settings
from assent.gate.settings.private_files import write_private
from assent.gate.settings.without_window import OwnSettings, ground_of
from assent.gate.values import frozen
from assent.hosting.connection.fleet import Fleet
from assent.hosting.hooks.hook_socket import HookSocket
from assent.hosting.terminals.connected_agents import DOOR, WINDOW, ConnectedAgents
from assent.hosting.terminals.connections import Connections, has_record
from assent.hosting.terminals.terminals import TERMINALS

__all__ = ["Terminals", "terminals_of"]

_LOG = logging.getLogger(__name__)

_OFF: Final = (
    "{} may switch the hooks of {} off: what it does in this folder from a terminal may then not"
    " reach Assent."
)

_OUTDATED: Final = (
    "The hook of {} was written by an earlier version of Assent or was changed since, and may let a"
    " call run that it should refuse. Connect it once more: `assent connect {}`."
)


@frozen(kw_only=True)
class Terminals:
    """One for each window."""

    connected: ConnectedAgents
    _socket: HookSocket | None
    _state: Path
    _roots: tuple[str, ...]
    _own: Callable[[], OwnSettings]
    """The person's own settings, as they are known now."""

    async def listen(self) -> None:
        """Let hooks ask in this window; where that cannot be, they rule without it."""
        if self._socket is None:
            return
        try:
            channel = await self._socket.open(self.connected.rule, DOOR)
            write_private(channel.folder / WINDOW, self._window())
            await asyncio.to_thread(self._connections().refresh)
        except (OSError, AssentError):
            _LOG.exception("agents in terminals cannot ask in this window")

    async def leave_settings(self) -> None:
        """Leave the person's own settings for rulings while no window is open."""
        try:
            await asyncio.to_thread(leave_settings, self._own(), self._state)
        except (OSError, AssentError):
            _LOG.exception("what holds while no window is open could not be left")

    def warnings(self) -> tuple[str, ...]:
        """By what an agent in a terminal may not ask here, or not refuse: a sentence for each."""
        try:
            return (*self._find_outdated(), *self._find_switches())
        except Exception:  # noqa: BLE001 -- what else a person should know is told all the same
            _LOG.exception("nobody looked whether hooks hold here")
            return ()

    def _find_outdated(self) -> tuple[str, ...]:
        them = self._connections()
        return tuple(
            _OUTDATED.format(terminal.name, terminal.id)
            for terminal in TERMINALS.values()
            if them.is_outdated(terminal)
        )

    def _connections(self) -> Connections:
        return Connections(
            state=self._state.absolute(), home=Path.home(), environment=dict(os.environ)
        )

    def _find_switches(self) -> tuple[str, ...]:
        return tuple(
            _OFF.format(os.path.join(root, name), terminal.name)  # noqa: PTH118 -- strings in
            for terminal in TERMINALS.values()
            if has_record(self._state, terminal)
            for root in self._roots
            if (name := terminal.turned_off_in(root)) is not None
        )

    def host(self, chat: ChatId) -> ConnectedAgents | None:
        """Who has a chat that is a session in a terminal; None of any other."""
        return self.connected if self.connected.is_of(chat) else None

    def _window(self) -> bytes:
        roots = [os.path.realpath(root) for root in self._roots]
        return orjson.dumps({"roots": roots, "at": time.time()})


def terminals_of(
    run: Run,
    settings: SettingsParts,
    gate: Gate,
    fleet: Fleet,
    set_mode: Callable[[SetMode], object],
) -> Terminals:
    """Those of a window; `set_mode` begins to have a chat's mode changed, if the person agrees."""
    workspace, state = settings.workspace, run.state

    def mode(chat: ChatId, is_here: bool) -> Mode:  # noqa: FBT001 -- as it is called
        """The session's first call does not wait for the answer: it is held as in Default."""
        usual = workspace.reading.mode
        if usual is Mode.AUTO and is_here:
            set_mode(SetMode(chat_id=chat, mode="auto"))
        return held(usual)

    def own() -> OwnSettings:
        return _own_settings(workspace)

    connected = ConnectedAgents(
        gate=gate,
        tell=run.board.tell,
        known=settings.sessions,
        ground=lambda folder: ground_of(folder, own(), state, Path.home()),
        mode=mode,
        ready=workspace.ready.wait,
        roots=run.roots,
        rulings=fleet.rulings_on,
    )
    return Terminals(connected=connected, socket=fleet.hooks, state=state, roots=run.roots, own=own)


def _own_settings(workspace: Workspace) -> OwnSettings:
    """What the person's own settings say, and whether that is all that they say."""
    layer, inspected = Layer.USER.value, workspace.inspected
    keys = {key: layers[layer] for key, layers in workspace.keys.items() if layer in layers}
    return OwnSettings(
        keys=keys,
        is_known=inspected is not None and EVERYTHING not in workspace.reading.suspended,
        premises=() if inspected is None else tuple(premises_of_editor(inspected)),
    )
