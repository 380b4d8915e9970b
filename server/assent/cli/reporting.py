"""Reports a run without an editor: as words for people, or each message as a line of JSON."""

import json
import sys
from collections.abc import Mapping
from typing import Any, Final, TextIO

from assent.gate.values import define, field

__all__ = ["Report", "joined"]

_REFUSED: Final = "refused"
_MARKS: Final = {"running": "…", "succeeded": "✓", "failed": "✗", "killed": "✗", _REFUSED: "⃠"}


@define(eq=False)
class Report:
    """Tells as it goes, and counts what was refused."""

    as_json: bool = False
    _out: TextIO = field(factory=lambda: sys.stdout)
    _beside: TextIO = field(factory=lambda: sys.stderr)
    _refused: dict[str, str] = field(factory=dict)
    """Why, by call."""
    _states: dict[str, str] = field(factory=dict)
    _said: str = ""
    """The message that is being said."""

    @property
    def denied(self) -> int:
        """How many calls were refused."""
        return len(self._refused)

    def hear(self, method: str, body: bytes) -> None:
        """Take in one message of the house."""
        message = json.loads(body)
        if self.as_json:
            self._line({"type": method, **message})
        event = message.get("event") if method == "agent/event" else None
        if isinstance(event, dict):
            self._take(event)

    def notice(self, sentence: str) -> None:
        """Tell something that belongs to no message."""
        self._write(self._beside, f"assent: {_plain(sentence)}\n")

    def end(self, reason: str, because: str, code: int) -> None:
        """Tell how it ended."""
        if self.as_json:
            ended = {"reason": reason, "because": because, "denied": self.denied, "exit": code}
            self._line({"type": "end", **ended})
            return
        if self._said:
            self._write(self._out, "\n")
        if because:
            self.notice(because)
        if self.denied:
            calls = "1 call was" if self.denied == 1 else f"{self.denied} calls were"
            self.notice(f"{calls} denied.")

    def _take(self, event: Mapping[str, Any]) -> None:
        match event.get("kind"):
            case "said" if event["who"] == "agent":
                self._say(event["messageId"], event["append"])
            case "call":
                self._take_call(event["call"])
            # An error that ended the turn is told with its end, and once.
            case "notice" if (event["notice"]["offer"] or {}).get("kind") != "retry":
                self._tell(str(event["notice"]["text"]))
            case "waiting" if event["waiting"] is not None:
                self._tell(f"{event['waiting']['because']} It is asked again.")
            case _:
                pass

    def _take_call(self, call: Mapping[str, Any]) -> None:
        id, state = call["callId"], call["state"]  # noqa: A001 -- its name
        if state == self._states.get(id):
            return
        self._states[id] = state
        if state == _REFUSED:
            self._refused[id] = call["because"]
            self._tell(f"Denied: {joined(call['title'])}. {call['because']}")
        elif state in _MARKS:
            self._tell(f"{_MARKS[state]} {joined(call['title'])}")

    def _say(self, message: str, text: str) -> None:
        if self.as_json:
            return
        if self._said and message != self._said:
            self._write(self._out, "\n\n")
        self._said = message
        self._write(self._out, _plain(text))

    def _tell(self, sentence: str) -> None:
        if not self.as_json:
            self.notice(sentence)

    def _line(self, message: Mapping[str, Any]) -> None:
        self._write(self._out, json.dumps(message) + "\n")

    def _write(self, stream: TextIO, text: str) -> None:
        """What nobody reads any more is not said; the work goes on."""
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            pass


def joined(spans: list[Mapping[str, Any]]) -> str:
    """Spans as they came over the wire, as one text; what would not be seen is spelled out."""
    return "".join(span.get("shown") or span["text"] for span in spans)


def _plain(text: str) -> str:
    """A text of which no letter acts on the terminal."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )
