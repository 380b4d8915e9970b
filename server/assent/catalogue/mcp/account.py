"""The person's log-in at one server: the token that is sent, and its renewal.

Nothing here opens a page. What is kept lies with the editor, where other windows see it, too: it is
looked at before it is made new and before it is written, so that no window brings back what
another one forgot, nor forgets what another one made new. It is of one address, and is sent to no
other.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import httpx2
from pydantic import AnyUrl, ValidationError

from assent.catalogue.mcp.gate_requests import GateRequest, GateRequestFailed
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.log_in_requests import LogInFailed, LogInRequests
from assent.catalogue.mcp.provider import NOWHERE, Kept, Provider
from assent.catalogue.mcp.sdk_login import (
    AuthorizationCodeResult,
    OAuthClientMetadata,
    OAuthFlowError,
)
from assent.gate.values import asdict, define, field

__all__ = ["Account"]

_RENEWED_BEFORE_S: Final = 30.0
"""In seconds: a token that is over so soon is made new before."""
_MAX_CHALLENGE_LETTERS: Final = 4_000

Go = Callable[[GateRequest, str, str], Awaitable[str]]


@define(eq=False)
class Account:
    """One server's."""

    launch: Launch
    _go: Go
    _group: asyncio.TaskGroup
    _turn: asyncio.Lock
    """Whose turn it is with what is kept under this name, whoever asks for it."""
    kept: Kept = field(init=False, factory=Kept)
    challenge: str = ""
    """What the server said when it let nobody in, for the next log-in."""
    _unsaved: tuple[Kept, Kept] | None = field(init=False, default=None)
    """What was made new and is not kept yet, behind what it was made of: the editor failed."""
    _looking: set[asyncio.Task[None]] = field(init=False, factory=set)

    @property
    def judged(self) -> LogInRequests:
        """How the hosts of its log-in are reached."""
        return LogInRequests(
            self.launch.url, lambda url: self._go("judge", self.launch.account, url)
        )

    @property
    def is_unsaved(self) -> bool:
        """Whether the editor has yet to keep what was made new."""
        return self._unsaved is not None

    @property
    def is_in(self) -> bool:
        """Whether somebody is logged in, as far as is known."""
        return bool(self.kept.access)

    @property
    def _is_over(self) -> bool:
        until = self.kept.until
        return self.is_in and until is not None and time.time() > until - _RENEWED_BEFORE_S

    async def token(self) -> str:
        """What is sent; nothing where nobody is logged in."""
        if not self.is_in or self._is_over:
            await self._look("")
        else:
            self.save_again()
        return self.kept.access

    def save_again(self) -> None:
        """Have kept what could not be kept before; nobody waits for it."""
        if self._unsaved is not None and not self._looking:
            self._begin_look("")

    async def other_than(self, used: str) -> str:
        """Another token than one that was refused; nothing where there is none to be had."""
        if self.kept.access in ("", used):
            await self._look(used)
        return "" if self.kept.access == used else self.kept.access

    async def read(self) -> None:
        """Have what the editor keeps now; raises `GateRequestFailed`."""
        async with self._turn:
            if self._unsaved is None:
                self.kept = await self._stored()

    async def keep(self, kept: Kept) -> None:
        """Somebody logged in; raises `GateRequestFailed`."""
        async with await self._alone():
            await self._store(kept)
            self.kept, self.challenge, self._unsaved = kept, "", None

    async def forget(self) -> None:
        """Log out; raises `GateRequestFailed` where the log-in is kept all the same."""
        async with await self._alone():
            await self._go("keep", self.launch.account, "")
            self.kept, self.challenge, self._unsaved = Kept(url=self.launch.url), "", None

    async def settled(self) -> None:
        """What is being made new has been kept."""
        if self._looking:
            await asyncio.wait({*self._looking})

    def refused(self, challenge: str) -> None:
        """The server let nobody in."""
        self.challenge = challenge[:_MAX_CHALLENGE_LETTERS]

    def provider(
        self,
        uri: str,
        open_page: Callable[[str], Awaitable[None]] | None = None,
        back: Callable[[], Awaitable[AuthorizationCodeResult]] | None = None,
    ) -> Provider:
        """What knows how one logs in there."""
        client = self.launch.client
        return Provider(
            server_url=self.launch.url,
            client_metadata=OAuthClientMetadata(
                client_name="Assent",
                redirect_uris=[AnyUrl(uri)],
                grant_types=["authorization_code", "refresh_token"],
                response_types=["code"],
            ),
            storage=NOWHERE,
            redirect_handler=open_page,
            callback_handler=back,
            client_metadata_url=client if client.startswith("https://") else None,
        )

    async def _look(self, used: str) -> None:
        """Have what there is, made new where it is over or was refused.

        Whoever waits for it may be given up meanwhile: what it costs the old token is not, and is
        waited for alone.
        """
        await asyncio.wait({self._begin_look(used)})

    def _begin_look(self, used: str) -> asyncio.Task[None]:
        task = self._group.create_task(self._renew(used))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)
        return task

    async def _alone(self) -> asyncio.Lock:
        """What is being made new is not wanted any more."""
        for task in self._looking:
            task.cancel()
        await self.settled()
        return self._turn

    async def _renew(self, used: str) -> None:
        try:
            async with self._turn:
                await self._settle()
                if self._is_over or (used and self.kept.access == used):
                    await self._make_new(self.kept)
        except GateRequestFailed:
            return  # What there was is what there is.
        except Exception:  # a supervisor: what ails one log-in ends no other server
            logging.getLogger(__name__).exception("a token could not be made new")

    async def _make_new(self, before: Kept) -> None:
        """Make the token new, or have none any more where that is refused."""
        if not before.renewal or not before.client:
            return
        provider = self.provider("http://127.0.0.1/callback")
        try:
            provider.take(before)
            if not await provider.renewed(self.judged):
                return
        except (LogInFailed, OAuthFlowError, httpx2.HTTPError, ValidationError, ValueError):
            return
        after = Kept(url=before.url, agreed=before.agreed)
        provider.give(after)
        if after.access:
            # What it was made of is spent: from here on this is all that there is.
            first = before if self._unsaved is None else self._unsaved[0]
            self.kept, self._unsaved = after, (first, after)
            await self._save(first, after)
        elif self._unsaved is None:
            await self._save(before, after)
        else:
            self.kept, self._unsaved = after, None

    async def _settle(self) -> None:
        """Have what the editor keeps, or what it does not keep yet; raises `GateRequestFailed`."""
        if self._unsaved is None:
            self.kept = await self._stored()
            return
        with suppress(GateRequestFailed):
            await self._save(*self._unsaved)

    async def _save(self, before: Kept, after: Kept) -> None:
        """Have kept what was made new of what was there before; raises `GateRequestFailed`."""
        stored = await self._stored()
        # Another window may have logged out, or in, or may have been told that what we sent is
        # over because we sent it first.
        is_ours = stored.client == before.client and stored.renewal in ("", before.renewal)
        is_newer = is_ours and bool(after.access or stored.access == before.access)
        self.kept = after if is_newer else stored
        if is_newer:
            await self._store(after)
        self._unsaved = None

    async def _stored(self) -> Kept:
        """What the editor keeps; raises `GateRequestFailed`."""
        return Kept.read(await self._go("kept", self.launch.account, ""), self.launch.url)

    async def _store(self, kept: Kept) -> None:
        await self._go("keep", self.launch.account, json.dumps(asdict(kept)))
