"""The server's end of one keeper: how to start it, what to tell it, what it reports.

Where the keeper itself is killed or held up, what it kept is found by its mark instead. Two
threads may use a leash: one begins and hears, the other says when to end.
"""

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypedDict
from uuid import uuid4

import assent
from assent.gate.processes.family import MARK, Family
from assent.gate.values import define, field

__all__ = ["Leash", "Terms"]

_BOOT: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from assent.gate.processes.keeper import main; main()"
)
_INHERITED: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""What an interpreter may need to start."""


class Terms(TypedDict):
    """What whoever starts a keeper passes on to the system."""

    cwd: str
    env: dict[str, str]
    pass_fds: tuple[int, ...]
    start_new_session: bool


@define(eq=False)
class Leash:
    """One keeper, and through it one command or agent with all that it starts."""

    folder: int
    """A descriptor of the folder that the program starts in; the leash closes it, also where it
    cannot be made."""
    wall: tuple[int, ...] = ()
    """Descriptors that the program inherits, where a wall stands around it; closed by who made
    them."""
    watched_by: tuple[int, ...] = ()
    """Two of them, where others hear of the program's calls."""
    mark: str = field(factory=lambda: uuid4().hex)
    keeper: int | None = None
    """The keeper's process, told by who started it."""
    pid: int | None = None
    """The program's own process, once it has begun."""
    _control: tuple[int, int] = field(init=False)
    _status: tuple[int, int] = field(init=False)
    _open: set[int] = field(init=False)
    _lock: threading.Lock = field(factory=threading.Lock)
    _unfinished: bytes = b""
    _may_live: bool = False
    """Whether the keeper was told what to start, and has not said that it could not."""
    _is_empty: bool = False
    """Whether the keeper has told that nobody is left."""
    _grace: float | None = None
    """What was asked of the keeper last."""

    def __attrs_post_init__(self) -> None:
        self._open = {self.folder}
        try:
            self._control = os.pipe()
            self._open.update(self._control)
            self._status = os.pipe()
            self._open.update(self._status)
        except OSError:
            self.drop()
            raise

    @property
    def arguments(self) -> list[str]:
        """The keeper's command line."""
        root = str(Path(assent.__file__).parent.parent)
        numbers = [str(descriptor) for descriptor in (*self.wall, *self._descriptors)]
        return [sys.executable, "-I", "-S", "-c", _BOOT, root, *numbers]

    @property
    def terms(self) -> Terms:
        """How the keeper is started, whoever starts it; its pipes are theirs to choose."""
        return {
            "cwd": "/",
            # Its own variables, which are not the program's.
            "env": {name: os.environ[name] for name in _INHERITED if name in os.environ},
            "pass_fds": (*self.wall, *self._descriptors),
            "start_new_session": True,
        }

    @property
    def _descriptors(self) -> tuple[int, int, int]:
        """Those that the keeper inherits."""
        return self._control[0], self._status[1], self.folder

    @property
    def status(self) -> int:
        """Can be read whenever the keeper has something to say."""
        return self._status[0]

    def begin(self, program: str, args: Sequence[str], env: Mapping[str, str]) -> list[str]:
        """Have a started keeper start the program, and wait for that; raises `OSError`.

        Gives back what the keeper has said beyond that.
        """
        self._close(self._descriptors)
        spelled = _spelled(program, self.watched_by, args, {**env, MARK: self.mark})
        self._may_live = True
        _write(self._control[1], spelled)
        first, *more = self.hear() or [""]
        word, _, number = first.partition(" ")
        if word != "began":
            self._may_live = word != "failed"
            code = int(number or errno.ECHILD)
            raise OSError(code, os.strerror(code))
        with self._lock:
            self.pid = int(number)
            if self._grace is not None:
                self._ask(self._grace)
        return more

    def end(self, grace: float) -> None:
        """Ask all of them to end, and have them forced after so many seconds."""
        with self._lock:
            self._grace = grace
            if self.pid is not None:
                self._ask(grace)

    def hear(self) -> list[str] | None:
        """What the keeper says next, by lines; None where it will say nothing more."""
        said = os.read(self.status, 4096)
        if not said:
            return None
        *lines, self._unfinished = (self._unfinished + said).split(b"\n")
        self._is_empty = self._is_empty or b"empty" in lines
        return [line.decode() for line in lines]

    def force(self) -> None:
        """End all of them without the keeper, which does not do it, and the keeper itself."""
        keeper = self.keeper
        if keeper is None:
            return
        Family(root=keeper, group=self.pid, mark=self.mark).kill()
        # It may have left meanwhile, and then its number is nobody's or somebody else's.
        if self.keeper is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(keeper, signal.SIGKILL)

    def drop(self) -> None:
        """The keeper is gone, or was never started: end what it may have left behind."""
        while self.pid is not None and self.hear() is not None:
            pass
        with self._lock:
            pid, self.pid = self.pid, None
        if self._may_live and not self._is_empty:
            Family(root=None, group=pid, mark=self.mark).kill()
        self._may_live = False
        self._close(tuple(self._open))

    def _ask(self, grace: float) -> None:
        with contextlib.suppress(BrokenPipeError):
            _write(self._control[1], b"%g\n" % grace)

    def _close(self, descriptors: tuple[int, ...]) -> None:
        for descriptor in descriptors:
            if descriptor in self._open:
                self._open.discard(descriptor)
                os.close(descriptor)


def _spelled(
    program: str, watched_by: Sequence[int], args: Sequence[str], env: Mapping[str, str]
) -> bytes:
    """All that a keeper must be told; a zero byte would end a word too early."""
    variables = (f"{name}={value}" for name, value in env.items())
    words = [program, ",".join(map(str, watched_by)), str(len(args)), *args, *variables]
    if any("\0" in word for word in words):
        raise OSError(errno.EINVAL, "a zero byte stands in it")
    data = b"".join(word.encode("utf-8", "surrogateescape") + b"\0" for word in words)
    return b"%d\n%b" % (len(data), data)


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
