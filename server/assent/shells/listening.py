"""Starts one command and reads what it prints, in a thread of its own, to the end.

Reading waits for nobody: the loop is told that something came, and looks when it has time. The
thread ends when nobody is left of the command, and has waited for its keeper and closed whatever
it opened by then.
"""

import asyncio
import contextlib
import errno
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from attrs import field, frozen

from assent.shells.output import Tape
from assent.shells.process import Leash
from assent.shells.showing import Showing

if sys.platform == "linux":
    import fcntl

__all__ = ["Heard", "Listening"]

_PIPE: Final = 1024 * 1024
"""Where the system grants it: a flood then wakes us less often."""


class Heard(Protocol):
    """What the loop learns of a command; each is called there."""

    def began(self) -> None:
        """It runs."""
        ...

    def failed(self, error: OSError) -> None:
        """It could not be started, and nothing follows."""
        ...

    def exited(self, status: int) -> None:
        """The command has ended; what it started may still run."""
        ...

    def over(self) -> None:
        """Nobody is left, and all that was printed is on the tape."""
        ...


@frozen(kw_only=True)
class Listening:
    """One command, as its thread sees it."""

    program: str
    args: Sequence[str]
    env: Mapping[str, str] = field(hash=False)
    leash: Leash
    tape: Tape
    showing: Showing
    heard: Heard
    loop: asyncio.AbstractEventLoop

    def start(self, name: str) -> None:
        """Begin; the thread holds up nobody's end."""
        try:
            threading.Thread(target=self._live, name=name, daemon=True).start()
        except RuntimeError:
            self.leash.drop()
            self.heard.failed(OSError(errno.EAGAIN, "no thread"))

    def _live(self) -> None:
        try:
            keeper = self._keep()
        except OSError as error:
            self.leash.drop()
            self._tell(self.heard.failed, error)
            return
        with keeper.stdout as output:  # type: ignore[union-attr]  # it was started with a pipe
            failure = self._live_with(keeper, output.fileno())
        if failure is None:
            self.tape.finish()
            self._tell(self.heard.over)
        else:
            self._tell(self.heard.failed, failure)

    def _keep(self) -> "subprocess.Popen[bytes]":
        """Start the keeper, whose output is the command's."""
        return subprocess.Popen(
            self.leash.arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            **self.leash.terms,
        )

    def _live_with(self, keeper: "subprocess.Popen[bytes]", output: int) -> OSError | None:
        """See it through to its end; why it did not begin, where it did not."""
        self.leash.keeper = keeper.pid
        try:
            said = self.leash.begin(self.program, self.args, self.env)
        except OSError as error:
            # Without us at its other end the keeper leaves.
            self.leash.drop()
            keeper.wait()
            return error
        self._tell(self.heard.began)
        try:
            self._read(output, said)
        finally:
            # It has left, or else nobody listens to it any more.
            self.leash.end(0)
            # Once it was waited for, its number may be anybody's.
            self.leash.keeper = None
            keeper.wait()
            self.leash.drop()
        return None

    def _read(self, output: int, said: list[str]) -> None:
        """Read until the keeper has nothing more to say."""
        _widen(output)
        os.set_blocking(output, False)
        poll = select.poll()
        poll.register(output, select.POLLIN)
        poll.register(self.leash.status, select.POLLIN)
        told: list[str] | None = said
        while told is not None:
            self._take(told)
            told = []
            for descriptor, _ in poll.poll():
                if descriptor == self.leash.status:
                    told = self.leash.hear()
                elif not self._copy(output):
                    poll.unregister(output)
        # Who still holds the pipe is none of the command's, and is not waited for.
        end = self.tape.size + _PIPE
        while self.tape.size < end and self._copy(output):
            pass

    def _copy(self, output: int) -> bool:
        """Put on the tape what has come; whether there may be more."""
        try:
            count = self.tape.fill(lambda room: os.readv(output, [room]))
        except BlockingIOError:
            return False
        if not count:
            return False
        if not self.showing.is_told:
            self.showing.is_told = True
            self._tell(self.showing.more)
        return True

    def _take(self, told: list[str]) -> None:
        for line in told:
            word, _, number = line.partition(" ")
            if word == "ended":
                self._tell(self.heard.exited, int(number))

    def _tell(self, do: Callable[..., None], *what: Any) -> None:
        # The loop may be gone by now, and then there is nobody to tell.
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(do, *what)


def _widen(pipe: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
