"""Connects, from the editor, an agent that a person runs in a terminal.

What would change in the agent's own settings is shown as a diff first, and the person says yes.
"""

import asyncio
import os
from pathlib import Path
from typing import Final

from assent.editor.lsp.wire import Wire
from assent.editor.protocol import editor, terminals
from assent.editor.window.chats import diffs
from assent.gate.call.calls import Edit
from assent.gate.call.errors import AssentError
from assent.gate.values import define
from assent.hosting.hooks.hook_socket import is_offered
from assent.hosting.terminals.connections import Change, Connections
from assent.hosting.terminals.terminal import Terminal
from assent.hosting.terminals.terminals import TERMINALS

__all__ = ["Connecting"]

_NOWHERE: Final = "Agents in terminals can ask Assent on Linux and macOS alone."
_DOES: Final = {
    True: "{} then asks Assent before each call, in every mode of its own and wherever you run it.",
    False: "{} then goes by its own rules alone.",
}
_ACTIONS: Final = {True: "Connect", False: "Disconnect"}


@define(kw_only=True)
class Connecting:
    """How each of them stands, and changing it."""

    _wire: Wire
    _state: Path

    async def list(self, _: object) -> terminals.TerminalAgents:
        """`terminal/list`."""
        return await asyncio.to_thread(self._listed)

    async def change(self, params: terminals.ChangeTerminal) -> terminals.TerminalChanged:
        """`terminal/change`: shown, agreed to, and written."""
        terminal = TERMINALS.get(params.agent_id)
        if terminal is None:
            raise AssentError("There is no such agent.")
        if not is_offered():
            raise AssentError(_NOWHERE)
        them = self._connections()
        plan = them.connecting if params.on else them.disconnecting
        change = await asyncio.to_thread(plan, terminal)
        if not change.is_none and not await self._agreed(change, on=params.on):
            return terminals.TerminalChanged()
        return terminals.TerminalChanged(
            told=await asyncio.to_thread(_made, them, change, on=params.on)
        )

    async def _agreed(self, change: Change, *, on: bool) -> bool:
        name, action = change.terminal.name, _ACTIONS[on]
        edit = Edit(path=str(change.file), old=change.before, new=change.after or "")
        await diffs.show(self._wire, edit, name)
        confirmed = await self._wire.request(
            "ui/confirm",
            editor.Confirm(
                title=f"{action} {name}?",
                detail=f"{_DOES[on].format(name)!s} This changes {change.file} as the diff shows.",
                actions=[action],
            ),
            editor.Confirmed,
        )
        return confirmed.action == action

    def _listed(self) -> terminals.TerminalAgents:
        them = self._connections()
        return terminals.TerminalAgents(
            agents=[_describe_terminal(them, terminal) for terminal in TERMINALS.values()]
        )

    def _connections(self) -> Connections:
        return Connections(
            state=self._state.absolute(), home=Path.home(), environment=dict(os.environ)
        )


def _made(them: Connections, change: Change, *, on: bool) -> str:
    if on:
        them.connect(change)
        return them.finish(change)
    them.disconnect(change)
    return f"{change.terminal.name} does not ask Assent any more."


def _describe_terminal(them: Connections, terminal: Terminal) -> terminals.TerminalAgent:
    seen = them.seen(terminal)
    return terminals.TerminalAgent(
        id=terminal.id,
        name=terminal.name,
        standing=them.standing(terminal),  # type: ignore[arg-type]  # one of the three
        seen=None if seen is None else int(seen * 1_000),
    )
