"""A model that is played: it answers each agent in the dialect of the agent's own provider.

It keeps nothing. What it is to do stands in the prompt as `SCRIPT:[…]`, one call after the other;
the results that it is shown tell how far it has come. So one server plays for any number of
conversations, those of sub-agents among them.
"""

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from hosting.real.dialects import DIALECTS, MODELS, Dialect
from hosting.real.script import next_step

__all__ = ["Model", "played"]

_LONGEST: Final = 64 * 1024 * 1024


class Model:
    """Where the model is, and the tools that it was offered."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        host, port = server.server_address[:2]
        self.url = f"http://{host!s}:{port}"
        self.offered: set[str] = set()
        self.asked: list[dict[str, Any]] = []
        """Each request in which it was offered tools, in order."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- its name there
        """Nobody reads it."""

    def do_HEAD(self) -> None:
        self._send(200, b"", "text/plain")

    def do_GET(self) -> None:
        found = "/models" in self.path
        self._send(200 if found else 404, json.dumps(MODELS if found else {}).encode())

    def do_POST(self) -> None:
        asked = self._asked()
        dialect = next((it for end, it in DIALECTS.items() if self._path().endswith(end)), None)
        if dialect is None:
            self._send(404, b"{}")
            return
        self._play(dialect, asked)

    def _play(self, dialect: Dialect, asked: dict[str, Any]) -> None:
        offered = dialect.tools(asked)
        self.model.offered.update(offered)
        self.model.asked += [asked] if offered else []
        step = next_step(dialect.conversation(asked)) if offered else "ok"
        if asked.get("stream") or ":stream" in self._path():
            events = "".join(dialect.stream(asked, step))
            self._send(200, events.encode(), "text/event-stream")
        else:
            self._send(200, json.dumps(dialect.whole(asked, step)).encode())

    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _asked(self) -> dict[str, Any]:
        body = self._chunks() if "chunked" in self.headers.get("transfer-encoding", "") else None
        if body is None:
            body = self.rfile.read(min(_LONGEST, int(self.headers.get("content-length") or 0)))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        told = json.loads(body or b"{}")
        return told if isinstance(told, dict) else {}

    def _chunks(self) -> bytes:
        body = b""
        while length := int(self.rfile.readline().strip() or b"0", 16):
            body += self.rfile.read(length)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Agents hang up in the middle of an answer whenever they are stopped."""


@contextmanager
def played() -> Iterator[Model]:
    """A model on a free port of loopback."""
    handler = type("_Bound", (_Handler,), {})
    server = _Server(("127.0.0.1", 0), handler)
    model = handler.model = Model(server)  # type: ignore[attr-defined]  # it is a `_Handler`
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
