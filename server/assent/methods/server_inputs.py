"""What the person says of that for which a workspace's servers ask: had from the editor.

It goes from the person's fingers into the editor's storage, and from there to the one server that
it was said for.
"""

import asyncio

from assent.errors import EditorRefused
from assent.lsp.asks import in_time
from assent.lsp.wire import Wire
from assent.protocol import editor, toolservers
from assent.settings.inputs import ServerInput
from assent.settings.served import ServerEntry
from assent.values import define, field

__all__ = ["ServerInputs"]


@define
class ServerInputs:
    """Where it is had."""

    _wire: Wire
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    """One question at a time, so that nobody is asked for the same twice."""

    async def said(self, entry: ServerEntry, it: ServerInput) -> str | None:
        """What is kept of it, or is said now; None where the person draws back."""
        try:
            async with self._turn:
                found = await self._kept(it)
                if found is None and await self._ask(entry, it, is_kept=False):
                    found = await self._kept(it)
        except EditorRefused:
            return None
        return found

    async def renew(self, entry: ServerEntry) -> None:
        """Ask for all of it anew; what the person draws back from stays as it is."""
        for it in entry.inputs:
            try:
                async with self._turn:
                    is_kept = await self._kept(it) is not None
                    await self._ask(entry, it, is_kept=is_kept)
            except EditorRefused:
                return

    async def _kept(self, it: ServerInput) -> str | None:
        wanted = editor.SecretName(name=it.secret)
        async with in_time("secret/get"):
            return (await self._wire.request("secret/get", wanted, editor.SecretValue)).value

    async def _ask(self, entry: ServerEntry, it: ServerInput, *, is_kept: bool) -> bool:
        wanted = toolservers.AskInput(
            name=it.secret,
            server=entry.name,
            input=it.id,
            says=it.says,
            hidden=it.hidden,
            options=list(it.options),
            is_kept=is_kept,
        )
        return (await self._wire.request("ui/askInput", wanted, editor.SecretAsked)).kept
