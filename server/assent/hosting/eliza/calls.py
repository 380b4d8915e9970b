"""Eliza's tool calls: each is reported, asked for, and done only if it is allowed."""

import threading
from collections.abc import Callable
from typing import Any

from assent.hosting.eliza.actions import Done
from assent.hosting.eliza.speech import Mouth
from assent.hosting.eliza.wire import Wire, new_id, reason_in

__all__ = ["Act", "Calls"]

_OPTIONS = [
    {"optionId": "allow_once", "name": "Allow", "kind": "allow_once"},
    {"optionId": "allow_always", "name": "Always allow this", "kind": "allow_always"},
    {"optionId": "reject_once", "name": "Reject", "kind": "reject_once"},
    {"optionId": "reject_always", "name": "Always reject this", "kind": "reject_always"},
]

Act = Callable[[Callable[[str], None]], Done]
"""Does something; is given what shows its output so far."""


class Calls:
    """Those of one session."""

    def __init__(self, wire: Wire, session: str, cancelled: threading.Event) -> None:
        self._wire, self._session, self._cancelled = wire, session, cancelled
        self.mouth = Mouth(self._tell, cancelled)

    def call(self, *, title: str, kind: str, raw: dict[str, Any], act: Act, **more: Any) -> None:
        """Ask for a call; do it, or say that it was not done."""
        call = self.begin(title, kind, raw, "pending", more)
        if self._cancelled.is_set():
            return
        answer = self._wire.ask(
            "session/request_permission",
            {"sessionId": self._session, "toolCall": call, "options": _OPTIONS},
            self._session,
        )
        reported = answer.get("outcome")
        outcome = reported if isinstance(reported, dict) else {}
        if outcome.get("outcome") != "selected":
            self._cancelled.set()
        elif outcome.get("optionId") in {"allow_once", "allow_always"}:
            self._update(call["toolCallId"], status="in_progress")
            self.do(call, act)
        else:
            self._update(call["toolCallId"], status="failed")
            self.mouth.say(f"I was not allowed to do “{title}”, so I did not.{reason_in(answer)}")

    def begin(
        self, title: str, kind: str, raw: dict[str, Any], status: str, more: dict[str, Any]
    ) -> dict[str, Any]:
        """Tell of a call."""
        call = {
            "toolCallId": f"call-{new_id()}",
            "title": title,
            "kind": kind,
            "status": status,
            "rawInput": raw,
            **more,
        }
        self._tell({"sessionUpdate": "tool_call", **call})
        return call

    def do(self, call: dict[str, Any], act: Act) -> None:
        """Do it, and tell how it goes and ends."""
        tool_id = call["toolCallId"]

        def show(output: str) -> None:
            self._update(tool_id, status="in_progress", content=_as_content(output))

        well, output = act(show)
        status = "completed" if well and not self._cancelled.is_set() else "failed"
        self._update(tool_id, status=status, content=_as_content(output))
        if not self._cancelled.is_set():
            self.mouth.say("That is done." if well else f"That did not go well. {output[-300:]}")

    def together(self, *parts: Callable[[], None]) -> None:
        """Do several things side by side."""
        threads = [threading.Thread(target=part, daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _update(self, tool_id: str, **members: Any) -> None:
        self._tell({"sessionUpdate": "tool_call_update", "toolCallId": tool_id, **members})

    def _tell(self, update: dict[str, Any]) -> None:
        self._wire.tell("session/update", {"sessionId": self._session, "update": update})


def _as_content(output: str) -> list[dict[str, Any]]:
    return [{"type": "content", "content": {"type": "text", "text": output}}] if output else []
