"""Waits before a failed model is asked again; the person sees the pause and can end it."""

import asyncio

from assent.agent.loop.ports import Work
from assent.agent.models.provider import ModelFailed
from assent.gate.journal.events import Waiting

__all__ = ["waited"]


async def waited(work: Work, failed: ModelFailed) -> bool:
    """Wait as long as is right, and say whether to ask again."""
    patience = work.turn.patience
    seconds = patience.wait(failed)
    if seconds is None:
        return False
    pause = patience.begin(failed, seconds)
    _tell(work)
    try:
        async with asyncio.timeout(seconds):
            await pause.skipped.wait()
    except TimeoutError:
        pass
    finally:
        patience.end()
        _tell(work)
    return True


def _tell(work: Work) -> None:
    """Tell of the pause that lasts longest among all parts of the chat's work, or of none."""
    pauses = [turn.patience.pause for turn in work.chat.turns.values()]
    longest = max(
        (pause for pause in pauses if pause is not None), key=lambda pause: pause.left, default=None
    )
    waiting = Waiting(
        chat=work.chat.id,
        because=longest.because if longest is not None else "",
        seconds=longest.left if longest is not None else 0.0,
    )
    work.ports.speech.tell(waiting)
