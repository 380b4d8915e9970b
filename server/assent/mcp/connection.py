"""One server in the hub: its process under a keeper, its session, and what it offers now."""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from assent.errors import AssentError
from assent.mcp.ending import end, free, hear_end
from assent.mcp.launch import Launch
from assent.mcp.offered import MOST_TOOLS, Offered, Sieve
from assent.mcp.outcome import outcome_of
from assent.mcp.sdk import ClientSession, JSONRPCDispatcher, MCPError, negotiate_auto, types
from assent.mcp.transport import Pipes, transport
from assent.shells.process import Leash
from assent.shells.starting import begun, kept
from assent.shells.surroundings import home

__all__ = ["Connection", "ServerFailed"]

_MOST_PAGES: Final = 100
_OPENS_WITHIN: Final = 30.0
"""In seconds: how long a server may take to start and to list its tools."""
_SETTLES: Final = 0.1
"""In seconds: servers tell of several changes at once."""
_WORDS: Final = 8 * 1024
_LINES: Final = 4

Progress = Callable[[str], None]


class ServerFailed(AssentError):
    """A server did not do what it was asked; the message is a clause."""


class _Session(ClientSession):
    """Our session: what a server gives back is read as it is, whatever form it promised."""

    async def validate_tool_result(self, name: str, result: types.CallToolResult) -> None:
        """Ask for no form, which would list all tools once more without a bound."""


class Connection:
    """A server, from its start to its end."""

    def __init__(self, launch: Launch, group: asyncio.TaskGroup) -> None:
        self.launch = launch
        self.offered: Offered | None = None
        self.why = ""
        """Why it is not there, a clause."""
        self._session: ClientSession | None = None
        self._sieve = Sieve()
        self._settled = asyncio.Event()
        """Set once it is known whether it is there, and what it offers."""
        self._over = asyncio.Event()
        """Set once it is known why it ended."""
        self._pipes: Pipes | None = None
        self._words: deque[bytes] = deque(maxlen=64)
        self._task = group.create_task(self._live())

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or never began."""
        return self._task.done() or self._over.is_set()

    async def ready(self) -> Offered:
        """What it offers, once that is known; raises `ServerFailed`."""
        await self._settled.wait()
        if self.offered is None or self.is_over:
            raise ServerFailed(self.why or "it ended")
        return self.offered

    async def call(self, tool: str, arguments: dict[str, Any], told: Progress) -> dict[str, Any]:
        """Run a tool; raises `ServerFailed`."""
        session = self._session
        if session is None:
            raise ServerFailed(self.why or "it ended")

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            share = f"{progress:g}" if total is None else f"{progress:g} of {total:g}"
            told(f"{share} {message or ''}".strip()[:500])

        try:
            result = await session.call_tool(
                tool,
                arguments,
                self.launch.patience,
                progress_callback=on_progress,
                allow_input_required=True,
            )
        except MCPError as error:
            if self._pipes is not None and self._pipes.ended.is_set():
                await self._over.wait()
            raise ServerFailed(self.why or _line(error.error.message)) from error
        except (ValueError, RuntimeError) as error:
            raise ServerFailed("its answer could not be read") from error
        if not isinstance(result, types.CallToolResult):
            raise ServerFailed("it asks for something in between, which nobody here answers yet")
        return await asyncio.to_thread(outcome_of, result)

    async def close(self) -> None:
        """End it, with all that it started."""
        self.why = self.why or "it was ended"
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _live(self) -> None:
        try:
            await self._run()
        except (OSError, TimeoutError, AssentError, MCPError, ValueError, RuntimeError) as error:
            self.why = self.why or _why(error)
        except BaseExceptionGroup as group:
            self.why = self.why or _why(_first(group))
        finally:
            self.why = self.why or "it ended"
            self._session = None
            self._over.set()
            self._settled.set()

    async def _run(self) -> None:
        launch = self.launch
        leash = Leash(folder=os.open(home(), os.O_RDONLY))
        process = await kept(leash, 1024 * 1024)
        free(process.pid)
        words = [launch.program, launch.program, *launch.args]
        await begun(leash, process, words, launch.env)
        assert process.stdin is not None  # noqa: S101 -- it was started with pipes
        assert process.stdout is not None  # noqa: S101 -- as above
        self._pipes = pipes = Pipes(process.stdout, process.stdin)
        loop = asyncio.get_running_loop()
        loop.add_reader(leash.status, hear_end, leash, pipes, loop)
        try:
            async with asyncio.TaskGroup() as group:
                errors = group.create_task(self._drain(process))
                try:
                    await self._speak(pipes)
                finally:
                    errors.cancel()
        finally:
            self.why = self.why or self._last_words(pipes)
            self._session = None
            self._over.set()
            loop.remove_reader(leash.status)
            await asyncio.shield(end(leash, process))

    async def _speak(self, pipes: Pipes) -> None:
        async with transport(pipes, lambda it: self._sieve.mend(it)) as (heard, said):
            dispatcher = JSONRPCDispatcher(heard, said)
            async with _Session(dispatcher=dispatcher, message_handler=self._hear) as session:
                async with asyncio.timeout(_OPENS_WITHIN):
                    await negotiate_auto(session)
                    await self._list(session)
                self._session = session
                await self._until_gone(session, pipes)

    async def _until_gone(self, session: ClientSession, pipes: Pipes) -> None:
        """List its tools anew whenever it says that they changed."""
        while True:
            await pipes.stirred.wait()
            if pipes.ended.is_set():
                return
            await asyncio.sleep(_SETTLES)
            pipes.stirred.clear()
            if pipes.ended.is_set():
                return
            async with asyncio.timeout(_OPENS_WITHIN):
                await self._list(session)

    async def _hear(self, message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            # Until it is listed again nobody may say what it offers.
            self._settled.clear()
            if self._pipes is not None:
                self._pipes.stirred.set()

    async def _list(self, session: ClientSession) -> None:
        self._sieve = sieve = Sieve()
        cursor: str | None = None
        for _ in range(_MOST_PAGES):
            page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
            cursor = page.next_cursor
            if cursor is None or len(sieve.tools) >= MOST_TOOLS:
                break
        else:
            sieve.refused.append(f"there are more than {_MOST_PAGES} pages of them")
        self.offered = Offered(self.launch.identity, session.instructions or "", sieve)
        if self._pipes is not None and not self._pipes.stirred.is_set():
            self._settled.set()

    async def _drain(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None  # noqa: S101 -- it was started with a pipe
        while chunk := await process.stderr.read(_WORDS):
            self._words.append(chunk)

    def _last_words(self, pipes: Pipes) -> str:
        """How it ended: what it broke, or the last that it wrote to its standard error."""
        text = b"".join(self._words)[-_WORDS:].decode("utf-8", "replace")
        lines = " / ".join(_line(it) for it in text.strip().splitlines()[-_LINES:])
        return pipes.broke or (f"it ended: {lines}" if lines else "it ended")


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    one: BaseException = group
    while isinstance(one, BaseExceptionGroup):
        one = one.exceptions[0]
    return one


def _why(error: BaseException) -> str:
    match error:
        case TimeoutError():
            return f"it did not answer within {_OPENS_WITHIN:g} seconds"
        case MCPError():
            return _line(error.error.message)
        case OSError():
            return os.strerror(error.errno or 0)
        case _:
            return _line(str(error)) or "it could not be understood"


def _line(text: str) -> str:
    return " ".join("".join(it if it.isprintable() else " " for it in text[:500]).split())
