"""The network of one box: it has none of its own, and each host is asked about.

All of it stands before the command starts. bubblewrap is started with a filter by which each
`connect` is heard of here, and waits; sockets are made in its namespaces; a thread listens at them.
Only then the command is let begin. Where any of that fails bubblewrap is killed, and nothing ran.
Where this process ends first, the connections of the box fail: nobody hears of them any more.
"""

import asyncio
import errno
import fcntl
import json
import os
import platform
import signal
import socket
import struct
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

import assent
from assent.gate.call.errors import AssentError
from assent.gate.processes.family import Family
from assent.gate.sandbox.bubblewrap import Opening, in_memory
from assent.gate.sandbox.calls import check_reach
from assent.gate.sandbox.connects import Connects, Places
from assent.gate.sandbox.doorway import Doorway
from assent.gate.sandbox.filters import watching_program
from assent.gate.sandbox.hosts import Answer, Contact, Hosts, Judge, Resolve, looked_up
from assent.gate.sandbox.made_up_names import MadeUpNames, is_made_up
from assent.gate.sandbox.namespaces import PROXY_PORT, Sockets, cookie_of, sockets_inside

__all__ = ["Network", "started_by"]

_PROXY: Final = f"http://127.0.0.1:{PROXY_PORT}"
_VARIABLES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), _PROXY),
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), _PROXY),
    **dict.fromkeys(("no_proxy", "NO_PROXY"), "localhost,127.0.0.1,::1,0.0.0.0"),
    # Looking for newer versions of themselves, tools would be asked about with any command.
    **dict.fromkeys(("NO_UPDATE_NOTIFIER", "PIP_DISABLE_PIP_VERSION_CHECK"), "1"),
    "npm_config_update_notifier": "false",
}
_BOOT: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    " from assent.gate.processes.watched_start import main; main()"
)
_RESOLVER: Final = "/etc/resolv.conf"
_RESOLVED_HERE: Final = b"nameserver 127.0.0.1\n"
_STAND_TIMEOUT_S: Final = 20.0
_END_TIMEOUT_S: Final = 10.0
_MAX_SAID_BYTES: Final = 4_096
_SO_PASSCRED: Final = 16
_SCM_CREDENTIALS: Final = 2
_CREDENTIALS: Final = struct.Struct("3i")


class _Fallen(AssentError):
    """The network of a box could not be made; the message says why."""


