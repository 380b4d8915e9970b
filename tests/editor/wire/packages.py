"""A registry of agents and one of npm on loopback, with a package that is an agent."""

import base64
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from attrs import define, field

__all__ = ["AGENT", "Packages", "packages"]

AGENT: Final = """
const lines = require("node:readline").createInterface({ input: process.stdin });
const line = (message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\\n`;
const send = (message) => process.stdout.write(line(message));
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": () => ({ sessionId: "one" }),
  "session/prompt": () => {
    const content = { type: "text", text: `I am ${process.argv.slice(2).join(" ")}` };
    send({
      method: "session/update",
      params: { sessionId: "one", update: { sessionUpdate: "agent_message_chunk", content } },
    });
    return { stopReason: "end_turn" };
  },
};
lines.on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined && method !== undefined) {
    send({ id, result: (answers[method] ?? (() => null))() });
  }
});
"""
_SCRIPT: Final = "touch ran-at-installation"


@define
class Packages:
    """What the two registries answer."""

    agents: list[dict[str, Any]] = field(factory=list)
    silent: threading.Event = field(factory=threading.Event)
    """Set while nobody is answered who asks for a package."""
    asked: threading.Event = field(factory=threading.Event)
    """Set once somebody asked for a package."""
    address: str = ""
    packed: dict[str, bytes] = field(factory=dict)

    def publish(self, name: str, version: str, agent: str = AGENT, **told: Any) -> None:
        """Publish a package whose only file is an agent."""
        about = {
            "name": name,
            "version": version,
            "bin": {name: "agent.js"},
            "scripts": {"install": _SCRIPT, "postinstall": _SCRIPT},
            **told,
        }
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w:gz") as tar:
            for path, text in (("package.json", json.dumps(about)), ("agent.js", agent)):
                info = tarfile.TarInfo(f"package/{path}")
                info.size, info.mode = len(text.encode()), 0o755
                tar.addfile(info, io.BytesIO(text.encode()))
        tarball = data.getvalue()
        self.packed[f"/{name}/-/{name}-{version}.tgz"] = tarball
        sum_ = base64.b64encode(hashlib.sha512(tarball).digest()).decode()
        dist = {
            "tarball": f"{self.address}/{name}/-/{name}-{version}.tgz",
            "integrity": f"sha512-{sum_}",
        }
        known = json.loads(self.packed.get(f"/{name}", b"{}")) or {"name": name, "versions": {}}
        known["versions"][version] = {**about, "dist": dist}
        known["dist-tags"] = {"latest": version}
        self.packed[f"/{name}"] = json.dumps(known).encode()

    def offer(self, package_name: str, version: str, **told: Any) -> None:
        """List an agent."""
        package = {"package": f"{package_name}@{version}", "args": ["--acp", "now"]}
        entry = {
            "id": package_name,
            "name": package_name.title(),
            "version": version,
            "description": "Talks.",
        }
        self.agents.append({**entry, "distribution": {"npx": package}, **told})


@contextmanager
def packages() -> Iterator[Packages]:
    """Serve both, until it is over."""
    held = Packages()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/registry.json":
                self._answer(json.dumps({"version": "1.0.0", "agents": held.agents}).encode())
                return
            held.asked.set()
            if held.silent.is_set():
                return
            self._answer(held.packed.get(self.path))

        def _answer(self, body: bytes | None) -> None:
            self.send_response(404 if body is None else 200)
            self.send_header("content-length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        held.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield held
        finally:
            server.shutdown()
            thread.join()
