"""Notices when the agent repeats the same call, as a confused model does."""

from typing import Final

from assent.gate.call.calls import Call, Effect
from assent.gate.values import define

__all__ = ["Repeats"]

_MAX_REPEATS: Final = 3


@define
class Repeats:
    """The calls of one turn, in order."""

    _last: str = ""
    _times: int = 0

    def caution(self, call: Call) -> str:
        """Why a person should see this call; nothing where it is no repetition.

        To look after a shell again and again is how one waits for it, and touches nothing.
        """
        likeness = "" if call.effect is Effect.CHAT else call.likeness
        self._times = self._times + 1 if likeness == self._last else 1
        self._last = likeness
        if not likeness or self._times < _MAX_REPEATS:
            return ""
        if self._times == _MAX_REPEATS:
            return "The agent makes this same call for the third time in a row."
        return f"The agent has made this same call {self._times - 1} times in a row."
