"""How Eliza speaks: in pieces like a model, one sentence at a time."""

import threading
from collections.abc import Callable
from typing import Any

from assent.hosting.eliza.wire import new_id

__all__ = ["Mouth"]

_PIECE_WORDS = 4
_SHORT_PAUSE_S = 0.01


class Mouth:
    """Calls run side by side; what is said of them would mix if nobody waited for the other."""

    def __init__(self, tell: Callable[[dict[str, Any]], None], cancelled: threading.Event) -> None:
        self._tell = tell
        self._cancelled = cancelled
        self._speaking = threading.Lock()

    def say(self, text: str, pause: float = _SHORT_PAUSE_S) -> None:
        """Say a paragraph, unless the turn is stopped in its middle."""
        with self._speaking:
            message = new_id()
            words = text.split(" ")
            for start in range(0, len(words), _PIECE_WORDS):
                if start and self._cancelled.wait(pause):
                    return
                last = start + _PIECE_WORDS >= len(words)
                piece = " ".join(words[start : start + _PIECE_WORDS]) + ("\n\n" if last else " ")
                self._tell(
                    {
                        "sessionUpdate": "agent_message_chunk",
                        "messageId": message,
                        "content": {"type": "text", "text": piece},
                    }
                )
