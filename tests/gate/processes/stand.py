"""A registry of real commands, what it told, and the time, which a test may move by hand."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field

from assent.gate.call.calls import CallId, ChatId
from assent.gate.disk.executables import Executables, path_in
from assent.gate.processes.output import Tape
from assent.gate.processes.shell import Shell, ShellState
from assent.gate.processes.shell_registry import ShellRegistry

__all__ = ["BOUND", "Hour", "Stand", "gone", "put"]

BOUND = 20
"""Seconds after which a test that waits has failed; the machine may be busy."""


async def gone(pid: int) -> None:
    """Wait until a process is no more; a zombie that nobody has waited for is none."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        async with asyncio.timeout(BOUND):
            await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def put(tape: Tape, data: bytes, *, is_error: bool = False) -> None:
    """Print something on a tape."""
    left = data

    def read(rooms: list[memoryview]) -> int:
        done = 0
        for room in rooms:
            count = min(len(room), len(left) - done)
            room[:count] = left[done : done + count]
            done += count
        return done

    while left:
        left = left[tape.fill(read, is_error=is_error) :]


@define(eq=False)
class _Coming:
    seconds: float
    do: Callable[[], None]
    is_cancelled: bool = False

    def cancel(self) -> None:
        self.is_cancelled = True


@define
class Hour:
    """Time that only a test moves."""

    coming: list[_Coming] = field(factory=list)
    more: asyncio.Event = field(factory=asyncio.Event)

    def __call__(self, seconds: float, do: Callable[[], None], /) -> _Coming:
        """Have something done later."""
        self.coming.append(_Coming(seconds, do))
        self.more.set()
        return self.coming[-1]

    @property
    def ahead(self) -> list[float]:
        """When something is going to be done."""
        return sorted(it.seconds for it in self.coming if not it.is_cancelled)

    async def until(self, seconds: float) -> None:
        """Wait until something is going to be done after so many seconds."""
        while seconds not in self.ahead:
            self.more.clear()
            await self.more.wait()

    def comes(self, seconds: float) -> None:
        """Let come what was to come after so many seconds."""
        due = [it for it in self.coming if it.seconds == seconds]
        self.coming = [it for it in self.coming if it.seconds != seconds]
        for it in due:
            if not it.is_cancelled:
                it.do()


@define
class Stand:
    """A registry in a folder."""

    folder: Path
    later: Any = None
    told: list[tuple[str, ShellState, bool]] = field(factory=list)
    """Of each change the shell, its state, and whether it was in the background."""
    shown: str = ""
    """All that was printed for a person."""
    errors: str = ""
    """What of it came on standard error."""
    times: int = 0
    """In how many pieces."""
    more: asyncio.Event = field(factory=asyncio.Event)
    shell_registry: ShellRegistry = field(init=False)
    started: int = 0

    def __attrs_post_init__(self) -> None:
        moved = {"later": self.later} if self.later else {}
        self.shell_registry = ShellRegistry(
            chat=ChatId("chat"), changed=self._change, folder=str(self.folder), **moved
        )

    async def start(self, command: str, **given: Any) -> Shell:
        """Start a command."""
        self.started += 1
        beside = Executables(roots=(), path=path_in(os.environ))
        given = {"cwd": str(self.folder.resolve()), "env": {}, "beside": beside, **given}
        call = CallId(f"call-{self.started}")
        async with asyncio.timeout(BOUND):
            return await self.shell_registry.start(call, command, printed=self._print, **given)

    async def run(self, command: str, **given: Any) -> Shell:
        """Run a command to its end."""
        shell = await self.start(command, **given)
        async with asyncio.timeout(BOUND):
            await shell.ended()
        return shell

    async def says(self, command: str, **given: Any) -> str:
        """All that a command prints."""
        shell = await self.run(command, **given)
        return shell.read(0, 1_000_000).text

    async def until(self, there: Callable[[], Any]) -> Any:
        """Wait until something is there, woken by whatever is told."""
        async with asyncio.timeout(BOUND):
            while not (found := there()):
                self.more.clear()
                await self.more.wait()
        return found

    async def numbers(self, count: int) -> list[int]:
        """The process numbers that a command printed."""
        words = await self.until(lambda: self.shown.split() if self._has(count) else None)
        return [int(word) for word in words]

    def _has(self, count: int) -> bool:
        return len(self.shown.split()) >= count and self.shown.endswith("\n")

    def _change(self, shell: Shell) -> None:
        self.told.append((shell.id, shell.state, shell.in_background))
        self.more.set()

    def _print(self, text: str, *, is_error: bool = False) -> None:
        self.shown += text
        self.errors += text if is_error else ""
        self.times += 1
        self.more.set()
