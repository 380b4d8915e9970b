"""A process that has loaded what servers load, and from which servers of tests are forked.

`wire.forked` runs it as a program beside one run of tests, and tells it what is wanted. Each child
begins as a new Python would: with its own variables, folder, arguments, streams and `__main__`.
Then it runs what a new one would run, and ends by itself. It is a child of the process that runs
the tests, not of this one, so that its end is seen as that of any other.

Nothing is begun here but the loading: a fork has one thread alone, and would share what is open.
"""

import builtins
import ctypes
import fcntl
import gc
import importlib
import io
import json
import os
import runpy
import signal
import socket
import sys
import sysconfig
import threading
import types
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from assent.gate.settings import environment

LOADED: Final = (
    "assent.cli.main",
    "assent.cli.run",
    "assent.editor.lsp.start",
    "assent.editor.lsp.awake_loop",
    "assent.editor.lsp.log",
    "assent.editor.lsp.process_privacy",
    "assent.editor.lsp.connection",
    "assent.editor.window.server",
    "assent.gate.shell.read",
    "assent.gate.rules.index",
    "assent.agent.models.openai",
    "assent.agent.models.responses",
    "assent.agent.models.ollama_shapes",
    "anyio._backends._asyncio",
    "httpx2",
    "httpcore2",
    "sqlite3",
    "truststore",
)
"""What a server loads in the course of a test, however late."""
_CLONE: Final = 56
"""The number of the call on the one machine where this is done: Linux on x86-64."""
_AS_SIBLING, _SET_NUMBER, _CLEAR_NUMBER = 0x8000, 0x1000000, 0x200000
_WHERE_THE_NUMBER_IS, _SET_NAME = 40, 15
_OWN: Final = sys._getframe().f_code.co_filename
_ON_BEHALF: Final = ("os.py", "posixpath.py", "pathlib.py", "<frozen os>", "<frozen posixpath>")
"""Code that reads a variable because other code wants it."""


def main() -> dict[str, Any]:
    """Load everything, and fork children until nobody wants any; only a child comes back."""
    # A key pressed at a terminal ends the tests, and they end this.
    interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = socket.socket(fileno=int(sys.argv[2]))
    channel.set_inheritable(False)
    forking = _Forking()
    _say(channel, sorted(_load()))
    gc.collect()
    gc.freeze()
    while True:
        wanted, streams = _heard(channel)
        number = 0 if _would_load_others(wanted["cwd"]) else forking.fork()
        if number == 0 and os.getpid() != forking.own:
            channel.close()
            _take(streams, wanted["targets"])
            forking.call_itself(wanted["name"])
            signal.signal(signal.SIGINT, interrupted)
            return wanted
        for stream in streams:
            os.close(stream)
        _say(channel, number)


class _Forking:
    """Forks a sibling: a child of this process's own parent."""

    def __init__(self) -> None:
        # They hold the lock of the interpreter meanwhile, as a fork must.
        self._libc, self._python = ctypes.PyDLL(None), ctypes.pythonapi
        self._kept = ctypes.c_void_p()
        self.own = os.getpid()
        # Where the C library keeps the number of this thread; in a child it must be another.
        self._libc.prctl(_WHERE_THE_NUMBER_IS, ctypes.byref(self._kept), 0, 0, 0)
        if not self._kept or ctypes.c_int.from_address(self._kept.value or 0).value != self.own:
            sys.exit(1)

    def fork(self) -> int:
        """The number of the child, 0 in the child itself; below 0 where there is none."""
        flags = ctypes.c_ulong(_AS_SIBLING | _SET_NUMBER | _CLEAR_NUMBER | signal.SIGCHLD)
        nothing = ctypes.c_void_p()
        self._python.PyOS_BeforeFork()
        number: int = self._libc.syscall(_CLONE, flags, nothing, nothing, self._kept, nothing)
        if number == 0:
            self._python.PyOS_AfterFork_Child()
        else:
            self._python.PyOS_AfterFork_Parent()
        return number

    def call_itself(self, program: str) -> None:
        """Be found by this name in a list of what runs."""
        self._libc.prctl(_SET_NAME, os.fsencode(Path(program).name)[:15], 0, 0, 0)


def _load() -> set[str]:
    """Load everything; the variables that were read meanwhile, but for those of Python itself."""
    read: set[str] = set()
    library = sysconfig.get_path("stdlib")
    kind: Any = type(os.environ)
    real = kind.__getitem__

    def noting(environ: Any, name: str) -> Any:
        frame: Any = sys._getframe(1)
        while frame.f_code.co_filename.endswith((*_ON_BEHALF, "_collections_abc>")):
            frame = frame.f_back
        asker = frame.f_code.co_filename
        if not asker.startswith((library, "<frozen")) or "site-packages" in asker:
            read.add(name)
        return real(environ, name)

    kind.__getitem__ = noting
    try:
        for name in LOADED:
            importlib.import_module(name)
    finally:
        kind.__getitem__ = real
    return read


