"""Passes on what the agent says and thinks, message by message."""

from collections.abc import Callable
from uuid import uuid4

from assent.gate.values import define

__all__ = ["Voice"]


@define
class Voice:
    """Speaks in messages: a new one wherever somebody else begins, and after each pause."""

    _speak: Callable[[str, str, str], None]
    """Takes who it is, `agent` or `thought`, the message's id, and more of its text."""
    _who: str = ""
    _message: str = ""

    def say(self, who: str, text: str) -> None:
        """More of what is said or thought."""
        if not text:
            return
        if who != self._who:
            self._who, self._message = who, str(uuid4())
        self._speak(who, self._message, text)

    def pause(self) -> None:
        """What comes next is a message of its own."""
        self._who = ""
