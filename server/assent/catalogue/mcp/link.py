"""The gate's end of the hub: starts it on first use, and again after it ended."""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson

import assent
from assent.catalogue.mcp.frames import FrameBroken, frame, read
from assent.catalogue.nodes.source import Ask, NodeFailed, Reply, ask_nobody
from assent.gate.processes.keeper_start import begun, ended, kept
from assent.gate.processes.process import Leash
from assent.gate.processes.shell_environment import home, inherited
from assent.gate.values import define, field, frozen

__all__ = ["Link", "Serve", "serve_nothing"]

_LOG = logging.getLogger(__name__)
_BOOT: Final = (
    "import sys; sys.path[:0] = sys.argv[1:];"
    " from assent.catalogue.mcp.hub_process import main; main()"
)
_READ_BYTES: Final = 1024 * 1024
_GRACE_S: Final = 3.0
_GONE: Final = "What speaks with servers ended; try again."


Serve = Callable[[str, str, str], Awaitable[str]]
"""What comes of something that it wants, by its name, for which server, with which text."""


async def serve_nothing(what: str, _: str, __: str) -> str:
    """Keep nothing, and let no host be reached."""
    return "nobody" if what == "judge" else ""


@frozen
class _Open:
    answer: asyncio.Future[dict[str, Any]]
    report: Callable[[str], None]
    ask: Ask
    asking: dict[int, asyncio.Future[None]] = field(factory=dict)
    """What a server asks a person meanwhile, each question by its number."""


@define(eq=False)
class Link:
    """One hub, and what was asked of it."""

    _spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Future[None]]
    """Has something done beside all else."""
    _serve: Serve = serve_nothing
    """Does what it wants outside of any call."""
    _boot: str = _BOOT
    """What the process runs: another kind of helper may be spoken to in the same way."""
    pid: int | None = None
    """The hub's own process, where there is one."""
    _process: asyncio.subprocess.Process | None = None
    _leash: Leash | None = None
    _starting: asyncio.Lock = field(factory=asyncio.Lock)
    _open: dict[int, _Open] = field(factory=dict)
    _last: int = 0
    _generation: int = 0

    @property
    def generation(self) -> int:
        """Which hub it is; another one knows nothing of what the one before was told."""
        return self._generation

    async def up(self) -> int:
        """Start it where there is none; which one it is."""
        async with self._starting:
            if self._process is None:
                await self._start()
        return self._generation

    async def ask(
        self,
        do: str,
        report: Callable[[str], None] = lambda _: None,
        ask: Ask = ask_nobody,
        **more: Any,
    ) -> dict[str, Any]:
        """Ask it for something; raises `NodeFailed`. Being cancelled is told to it.

        What it asks back is asked no longer than its answer is waited for.
        """
        await self.up()
        self._last += 1
        number = self._last
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._open[number] = waiting = _Open(future, report, ask)
        try:
            self._say({"id": number, "do": do, **more})
            return await future
        except asyncio.CancelledError:
            # Where the hub has ended there is nobody to be told, and it is over all the same.
            with suppress(NodeFailed):
                self._say({"id": 0, "do": "cancel", "of": number})
            raise
        finally:
            self._open.pop(number, None)
            for task in [*waiting.asking.values()]:
                task.cancel()
            if waiting.asking:
                await asyncio.wait({*waiting.asking.values()})

    async def close(self) -> None:
        """End it, with all servers."""
        process, leash = self._process, self._leash
        self._process = self._leash = self.pid = None
        self._give_up()
        if process is None or leash is None:
            return
        await ended(leash, process, _GRACE_S)

    async def _start(self) -> None:
        leash = Leash(folder=os.open(home(), os.O_RDONLY))
        try:
            process = await kept(leash, _READ_BYTES)
            words = [sys.executable, sys.executable, "-I", "-S", "-c", self._boot, *_packages()]
            await begun(leash, process, words, inherited(os.environ))
        except OSError as error:
            raise NodeFailed(f"What speaks with servers could not be started: {error}.") from error
        self._process, self._leash, self.pid = process, leash, leash.pid
        self._generation += 1
        self._spawn(self._listen(process, leash))
        self._spawn(_drain(process))

    def _say(self, message: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None or process.stdin.is_closing():
            raise NodeFailed(_GONE)
        try:
            process.stdin.write(frame(message))
        except FrameBroken as error:
            # The hub would end of it, and every server with it.
            raise NodeFailed(f"This cannot be said to a server. {error}") from error

    async def _listen(self, process: asyncio.subprocess.Process, leash: Leash) -> None:
        assert process.stdout is not None  # noqa: S101 -- it was started with a pipe
        try:
            while message := await read(process.stdout):
                self._take(message)
        except Exception:  # noqa: BLE001 -- it reads what servers wrote, and may say anything
            _LOG.warning("the hub said what nobody understands, so it is ended", exc_info=True)
        await self._over(process, leash)

    def _take(self, message: dict[str, Any]) -> None:
        if "told" in message:
            waiting = self._open.get(message.get("of", 0))
            if waiting is not None:
                waiting.report(str(message["told"]))
            return
        if "asks" in message or "unasks" in message:
            self._take_question(message)
            return
        if "errand" in message:
            self._spawn(self._run_errand(message))
            return
        waiting = self._open.get(message.get("id", 0))
        if waiting is None or waiting.answer.done():
            return
        if "failed" in message:
            waiting.answer.set_exception(NodeFailed(str(message["failed"])))
        else:
            waiting.answer.set_result(message["is"])

    def _take_question(self, message: dict[str, Any]) -> None:
        """What is asked in the midst of a call, or that it is asked no longer."""
        of = message["of"]
        waiting = self._open.get(of)
        if waiting is None or waiting.answer.done():
            return
        if "unasks" in message:
            if task := waiting.asking.get(message["unasks"]):
                task.cancel()
            return
        number = message["asks"]
        waiting.asking[number] = self._spawn(self._put(of, number, waiting, message))

    async def _put(self, of: int, number: int, waiting: _Open, message: dict[str, Any]) -> None:
        """Put a question to the person, and pass on what they say."""
        reply = Reply()
        try:
            reply = await waiting.ask(message["form"])
        except Exception:  # noqa: BLE001 -- a supervisor: a question that broke is one that nobody answered
            _LOG.exception("a server's question could not be asked")
        finally:
            waiting.asking.pop(number, None)
        with suppress(NodeFailed):
            answer = {"action": reply.action, "content": reply.content}
            self._say({"id": 0, "do": "reply", "of": of, "to": number, **answer})

    async def _run_errand(self, message: dict[str, Any]) -> None:
        """Do what it wants; one that failed has no answer, which lets nothing be reached."""
        what = message["what"]
        came: dict[str, str] = {}
        try:
            came["is"] = await self._serve(what, message["server"], message["text"])
        except Exception:  # noqa: BLE001 -- a supervisor: whoever waits there has to hear something
            # What was to be kept is nobody's to read, so what went wrong with it is not told.
            _LOG.error("an errand of the hub's failed: %s", what)
        with suppress(NodeFailed):
            self._say({"id": 0, "do": "errand", "to": message["errand"], **came})

    async def _over(self, process: asyncio.subprocess.Process, leash: Leash) -> None:
        """It ended by itself: whoever waits is told, and the next question starts another."""
        if self._process is not process:
            return  # It was closed, and whoever closed it saw to the rest.
        self._process = self._leash = self.pid = None
        self._give_up()
        leash.end(0)
        await process.wait()
        await asyncio.to_thread(leash.drop)

    def _give_up(self) -> None:
        """Nobody answers any more what was asked until now."""
        for waiting in self._open.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(NodeFailed(_GONE))


async def _drain(process: asyncio.subprocess.Process) -> None:
    assert process.stderr is not None  # noqa: S101 -- it was started with a pipe
    while line := await process.stderr.read(_READ_BYTES):
        _LOG.warning("the hub: %s", line.decode("utf-8", "replace")[-2_000:].rstrip())


def _packages() -> list[str]:
    """Where our package lies, and where those lie that it needs."""
    folders = (str(Path(module.__file__ or "").resolve().parents[1]) for module in (assent, orjson))
    return list(dict.fromkeys(folders))
