"""A server of tools at an address, which behaves or misbehaves as its path says."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import define, field

from assent.gate.settings.tool_servers import ServerEntry

__all__ = ["Site", "site"]

TOOL = {"name": "t0", "description": "Does a thing.", "inputSchema": {"type": "object"}}


@define
class Site:
    """Where it is, and what it was asked."""

    url: str
    asked: list[tuple[str, str, dict[str, str], dict[str, Any]]] = field(factory=list)
    """Verb, path, headers in small letters, message."""
    forgets: bool = False
    changed: threading.Event = field(factory=threading.Event)
    """Set once the tools of `listened-to` are other ones."""

    def entry(self, kind: str, **headers: str) -> ServerEntry:
        """One of its servers, as the settings were read."""
        return ServerEntry(name=kind, url=f"{self.url}/{kind}", headers=headers)

    def of(self, method: str) -> list[tuple[str, str, dict[str, str], dict[str, Any]]]:
        """What it was asked of that kind."""
        return [it for it in self.asked if it[3].get("method") == method]


class _Handler(BaseHTTPRequestHandler):
    site: Site
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        kind = self._note("POST", message)
        number, method = message.get("id"), message.get("method")
        if kind == "moved":
            self._send(307, location=f"{self.site.url}/plain")
        elif kind == "locked" and self.headers.get("authorization") != "Bearer KNOWN of locked":
            self._send(401)
        elif number is None:
            self._send(202)
        elif kind == "listened-to":
            self._modern(number, message)
        elif method == "initialize":
            version = message["params"]["protocolVersion"]
            offers: dict[str, Any] = {"tools": {}}
            about = {"name": "site", "version": "1"}
            said = {"protocolVersion": version, "capabilities": offers, "serverInfo": about}
            self._answer(number, said, **{"mcp-session-id": "s1"})
        elif method == "tools/list":
            self._answer(number, {"tools": [TOOL]})
        elif method == "tools/call":
            self._call(kind, number, message["params"])
        else:
            error = {"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "no"}}
            self._send(200, json.dumps(error).encode())

    def _modern(self, number: int, message: dict[str, Any]) -> None:
        """The protocol of 2026, in which only who listens hears of what changed."""
        whole: dict[str, Any] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
        if message["method"] == "server/discover":
            offers = {"tools": {"listChanged": True}}
            about = {"supportedVersions": ["2026-07-28"], "capabilities": offers}
            self._answer(number, {**whole, **about})
        elif message["method"] == "tools/list":
            says = "Does another." if self.site.changed.is_set() else TOOL["description"]
            self._answer(number, {**whole, "tools": [{**TOOL, "description": says}]})
        else:
            self._listened(number)

    def _listened(self, number: object) -> None:
        meta = {"_meta": {"io.modelcontextprotocol/subscriptionId": number}}
        heard = {"notifications": {"toolsListChanged": True}, **meta}
        self._begin(200, "text/event-stream")
        for method, params in (
            ("notifications/subscriptions/acknowledged", heard),
            ("notifications/tools/list_changed", meta),
        ):
            told = {"jsonrpc": "2.0", "method": method, "params": params}
            self.wfile.write(f"data: {json.dumps(told)}\n\n".encode())
            self.wfile.flush()
            self.site.changed.wait()
        self.rfile.read(1)

    def do_GET(self) -> None:
        self._note("GET", {})
        last = self.headers.get("last-event-id")
        if last is None:
            self._send(405)
        else:
            self._events([(f"{last}1", self._text(99, "the rest"))])

    def do_DELETE(self) -> None:
        self._note("DELETE", {})
        self._send(200)

    def _note(self, verb: str, message: dict[str, Any]) -> str:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.site.asked.append((verb, self.path, headers, message))
        return self.path.strip("/")

    def _call(self, kind: str, number: int, params: dict[str, Any]) -> None:
        if kind == "forgets" and self.site.forgets:
            self.site.forgets = False
            self._send(404)
        elif kind == "events":
            told = {"progressToken": params["_meta"]["progressToken"], "progress": 1}
            note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
            self._events([("", json.dumps(note)), ("", self._text(number, "by events"))])
        elif kind == "breaks-off":
            self._events([("e1", "")])
        elif kind == "lost":
            self._events([])
        elif kind == "endless":
            self._begin(200, "text/event-stream")
            with_end = b"data: " + b"x" * 1_000_000
            while True:
                self.wfile.write(with_end)
        elif kind == "another":
            self._send(200, self._text(number + 1, "for another").encode())
        elif kind == "odd":
            self._send(200, b"<html>")
        elif kind == "hangs":
            self.rfile.read(1)
        else:
            self._send(200, self._text(number, json.dumps(params.get("arguments"))).encode())

    def _text(self, number: int, said: str) -> str:
        result = {"content": [{"type": "text", "text": said}]}
        return json.dumps({"jsonrpc": "2.0", "id": number, "result": result})

    def _answer(self, number: int, result: dict[str, Any], **headers: str) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()
        self._send(200, body, **headers)

    def _events(self, events: list[tuple[str, str]]) -> None:
        self._begin(200, "text/event-stream")
        for name, data in events:
            self.wfile.write((f"id: {name}\n" if name else "").encode())
            self.wfile.write(f"data: {data}\r\n\r\n".encode())

    def _begin(self, status: int, kind: str, **headers: str) -> None:
        self.close_connection = True
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("connection", "close")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self._begin(status, "application/json", **headers)
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Whoever left did so."""


@contextmanager
def site() -> Iterator[Site]:
    """Serves for as long as somebody is within."""
    here = Site(url="")
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"site": here}))
    here.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
