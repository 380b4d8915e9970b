"""The secrets of agents, and variables from the editor's environment.

A secret is kept by the editor under a name of its own, and asked for once.

A secret goes from the person's fingers into the editor's storage, and from there into the
environment of the agent that names it. It is never one of the keys of models.
"""

import asyncio

from assent.editor.lsp.editor_requests import in_time
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import editor
from assent.gate.call.errors import EditorRefused
from assent.gate.settings.environment import variable
from assent.gate.values import define, field
from assent.hosting.connection.variables import Secrets

__all__ = ["AgentSecrets", "variable_of"]


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
                value = await self._kept(name)
                if value is None and await self._ask(name, agent):
                    value = await self._kept(name)
        except EditorRefused:
            return None
        return value

    async def variable(self, name: str) -> str | None:
        """A variable of the environment that the person started the editor from."""
        return await variable_of(self._wire, name)

    async def renew(self, name: str, agent: str) -> bool:
        """Ask the person for a secret, also where one is kept; whether there is a new one."""
        async with self._turn:
            return await self._ask(name, agent)

    async def _kept(self, name: str) -> str | None:
        return await _value(self._wire, f"agentSecret.{name}")

    async def _ask(self, name: str, agent: str) -> bool:
        wanted = editor.AskSecret(name=name, agent=agent)
        return (await self._wire.request("ui/askSecret", wanted, editor.SecretAsked)).kept


async def variable_of(wire: Wire, name: str) -> str | None:
    """A variable that was set where the person started the editor, or this server.

    The extension starts the server without those that may hold a key, and sends one when a model
    or a setting names it. Another editor knows no such question.
    """
    here = variable(name)
    if here is not None:
        return here
    try:
        return await _value(wire, f"variable.{name}")
    except EditorRefused:
        return None


async def _value(wire: Wire, name: str) -> str | None:
    async with in_time("secret/get"):
        wanted = editor.SecretName(name=name)
        return (await wire.request("secret/get", wanted, editor.SecretValue)).value
