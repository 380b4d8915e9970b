"""Reports a turn to the person from its beginning to its end, with errors of the model."""

import asyncio
from collections.abc import Awaitable

from assent.agent.loop.chat import Chat
from assent.agent.loop.loop import BROKEN, STOPPED, Ending
from assent.gate.journal.events import Noticed, Tell, TurnBegan, TurnEnded

__all__ = ["report_turn"]


async def report_turn(tell: Tell, chat: Chat, turn: Awaitable[Ending]) -> tuple[str, str]:
    """Do a turn, and tell of it: how it ended, and why."""
    tell(TurnBegan(chat=chat.id))
    ending = BROKEN
    try:
        ending = await turn
        if not ending.is_upkeep:
            chat.has_failed = ending.reason == "error"
        if ending.reason == "error":
            tell(_failed(chat, ending))
    except asyncio.CancelledError:
        ending, chat.has_failed = STOPPED, False
        raise
    finally:
        tell(TurnEnded(chat=chat.id, reason=ending.reason, because=ending.because))
    return ending.reason, ending.because


def _failed(chat: Chat, ending: Ending) -> Noticed:
    """What the person is told of an error, and can do about it."""
    return Noticed(
        chat=chat.id,
        level="error",
        text=ending.because,
        retry=chat.has_failed,
        wants_key=ending.wants_key,
    )
