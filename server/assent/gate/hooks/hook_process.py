"""One running hook, as its thread sees it: its input, its outputs, its time limit, its end.

When `live` comes back nobody is left of the hook, whatever it started.
"""

import os
import select
import subprocess
import time
from collections.abc import Mapping
from typing import Final

from assent.gate.processes.process import Leash
from assent.gate.values import define, field, frozen

__all__ = ["MAX_OUTPUT_BYTES", "Finished", "HookProcess", "unstarted"]

MAX_OUTPUT_BYTES: Final = 1024 * 1024
"""In bytes: so much may be said on either output."""

_SHELL: Final = "/bin/sh"
_PIPE_BYTES: Final = 64 * 1024
_KEEPER_TIMEOUT_S: Final = 5.0
"""In seconds: how long after its end its keeper is waited for."""


@frozen(kw_only=True)
class Finished:
    """How a hook ended, and what it said."""

    code: int | None = None
    """What it exited with, below zero the signal that ended it; None where it was ended here."""
    output: bytes = b""
    errors: bytes = b""
    trouble: str = ""
    """What went wrong, as the rest of a sentence; nothing where it ended by itself."""


def unstarted(error: OSError | RuntimeError) -> Finished:
    """What is said of a hook that did not even begin."""
    why = (isinstance(error, OSError) and error.strerror) or str(error)
    return Finished(trouble=f"could not be started ({why})")


@define(eq=False, kw_only=True)
class HookProcess:
    """One hook, as its thread sees it."""

    leash: Leash
    command: str
    env: Mapping[str, str]
    given: memoryview
    """What it has yet to be told."""
    seconds: float
    _trouble: str = ""
    _status: int | None = None
    _is_ending: bool = False
    _deadline: float = 0.0
    _said: dict[int, bytearray] = field(factory=dict)
    """What came, by the pipe that it came from."""
    _poll: "select.poll" = field(factory=lambda: select.poll())

    def live(self) -> Finished:
        """Run it to its end."""
        try:
            keeper = self._keep()
        except OSError as error:
            self.leash.drop()
            return unstarted(error)
        with keeper:
            self.leash.keeper = keeper.pid
            try:
                words = ["sh", "-c", "--", self.command]
                said = self.leash.begin(_SHELL, words, self.env)
            except OSError as error:
                # Without us at its other end the keeper leaves.
                self.leash.drop()
                return unstarted(error)
            return self._follow(keeper, said)

    def _keep(self) -> "subprocess.Popen[bytes]":
        """Start the keeper, whose pipes are the hook's."""
        return subprocess.Popen(
            self.leash.arguments,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **self.leash.terms,
        )

    def _follow(self, keeper: "subprocess.Popen[bytes]", said: list[str]) -> Finished:
        """Be with it until nobody is left."""
        assert keeper.stdin and keeper.stdout and keeper.stderr  # noqa: S101, PT018 -- started with pipes
        input_pipe, *heard = (
            pipe.fileno() for pipe in (keeper.stdin, keeper.stdout, keeper.stderr)
        )
        for pipe in (input_pipe, *heard):
            os.set_blocking(pipe, False)
        for pipe in heard:
            self._said[pipe] = bytearray()
            self._poll.register(pipe, select.POLLIN)
        self._poll.register(input_pipe, select.POLLOUT)
        self._poll.register(self.leash.status, select.POLLIN)
        self._deadline = time.monotonic() + self.seconds
        self._take(said)
        while self._goes_on(keeper):
            pass
        for pipe in heard:
            # Who still holds it is none of the hook's, and is not waited for.
            while self._hear(pipe):
                pass
        # Once it was waited for, its number may be anybody's.
        self.leash.keeper = None
        keeper.wait()
        self.leash.drop()
        return self._finished(*heard)

    def _goes_on(self, keeper: "subprocess.Popen[bytes]") -> bool:
        """Wait for something, and see to it; whether there is more to come."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            self._be_late()
            return True
        for pipe, _ in self._poll.poll(left * 1000 + 1):
            if pipe == self.leash.status:
                said = self.leash.hear()
                if said is None:
                    return False
                self._take(said)
            elif pipe in self._said:
                if not self._hear(pipe):
                    self._poll.unregister(pipe)
            elif not self._tell(pipe):
                self._poll.unregister(pipe)
                assert keeper.stdin is not None  # noqa: S101 -- as above
                keeper.stdin.close()
        return True

    def _be_late(self) -> None:
        """Its time is over."""
        if self._is_ending:
            # The keeper itself is held up.
            self.leash.force()
        self._end(f"took longer than {self.seconds:g} seconds")

    def _take(self, said: list[str]) -> None:
        """What the keeper says: how the hook ended. What it has started ends with it."""
        for line in said:
            word, _, number = line.partition(" ")
            if word == "ended":
                self._status = int(number)
                self._end("")

    def _tell(self, pipe: int) -> bool:
        """Write more of what it is told; whether there is more."""
        try:
            self.given = self.given[os.write(pipe, self.given[:_PIPE_BYTES]) :]
        except BlockingIOError:
            return True
        except OSError:
            # It does not want to know.
            return False
        return len(self.given) > 0

    def _hear(self, pipe: int) -> bool:
        """Read more of what it says; whether there may be more."""
        said = self._said[pipe]
        try:
            more = os.read(pipe, _PIPE_BYTES)
        except BlockingIOError:
            return not self._is_ending
        said += more
        if len(said) > MAX_OUTPUT_BYTES:
            self._end(f"said more than {MAX_OUTPUT_BYTES:,} bytes")
            return False
        return more != b""

    def _end(self, trouble: str) -> None:
        """End all of it, because of this trouble if there is one."""
        self._trouble = self._trouble or trouble
        self._is_ending = True
        self._deadline = time.monotonic() + _KEEPER_TIMEOUT_S
        self.leash.end(0)

    def _finished(self, output: int, errors: int) -> Finished:
        code = None if self._status is None else os.waitstatus_to_exitcode(self._status)
        return Finished(
            code=None if self._trouble else code,
            output=bytes(self._said[output][:MAX_OUTPUT_BYTES]),
            errors=bytes(self._said[errors][:MAX_OUTPUT_BYTES]),
            trouble=self._trouble,
        )
