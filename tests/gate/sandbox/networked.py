"""Commands in boxes whose network asks, and servers of this machine that they want to reach."""

import asyncio
import os
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from attrs import define, field

from assent.gate.call.calls import CallId, ChatId
from assent.gate.disk.executables import Executables
from assent.gate.processes.shell_registry import ShellRegistry
from assent.gate.sandbox.bubblewrap import OWN
from assent.gate.sandbox.hosts import Answer, Contact, Leave
from assent.gate.sandbox.probe import Finding, Strength
from assent.gate.sandbox.trials import Trial
from gate.sandbox.conftest import WITHIN_S, Ground

PATH: Final = "/usr/local/bin:/usr/bin:/bin"
INSIDE: Final = Answer(Leave.INSIDE)
HELLO: Final = b"hello from outside"


@define
class Asked:
    """Rules on hosts, and keeps what it was asked."""

    allowed: Mapping[str, Answer] = field(factory=dict)
    """By host; no other may be reached."""
    questions: list[tuple[str, int]] = field(factory=list)
    threads: set[int] = field(factory=set)
    waits: asyncio.Event | None = None
    """Where there is one, no question is answered before it is set."""
    is_asked: asyncio.Event = field(factory=asyncio.Event)

    async def __call__(self, host: str, port: int) -> Answer:
        self.questions.append((host, port))
        self.threads.add(threading.get_ident())
        self.is_asked.set()
        if self.waits is not None:
            await self.waits.wait()
        return self.allowed.get(host, Answer(Leave.NONE, "Nobody allowed it."))


@define
class Resolved:
    """Looks names up in a table; all others lead to this machine."""

    table: Mapping[str, Sequence[str]] = field(factory=dict)
    names: list[str] = field(factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.names.append(host)
        return self.table.get(host, ("127.0.0.1",))


@define
class Networked:
    """One trial with a network, on a ground."""

    ground: Ground
    judge: Asked
    resolve: Resolved = field(factory=Resolved)
    bwrap: str = str(OWN)
    trial: Trial = field(init=False)
    printed: str = ""
    code: int | None = None

    def __attrs_post_init__(self) -> None:
        layers = self.ground.top / "layers"
        layers.mkdir(mode=0o700, exist_ok=True)
        root = str(self.ground.workspace)
        finding = Finding(strength=Strength.TRIAL, bwrap=self.bwrap, layers=str(layers))
        self.trial = Trial.prepare(
            finding,
            root,
            str(self.ground.home),
            root,
            str(self.ground.top / "state"),
            variables={},
            hidden=tuple,
            judge=self.judge,
            resolve=self.resolve,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.trial.end)

    async def run(self, script: str, **variables: str) -> str:
        """Run a script in the box, as a command of the agent is run; what it printed."""
        registry = ShellRegistry(chat=ChatId("chat"), changed=lambda _: None)
        env = {"PATH": PATH, "HOME": str(self.ground.home), **variables}
        async with asyncio.timeout(WITHIN_S):
            shell = await registry.start(
                CallId("call"),
                script,
                cwd=self.trial.profile.workspace,
                env=env,
                printed=lambda *_, **__: None,
                beside=Executables(roots=(), path=PATH),
                wall=self.trial,
            )
            await shell.ended()
        self.code = shell.code
        self.printed = shell.tail(1 << 20).text
        await registry.end()
        return self.printed

    @property
    def refused(self) -> list[tuple[str, int]]:
        """The hosts that were not reached."""
        return [(each.host, each.port) for each in self.trial.witness if not each.is_reached]

    def contact(self, host: str, *, is_reached: bool) -> Contact:
        """What the trial tells of a host."""
        return next(
            each
            for each in self.trial.witness
            if each.host == host and each.is_reached is is_reached
        )


class _Page(BaseHTTPRequestHandler):
    """Says hello, and which host was asked for."""

    def do_GET(self) -> None:
        """Answer."""
        body = HELLO + b" " + self.headers["Host"].encode() + b" " + self.path.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- its name is given
        """Say nothing."""


@contextmanager
def served(handler: Any = _Page, *, within: Any = None) -> Iterator[int]:
    """A web server on this machine; `within` wraps its socket."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if within is not None:
        server.socket = within.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=lambda: server.serve_forever(0.02), daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def listening(address: str | tuple[str, int]) -> Iterator[tuple[list[bytes], Any]]:
    """A socket of this machine that says hello; what reached it, and where it listens."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    reached: list[bytes] = []
    with socket.socket(family) as server:
        server.bind(address)
        server.listen()

        def serve() -> None:
            while True:
                try:
                    taken, _ = server.accept()
                except OSError:
                    return
                with taken:
                    reached.append(b"")
                    taken.sendall(HELLO)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield reached, server.getsockname()
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def certificate(folder: Path, *names: str) -> tuple[str, str]:
    """A certificate that signs itself, and its key."""
    certified, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-keyout", str(key), "-out", str(certified)),
            *("-subj", f"/CN={names[0]}"),
            *("-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names)),
        ],
        check=True,
        capture_output=True,
        env={"PATH": os.environ["PATH"]},
    )
    return str(certified), str(key)
