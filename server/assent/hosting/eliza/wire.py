"""Eliza's end of the connection: JSON-RPC, one message per line, over two descriptors.

Threads ask and wait; the one that reads answers them. A question whose session is cancelled is
answered here with a cancellation at once, whether or not the other side answers it too.
"""

import json
import os
import threading
from typing import Any, BinaryIO

__all__ = ["Wire", "new_id", "reason_in"]


def new_id() -> str:
    """A random UUID; the module `uuid` is slow to load."""
    number = bytearray(os.urandom(16))
    number[6], number[8] = number[6] & 0x0F | 0x40, number[8] & 0x3F | 0x80
    digits = number.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


class _Question:
    def __init__(self, session: str) -> None:
        self.session = session
        self.answered = threading.Event()
        self.answer: dict[str, Any] = {}


class Wire:
    """Writes messages, and keeps the questions that wait for an answer."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._last_id = 0
        self._questions: dict[int, _Question] = {}
        self._cancelled: set[str] = set()

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def answer(self, request_id: object, result: object) -> None:
        """Answer a request."""
        self._send({"id": request_id, "result": result})

    def refuse(self, request_id: object, code: int, message: str) -> None:
        """Answer a request with an error."""
        self._send({"id": request_id, "error": {"code": code, "message": message}})

    def ask(self, method: str, params: dict[str, Any], session: str) -> dict[str, Any]:
        """Ask and wait; an error comes back as a cancellation, since nothing was allowed."""
        question = _Question(session)
        with self._lock:
            if session in self._cancelled:
                return _CANCELLED
            self._last_id += 1
            request_id = self._last_id
            self._questions[request_id] = question
        self._send({"id": request_id, "method": method, "params": params})
        question.answered.wait()
        return question.answer

    def take_answer(self, message: dict[str, Any]) -> None:
        """An answer came: wake whoever asked."""
        with self._lock:
            question = self._questions.pop(message.get("id", -1), None)
        if question is None:
            return
        result = message.get("result")
        question.answer = result if isinstance(result, dict) else _CANCELLED
        question.answered.set()

    def cancel(self, session: str) -> None:
        """End all questions of a session, and let it ask none until it is reopened."""
        with self._lock:
            self._cancelled.add(session)
            ended = [
                number
                for number, question in self._questions.items()
                if question.session == session
            ]
            questions = [self._questions.pop(number) for number in ended]
        for question in questions:
            question.answer = _CANCELLED
            question.answered.set()

    def reopen(self, session: str) -> None:
        """The session may ask again."""
        with self._lock:
            self._cancelled.discard(session)

    def _send(self, body: dict[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **body}, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._out.write(line)
                self._out.flush()
            except OSError:
                # Nobody listens any more: there is nothing left that may be done.
                os._exit(1)


_CANCELLED: dict[str, Any] = {"outcome": {"outcome": "cancelled"}}


def reason_in(answer: dict[str, Any]) -> str:
    """The reason for a refusal, where one came with it."""
    meta = answer.get("_meta")
    ours = meta.get("assent") if isinstance(meta, dict) else None
    because = ours.get("because") if isinstance(ours, dict) else None
    return f" The reason: {because}" if isinstance(because, str) and because else ""