def _would_load_others(folder: str) -> bool:
    """Whether a new Python would find something in the folder where it starts."""
    loaded = {name.partition(".")[0] for name in sys.modules}
    try:
        return any(it.name.partition(".")[0] in loaded for it in Path(folder).iterdir())
    except OSError:
        return True


def _say(channel: socket.socket, message: object) -> None:
    body = json.dumps(message).encode()
    channel.sendall(len(body).to_bytes(4, "big") + body)


def _heard(channel: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """What is wanted next, and the descriptors that came with it; ends where nobody asks."""
    head, streams, _, _ = socket.recv_fds(channel, 4, 64)
    if not head:
        os._exit(0)
    head += _exactly(channel, 4 - len(head))
    return json.loads(_exactly(channel, int.from_bytes(head, "big"))), streams


def _exactly(channel: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += channel.recv(count - len(data)) or os._exit(1)
    return data


def _take(streams: list[int], targets: list[int]) -> None:
    """Have just these descriptors open, at these numbers."""
    beyond = max(targets) + 1
    held = [fcntl.fcntl(it, fcntl.F_DUPFD, beyond) for it in streams]
    for one, target in zip(held, targets, strict=True):
        os.dup2(one, target)
    for number in [int(it.name) for it in Path("/proc/self/fd").iterdir()]:
        if number not in targets:
            # The list was read by one of its own.
            with suppress(OSError):
                os.close(number)


def _become(wanted: dict[str, Any]) -> None:
    """Have nothing of this process but what it has loaded."""
    if wanted["session"]:
        os.setsid()
    if wanted["group"] >= 0:
        os.setpgid(0, wanted["group"])
    os.umask(wanted["umask"])
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    environment._start_again = _put_aside
    importlib.invalidate_caches()
    sys.stdin = sys.__stdin__ = _again(sys.stdin, "r")
    sys.stdout = sys.__stdout__ = _again(sys.stdout, "w")
    sys.stderr = sys.__stderr__ = _again(sys.stderr, "w")
    sys.excepthook = _tell
    sys.orig_argv[:] = wanted["args"]
    threading.main_thread()._set_native_id()  # type: ignore[attr-defined]
    sys.modules["__main__"] = types.ModuleType("__main__")


def _put_aside(others: dict[str, str]) -> None:
    """Be without these variables, as what would be started in the place of this process."""
    for name in others:
        environment.STARTED_WITHOUT[name] = os.environ.pop(name)


def _again(before: Any, mode: str) -> io.TextIOWrapper:
    """The same stream, as Python makes it anew for what its descriptor is now."""
    is_bare = mode == "w" and before.write_through
    raw: Any = open(  # noqa: SIM115 -- a descriptor, which stays open
        before.fileno(), f"{mode}b", 0 if is_bare else -1, closefd=False
    )
    getattr(raw, "raw", raw).name = before.name
    stream = io.TextIOWrapper(
        raw,
        encoding=before.encoding,
        errors=before.errors,
        newline="\n" if mode == "w" else None,
        line_buffering=before.line_buffering,
        write_through=before.write_through,
    )
    stream.mode = mode  # type: ignore[misc]
    return stream


def _run(args: list[str]) -> None:
    """Run what stands behind the interpreter, as that would."""
    first, *rest = args[1:]
    begins = {"-m": str(Path.cwd()), "-c": ""}
    if not sys.flags.safe_path:
        sys.path[0] = begins.get(first, str(Path(first).resolve().parent))
    if first == "-m":
        sys.argv[:] = ["-m", *rest[1:]]
        runpy._run_module_as_main(rest[0])  # type: ignore[attr-defined]
        return
    space = sys.modules["__main__"].__dict__
    space["__builtins__"] = builtins
    sys.argv[:] = ["-c"] if first == "-c" else [first, *rest]
    if first != "-c":
        space["__file__"] = first
    code = rest[0] if first == "-c" else Path(first).read_bytes()
    exec(compile(code, "<string>" if first == "-c" else first, "exec"), space)  # noqa: S102


def _tell(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """Tell of what ends it as if this file had no part in that."""
    below = trace
    while below:
        if below.tb_frame.f_code.co_filename == _OWN:
            trace = below.tb_next
        below = below.tb_next
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


if __name__ == "__main__":
    _wanted = main()
    _become(_wanted)
    _run(_wanted["args"])
