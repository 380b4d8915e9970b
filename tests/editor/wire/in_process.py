"""Runs a server in the tests' own process: in a thread, over pipes, with a loop of its own.

`InProcess` looks to a `Client` like the process that `python -m assent serve` would be. What a
process has for itself, this one lends to the server until it ends: the variables, the folder and
the log. So one server at a time runs here, and what asks for a process's number or sends it a
signal fails: such a test is marked `process`.
"""

import asyncio
import gc
import logging
import os
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NoReturn

import psutil

from assent.editor.lsp import connection
from assent.editor.lsp.connection import AssentServer
from assent.editor.lsp.frames import BrokenFraming, Frames
from assent.editor.lsp.log import FORM
from assent.editor.lsp.messages import new_converter
from assent.editor.lsp.start import Opening
from assent.editor.window import server as window
from assent.gate.journal import index_file
from assent.gate.settings import environment
from editor.wire.forked import nursery_numbers
from host.waiting import until

__all__ = ["InProcess", "is_free"]

JOIN_S: Final = 30.0
"""How long what the server began may take to end after the server."""

_OF_TESTS: Final = ("asyncio_",)
"""How the threads are named that the loop of a test begins; a server's have another name."""

_running: "list[InProcess]" = []
_new_converter: Final = cache(new_converter)
"""Made once, as in a process; it keeps nothing of a server."""


def is_free() -> bool:
    """Whether no server runs in this process."""
    return not _running


class InProcess:
    """A server in a thread of this process."""

    returncode: int | None = None

    def __init__(self, env: Mapping[str, str], cwd: str | os.PathLike[str] | None) -> None:
        assert is_free(), "one server at a time has this process's variables"
        _running.append(self)
        self._state = Path(env["ASSENT_STATE_DIR"])
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        self._threads = set(threading.enumerate())
        self._children = _children()
        self._lent = _lend(env, cwd)
        self._lent.__enter__()
        self._pipes: list[asyncio.BaseTransport] = []
        self._reading, self._to_server = os.pipe()
        self._from_server, self._writing = os.pipe()
        self._log, self._logging = os.pipe()
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    async def start(self) -> "InProcess":
        """Begin to serve."""
        self.stdin: Any = await self._written_by_client()
        self.stdout = await self._read_by_client(self._from_server)
        self.stderr = await self._read_by_client(self._log)
        self._thread.start()
        return self

    async def wait(self) -> int:
        """Wait until the server and all that it began have ended; its exit code."""
        code = await asyncio.shield(self._ended)
        if self.returncode is None:
            self.returncode = code
            self._thread.join(JOIN_S)
            _let_go_of_indexes(self._state)
            self._give_back()
        return code

    def give_up(self) -> None:
        """Leave a server that does not end as it is."""
        self._give_back()

    def close(self) -> None:
        """Close the pipes."""
        for pipe in self._pipes:
            pipe.close()

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"A server has `{name}` where its test is marked `process`.")

    def _give_back(self) -> None:
        if self in _running:
            _running.remove(self)
            self._lent.__exit__(None, None, None)

    # The client's ends.

    async def _written_by_client(self) -> asyncio.WriteTransport:
        transport, _ = await self._loop.connect_write_pipe(
            asyncio.Protocol, os.fdopen(self._to_server, "wb", 0)
        )
        self._pipes.append(transport)
        return transport

    async def _read_by_client(self, descriptor: int) -> asyncio.StreamReader:
        reader = asyncio.StreamReader()
        transport, _ = await self._loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0)
        )
        self._pipes.append(transport)
        return reader

    # The server's thread.

    def _run(self) -> None:
        code = 1
        with os.fdopen(self._logging, "w", encoding="utf-8", errors="backslashreplace") as log:
            lines = logging.StreamHandler(log)
            lines.setFormatter(logging.Formatter(FORM))
            logging.getLogger().addHandler(lines)
            try:
                code = self._serve()
            except Exception:  # as `start` does
                logging.getLogger(__name__).exception("The server failed.")
            finally:
                logging.getLogger().removeHandler(lines)
                os.close(self._reading)
                self._loop.call_soon_threadsafe(self._ended.set_result, code)

    def _serve(self) -> int:
        frames = Frames()
        try:
            opening = Opening(self._reading, self._writing, frames).wait()
        except (BrokenFraming, OSError) as error:
            opening = None
            logging.getLogger(__name__).warning("The connection is over. %s", error)
        if opening is None:
            os.close(self._writing)
            return 1
        made: list[AssentServer] = []

        def compose(server: AssentServer) -> Any:
            made.append(server)
            return window.compose(server)

        with asyncio.Runner() as runner:
            pool = ThreadPoolExecutor(thread_name_prefix="of the server")
            runner.get_loop().set_default_executor(pool)
            try:
                return runner.run(
                    connection.run(
                        compose,
                        opening=opening,
                        frames=frames,
                        reader=self._reading,
                        writer=self._writing,
                    )
                )
            finally:
                for server in made:
                    server._outbox.close()

    # What is left.

    async def leftovers(self) -> list[str]:
        """Threads, children and open files of the server, once they have had time to end."""
        if self._found():
            # What only a cycle holds, as the cursor of a query that failed, is no leak.
            gc.collect()
            with suppress(TimeoutError):
                await asyncio.to_thread(
                    until, lambda: not self._found(), within=JOIN_S, what="all has ended"
                )
        return self._found()

    def _found(self) -> list[str]:
        threads = {
            thread
            for thread in set(threading.enumerate()) - self._threads
            if not thread.name.startswith(_OF_TESTS)
        }
        children = _children() - self._children
        return [
            *(f"the thread {thread.name}" for thread in threads),
            *(f"the process {_words(child)}" for child in children),
            *(f"the open file {path}" for path in _open_files() if self._state in path.parents),
        ]


@contextmanager
def _lend(env: Mapping[str, str], cwd: str | os.PathLike[str] | None) -> Iterator[None]:
    """Let a server have this process's variables and folder, and what it does to a process."""
    before = {name: os.environ.get(name) for name in env}
    folder = Path.cwd()
    os.environ.update(env)
    others = {name: os.environ[name] for name in os.environ if not environment.is_kept(name)}
    for name in others:
        del os.environ[name]
    environment.STARTED_WITHOUT.update(others)
    of_process = (connection._end_on_signals, connection._leave, connection.new_converter)
    connection._end_on_signals = lambda _: None
    connection._leave = _complain
    connection.new_converter = _new_converter
    try:
        os.chdir(cwd or folder)
        yield
    finally:
        os.chdir(folder)
        connection._end_on_signals, connection._leave, connection.new_converter = of_process
        environment.STARTED_WITHOUT.clear()
        # One by one, since the test may have set others meanwhile.
        os.environ.update({name: value for name, value in others.items() if name not in env})
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _complain(code: int) -> None:
    """In place of the end of the process."""
    logging.getLogger(__name__).error("The server would be left as it is, with the code %s.", code)


def _let_go_of_indexes(state: Path) -> None:
    """Close what a process keeps open until its end, for the sake of SQLite's locks."""
    for path in [path for path in index_file._HELD if state in path.parents]:
        index_file.IndexFile(path)._let_go()


def _children() -> set[psutil.Process]:
    """The processes that this one has begun and not yet waited for."""
    own = nursery_numbers()
    return {child for child in psutil.Process().children() if child.pid not in own}


def _words(process: psutil.Process) -> str:
    with suppress(psutil.Error):
        return " ".join(process.cmdline())
    return str(process.pid)


def _open_files() -> set[Path]:
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.add(link.readlink())
    return found
