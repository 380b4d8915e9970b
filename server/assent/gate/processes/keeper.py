"""The keeper: the parent program of one command or agent; starts it, and ends all that it started.

Whoever loses its parents down there becomes the keeper's child, so nobody can leave it: not by a
session of its own, not without the environment. It ends all of them when it is told to, or when
the pipe from the server closes because there is no server any more. It leaves only after the
last of them, or when one cannot be ended at all. Every command starts with this, so it takes
nothing that is slow to load.

It hears lines on one pipe: first a length, and so many bytes that hold the program, by what it is
watched, its words and its variables; later seconds, after which those are forced to end who are
asked at once. It says lines on another: `began pid`, or `failed errno`; `ended status`; `empty`,
or `stuck`.

Where a wall stands around the program, the first of the family is the one that made the wall.
Whoever is asked to end is asked inside: the wall would end them all at once.
"""

import errno
import os
import select
import signal
import sys
import time

from assent.gate.processes.family import Family
from assent.gate.processes.watched_start import BY_DESCRIPTOR, become_watched

__all__ = ["main"]

_GRACE_S = 1.0
"""For those whose server is gone."""
_ROUND_PAUSE_S = 0.05
"""In seconds, between two rounds of killing what is still there."""
_GIVE_UP_AFTER_S = 3.0
"""After so long nobody ends any more: they are somebody else's, or wait for a disk."""

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36


def main() -> None:
    """Keep one command, to its end."""
    *wall, control, status, folder = (int(word) for word in sys.argv[2:])
    for descriptor in (control, status, folder):
        os.set_inheritable(descriptor, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _adopt()
    awake = _woken_by_children()
    words = _read_start(control)
    pid, failed = _start(words, folder)
    _say(status, f"failed {failed}" if failed else f"began {pid}")
    _let_go_of(folder, *wall)
    how = _Keeping(pid, control, status, awake, is_walled=bool(wall)).keep()
    _leave_as(how)


class _Keeping:
    """The watch over a family, from its start to its end."""

    def __init__(
        self, first: int, control: int, status: int, awake: int, *, is_walled: bool
    ) -> None:
        self._first = first
        self._is_walled = is_walled
        self._control = control
        self._status = status
        self._awake = awake
        self._family = Family(root=os.getpid(), group=first)
        self._how = 0
        self._kill_at: float | None = None
        self._stuck_at: float | None = None

    def keep(self) -> int:
        """Stay until nobody is left; how the first of them ended."""
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._awake, select.POLLIN)
        while self._anybody():
            ready = [descriptor for descriptor, _ in poll.poll(self._patience())]
            if self._awake in ready:
                os.read(self._awake, 4096)
            if self._control in ready and not self._hear():
                poll.unregister(self._control)
            if not self._force():
                _say(self._status, "stuck")
                return self._how
        if not sys.platform.startswith("linux"):
            # There nobody can be accounted for who outlives the first.
            self._family.signal(signal.SIGKILL)
        _say(self._status, "empty")
        return self._how

    def _anybody(self) -> bool:
        """Take in who has ended; whether somebody is left."""
        try:
            while ended := os.waitpid(-1, os.WNOHANG):
                if ended[0] == 0:
                    return True
                if ended[0] == self._first:
                    self._how = ended[1]
                    _say(self._status, f"ended {self._how}")
        except ChildProcessError:
            return False
        return True

    def _hear(self) -> bool:
        """Ask all to end, as the server says, or because it is gone; whether it may say more."""
        order = os.read(self._control, 4096)
        grace = float(order.split()[-1]) if order.strip() else _GRACE_S
        if self._is_walled:
            self._family.signal_inside(self._first, signal.SIGTERM)
        else:
            self._family.signal(signal.SIGTERM)
        at = time.monotonic() + grace
        self._kill_at = at if self._kill_at is None else min(at, self._kill_at)
        self._stuck_at = self._kill_at + _GIVE_UP_AFTER_S
        return order != b""

    def _patience(self) -> float | None:
        if self._kill_at is None:
            return None
        return max(0.0, self._kill_at - time.monotonic()) * 1000

    def _force(self) -> bool:
        """Kill where it is time; whether there is still hope."""
        now = time.monotonic()
        if self._kill_at is None or self._stuck_at is None or now < self._kill_at:
            return True
        self._family.signal(signal.SIGKILL)
        self._kill_at = time.monotonic() + _ROUND_PAUSE_S
        return now < self._stuck_at


def _adopt() -> None:
    """Become the parent of all orphans below, and a closed book to them."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes  # noqa: PLC0415 -- needed here alone

    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _woken_by_children() -> int:
    """A descriptor that can be read whenever a child has ended."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return reader


def _read_start(control: int) -> list[bytes]:
    """The program, by what it is watched, the number of its words, these, and its variables."""
    length, _, data = os.read(control, 65536).partition(b"\n")
    while length and len(data) < int(length):
        more = os.read(control, 65536)
        if not more:
            break
        data += more
    if not length or len(data) != int(length):
        os._exit(1)
    return data.split(b"\0")[:-1]


def _start(words: list[bytes], folder: int) -> tuple[int, int]:
    """Start the program; its number, and why it could not be started, where it could not."""
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError as error:
        return 0, error.errno or errno.EAGAIN
    if pid == 0:
        try:
            _become(words, folder)
        except OSError as error:
            os.write(writer, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(writer)
    failed = os.read(reader, 16)
    os.close(reader)
    return pid, int(failed or b"0")


def _become(words: list[bytes], folder: int) -> None:
    os.setsid()
    os.fchdir(folder)
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    program, watched_by, length, *rest = words
    if watched_by:
        become_watched(*map(int, watched_by.split(b",")))
    if program.startswith(BY_DESCRIPTOR.encode()):
        os.set_inheritable(int(program.removeprefix(BY_DESCRIPTOR.encode())), False)
    args, variables = rest[: int(length)], rest[int(length) :]
    env = dict(variable.split(b"=", 1) for variable in variables)
    os.execve(program, args, env)  # noqa: S606 -- the one place where programs are started


def _let_go_of(*opened: int) -> None:
    """Hold nothing of what the command holds, so that its readers see its end."""
    for descriptor in opened:
        os.close(descriptor)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _say(status: int, line: str) -> None:
    try:
        os.write(status, line.encode() + b"\n")
    except OSError:
        # Nobody listens any more.
        return


def _leave_as(how: int) -> None:
    """End as the first of them has ended, by a signal if it was one."""
    if os.WIFSIGNALED(how):
        number = os.WTERMSIG(how)
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(how))
