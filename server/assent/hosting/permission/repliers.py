"""Who waits for a ruling: an agent's request for permission, or its hook."""

import asyncio
from typing import Protocol

import orjson

from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import Offer
from assent.gate.values import frozen
from assent.hosting.connection.peer import Asked
from assent.hosting.connection.shapes import PermissionOption
from assent.hosting.hooks.hook_words import Hooked, HookWords
from assent.hosting.permission import permission

__all__ = ["ByHook", "ByRequest", "Replier", "reason_of"]


def reason_of(settlement: Settlement) -> str:
    """Why a call was refused, for the model that made it."""
    feedback = settlement.feedback
    return f"The person denied this and says: {feedback}" if feedback else settlement.because


class Replier(Protocol):
    """Somebody who is answered once."""

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The agent's own lasting answers."""
        ...

    @property
    def hears_reasons(self) -> bool:
        """Whether the model surely reads the reason in the answer."""
        ...

    def can_allow(self, settlement: Settlement) -> bool:
        """Whether there are words for what was allowed, and for no more."""
        ...

    def allow(self, settlement: Settlement) -> bool:
        """Let the call go on; False where nobody waits for that any more."""
        ...

    def refuse(self, settlement: Settlement) -> None:
        """Keep the call from running, for what was decided."""
        ...

    def cancel(self, because: str) -> None:
        """Keep the call from running, though nobody decided that."""
        ...


@frozen(kw_only=True, eq=False)
class ByRequest:
    """An agent that sent `session/request_permission`."""

    asked: Asked
    options: list[PermissionOption]

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Those among its options."""
        return permission.offers_in(self.options)

    @property
    def hears_reasons(self) -> bool:
        """Some do, and their host knows."""
        return False

    def can_allow(self, settlement: Settlement) -> bool:
        """Whether it has an option for that."""
        return permission.allowing(self.options, settlement) is not None

    def allow(self, settlement: Settlement) -> bool:
        """Choose the option that says so."""
        option = permission.allowing(self.options, settlement)
        return option is not None and self.asked.answer(
            permission.selected(option, settlement.because)
        )

    def refuse(self, settlement: Settlement) -> None:
        """Choose the option that says no."""
        self.asked.answer(permission.refusing(self.options, settlement))

    def cancel(self, because: str) -> None:
        """Choose nothing."""
        self.asked.answer(permission.cancelled(because))


@frozen(kw_only=True, eq=False)
class ByHook:
    """A hook that waits for what it is to print."""

    hooked: Hooked
    words: HookWords
    printed: "asyncio.Future[str]"

    @property
    def offers(self) -> tuple[Offer, ...]:
        """A hook offers none."""
        return ()

    @property
    def hears_reasons(self) -> bool:
        """It prints them for the model."""
        return True

    def can_allow(self, settlement: Settlement) -> bool:
        """There are always words."""
        return True

    def allow(self, settlement: Settlement) -> bool:
        """Have it say that the call may go on, as it was ruled on."""
        return self._print(self.words.allow(self.hooked, settlement.because))

    def refuse(self, settlement: Settlement) -> None:
        """Have it say no, with what the person said to the agent."""
        self.cancel(reason_of(settlement))

    def cancel(self, because: str) -> None:
        """Have it say no."""
        self._print(self.words.deny(because))

    def _print(self, answer: dict[str, object]) -> bool:
        if self.printed.done():
            return False
        self.printed.set_result(orjson.dumps(answer).decode())
        return True
