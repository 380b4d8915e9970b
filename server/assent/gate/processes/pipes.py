"""The two output pipes of a command, read whenever they have data.

Two pipes know no order between them. What is written with a moment between, so that it was read
by then, is read in its order; of what is written to both within a moment, first the one comes,
then the other. No byte is lost, and those of one pipe stay in their order.
"""

import fcntl
import os
import select
import struct
import termios
from collections.abc import Callable
from typing import Final

from assent.gate.values import define, field

__all__ = ["PIPE_BYTES", "Pipes"]

PIPE_BYTES: Final = 64 * 1024
"""In bytes: as much as a pipe holds that nobody made larger. What is written at once and all of it
there, such as a line, is never read by halves; and neither pipe runs far ahead of the other."""

Take = Callable[[int, bool], int]
"""Reads once from a descriptor, which is of errors or not; how many bytes that was."""


@define(eq=False)
class Pipes:
    """Both ends of both, until the command holds its own."""

    output: int = field(init=False)
    errors: int = field(init=False)
    written: tuple[int, int] = field(init=False)
    """The ends that the command gets."""
    _live: set[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.output, out = os.pipe()
        try:
            self.errors, err = os.pipe()
        except OSError:
            os.close(self.output)
            os.close(out)
            raise
        self.written = (out, err)
        self._live = {self.output, self.errors}

    def hand_over(self) -> None:
        """The command has its ends."""
        for descriptor in self.written:
            os.close(descriptor)
        self.written = (-1, -1)

    def close(self) -> None:
        """Let go of all that is still held."""
        for descriptor in (self.output, self.errors, *self.written):
            if descriptor >= 0:
                os.close(descriptor)

    def listen(self, poll: "select.poll") -> None:
        """Be told by this of whatever is there."""
        for descriptor in self._both(self._live):
            os.set_blocking(descriptor, False)
            poll.register(descriptor, select.POLLIN)

    def read(self, poll: "select.poll", ready: set[int], take: Take) -> None:
        """Read once from each of these."""
        for descriptor in self._both(ready & self._live):
            if self._read_one(descriptor, take) == 0:
                self._live.discard(descriptor)
                poll.unregister(descriptor)

    def drain(self, take: Take) -> None:
        """Read what is there by now, in turn: nobody is waited for who still writes."""
        left = {pipe: _held(pipe) for pipe in self._both(self._live)}
        while left:
            for descriptor in tuple(left):
                left[descriptor] -= self._read_one(descriptor, take) or left[descriptor]
                if left[descriptor] <= 0:
                    del left[descriptor]

    def _both(self, some: set[int]) -> list[int]:
        """Output first: what failed is mostly told behind what was done."""
        return [descriptor for descriptor in (self.output, self.errors) if descriptor in some]

    def _read_one(self, descriptor: int, take: Take) -> int | None:
        """How many bytes were read; None where there are none now."""
        try:
            return take(descriptor, descriptor == self.errors)
        except BlockingIOError:
            return None


def _held(descriptor: int) -> int:
    """How many bytes wait in a pipe, which may have been made larger."""
    count = fcntl.ioctl(descriptor, termios.FIONREAD, struct.pack("i", 0))
    return int(struct.unpack("i", count)[0])
