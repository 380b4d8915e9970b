"""Passes on events, and joins small pieces of speech and output into larger ones.

At most so many times a second and chat; no text is lost, and none overtakes anything else that
happens in its chat. Of what is told whole each time, such as a plan, the last counts.
"""

import asyncio
from typing import Final

from assent.gate.call.calls import ChatId
from assent.gate.journal.agent_events import AgentTitled, CommandsTold, Drafted, OptionsTold
from assent.gate.journal.events import (
    AgentMoved,
    CallMoved,
    CallPrinted,
    Happening,
    PlanMade,
    Said,
    Tell,
    Used,
)
from assent.gate.values import define, evolve, field

__all__ = ["Speech"]

_PAUSE_S: Final = 1 / 30
"""Seconds between two pieces of speech in one chat."""

_State = AgentTitled | CommandsTold | Drafted | OptionsTold | PlanMade | Used
"""What is told whole each time, so that only the last of it counts."""


@define
class _Held:
    """What was said in one chat and not yet told."""

    pieces: list[Said | CallPrinted] = field(factory=list)
    states: dict[type[_State], _State] = field(factory=dict)
    timer: asyncio.TimerHandle | None = None


@define
class Speech:
    """Stands between whoever happens and whoever is told."""

    _tell: Tell
    _pause: float = _PAUSE_S
    _chats: dict[ChatId, _Held] = field(factory=dict)

    def tell(self, happening: Happening) -> None:
        """Tell it now, or soon where it is speech."""
        if isinstance(happening, Said | CallPrinted | _State):
            self._hold(happening)
            return
        chat = _chat_of(happening)
        if chat is not None:
            self.flush(chat)
        self._tell(happening)

    def flush(self, chat: ChatId) -> None:
        """Tell at once what is held back of a chat."""
        held = self._chats.get(chat)
        if held is None:
            return
        pieces, held.pieces = held.pieces, []
        states, held.states = held.states, {}
        for piece in (*pieces, *states.values()):
            self._tell(piece)

    def forget(self, chat: ChatId) -> None:
        """Tell what is left of a chat, and keep nothing of it."""
        self.flush(chat)
        held = self._chats.pop(chat, None)
        if held is not None and held.timer is not None:
            held.timer.cancel()

    def _hold(self, piece: Said | CallPrinted | _State) -> None:
        held = self._chats.setdefault(piece.chat, _Held())
        last = held.pieces[-1] if held.pieces else None
        if isinstance(piece, _State):
            held.states[type(piece)] = piece
        elif last is not None and _goes_on(last, piece):
            held.pieces[-1] = evolve(last, text=last.text + piece.text)
        else:
            held.pieces.append(piece)
        if held.timer is None:
            # The first piece after a pause goes out at once; those behind it wait for each other.
            self.flush(piece.chat)
            self._pause_after(held, piece.chat)

    def _pause_after(self, held: _Held, chat: ChatId) -> None:
        held.timer = asyncio.get_running_loop().call_later(self._pause, self._ring, chat)

    def _ring(self, chat: ChatId) -> None:
        held = self._chats.get(chat)
        if held is None:
            return
        held.timer = None
        if held.pieces or held.states:
            self.flush(chat)
            self._pause_after(held, chat)


def _goes_on(last: Said | CallPrinted, piece: Said | CallPrinted) -> bool:
    """Whether two pieces of one chat are of the same message, or of the same call's output."""
    return evolve(last, text="") == evolve(piece, text="")


def _chat_of(happening: Happening) -> ChatId | None:
    match happening:
        case AgentMoved():
            return None
        case CallMoved():
            return happening.call.chat
        case _:
            return happening.chat
