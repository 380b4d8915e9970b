"""A call's way through the gate: who carries it out, what came of it, and who else has a word.

All are values and shapes; the gate alone leads a call through.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from attrs import frozen

from assent.approvals.tickets import Settlement
from assent.calls import Call
from assent.errors import CallUnreadable
from assent.lifecycle import State
from assent.policy.hooked import SILENCE, HookWord

__all__ = ["NO_HOOKS", "Ended", "Hooks", "Passage", "Remake", "Run", "remade"]


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


Run = Callable[[Call, Settlement], Awaitable[Ended]]
"""Carries a call out, once: the one that was judged. The settlement tells by which answer."""

Remake = Callable[[dict[str, Any]], Call]
"""The same call with another input, or `CallUnreadable`."""


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


def remade(remake: Remake | None, given: dict[str, Any]) -> Call:
    """The call with another input; raise where its agent would not carry that out."""
    if remake is None:
        raise CallUnreadable("Its agent takes no input from elsewhere.")
    return remake(given)
