"""Asks the person, through the editor, for the inputs of a workspace's servers.

It goes from the person's fingers into the editor's storage, and from there to the one server that
it was said for. What nobody answers holds no other server up for long, and is asked for once: a
repository that asks again and again is answered by *Restart* alone.
"""

import asyncio

from assent.editor.lsp.editor_requests import in_time
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import editor, toolservers
from assent.editor.window.spawn import Spawn, unless_refused
from assent.gate.call.errors import EditorRefused
from assent.gate.settings.inputs import ServerInput
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.values import define, field

__all__ = ["ServerInputs"]


@define
class ServerInputs:
    """Where it is had."""

    _wire: Wire
    _spawn: Spawn
    _patience: float = 60.0
    """In seconds: longer nobody who wants some server waits for what this one asks."""
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    """One question at a time, so that nobody is asked for the same twice."""
    _asked: set[str] = field(factory=set)
    """As what that is kept of which the person has been asked, whatever they said."""

    async def said(self, entry: ServerEntry, server_input: ServerInput) -> str | None:
        """What is kept of it, or is said now; None where the person draws back, or waits."""
        try:
            answer = await self._kept(server_input)
            if answer is not None or server_input.secret in self._asked:
                return answer
            self._asked.add(server_input.secret)
            others = self._turn.locked()
            asking = self._spawn(unless_refused(self._ask_in_turn(entry, server_input)))
            await asyncio.wait({asking}, timeout=0 if others else self._patience)
            return await self._kept(server_input)
        except EditorRefused:
            return None

    async def _ask_in_turn(self, entry: ServerEntry, server_input: ServerInput) -> None:
        async with self._turn:
            await self._ask(entry, server_input, is_kept=False)

    async def renew(self, entry: ServerEntry) -> None:
        """Ask for all of it anew; what the person draws back from stays as it is."""
        for server_input in entry.inputs:
            try:
                async with self._turn:
                    is_kept = await self._kept(server_input) is not None
                    await self._ask(entry, server_input, is_kept=is_kept)
            except EditorRefused:
                return

    async def _kept(self, server_input: ServerInput) -> str | None:
        wanted = editor.SecretName(name=server_input.secret)
        async with in_time("secret/get"):
            return (await self._wire.request("secret/get", wanted, editor.SecretValue)).value

    async def _ask(self, entry: ServerEntry, server_input: ServerInput, *, is_kept: bool) -> bool:
        wanted = toolservers.AskInput(
            name=server_input.secret,
            server=entry.name,
            input=server_input.id,
            says=server_input.says,
            hidden=server_input.hidden,
            options=list(server_input.options),
            is_kept=is_kept,
        )
        return (await self._wire.request("ui/askInput", wanted, editor.SecretAsked)).kept
