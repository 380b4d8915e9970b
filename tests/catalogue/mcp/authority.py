"""A server of tools that lets nobody in who has not logged in, and the place where one logs in."""

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from attrs import define, field

from assent.gate.settings.tool_servers import ServerEntry

__all__ = ["Authority", "authority"]

_TOOL = {"name": "t0", "description": "Does a thing.", "inputSchema": {"type": "object"}}


@define
class Authority:
    """Both, on one port; what it says of itself may be changed."""

    url: str = ""
    asked: list[tuple[str, str, dict[str, str]]] = field(factory=list)
    """Verb, path and what was given to it."""
    good: set[str] = field(factory=set)
    """The tokens that count."""
    renewable: set[str] = field(factory=set)
    clients: dict[str, list[str]] = field(factory=dict)
    """Where each may be sent back to."""
    codes: dict[str, dict[str, str]] = field(factory=dict)
    resource: dict[str, Any] = field(factory=dict)
    server: dict[str, Any] = field(factory=dict)
    """What stands otherwise in its two documents."""
    back: dict[str, str] = field(factory=dict)
    """What it sends the browser back with otherwise."""
    expires: int = 3600
    scope: str = ""
    """What a call wants to have been allowed."""
    allowed: dict[str, str] = field(factory=dict)
    made: int = 0
    meanwhile: Callable[[], None] | None = None
    """What happens elsewhere once, between the next question for a token and its answer."""
    lets_in: int = 401
    """What it answers whoever has not logged in."""
    resource_status: int = 200
    starts: threading.Event = field(factory=threading.Event)
    """Until then whoever is let in gets no answer of the server's."""
    odd: tuple[int, dict[str, Any] | None] | None = None
    """What it says instead where it is asked for a token."""

    def entry(self, **more: Any) -> ServerEntry:
        """It, as the settings were read."""
        return ServerEntry(name="locked", url=f"{self.url}/mcp", **more)

    def of(self, path: str) -> list[dict[str, str]]:
        """What was given to one of its places."""
        return [given for _, at, given in self.asked if at == path]

    def token(self, scope: str) -> dict[str, Any]:
        """A new pair of tokens."""
        self.made += 1
        access, refresh = f"access-{self.made}", f"refresh-{self.made}"
        self.good.add(access)
        self.renewable.add(refresh)
        self.allowed[access] = scope
        pair = {"access_token": access, "refresh_token": refresh, "token_type": "Bearer"}
        return {**pair, "expires_in": self.expires, "scope": scope}

    def redeemed(self, given: dict[str, str]) -> dict[str, Any] | None:
        """What is given for a code, or for the token that makes another."""
        if given["grant_type"] == "refresh_token":
            if given["refresh_token"] not in self.renewable:
                return None
            self.renewable.remove(given["refresh_token"])
            return self.token("")
        asked = self.codes.pop(given["code"], None)
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        shown = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked is None or asked["code_challenge"] != shown:
            return None
        return self.token(asked.get("scope", ""))


class _Handler(BaseHTTPRequestHandler):
    it: Authority
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        given = {name: values[0] for name, values in query.items()}
        self.it.asked.append(("GET", path, given))
        here = self.it.url
        if path == "/.well-known/oauth-protected-resource/mcp":
            said = {"resource": f"{here}/mcp", "authorization_servers": [here]}
            self._send(self.it.resource_status, {**said, **self.it.resource})
        elif path == "/.well-known/oauth-authorization-server":
            said = {"issuer": here, "authorization_endpoint": f"{here}/authorize"}
            said |= {"token_endpoint": f"{here}/token", "registration_endpoint": f"{here}/register"}
            methods = {"code_challenge_methods_supported": ["S256"]}
            iss = {"authorization_response_iss_parameter_supported": True}
            self._send(200, {**said, **methods, **iss, **self.it.server})
        elif path == "/authorize":
            self._authorize(given)
        else:
            self._send(404 if path != "/mcp" else 405)

    def _authorize(self, given: dict[str, str]) -> None:
        if given["redirect_uri"] not in self.it.clients.get(given["client_id"], ()):
            self._send(400)
            return
        code = f"code-{len(self.it.asked)}"
        self.it.codes[code] = given
        told = {"code": code, "state": given["state"], "iss": self.it.url, **self.it.back}
        self._send(302, location=f"{given['redirect_uri']}?{urlencode(told)}")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/mcp":
            self._mcp(json.loads(body))
            return
        if self.path == "/register":
            wanted = json.loads(body)
            name = f"client-{len(self.it.clients)}"
            self.it.clients[name] = wanted["redirect_uris"]
            self.it.asked.append(("POST", self.path, {"client": name}))
            self._send(201, {**wanted, "client_id": name, "token_endpoint_auth_method": "none"})
            return
        given = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        sent = {"authorization": self.headers.get("authorization", "")}
        self.it.asked.append(("POST", self.path, {**given, **sent}))
        if self.it.odd is not None:
            self._send(*self.it.odd)
            return
        told = self.it.redeemed(given)
        meanwhile, self.it.meanwhile = self.it.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        if told is None:
            self._send(400, {"error": "invalid_grant", "error_description": json.dumps(given)})
        else:
            self._send(200, told)

    def do_DELETE(self) -> None:
        self._send(200)

    def _mcp(self, message: dict[str, Any]) -> None:
        method, number = message.get("method"), message.get("id")
        token = self.headers.get("authorization", "").removeprefix("Bearer ")
        self.it.asked.append(("POST", "/mcp", {"method": str(method), "token": token}))
        at = f'resource_metadata="{self.it.url}/.well-known/oauth-protected-resource/mcp"'
        if token not in self.it.good:
            self._send(self.it.lets_in, **{"www-authenticate": f"Bearer {at}"})
        elif method == "tools/call" and self.it.scope not in self.it.allowed[token]:
            scanty = f'Bearer error="insufficient_scope", scope="{self.it.scope}", {at}'
            self._send(403, **{"www-authenticate": scanty})
        elif number is None:
            self._send(202)
        elif not self.it.starts.wait(30):
            self._send(503)
        else:
            self._send(200, {"jsonrpc": "2.0", "id": number, **_said(str(method), message)})

    def _send(self, status: int, said: dict[str, Any] | None = None, **headers: str) -> None:
        body = b"" if said is None else json.dumps(said).encode()
        self.close_connection = True
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _said(method: str, message: dict[str, Any]) -> dict[str, Any]:
    match method:
        case "initialize":
            version = message["params"]["protocolVersion"]
            about = {"name": "locked", "version": "1"}
            told = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
            return {"result": told}
        case "tools/list":
            return {"result": {"tools": [_TOOL]}}
        case "tools/call":
            return {"result": {"content": [{"type": "text", "text": "it ran"}]}}
        case _:
            return {"error": {"code": -32601, "message": "no"}}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Whoever left did so."""


@contextmanager
def authority() -> Iterator[Authority]:
    """Serves for as long as somebody is within."""
    it = Authority()
    it.starts.set()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"it": it}))
    it.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield it
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
