"""Answers as nodetool's own server did, from a recording, and nothing that is not in it.

What it was made of stands at the head of `nodetool/recorded.json`. A message is known by its method
and its parameters; where our client asks for something else it is told so, and the test fails.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from attrs import define, field

__all__ = ["Recorded", "recorded"]

_FILE: Final = Path(__file__).with_name("nodetool") / "recorded.json"
_OURS: Final = ("_meta", "clientInfo")
"""What is another each time, and decides no answer."""
_SESSION: Final = "the-session"


@define
class Recorded:
    """Where it is, and what it was asked."""

    url: str
    exchanges: list[dict[str, Any]]
    calls: list[tuple[str, dict[str, Any]]] = field(factory=list)
    """Each call of a tool that came, with its arguments."""
    faults: list[str] = field(factory=list)
    """What nobody had recorded."""

    def answer(self, message: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
        """What was answered to just this."""
        method, given = message["method"], message.get("params") or {}
        params = {name: it for name, it in given.items() if name not in _OURS}
        if method == "tools/call":
            self.calls.append((params["name"], params["arguments"]))
        found = [it for it in self.exchanges if (it["method"], it["params"]) == (method, params)]
        fault = "" if found else f"{method} {params} was never recorded"
        if method not in ("server/discover", "initialize"):
            said = (headers.get("mcp-session-id"), headers.get("mcp-protocol-version"))
            agreed = (_SESSION, self.of("initialize")["answer"]["result"]["protocolVersion"])
            fault = fault or ("" if said == agreed else f"{method} came in the session {said}")
        if fault:
            self.faults.append(fault)
            error = {"code": -32000, "message": fault}
            return {"status": 200, "answer": {"error": error}}
        return found[0]

    def of(self, method: str, **params: Any) -> dict[str, Any]:
        """The exchange of that method, with these parameters where there are several."""
        named = (it for it in self.exchanges if it["method"] == method)
        return next(it for it in named if params.items() <= it["params"].items())

    def text(self, name: str, arguments: dict[str, Any]) -> str:
        """What that call of a tool answered, as a text."""
        found = self.of("tools/call", name=name, arguments=arguments)
        return str(found["answer"]["result"]["content"][0]["text"])


class _Handler(BaseHTTPRequestHandler):
    here: Recorded
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.path != "/mcp":
            self.here.faults.append(f"{self.path} is not its path")
        found = self.here.answer(message, headers)
        answer = found["answer"]
        if answer is not None:
            answer = {"jsonrpc": "2.0", "id": message.get("id"), **answer}
        began = message["method"] == "initialize"
        self._send(found["status"], answer, **({"mcp-session-id": _SESSION} if began else {}))

    def do_GET(self) -> None:
        # It told nothing unasked.
        self._send(405)

    def do_DELETE(self) -> None:
        self._send(200)

    def _send(self, status: int, answer: object = None, **headers: str) -> None:
        body = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Whoever left did so."""


@contextmanager
def recorded() -> Iterator[Recorded]:
    """Serves for as long as somebody is within, who asked for nothing else in the end."""
    here = Recorded(url="", exchanges=json.loads(_FILE.read_text("utf-8"))["exchanges"])
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"here": here}))
    here.url = f"http://127.0.0.1:{server.server_address[1]}/mcp"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert not here.faults, here.faults
