"""The person's log-ins at all servers of a window."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from assent.catalogue.mcp.account import Account
from assent.catalogue.mcp.connection import ServerFailed
from assent.catalogue.mcp.gate_requests import GateRequestFailed, GateRequests
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.log_in import Ask, keep, log_in
from assent.catalogue.mcp.log_in_callback import Words
from assent.catalogue.mcp.log_in_requests import LogInFailed
from assent.catalogue.mcp.provider import Kept

__all__ = ["Accounts"]

_BUSY: Final = "You are logging in to {} already; stop that first."
_STILL: Final = "The editor did not forget your log-in at {}; try again."
_UNSAVED: Final = (
    "The editor did not keep what was made new of your log-in at {}, so it counts in this window"
    " alone; that is tried again whenever it is used."
)
_STOPPED: Final = "You drew back, so you are not logged in to {}."
_NOWHERE: Final = "Nobody logs in to {}: it is a program, or its `headers` say who you are."


class Accounts:
    """One for each server that somebody may log in to, from the first time that it is wanted."""

    def __init__(self, errands: GateRequests, group: asyncio.TaskGroup) -> None:
        self._gate_requests, self._group = errands, group
        self._known: dict[str, Account] = {}
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._busy: dict[str, asyncio.Task[Kept | LogInFailed]] = {}
        """Who is logging in, by the server; until it is kept, they may draw back."""
        self._asked: dict[str, asyncio.Task[Any] | None] = {}
        """Which request wanted that."""

    def of(self, launch: Launch) -> Account | None:
        """How the person is logged in there; none where nobody can be."""
        if not launch.has_account:
            return None
        if launch.name not in self._known:
            self._known[launch.name] = Account(
                launch, self._gate_requests.go, self._group, self._turns[launch.account]
            )
        return self._known[launch.name]

    def drop(self, name: str) -> None:
        """It is another server now."""
        if account := self._known.pop(name, None):
            account.save_again()

    def describe(self, launch: Launch) -> dict[str, str]:
        """How the person is logged in there, as they are told."""
        return {"account": self._state(launch), "note": self._note(launch)}

    def _state(self, launch: Launch) -> str:
        if not launch.has_account:
            return "none"
        account = self._known.get(launch.name)
        return "in" if account is not None and account.is_in else "out"

    def _note(self, launch: Launch) -> str:
        account = self._known.get(launch.name)
        is_unsaved = account is not None and account.is_unsaved
        return _UNSAVED.format(launch.name) if is_unsaved else ""

    async def log_in(self, launch: Launch, ask: Ask, words: Mapping[str, Any]) -> None:
        """Log the person in, on a page that says what is told; raises `ServerFailed`."""
        name = launch.name
        account = self._insisted(launch)
        await self._insist_on_free(name)
        self._asked[name] = asyncio.current_task()
        try:
            async with asyncio.TaskGroup() as group:
                self._busy[name] = task = group.create_task(_tried(account, ask, Words.of(words)))
            kept = _came_of(name, task)
            # Whoever draws back while it is being kept comes too late for that.
            await keep(account, kept)
        except LogInFailed as error:
            raise ServerFailed(f"You are not logged in to {name}: {error!s}.") from error
        finally:
            self._busy.pop(name, None)
            del self._asked[name]

    async def _insist_on_free(self, name: str) -> None:
        """Raise where somebody is logging in there; who was told to end is waited for."""
        while (before := self._asked.get(name)) is not None:
            if not before.cancelling():
                raise ServerFailed(_BUSY.format(name))
            await asyncio.wait({before})

    async def stop_log_in(self, message: dict[str, Any]) -> dict[str, Any]:
        """Give up a log-in as long as nothing of it is kept; whether there is one."""
        task = self._busy.get(message["name"])
        if task is not None:
            task.cancel()
        return {"found": task is not None}

    async def log_out(self, launch: Launch) -> None:
        """Forget what was kept; raises `ServerFailed`."""
        try:
            await self._insisted(launch).forget()
        except GateRequestFailed as error:
            raise ServerFailed(_STILL.format(launch.name)) from error

    async def settled(self, _: dict[str, Any]) -> dict[str, Any]:
        """What is being made new has been kept, also for a server that is another by now."""
        await asyncio.sleep(0)  # Whoever was dropped just now has begun to keep what is theirs.
        for account in [*self._known.values()]:
            account.save_again()
            await account.settled()
        for turn in [*self._turns.values()]:
            async with turn:
                pass
        return {}

    def _insisted(self, launch: Launch) -> Account:
        account = self.of(launch)
        if account is None:
            raise ServerFailed(_NOWHERE.format(launch.name))
        return account


async def _tried(account: Account, ask: Ask, words: Words) -> Kept | LogInFailed:
    try:
        return await log_in(account, ask, words)
    except LogInFailed as error:
        return error


def _came_of(name: str, task: asyncio.Task[Kept | LogInFailed]) -> Kept:
    """What is to be kept; raises `LogInFailed`, and `ServerFailed` where the person drew back."""
    if task.cancelled():
        raise ServerFailed(_STOPPED.format(name))
    came = task.result()
    if isinstance(came, LogInFailed):
        raise came
    return came
