"""Starts a server as a fork of a process that has loaded the package already, which is quicker.

What is started is a process like any other: a child of this one, with its number, its streams, its
variables and its end. Where a fork could differ from a new Python, or cannot be had, it is a new
Python: then `Popen` goes on as if nothing were here.
"""

import json
import os
import platform
import resource
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from inspect import signature
from pathlib import Path
from typing import Any, Final

__all__ = ["close_nurseries", "forked", "nursery_numbers"]

_NURSERY: Final = (
    "import sys; from pathlib import Path; file = sys.argv[1];"
    "exec(compile(Path(file).read_bytes(), file, 'exec'))"
)
"""Not as a program by its path: beside it lies what would be taken for modules of Python's."""
_PROGRAM: Final = Path(__file__).with_name("nursery.py")
_SCRIPT: Final = Path(sys.executable).with_name("assent")
_STEERS: Final = ("PYTHON", "LC_", "LANG", "TZ", "LD_", "MALLOC_", "GLIBC_", "OPENSSL_", "SSL_")
"""How the variables begin that Python, or what it stands on, reads but once, when it starts."""
_LOADS_MUCH: Final = ("serve", "run")
"""The commands that take longer to load than a fork of what has loaded takes to end."""
_MOST: Final = 3
"""How many nurseries one run of tests has: one for each way to steer a Python."""
_ORDINARY: Final[Mapping[str, Any]] = {
    "executable": None,
    "preexec_fn": None,
    "close_fds": True,
    "startupinfo": None,
    "creationflags": 0,
    "shell": False,
    "restore_signals": True,
    "gid": None,
    "gids": None,
    "uid": None,
    "umask": -1,
}
"""What a start says of these, where nothing is special about it."""
_ENDS: Final = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_PATIENCE: Final = 60.0
"""In seconds, for a fork on a busy machine."""
_IS_HERE: Final = sys.platform == "linux" and platform.machine() == "x86_64"

_may_fork: Final[ContextVar[bool]] = ContextVar("may_fork", default=False)
_start_anew: Final[Any] = getattr(subprocess.Popen, "_execute_child", None)
_Way = frozenset[tuple[str, str]]
"""The variables that steer a Python."""
_nurseries: Final[dict[_Way, "_Nursery | None"]] = {}
"""None where a way has been wanted once; a nursery pays from the second time on."""
_choosing: Final = threading.Lock()


@contextmanager
def forked() -> Iterator[None]:
    """What is started herein is forked, where that is the same."""
    if _IS_HERE and _start_anew is not None:
        subprocess.Popen._execute_child = _execute_child  # type: ignore[attr-defined]
    before = _may_fork.set(True)
    try:
        yield
    finally:
        _may_fork.reset(before)


def close_nurseries() -> None:
    """End all from which this run of tests forked."""
    with _choosing:
        for nursery in filter(None, _nurseries.values()):
            nursery.close()
        _nurseries.clear()


def nursery_numbers() -> set[int]:
    """The process numbers of all from which this run of tests forks."""
    with _choosing:
        return {nursery.number for nursery in _nurseries.values() if nursery}


class _Nursery:
    """A process to fork from, as seen from here."""

    def __init__(self, way: _Way) -> None:
        # Of other variables it has none, so that no search for a server by its mark finds it.
        self._env = dict(way)
        self._limits = _limits()
        self._lock = threading.Lock()
        self._reads: list[str] | None = None
        """The variables that were read while it loaded; None until it has."""
        self._channel, theirs = socket.socketpair()
        self._channel.settimeout(_PATIENCE)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _NURSERY, str(_PROGRAM), str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                env=self._env,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    @property
    def number(self) -> int:
        """The number of the process."""
        return self._process.pid

    def stands(self, *, within: float = 0.0) -> bool:
        """Whether it has loaded everything."""
        with self._lock, suppress(OSError):
            if self._reads is None and select.select([self._channel], [], [], within)[0]:
                self._reads = self._heard()
        return self._reads is not None

    def fork(self, wanted: dict[str, Any], streams: Sequence[int]) -> int:
        """The number of the child; 0 where this one must not be forked."""
        with self._lock:
            now, reads = wanted["env"], self._reads or ()
            if self._limits != _limits() or any(self._env.get(it) != now.get(it) for it in reads):
                return 0
            body = json.dumps(wanted).encode()
            socket.send_fds(self._channel, [len(body).to_bytes(4, "big")], streams)
            self._channel.sendall(body)
            return max(0, int(self._heard()))

    def close(self) -> None:
        """End it; nothing that was forked ends with it."""
        self._channel.close()
        self._process.wait(_PATIENCE)

    def _heard(self) -> Any:
        return json.loads(self._exactly(int.from_bytes(self._exactly(4), "big")))

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self._channel.recv(count - len(data))
            if not more:
                raise ConnectionResetError("The nursery is gone.")
            data += more
        return data