class Network:
    """The network of one trial."""

    def __init__(self, judge: Judge, resolve: Resolve = looked_up) -> None:
        self._judge = judge
        self._resolve = resolve
        self._runs: list[_Run] = []

    @property
    def witness(self) -> tuple[Contact, ...]:
        """What was reached and what was refused, each once, in their order."""
        return tuple(contact for run in self._runs for contact in run.hosts.witness)

    @property
    def failure(self) -> str:
        """Why a box could not be started with it."""
        return next((run.failure for run in self._runs if run.failure), "")

    @contextmanager
    def opened(self, overlays: tuple[str, ...]) -> Iterator[Opening]:
        """How to start a box, which is to be started while this lasts; raises `OSError`.

        `overlays` are the folders over which the box has layers of its own.

        Where this is called on a loop, hosts are asked about there.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        run = _Run(self._judge, self._resolve, loop, overlays)
        self._runs.append(run)
        with run.begun() as opening:
            yield opening

    def end(self) -> None:
        """End it; what runs in the box by then has no network any more."""
        for run in self._runs:
            run.end()


class _Run:
    """One box, and the thread that listens for it."""

    def __init__(
        self,
        judge: Judge,
        resolve: Resolve,
        asked_on: asyncio.AbstractEventLoop | None,
        overlays: tuple[str, ...],
    ) -> None:
        self._judge = judge
        self._asked_on = asked_on
        self._overlays = overlays
        self.hosts = Hosts(self._ask, resolve)
        self.failure = ""
        self._names = MadeUpNames()
        self._led: dict[int, tuple[str, int]] = {}
        self._kept = ExitStack()
        """What is open here."""
        self._stood = False
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._work: asyncio.Task[None] | None = None
        self._lock = threading.Lock()
        self._is_over = False

    @contextmanager
    def begun(self) -> Iterator[Opening]:
        """Listen for the box that is started while this lasts."""
        with ExitStack() as given:
            ours, theirs = socket.socketpair()
            self._kept.enter_context(ours)
            given.enter_context(theirs)
            ours.setsockopt(socket.SOL_SOCKET, _SO_PASSCRED, 1)
            said, info = self._pipe(given, is_read_here=True)
            hold, held = self._pipe(given, is_read_here=False)
            known = watching_program(platform.machine()) or b""
            watching = _owned(given, in_memory("watching", known))
            resolver = _owned(given, in_memory("resolver", _RESOLVED_HERE))
            words = ["--info-fd", str(info), "--block-fd", str(held)]
            if os.path.exists(_RESOLVER):  # noqa: PTH110 -- every command starts with this
                path = os.path.realpath(_RESOLVER)
                words += ["--ro-bind-data", str(resolver), path]
            self._thread = threading.Thread(
                target=self._live,
                args=(ours, said, hold, held),
                name="network of a box",
                daemon=True,
            )
            self._thread.start()
            yield Opening(
                words=tuple(words),
                inherited=(theirs.fileno(), info, held, watching, resolver),
                watched_by=(watching, theirs.fileno()),
                variables=_VARIABLES,
            )

    def _pipe(self, given: ExitStack, *, is_read_here: bool) -> tuple[int, int]:
        """A pipe: our end, which stays, and the box's, which is closed once it is started."""
        reader, writer = os.pipe()
        mine, other = (reader, writer) if is_read_here else (writer, reader)
        _owned(self._kept, mine)
        _owned(given, other)
        return mine, other

    def end(self) -> None:
        """End the thread, and close all that is open here."""
        with self._lock:
            self._is_over = True
            if self._loop is not None and self._work is not None:
                with suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._work.cancel)
        if self._thread is not None:
            self._thread.join(_END_TIMEOUT_S)
        self._kept.close()

    def _live(self, ours: socket.socket, said: int, hold: int, held: int) -> None:
        try:
            asyncio.run(self._until_over(ours, said, hold, held))
        except asyncio.CancelledError:
            self.failure = self.failure or ("" if self._stood else "It was ended.")
        except Exception as error:  # noqa: BLE001 -- whatever it is, nothing was started
            self.failure = self.failure or _why(error)

    async def _until_over(self, ours: socket.socket, said: int, hold: int, held: int) -> None:
        with self._lock:
            self._loop, self._work = asyncio.get_running_loop(), asyncio.current_task()
            if self._is_over:
                raise asyncio.CancelledError
        # Once it is closed, nobody can be started any more who was not started by then.
        with ours:
            async with asyncio.timeout(_STAND_TIMEOUT_S):
                listener, starter = await _handed_out(ours)
        try:
            async with asyncio.timeout(_STAND_TIMEOUT_S):
                inside = await _box(said)
            sockets = sockets_inside(inside)
            self._kept.callback(sockets.close)
            check_reach(inside, held)
        except BaseException as error:
            os.close(listener)
            self.failure = _why(error)
            starter.end()
            raise
        try:
            async with asyncio.TaskGroup() as group, self._listening(group, listener, sockets):
                os.write(hold, b"x")
                starter.let_go()
                self._stood = True
                await asyncio.Event().wait()
        finally:
            starter.end()
            os.close(listener)

    @asynccontextmanager
    async def _listening(
        self, group: asyncio.TaskGroup, listener: int, sockets: Sockets
    ) -> AsyncIterator[None]:
        """Serve the box while this lasts."""
        places = Places(
            network=cookie_of(sockets.proxy), led=sockets.led.getsockname(), overlays=self._overlays
        )
        connects = Connects(listener, group, places, self._lead, self._tell_of_socket)
        doorway = Doorway(self.hosts, group, lambda port: self._led.pop(port, None))
        self.hosts.begin(group)
        loop = asyncio.get_running_loop()
        names, _ = await loop.create_datagram_endpoint(
            lambda: _Answering(self._names), sock=sockets.names
        )
        try:
            await doorway.begin(sockets.proxy, sockets.led)
            connects.begin()
            yield
        finally:
            names.close()
            connects.end()
            doorway.end()

    def _lead(self, source: int, address: str, port: int) -> None:
        host: str | None = address
        if is_made_up(address):
            host = self._names.name_of(address)
        if host is None:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "no name has this address")
        self._led[source] = (host, port)

    def _tell_of_socket(self, path: str, because: str) -> None:
        self.hosts.tell(path, 0, because)

    async def _ask(self, host: str, port: int) -> Answer:
        if self._asked_on is None:
            return await self._judge(host, port)

        asking = _asked(self._judge, host, port)
        try:
            answer = asyncio.run_coroutine_threadsafe(asking, self._asked_on)
        except RuntimeError:
            # That loop is closed.
            asking.close()
            raise
        return await asyncio.wrap_future(answer)


