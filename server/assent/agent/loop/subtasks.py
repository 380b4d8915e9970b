"""Runs a subtask: the loop once more, inside a call of the agent that asked for it.

It has a conversation of its own and shares all else: the chat and its mode, the gate, the grants,
the shells, and how far the turn may go. What it says is the call's output; it ends with the call.
"""

from collections.abc import Callable
from typing import Final

from assent.agent.loop.chat import Flight, Turn
from assent.agent.loop.conversation import Conversation
from assent.agent.loop.loop import STOPPED, Ending, work_on
from assent.agent.loop.ports import Printed, Work
from assent.agent.loop.retry_delays import RetryDelays
from assent.agent.loop.setup import MAX_SUBTASK_DEPTH
from assent.agent.loop.speech import Voice
from assent.agent.tools.tool import Done
from assent.gate.call.lifecycle import State
from assent.gate.text.lines import one_line
from assent.gate.values import evolve

__all__ = ["work_on_part"]

_MAX_SUBTASKS_AT_ONCE: Final = 8
"""So many parts of one chat's work are worked on at once."""

_GO_ON: Final = (
    "The person is asked whether to go on. If they say so, a part of the same name goes on from"
    " where this one was stopped, and knows what it knew."
)
_MAX_NAME_LETTERS: Final = 60

_TOO_DEEP: Final = (
    f"It was not begun: parts of the work lie {MAX_SUBTASK_DEPTH} deep in each other at most."
    " Do it yourself."
)
_TOO_MANY: Final = (
    f"It was not begun: {_MAX_SUBTASKS_AT_ONCE} parts are worked on already. Wait for one of them."
)


async def work_on_part(
    work: Work, flight: Flight, name: str, prompt: str, printed: Printed
) -> Done:
    """Work on a part to its end; its last words are what came of it."""
    if work.turn.depth >= MAX_SUBTASK_DEPTH:
        return Done(text=_TOO_DEEP, failed=True)
    if len(work.chat.turns) > _MAX_SUBTASKS_AT_ONCE:
        return Done(text=_TOO_MANY, failed=True)
    named = _named(work.turn.part, name)
    turn = Turn(
        conversation=work.chat.resumable.pop(named, Conversation()),
        voice=Voice(_printing(printed)),
        budget=work.turn.budget.share(named),
        patience=RetryDelays(chance=work.ports.setup.chance),
        part=named,
        depth=work.turn.depth + 1,
        within=(work.turn, flight),
    )
    turn.conversation.say(prompt)
    with work.chat.working(turn, flight.id):
        ending = await work_on(evolve(work, turn=turn))
    words = turn.conversation.last_words
    if ending.reason == "done":
        return Done(text=words or ending.because)
    hint = _keep(work, turn, ending) if ending.reason == "limit" else ""
    state = State.KILLED if ending is STOPPED else None
    because = f"It did not come to its end. {ending.because}"
    text = "\n\n".join(filter(None, (because, hint, words)))
    return Done(text=text, failed=True, shown=ending.because, state=state)


def _keep(work: Work, turn: Turn, ending: Ending) -> str:
    """Keep a part that used all that it may: the person is asked whether it goes on."""
    budget = turn.budget.used_up
    if budget is None or not budget.part:
        return ""
    work.turn.stopped_part = ending.because
    work.chat.stopped[turn.part] = turn.conversation
    return _GO_ON


def _named(outer: str, name: str) -> str:
    """The part as a card names it, within those that it is a part of."""
    short = one_line(name, _MAX_NAME_LETTERS).strip() or "a part"
    return f"{outer} › {short}" if outer else short


def _printing(printed: Printed) -> Callable[[str, str, str], None]:
    """Print what the part says, each message in a paragraph; what it thinks stays with it."""
    before = ""

    def print_text(who: str, message: str, text: str) -> None:
        nonlocal before
        if who == "agent":
            gap = "\n\n" if before not in {"", message} else ""
            before = message
            printed(gap + text)

    return print_text