def _execute_child(self: Any, *args: Any, **named: Any) -> None:
    """In place of `Popen`'s own."""
    given = signature(_start_anew).bind(self, *args, **named).arguments
    pid = _forked(given) if _may_fork.get() else 0
    if not pid:
        _start_anew(self, *args, **named)
        return
    self.pid = pid
    self._child_created = True
    self._close_pipe_fds(*(given[it] for it in _ENDS))


def _forked(given: Mapping[str, Any]) -> int:
    """The number of a process that was forked; 0 where it must be a new Python."""
    words = _words(given["args"])
    if not words or any(given[name] != usual for name, usual in _ORDINARY.items()):
        return 0
    ends = (given["p2cread"], given["c2pwrite"], given["errwrite"])
    streams = [number if end == -1 else end for number, end in enumerate(ends)]
    kept = sorted(map(int, given["pass_fds"]))
    env = dict(os.environ if given["env"] is None else given["env"])
    folder = Path(os.fsdecode(given["cwd"] or os.curdir)).absolute()
    if any(it < 3 for it in kept) or any(map(os.isatty, streams)) or not folder.is_dir():
        return 0
    nursery = _nursery(env)
    if nursery is None or not nursery.stands():
        return 0
    wanted = {
        "name": given["args"][0],
        "args": words,
        "env": env,
        "cwd": str(folder),
        "umask": _umask(),
        "session": bool(given["start_new_session"]),
        "group": given["process_group"],
        "targets": [0, 1, 2, *kept],
    }
    return nursery.fork(wanted, [*streams, *kept])


def _words(args: Sequence[str]) -> list[str]:
    """What Python is started with; nothing where this is not one of the ordinary commands."""
    words = list(args) if isinstance(args, list | tuple) else []
    if not words or not all(isinstance(it, str) for it in words):
        return []
    if words[0] == str(_SCRIPT) and _is_ours():
        words.insert(0, sys.executable)
    is_program = words[1:2] == ["-c"] and len(words) == 3
    is_long = words[1:3] == ["-m", "assent"] or words[1:2] == [str(_SCRIPT)]
    is_long = is_long and any(it in _LOADS_MUCH for it in words[2:4])
    return words if words[0] == sys.executable and (is_program or is_long) else []


def _is_ours() -> bool:
    with suppress(OSError), _SCRIPT.open(encoding="utf-8") as script:
        return script.readline() == f"#!{sys.executable}\n"
    return False


def _nursery(env: Mapping[str, str]) -> _Nursery | None:
    """What has loaded the package in the same way, if anything has."""
    way = frozenset(it for it in env.items() if it[0].startswith(_STEERS))
    with _choosing:
        is_wanted_again = way in _nurseries
        found = _nurseries.setdefault(way, None)
        if found is None and is_wanted_again and sum(map(bool, _nurseries.values())) < _MOST:
            found = _nurseries[way] = _Nursery(way)
    return found


def _limits() -> list[tuple[int, int]]:
    """What a child of ours may use of the machine."""
    names = sorted(it for it in dir(resource) if it.startswith("RLIMIT_"))
    return [resource.getrlimit(getattr(resource, it)) for it in names]


def _umask() -> int:
    """Told without changing it, which would be seen by every thread."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("\nUmask:")[2].split()[0], 8)
