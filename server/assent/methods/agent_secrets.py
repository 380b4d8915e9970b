"""The secrets of agents: kept by the editor under names of their own, and asked for once.

A secret goes from the person's fingers into the editor's storage, and from there into the
environment of the agent that names it. It is never one of the keys of models.
"""

import asyncio

from assent.acp.variables import Secrets
from assent.errors import EditorRefused
from assent.lsp.asks import in_time
from assent.lsp.wire import Wire
from assent.protocol import editor
from assent.values import define, field

__all__ = ["AgentSecrets"]


@define
class AgentSecrets(Secrets):
    """Where they are had."""

    _wire: Wire
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    """One question at a time, so that nobody is asked for the same twice."""

    async def secret(self, name: str, agent: str) -> str | None:
        """A secret; where it is not kept, the person is asked for it."""
        try:
            async with self._turn:
                found = await self._kept(name)
                if found is None and await self._ask(name, agent):
                    found = await self._kept(name)
        except EditorRefused:
            return None
        return found

    async def renew(self, name: str, agent: str) -> bool:
        """Ask the person for a secret, also where one is kept; whether there is a new one."""
        async with self._turn:
            return await self._ask(name, agent)

    async def _kept(self, name: str) -> str | None:
        wanted = editor.SecretName(name=f"agentSecret.{name}")
        async with in_time("secret/get"):
            return (await self._wire.request("secret/get", wanted, editor.SecretValue)).value

    async def _ask(self, name: str, agent: str) -> bool:
        wanted = editor.AskSecret(name=name, agent=agent)
        return (await self._wire.request("ui/askSecret", wanted, editor.SecretAsked)).kept
