"""One server in the hub: its process under a keeper, its session, and its current offer."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from assent.catalogue.mcp import address, program
from assent.catalogue.mcp.account import Account
from assent.catalogue.mcp.bound_files import BoundFileChanged
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.offered_tools import OfferedTools, Sieve
from assent.catalogue.mcp.outcome import outcome_of
from assent.catalogue.mcp.running_call import Ask, CallFailed, RunningCall
from assent.catalogue.mcp.sdk import (
    ClientSession,
    JSONRPCDispatcher,
    MCPError,
    negotiate_auto,
    types,
)
from assent.catalogue.mcp.session import Session
from assent.catalogue.mcp.tool_changes import listening
from assent.catalogue.mcp.transport import Line
from assent.gate.call.errors import AssentError
from assent.gate.text.lines import one_line
from assent.gate.text.redactor import Redactor

__all__ = ["Connection", "ServerFailed"]

_MAX_PAGES: Final = 100
_OPEN_TIMEOUT_S: Final = 30.0
"""In seconds: how long a server may take to start and to list its tools."""
_CHANGES_PAUSE_S: Final = 0.1
"""In seconds: servers tell of several changes at once."""
_INVALID_REQUEST: Final = -32600
_MAX_CHANGES_PAUSE_S: Final = 5.0
"""The same of one that does so again and again."""

Progress = Callable[[str], None]


class ServerFailed(AssentError):
    """A server did not do what it was asked; the message is a clause."""


class Connection:
    """A server, from its start to its end."""

    def __init__(
        self, launch: Launch, group: asyncio.TaskGroup, account: Account | None = None
    ) -> None:
        self.launch, self._account, self._clean = launch, account, launch.clean
        self.offered: OfferedTools | None = None
        self.why = ""
        """Why it is not there, a clause."""
        self._session: ClientSession | None = None
        self._running: list[RunningCall] = []
        self._sieve = Sieve(is_ours=bool(self.launch.known))
        self._settled = asyncio.Event()
        """Set once it is known whether it is there, and what it offers."""
        self._over = asyncio.Event()
        """Set once it is known why it ended."""
        self._line: Line | None = None
        self._task = group.create_task(self._live())

    @property
    def lines(self) -> list[str]:
        """The last that it wrote to its standard error."""
        return [] if self._line is None else self._line.last_lines()[-20:]

    @property
    def is_locked(self) -> bool:
        """Whether it lets nobody in who has not logged in."""
        return self._line is not None and self._line.is_locked

    @property
    def state(self) -> str:
        """How it is, in a word."""
        if self.is_over:
            return "locked" if self.is_locked else "ended"
        return "starting" if self.offered is None else "running"

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or never began."""
        return self._task.done() or self._over.is_set()

    async def ready(self) -> OfferedTools:
        """What it offers, once that is known; raises `ServerFailed`."""
        try:
            async with asyncio.timeout(_OPEN_TIMEOUT_S + 1):
                await self._settled.wait()
        except TimeoutError:
            raise ServerFailed("it says again and again that its tools changed") from None
        if self.offered is None or self.is_over:
            raise ServerFailed(self.why or "it ended")
        return self.offered

    async def call(
        self, tool: str, arguments: dict[str, Any], report: Progress, ask: Ask
    ) -> dict[str, Any]:
        """Run a tool; raises `ServerFailed`."""
        session = self._session
        if session is None:
            raise ServerFailed(self.why or "it ended")

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            share = f"{progress:g}" if total is None else f"{progress:g} of {total:g}"
            report(one_line(self._clean(f"{share} {message or ''}")))

        running = RunningCall(ask, self.launch.patience)
        self._running.append(running)
        try:
            result = await running.come(session, tool, arguments, on_progress)
        except CallFailed as error:
            raise ServerFailed(str(error)) from error
        except MCPError as error:
            if error.error.code == types.HEADER_MISMATCH:
                self._doubt()
            if self._line is not None and self._line.ended.is_set():
                await self._over.wait()
            raise ServerFailed(self.why or one_line(self._clean(error.error.message))) from error
        except (ValueError, RuntimeError) as error:
            raise ServerFailed("its answer could not be read") from error
        finally:
            self._running.remove(running)
        return await asyncio.to_thread(outcome_of, result, self._clean)

    async def close(self, why: str = "it was ended") -> None:
        """End it, with all that it started; why is a clause."""
        self.why = self.why or why
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _live(self) -> None:
        try:
            await self._run()
        except (OSError, TimeoutError, AssentError, MCPError, ValueError, RuntimeError) as error:
            self.why = self.why or _why(error, self._clean)
        except BaseExceptionGroup as group:
            self.why = self.why or _why(_first(group), self._clean)
        finally:
            self.why = self.why or "it ended"
            self._over.set()
            self._settled.set()

    async def _run(self) -> None:
        launch = self.launch
        begin = address.opened(launch, self._account) if launch.url else program.opened(launch)
        async with begin as line:
            self._line = line
            try:
                await self._speak(line)
            finally:
                self.why = self.why or line.last_words()
                self._session = None
                self._over.set()

    async def _speak(self, line: Line) -> None:
        async with line.speaking(lambda message: self._sieve.mend(message)) as (heard, said):
            dispatcher = JSONRPCDispatcher(heard, said)
            async with Session(
                dispatcher=dispatcher,
                message_handler=self._hear,
                elicitation_callback=self._elicited,
            ) as session:
                with self._blamed(line):
                    async with asyncio.timeout(_OPEN_TIMEOUT_S):
                        await negotiate_auto(session)
                        line.check()
                        await self._list(session)
                self._session = session
                async with listening(session, line.stirred.set):
                    await self._until_gone(session, line)

    async def _until_gone(self, session: Session, line: Line) -> None:
        """List its tools anew whenever it says that they changed."""
        pause = _CHANGES_PAUSE_S
        while True:
            pause = (
                min(2 * pause, _MAX_CHANGES_PAUSE_S) if line.stirred.is_set() else _CHANGES_PAUSE_S
            )
            await line.stirred.wait()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await line.ended.wait()
                return
            line.stirred.clear()
            with self._blamed(line):
                async with asyncio.timeout(_OPEN_TIMEOUT_S):
                    await self._list(session)

    @contextmanager
    def _blamed(self, line: Line) -> Iterator[None]:
        """Keep what went wrong as why it ended: what follows would say only that it did."""
        try:
            yield
        except (MCPError, TimeoutError, BoundFileChanged) as error:
            if not line.ended.is_set():
                self.why = self.why or _why(error, self._clean)
            raise

    async def _hear(self, message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self._doubt()

    def _doubt(self) -> None:
        """Have its tools listed again, until when nobody may say what it offers."""
        self._settled.clear()
        if self._line is not None:
            self._line.stirred.set()

    async def _elicited(
        self, context: Any, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """Ask the person beside the call that was begun last, with which the question ends.

        Older servers do not say for which call they ask; where several run, nobody guesses it.
        """
        if not self._running:
            return types.ErrorData(
                code=_INVALID_REQUEST, message="nobody is asked where no tool runs"
            )
        *others, last = self._running
        return await last.asked(params, others)

    async def _list(self, session: Session) -> None:
        self._sieve = sieve = Sieve(is_ours=bool(self.launch.known), is_modern=session.is_modern)
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
            if (cursor := page.next_cursor) is None:
                break
            if sieve.is_full:
                sieve.cut()
                break
        else:
            sieve.refused.append(f"there are more than {_MAX_PAGES} pages of them")
        self.offered = session.offered = OfferedTools(
            self.launch, session.instructions or "", sieve
        )
        if self._line is not None and not self._line.stirred.is_set():
            self._settled.set()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _why(error: BaseException, clean: Redactor) -> str:
    match error:
        case TimeoutError():
            return f"it did not answer within {_OPEN_TIMEOUT_S:g} seconds"
        case MCPError():
            return one_line(clean(error.error.message))
        case OSError():
            return os.strerror(error.errno or 0)
        case _:
            return one_line(clean(str(error))) or "it could not be understood"
