"""A permission request in flight, and what it is compared with on its way through the gate."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import Call, CallId, canonical
from assent.gate.call.lifecycle import State
from assent.gate.passage import Ended
from assent.gate.values import define, field
from assent.hosting.permission.parts import shown_anyway
from assent.hosting.permission.repliers import Replier
from assent.hosting.permission.toolcall import Asking, End, Request

__all__ = [
    "CallInFlight",
    "calls_on_cards",
    "came_of",
    "is_answered_for",
    "is_same_call",
    "kept_from_running",
    "reuse_verdict",
    "words_of",
]

_STATES: Final = {
    End.COMPLETED: State.SUCCEEDED,
    End.FAILED: State.FAILED,
    End.TURN_OVER: State.FAILED,
    End.AGENT_GONE: State.KILLED,
}
_NO_WORD: Final = "The agent's turn ended without a word of how this call ended."


def _future() -> "asyncio.Future[Any]":
    return asyncio.get_running_loop().create_future()


@define(eq=False)
class CallInFlight:
    """One asking, from its beginning to its end."""

    asker: Replier
    request: Request
    task: asyncio.Task[None] | None
    call: Call | None = None
    words: str = ""
    """What its agent last said that it would do."""
    rewordings: int = 0
    is_used: bool = False
    """Whether the one call of a server's tool that it lets run has come."""
    settled: asyncio.Future[Settlement | None] = field(factory=_future)
    """What came of it; nothing where it broke off."""
    over: asyncio.Future[None] = field(factory=_future)


async def is_answered_for(before: CallInFlight, is_same: Callable[[Call], bool]) -> bool:
    """Whether a call that is asked about again is still the one of before, once that was answered.

    `is_same` says so of what the person was shown before.
    """

    def is_before() -> bool:
        call, tool = before.call, before.request.tool
        return call is not None and not tool.ended.done() and is_same(call)

    if not is_before():
        return False
    await asyncio.shield(before.settled)
    # Its agent may have told of it otherwise while the card was open.
    return is_before()


def reuse_verdict(before: CallInFlight, request: Request, asker: Replier) -> None:
    """Answer as the same call was answered where it was asked about before: it is one question."""
    settlement = before.settled.result()
    if settlement is None or before.request.asking is not Asking.ALLOWED:
        request.asking = Asking.REFUSED
        asker.cancel("It was refused where it was asked about before.")
        return
    request.asking = Asking.ALLOWED
    if not (asker.can_allow(settlement) and asker.allow(settlement)):
        asker.cancel("This agent cannot be allowed anything just once.")


def calls_on_cards(gate: Gate) -> set[CallId]:
    """The calls that a person is being asked about."""
    return {ticket.asks.id for ticket in gate.room.tickets if isinstance(ticket.asks, Call)}


def came_of(end: End, output: str) -> Ended:
    """What came of a call that ran, by what its agent told of its end."""
    if end is End.TURN_OVER and not output:
        return Ended(state=State.FAILED, output=_NO_WORD)
    return Ended(state=_STATES[end], output=output)


def kept_from_running(request: Request, because: str, state: State = State.KILLED) -> Ended:
    """What came of a call that was allowed and still did not run."""
    request.asking = Asking.REFUSED
    return Ended(state=state, output=because)


def is_same_call(asked: Call, hooked: Call) -> bool:
    """Whether what an agent asks for is what its hook was handed, the changes included.

    Some name the folder of a command in the one and not in the other.
    """
    if asked.unreadable != hooked.unreadable:
        return False
    if asked.likeness == hooked.likeness:
        return True
    both = (asked, hooked)
    commands = [{**call.input, "cwd": call.cwd} for call in both]
    return commands[0] == commands[1] and all(call.tool == "shell" for call in both)


def words_of(whole: dict[str, Any]) -> str:
    """All that an agent says a call would do, but for the words for a person."""
    try:
        return canonical([whole.get("kind"), whole.get("_meta"), shown_anyway(whole)])
    except RecursionError:
        return ""
