"""One running command: its output, its state, and the ways to leave it or end it.

It ends once, and tells why. It runs as long as anybody runs whom it started: where the command
itself has ended before, it goes to the background. Used on the loop's thread only.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from assent.gate.call.calls import CallId
from assent.gate.call.errors import AssentError
from assent.gate.processes.live_output import Handle, Later, Showing
from assent.gate.processes.output import Piece, Tape
from assent.gate.processes.process import Leash
from assent.gate.values import define, field

__all__ = ["BY_PERSON", "Shell", "ShellFailed", "ShellState"]

BY_PERSON: Final = "The person killed it."

_GRACE_S: Final = 1.0
"""In seconds, from asking all of it to end until it is forced."""
_FORCE_DELAY_S: Final = _GRACE_S + 0.5
"""Until even the keeper is not waited for."""
_DETACH_DELAY_S: Final = 0.3
"""For what a command started to end after it, such as the other end of a pipe."""


class ShellFailed(AssentError):
    """A command could not be started; the message is written for the model."""


class ShellState(StrEnum):
    """Where a shell stands. The same words stand on the wire."""

    RUNNING = "running"
    EXITED = "exited"
    KILLED = "killed"
    EXPIRED = "expired"


@define(eq=False)
class Shell:
    """One command, from its start to its end."""

    id: str
    """Counted within its chat, from `1`."""
    call: CallId
    command: str
    folder: str
    _tape: Tape
    _leash: Leash
    _showing: Showing
    _later: Later
    _changed: Callable[["Shell"], None]
    state: ShellState = ShellState.RUNNING
    code: int | None = None
    """What it exited with, once it has; None also where a signal ended it."""
    in_background: bool = False
    is_walled: bool = False
    """Whether a wall stands around it, which does not outlast whoever waits for its end."""
    is_let_go_on: bool = False
    """Whether somebody let it go on there; what a command left behind went there by itself."""
    because: str = ""
    """Why it ended or is about to, as a sentence; nothing where it ended by itself."""
    _is_ending: bool = False
    _ends_as: ShellState = ShellState.EXITED
    _begun: asyncio.Future[None] = field(factory=lambda: asyncio.get_running_loop().create_future())
    _let_go: asyncio.Event = field(factory=asyncio.Event)
    _ended: asyncio.Event = field(factory=asyncio.Event)
    _limit: Handle | None = None
    _coming: list[Handle] = field(factory=list)
    """What is going to happen, unless it ends before."""

    @property
    def size(self) -> int:
        """How many bytes it has printed."""
        return self._tape.size

    def read(self, since: int, most: int) -> Piece:
        """What it printed from a place on, at most so many bytes."""
        return self._tape.read(since, most)

    def tail(self, most: int) -> Piece:
        """The end of what it printed, at most so many bytes."""
        return self._tape.tail(most)

    async def begun(self) -> None:
        """Wait until it runs; raise `ShellFailed` where it cannot."""
        await self._begun

    async def settled(self) -> None:
        """Wait until it has ended or went to the background."""
        await self._let_go.wait()

    async def ended(self) -> None:
        """Wait until nothing of it runs any more."""
        await self._ended.wait()

    def to_background(self) -> None:
        """Let it go on without anybody who waits, and without a limit."""
        self.is_let_go_on = True
        self._detach()

    def _detach(self) -> None:
        if self.in_background or self._is_ending:
            return
        self.in_background = True
        self.limit(None)
        self._let_go.set()
        self._changed(self)

    def limit(self, seconds: float | None) -> None:
        """End it after so many seconds; None lets it run as long as it likes."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        # A timer over what has ended would only keep it, and all that knows it, in memory.
        if seconds is not None and not self._is_ending:
            because = f"It took longer than {seconds:g} second{'s' * (seconds != 1)}."
            self._limit = self._later(seconds, lambda: self.end(because, ShellState.EXPIRED))

    async def kill(self, because: str = BY_PERSON) -> None:
        """End it with everything that it started, and wait until it has."""
        self.end(because)
        await self.ended()

    def end(self, because: str, state: ShellState = ShellState.KILLED) -> None:
        """End it with everything that it started, within two seconds; the first reason counts."""
        if self._is_ending:
            return
        self._is_ending = True
        self.because, self._ends_as = because, state
        self._leash.end(_GRACE_S)
        self._coming.append(self._later(_FORCE_DELAY_S, self._force))

    def forget(self) -> None:
        """Keep no more of what it printed than memory holds."""
        self._tape.release()

    def began(self) -> None:
        """It runs."""
        if not self._begun.done():
            self._begun.set_result(None)
        self._changed(self)

    def failed(self, error: OSError) -> None:
        """It could not be started."""
        if not self._begun.done():
            because = self.because or f"It could not be started: {_why(error)}."
            self._begun.set_exception(ShellFailed(because))
        self._settle()

    def exited(self, status: int) -> None:
        """The command itself has ended."""
        code = os.waitstatus_to_exitcode(status)
        self.code = code if code >= 0 else None
        if code < 0 and not self._is_ending:
            self.because = f"A signal ended it: {_name_of(-code)}."
        if not self.is_walled:
            self._coming.append(self._later(_DETACH_DELAY_S, self._detach))

    def over(self) -> None:
        """Nobody is left of it, and all that was printed is on the tape."""
        self._showing.finish()
        self._settle()
        self._changed(self)

    def _settle(self) -> None:
        self.limit(None)
        for handle in self._coming:
            handle.cancel()
        self._is_ending, self.state = True, self._ends_as
        self._ended.set()
        self._let_go.set()

    def _force(self) -> None:
        # It looks through all processes, which takes longer than the loop should.
        asyncio.get_running_loop().run_in_executor(None, self._leash.force)


def _name_of(number: int) -> str:
    """A signal's name; some have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"number {number}"


def _why(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else str(error)
