"""An editor without a network, and the one way in to it: a socket that is a file.

A network namespace of its own takes every address away from a program and all that it starts,
127.0.0.1 included. A socket in the file system belongs to no network, so a forwarder outside can
still reach it, and a browser the forwarder.
"""

import functools
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer

from . import AbsentError

_WORDS = ("--map-root-user", "--net")
_CHUNK = 65536
_REFUSED = (
    "The network cannot be taken away from a program here: the kernel, or the container, refuses"
    " `unshare --map-root-user --net`."
)


@functools.cache
def without_network() -> tuple[str, ...]:
    """The words to put before a command that is to have no network."""
    unshare = shutil.which("unshare")
    tried = unshare and subprocess.run(
        [unshare, *_WORDS, "/bin/true"], check=False, capture_output=True
    )
    if not unshare or not tried or tried.returncode:
        raise AbsentError(_REFUSED)
    return (unshare, *_WORDS)


@contextmanager
def forwarded(to: Path) -> Iterator[int]:
    """The port, on 127.0.0.1, of what listens on a socket that is a file."""

    class Caller(BaseRequestHandler):
        def handle(self) -> None:
            with socket.socket(socket.AF_UNIX) as inside:
                inside.connect(str(to))
                back = threading.Thread(target=_pump, args=(inside, self.request), daemon=True)
                back.start()
                _pump(self.request, inside)
                back.join()

    class Forwarder(ThreadingTCPServer):
        daemon_threads = True
        # A connection that lives on must not hold up the end.
        block_on_close = False

        def handle_error(self, request: object, client_address: object) -> None:
            """Whoever called is told by the end of the connection."""

    with Forwarder(("127.0.0.1", 0), Caller) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
