"""The data types of a call's way through the gate, and who else takes part.

All are values and shapes; the gate alone leads a call through.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Outcome, Settlement, Ticket, TicketId
from assent.gate.call.calls import Call
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Deed, Ruling
from assent.gate.journal import records
from assent.gate.journal.journal import Entry
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord
from assent.gate.values import define, evolve, frozen

__all__ = [
    "NO_HOOKS",
    "UNRUN",
    "Ended",
    "Hooks",
    "Passage",
    "PendingCall",
    "Remake",
    "Run",
    "after",
    "as_it_is",
    "decided",
    "is_about",
    "remade",
]


@frozen(kw_only=True)
class Ended:
    """What came of a call that ran."""

    state: State
    output: str = ""


@frozen(kw_only=True)
class Passage:
    """How a call went through the corridor; `ended` is None where it did not run."""

    settlement: Settlement
    ended: Ended | None = None
    remark: str = ""
    """What a hook has to say to the agent about a call that ran."""


Remake = Callable[[dict[str, Any]], Call]
"""The same call with another input, aimed anew, or `CallUnreadable`."""


@define(kw_only=True)
class PendingCall:
    """A call that waits for its decision: its current form, its hooks' answers, its ticket."""

    call: Call
    heard: Call
    """As the hooks have heard it."""
    word: HookWord = SILENCE
    """What they said of it."""
    remake: Remake | None
    ticket: Ticket | None = None
    digest: str = ""
    """Of what is ruled on; there is none until hooks were heard."""
    changed: str = ""
    """What was found changed when it was to be decided, as a sentence."""
    deeds: tuple[Deed, ...] = ()
    """What it does, as it was ruled on last."""
    rounds: int = 0
    """How often it met a change."""
    stopped: Settlement | None = None
    """What is said of it since its chat was stopped."""
    final: Settlement | None = None
    """What is said of it for good, where nothing comes of it: its row is on its way to the disk.

    An answer is not said for good before somebody has it.
    """

    def broken_off(self, error: BaseException) -> Settlement:
        """How it ends where its way breaks off; what is being written of it stays true."""
        if not isinstance(error, asyncio.CancelledError):
            return endings.failed(error)
        return self.final or endings.interrupted()

    def restart(self, call: Call, changed: str) -> None:
        """The call changed: it is ruled on again as this one."""
        self.call, self.digest, self.changed = call, call.digest, changed
        self.rounds += 1

    def replace_call(self, call: Call) -> None:
        """Put the call with its screenshot in its place, which hooks need not hear again."""
        self.heard = call if self.heard is self.call else self.heard
        self.call = call


UNRUN: Final = {
    Outcome.REFUSED: State.REFUSED,
    Outcome.WITHDRAWN: State.REFUSED,
    Outcome.ANSWERED: State.ANSWERED,
}
"""Where a call ends that does not run."""

Run = Callable[[Call, Settlement], Awaitable[Ended]]
"""Carries a call out, once: the one that was judged. The settlement tells by which answer."""


class Hooks(Protocol):
    """What the person runs around each call."""

    async def before(self, call: Call) -> HookWord:
        """What they say of a call that is about to be judged. Never raises."""
        ...

    async def after(self, call: Call, ended: Ended) -> str:
        """What they have to say to the agent about a call that ran. Never raises."""
        ...


class _NoHooks:
    async def before(self, call: Call) -> HookWord:
        return SILENCE

    async def after(self, call: Call, ended: Ended) -> str:
        return ""


NO_HOOKS: Final[Hooks] = _NoHooks()


async def as_it_is(call: Call) -> Call:
    """Nothing more is to be seen of it."""
    return call


def is_about(ticket: Ticket, call: Call) -> bool:
    """Whether a question is about this call."""
    asks = ticket.asks
    return isinstance(asks, Call) and (asks.chat, asks.id) == (call.chat, call.id)


def after(changed: str, ruling: Ruling) -> Ruling:
    """A ruling on what met a change, which is said first."""
    return evolve(ruling, because=f"{changed} {ruling.because}") if changed else ruling


def remade(remake: Remake | None, given: dict[str, Any]) -> Call:
    """The call with another input; raise where its agent would not carry that out."""
    if remake is None:
        raise CallUnreadable("Its agent takes no input from elsewhere.")
    return remake(given)


def decided(call: Call, settlement: Settlement, ticket: TicketId | None) -> Entry:
    """The row of a decision."""
    return records.decided(
        call,
        ticket,
        outcome=settlement.outcome,
        by=settlement.by,
        because=settlement.because,
        option=settlement.option.kind if settlement.option else None,
        rule=settlement.rule,
        source=settlement.source,
        shown_ms=settlement.shown_ms,
        chosen=settlement.chosen,
        deeds=settlement.deeds,
    )