async def _asked(judge: Judge, host: str, port: int) -> Answer:
    return await judge(host, port)


class _Answering(asyncio.DatagramProtocol):
    """Answers questions for names."""

    def __init__(self, names: MadeUpNames) -> None:
        self._names = names
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        """It can be asked now."""
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Somebody asks."""
        answered = self._names.answer(data)
        if answered is not None and self._transport is not None:
            self._transport.sendto(answered, addr)


class _Starter:
    """The process that becomes bubblewrap."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._opened: int | None = os.pidfd_open(process)

    def let_go(self) -> None:
        """It may start the command."""
        if self._opened is not None:
            os.close(self._opened)
            self._opened = None

    def end(self) -> None:
        """Kill it and the process in the box, if it was not let go."""
        if self._opened is None:
            return
        with suppress(ProcessLookupError):
            # It must not start the other one meanwhile, nor leave it to somebody else.
            signal.pidfd_send_signal(self._opened, signal.SIGSTOP)
            Family(root=self._process, group=None).signal(signal.SIGKILL)
            signal.pidfd_send_signal(self._opened, signal.SIGKILL)
        self.let_go()


async def _handed_out(ours: socket.socket) -> tuple[int, _Starter]:
    """The listener, and who sent it."""
    await _readable(ours.fileno())
    room = socket.CMSG_SPACE(4) + socket.CMSG_SPACE(_CREDENTIALS.size)
    _, messages, *_ = ours.recvmsg(1, room)
    listener, process = -1, 0
    for _, kind, data in messages:
        if kind == socket.SCM_RIGHTS:
            (listener,) = struct.unpack("i", data[:4])
        elif kind == _SCM_CREDENTIALS:
            process = _CREDENTIALS.unpack(data[: _CREDENTIALS.size])[0]
    if listener < 0 or process <= 0:
        raise _Fallen("It was not started.")
    fcntl.fcntl(listener, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    return listener, _Starter(process)


async def _box(said: int) -> int:
    """The first process in the box, as bubblewrap tells it."""
    text = b""
    while b"}" not in text:
        await _readable(said)
        piece = os.read(said, _MAX_SAID_BYTES)
        if not piece or len(text) > _MAX_SAID_BYTES:
            raise _Fallen("The sandbox ended before it stood.")
        text += piece
    return int(json.loads(text)["child-pid"])


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def _why(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "It did not stand in time."
    if isinstance(error, OSError):
        return f"Its network could not be made: {error.strerror or error}."
    return str(error) or type(error).__name__


def started_by(opening: Opening, program: str, words: Sequence[str]) -> list[str]:
    """The command line of a program that has itself watched, and then becomes bubblewrap."""
    root = str(Path(assent.__file__).parent.parent)
    watched_by = map(str, opening.watched_by)
    return [sys.executable, "-I", "-S", "-c", _BOOT, root, *watched_by, program, *words]


def _owned(stack: ExitStack, descriptor: int) -> int:
    """Have a descriptor closed with this."""
    stack.callback(os.close, descriptor)
    return descriptor
