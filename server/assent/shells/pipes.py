"""The two pipes that a command prints to, read in the order in which it wrote to them.

Two pipes know no order. On Linux each write to one of them is a packet, and sends the thread that
reads a signal, which waits in a queue: what is queued is the order. Where more was written than a
pipe holds, on other systems, and after the first of a flood, the order is that in which something
was there to be read, so that of what was written within a moment all of the one comes first.
"""

import contextlib
import os
import select
import signal
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable
from typing import Final

from attrs import define, field

if sys.platform == "linux":
    import fcntl

__all__ = ["Pipes"]

PIPE: Final = 1024 * 1024
"""In bytes, where the system grants it: a flood then wakes us less often."""
_ORDERED: Final = 4 * 1024 * 1024
"""So many bytes are put in order; who prints more is read as it comes."""
_PACKET: Final = 4096
"""What is longer comes in several."""
_SILENT: Final = 3
"""What was written is there a moment before its signal is."""
_SET_SIGNAL, _SET_OWNER, _A_THREAD = 10, 15, 0
"""`F_SETSIG`, `F_SETOWN_EX` and `F_OWNER_TID` of Linux, for which Python has no names."""

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
    _number: int | None = None
    """The signal that tells the order, while there is one."""
    _early: Counter[int] = field(factory=Counter)
    """How often something was read before its signal was."""
    _silent: int = 0
    """How often in a row something was there and no signal told of it."""
    _left: int = _ORDERED

    def __attrs_post_init__(self) -> None:
        self.output, out = _pipe()
        try:
            self.errors, err = _pipe()
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
        """Be read by this thread from now on."""
        for descriptor in sorted(self._live):
            os.set_blocking(descriptor, False)
            poll.register(descriptor, select.POLLIN)
        with contextlib.suppress(OSError):
            self._number = _signalled(sorted(self._live))

    def read(self, poll: "select.poll", ready: set[int], take: Take) -> None:
        """Read what is there, of these."""
        told = self._in_order()
        for descriptor in told:
            if self._early[descriptor]:
                self._early[descriptor] -= 1
            else:
                self._read_packet(descriptor, take)
        self._silent = 0 if told else self._silent + 1
        if self._number is None or self._silent > _SILENT:
            self._read_untold(poll, ready & self._live, take)

    def _read_untold(self, poll: "select.poll", ready: set[int], take: Take) -> None:
        """Read what no signal tells of; one that comes after all is left out."""
        is_idle = True
        for descriptor in sorted(ready):
            count = self._read_one(descriptor, take)
            if count == 0:
                self._live.discard(descriptor)
                poll.unregister(descriptor)
            elif count is not None:
                is_idle = False
                self._early[descriptor] += 1
        if is_idle:
            self._early.clear()

    def drain(self, take: Take) -> None:
        """Read what is left, at most what a pipe holds: nobody is waited for who still writes."""
        for descriptor in sorted(self._live):
            left = PIPE
            while left > 0 and (count := self._read_one(descriptor, take)):
                left -= count

    def _in_order(self) -> list[int]:
        """What the signals tell was written to, in that order."""
        if self._number is None:
            return []
        if self._left <= 0:
            self._stop_signals()
            return []
        told = []
        while (info := signal.sigtimedwait({self._number, signal.SIGIO}, 0)) is not None:
            # For signals of this kind the system puts the descriptor where a status stands.
            if info.si_signo == self._number and info.si_status in self._live:
                told.append(info.si_status)
        return told

    def _read_packet(self, descriptor: int, take: Take) -> None:
        count = self._read_one(descriptor, take)
        while count == _PACKET:
            count = self._read_one(descriptor, take)

    def _read_one(self, descriptor: int, take: Take) -> int | None:
        """How many bytes were read; None where there are none now."""
        try:
            count = take(descriptor, descriptor == self.errors)
        except BlockingIOError:
            return None
        self._left -= count
        return count

    def _stop_signals(self) -> None:
        for descriptor in self._live:
            os.set_blocking(descriptor, False)
            flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
            fcntl.fcntl(descriptor, fcntl.F_SETFL, flags & ~os.O_ASYNC)
        self._number = None


def _pipe() -> tuple[int, int]:
    if sys.platform != "linux":
        return os.pipe()
    reader, writer = os.pipe2(os.O_CLOEXEC | os.O_DIRECT)
    with contextlib.suppress(OSError):
        fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, PIPE)
    return reader, writer


def _signalled(descriptors: list[int]) -> int | None:
    """Have this thread told of each write to these; by which signal, where that can be."""
    if sys.platform != "linux":
        return None
    number = signal.SIGRTMIN + 5
    # It waits in the queue of this thread alone, and is never delivered.
    signal.pthread_sigmask(signal.SIG_BLOCK, {number, signal.SIGIO})
    for descriptor in descriptors:
        owner = struct.pack("ii", _A_THREAD, threading.get_native_id())
        fcntl.fcntl(descriptor, _SET_OWNER, owner)
        fcntl.fcntl(descriptor, _SET_SIGNAL, number)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    return number
