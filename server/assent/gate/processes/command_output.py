"""Starts one command and reads its output to the end, in a thread of its own.

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
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from assent.gate.processes.live_output import Showing
from assent.gate.processes.output import Tape
from assent.gate.processes.pipes import Pipes
from assent.gate.processes.process import Leash
from assent.gate.values import field, frozen

__all__ = ["Heard", "Listening"]


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
            pipes = Pipes()
        except OSError as error:
            self._give_up(error)
            return
        try:
            keeper = self._keep(pipes)
            pipes.hand_over()
            failure = self._live_with(keeper, pipes)
        except OSError as error:
            self._give_up(error)
            return
        finally:
            pipes.close()
        if failure is None:
            self.tape.finish()
            self._tell(self.heard.over)
        else:
            self._tell(self.heard.failed, failure)

    def _give_up(self, error: OSError) -> None:
        self.leash.drop()
        self._tell(self.heard.failed, error)

    def _keep(self, pipes: Pipes) -> "subprocess.Popen[bytes]":
        """Start the keeper, whose output is the command's."""
        output, errors = pipes.written
        return subprocess.Popen(
            self.leash.arguments,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            bufsize=0,
            **self.leash.terms,
        )

    def _live_with(self, keeper: "subprocess.Popen[bytes]", pipes: Pipes) -> OSError | None:
        """See it through to its end; why it did not begin, where it did not."""
        self.leash.keeper = keeper.pid
        poll = select.poll()
        # Before it can write anything.
        pipes.listen(poll)
        try:
            said = self.leash.begin(self.program, self.args, self.env)
        except OSError as error:
            # Without us at its other end the keeper leaves.
            self.leash.drop()
            keeper.wait()
            return error
        self._tell(self.heard.began)
        try:
            self._read(pipes, poll, said)
        finally:
            # It has left, or else nobody listens to it any more.
            self.leash.end(0)
            # Once it was waited for, its number may be anybody's.
            self.leash.keeper = None
            keeper.wait()
            self.leash.drop()
        return None

    def _read(self, pipes: Pipes, poll: "select.poll", said: list[str]) -> None:
        """Read until the keeper has nothing more to say."""
        poll.register(self.leash.status, select.POLLIN)
        lines: list[str] | None = said
        while lines is not None:
            self._take(lines)
            lines = []
            ready = {descriptor for descriptor, _ in poll.poll()}
            pipes.read(poll, ready - {self.leash.status}, self._copy)
            if self.leash.status in ready:
                lines = self.leash.hear()
        # Who still holds a pipe is none of the command's, and is not waited for.
        pipes.drain(self._copy)

    def _copy(self, descriptor: int, is_error: bool) -> int:  # noqa: FBT001 -- as `Take` says
        """Put on the tape what has come."""
        count = self.tape.fill(partial(os.readv, descriptor), is_error=is_error)
        if count and not self.showing.is_told:
            self.showing.is_told = True
            self._tell(self.showing.more)
        return count

    def _take(self, lines: list[str]) -> None:
        for line in lines:
            word, _, number = line.partition(" ")
            if word == "ended":
                self._tell(self.heard.exited, int(number))

    def _tell(self, do: Callable[..., None], *what: Any) -> None:
        # The loop may be gone by now, and then there is nobody to tell.
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(do, *what)
