"""Eliza as an agent: speaks the Agent Client Protocol over standard input and output.

The end of the input ends Eliza and all that she runs, at once: nothing is done for somebody who
is gone.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from assent import __version__
from assent.hosting.eliza.turn import Session
from assent.hosting.eliza.wire import Wire

__all__ = ["main"]

_VERSION = 1
_METHOD_NOT_FOUND = -32601
_INVALID_PARAMS = -32602
_PARSE_ERROR = -32700


def main() -> None:
    """Speak until the input ends."""
    agent = _Agent(Wire(sys.stdout.buffer))
    signal.signal(signal.SIGTERM, lambda *_: agent.leave())
    for line in sys.stdin.buffer:
        if line.strip():
            agent.hear(line)
    agent.leave()


class _Agent:
    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._sessions: dict[str, Session] = {}
        self._prompts: dict[object, Session] = {}
        self._requests: dict[str, Callable[[object, dict[str, Any]], None]] = {
            "initialize": self._initialize,
            "session/new": self._open,
            "session/prompt": self._prompt,
            "session/close": self._close,
        }

    def hear(self, line: bytes) -> None:
        """Take in one message."""
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            self._wire.refuse(None, _PARSE_ERROR, "this line is no message")
            return
        method, request_id = message.get("method"), message.get("id")
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if method is None:
            self._wire.take_answer(message)
        elif request_id is None:
            self._take_notification(str(method), params)
        elif method in self._requests:
            self._requests[method](request_id, params)
        else:
            self._wire.refuse(request_id, _METHOD_NOT_FOUND, f"{method} is not known")

    def leave(self) -> None:
        """End all that runs, and then ourselves, without waiting for anything."""
        for session in self._sessions.values():
            session.end()
        os._exit(0)

    def _take_notification(self, method: str, params: dict[str, Any]) -> None:
        session = None
        if method == "session/cancel":
            session = self._sessions.get(str(params.get("sessionId")))
        elif method == "$/cancel_request":
            session = self._prompts.get(params.get("requestId"))
        if session is not None and session.busy.locked():
            session.cancel()

    def _initialize(self, request_id: object, _: dict[str, Any]) -> None:
        self._wire.answer(
            request_id,
            {
                "protocolVersion": _VERSION,
                "agentInfo": {"name": "eliza", "title": "Eliza", "version": __version__},
                "agentCapabilities": {
                    "loadSession": False,
                    "sessionCapabilities": {"close": {}},
                    "_meta": {"assent": {"because": True}},
                },
                "authMethods": [],
            },
        )

    def _open(self, request_id: object, params: dict[str, Any]) -> None:
        cwd = params.get("cwd")
        if not isinstance(cwd, str) or not cwd.startswith("/"):
            self._wire.refuse(request_id, _INVALID_PARAMS, "`cwd` must be an absolute path")
            return
        session = Session(self._wire, cwd)
        self._sessions[session.id] = session
        self._wire.answer(request_id, {"sessionId": session.id})

    def _close(self, request_id: object, params: dict[str, Any]) -> None:
        session = self._sessions.pop(str(params.get("sessionId")), None)
        if session is not None:
            session.cancel()
        self._wire.answer(request_id, {})

    def _prompt(self, request_id: object, params: dict[str, Any]) -> None:
        session = self._sessions.get(str(params.get("sessionId")))
        if session is None:
            self._wire.refuse(request_id, _INVALID_PARAMS, "there is no such session")
            return
        if not session.busy.acquire(blocking=False):
            self._wire.refuse(request_id, _INVALID_PARAMS, "a turn is under way in this session")
            return
        session.begin()
        self._prompts[request_id] = session
        text = _text_in(params.get("prompt"))
        threading.Thread(target=self._turn, args=(request_id, session, text), daemon=True).start()

    def _turn(self, request_id: object, session: Session, text: str) -> None:
        try:
            reason = session.take(text)
        finally:
            self._prompts.pop(request_id, None)
            session.busy.release()
        self._wire.answer(request_id, {"stopReason": reason})


def _text_in(prompt: object) -> str:
    blocks = prompt if isinstance(prompt, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return " ".join(text for text in texts if isinstance(text, str))
