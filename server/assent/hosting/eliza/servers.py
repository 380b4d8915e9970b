"""Eliza's client of tool servers: the Model Context Protocol over a process for one call.

She knows the servers that the person wrote into `ELIZA_SERVERS` of her environment, a JSON object
of names with `command`, `args` and `env`, and one that comes with her, `toolbox`.
"""

import json
import os
import shlex
import sys
import threading
from typing import Any

from assent.hosting.eliza.actions import Done, Processes

__all__ = ["Servers"]

_VERSION = "2025-06-18"
_ANSWER_TIMEOUT_S = 30.0
_MAX_LINE_BYTES = 4 * 1024 * 1024
"""In bytes: a line that is longer says nothing."""
_MAX_LINES = 10_000
_MAX_TOOLS = 100
_MAX_SHOWN_LETTERS = 64 * 1024

_TOOLBOX: dict[str, Any] = {
    "command": sys.executable,
    "args": ["-P", "-m", "assent.hosting.eliza.toolbox"],
    "env": {"PYTHONPATH": os.environ.get("PYTHONPATH", "")},
}


class _Broken(Exception):
    """What went wrong with a server, in a sentence."""


class Servers:
    """Those that she may start; each is started anew, and is gone when its use is over."""

    def __init__(self, processes: Processes, cwd: str) -> None:
        self._processes = processes
        self._cwd = cwd
        self._known = {"toolbox": _TOOLBOX, **_written()}

    @property
    def names(self) -> list[str]:
        """What they are called."""
        return sorted(self._known)

    def line(self, server: str) -> str | None:
        """The command line that starts one; None where there is none of that name."""
        known = self._known.get(server)
        return None if known is None else shlex.join([known["command"], *known["args"]])

    def tools(self, server: str) -> Done:
        """The tools of a server, with what it says of them."""
        well, answer = self._use(server, "tools/list", {})
        if not well:
            return False, str(answer)
        tools = answer.get("tools") if isinstance(answer, dict) else None
        entries = (
            [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
        )
        lines = (
            f"{entry.get('name')}: {entry.get('description') or 'no word'}" for entry in entries
        )
        return True, "\n".join([*lines][:_MAX_TOOLS])[:_MAX_SHOWN_LETTERS] or "It has no tools."

    def run(self, server: str, tool: str, arguments: dict[str, Any]) -> Done:
        """Use a tool; what came of it."""
        well, answer = self._use(server, "tools/call", {"name": tool, "arguments": arguments})
        if not well or not isinstance(answer, dict):
            return False, str(answer)
        return answer.get("isError") is not True, _text_of(answer)

    def _use(self, server: str, method: str, params: dict[str, Any]) -> tuple[bool, Any]:
        """Start a server, ask it one thing, and end it."""
        known = self._known[server]
        words = [known["command"], *known["args"]]
        try:
            process = self._processes.piped(words, self._cwd, known["env"])
        except OSError as error:
            return False, f"{server} could not be started: {error.strerror}."
        if process is None:
            return False, "It was stopped before it began."
        # Whatever it does, it does not hold her up for ever.
        late = threading.Timer(_ANSWER_TIMEOUT_S, self._processes.end_one, (process,))
        late.start()
        try:
            return True, _Conversation(server, process).ask(method, params)
        except _Broken as error:
            return False, str(error)
        except OSError:
            return False, f"{server} ended without an answer."
        finally:
            late.cancel()
            self._processes.end_one(process)


class _Conversation:
    def __init__(self, server: str, process: Any) -> None:
        self._server, self._process, self._last = server, process, 0

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Introduce ourselves, and ask one thing."""
        who = {"name": "eliza", "version": "1"}
        hello = {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": who}
        self._request("initialize", hello)
        self._send({"method": "notifications/initialized"})
        return self._request(method, params)

    def _request(self, method: str, params: dict[str, Any]) -> Any:
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        for _ in range(_MAX_LINES):
            line = self._process.stdout.readline(_MAX_LINE_BYTES)
            if not line:
                raise _Broken(f"{self._server} ended without an answer.")
            message = _message_in(line)
            if message.get("id") == self._last and "method" not in message:
                return self._result(message)
        raise _Broken(f"{self._server} said much, and never answered.")

    def _result(self, message: dict[str, Any]) -> Any:
        error = message.get("error")
        if isinstance(error, dict):
            raise _Broken(f"{self._server} refused: {str(error.get('message'))[:1000]}")
        return message.get("result")

    def _send(self, body: dict[str, Any]) -> None:
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **body}).encode() + b"\n")
        self._process.stdin.flush()


def _message_in(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _text_of(result: dict[str, Any]) -> str:
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [
        str(block["text"]) if isinstance(block.get("text"), str) else f"[{block.get('type')}]"
        for block in blocks
        if isinstance(block, dict)
    ]
    return "\n".join(texts)[:_MAX_SHOWN_LETTERS]


def _written() -> dict[str, dict[str, Any]]:
    """The servers that the person wrote down, as far as that can be read."""
    try:
        servers = json.loads(os.environ.get("ELIZA_SERVERS") or "{}")
    except ValueError:
        return {}
    entries = servers.items() if isinstance(servers, dict) else ()
    return {name: entry for name, given in entries if (entry := _entry(given)) is not None}


def _entry(given: object) -> dict[str, Any] | None:
    if not isinstance(given, dict) or not isinstance(given.get("command"), str):
        return None
    args, env = given.get("args", []), given.get("env", {})
    if not isinstance(args, list) or not isinstance(env, dict):
        return None
    variables = {str(name): str(value) for name, value in env.items()}
    return {"command": given["command"], "args": [str(arg) for arg in args], "env": variables}
