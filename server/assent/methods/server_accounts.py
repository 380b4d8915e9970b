"""What is kept of log-ins at servers of tools, and which hosts they may be led to.

It lies in the editor's secret storage, under names that no agent and no model has, and goes to the
hub alone. Whoever presses *Log in* has answered what a rule would ask about a host; what a rule
denies stays denied.
"""

from collections.abc import Callable
from typing import Final

from attrs import define

from assent.calls import ChatId
from assent.disk.places import Places
from assent.lsp.asks import NotOffered, in_time
from assent.lsp.wire import Wire
from assent.mcp.link import Link
from assent.methods.policies import Policies
from assent.methods.readable import fetching
from assent.methods.spawn import Spawn
from assent.protocol import chats, editor
from assent.settings.agents import ASSENT
from assent.text.addresses import address_of
from assent.verdicts import Actor, Verdict

__all__ = ["link_of"]

_DENIED: Final = "a rule of yours denies {}"
_ODD: Final = "it leads to no plain web address"


def link_of(spawn: Spawn, wire: Wire, policies: Policies, places: Callable[[], Places]) -> Link:
    """The way to a hub that is served with what somebody is logged in by."""
    return Link(spawn, _Accounts(wire, policies, places).serve)


@define
class _Accounts:
    _wire: Wire
    _policies: Policies
    _places: Callable[[], Places]

    async def serve(self, what: str, server: str, text: str) -> str:
        """See `Serve`."""
        match what:
            case "judge":
                return self._why_not(text)
            case "kept":
                return await self._kept(server)
            case _:
                await self._keep(server, text)
                return ""

    def _why_not(self, url: str) -> str:
        """Why an address may not be reached; nothing where it may."""
        address = address_of(url)
        if address is None:
            return _ODD
        agent = ASSENT.id
        policy = self._policies.of_new(agent)
        ruling = fetching(policy, self._places(), ChatId(""), agent, url)
        is_denied = ruling.verdict is Verdict.DENY and ruling.by is not Actor.MODE
        return _DENIED.format(address.host) if is_denied else ""

    async def _kept(self, server: str) -> str:
        wanted = editor.SecretName(name=f"serverLogIn.{server}")
        try:
            async with in_time("secret/get"):
                found = await self._wire.request("secret/get", wanted, editor.SecretValue)
        except NotOffered:
            return ""  # An editor that keeps no secrets keeps none.
        return found.value or ""

    async def _keep(self, server: str, text: str) -> None:
        wanted = editor.SetSecret(name=f"serverLogIn.{server}", value=text)
        async with in_time("secret/set"):
            await self._wire.request("secret/set", wanted, chats.Nothing)
