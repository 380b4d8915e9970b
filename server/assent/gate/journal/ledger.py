"""The ledger: the state of each call, in memory.

It refuses a step that the lifecycle's table does not join, and tells each step it takes.
"""

from assent.gate.call.calls import Call, CallId, ChatId
from assent.gate.call.errors import IllegalStep
from assent.gate.call.lifecycle import State, is_end, step
from assent.gate.call.verdicts import Actor
from assent.gate.journal.events import CallMoved, Tell
from assent.gate.values import define, field

__all__ = ["Ledger"]


@define
class Ledger:
    """The calls that have not ended, and where each stands."""

    _tell: Tell
    _standing: dict[tuple[ChatId, CallId], State] = field(factory=dict)

    def state(self, call: Call) -> State | None:
        """Where a call stands; None once it has ended, or before it was proposed."""
        return self._standing.get((call.chat, call.id))

    def propose(self, call: Call) -> None:
        """Enter a call; its id is its own until it has ended."""
        if self.state(call) is not None:
            raise IllegalStep("a call of this id has not ended yet")
        self._standing[(call.chat, call.id)] = State.PROPOSED
        self._tell(CallMoved(call=call, state=State.PROPOSED))

    def rewrite(self, call: Call, because: str = "") -> None:
        """A call that is not decided yet is another than it came as."""
        state = self.state(call)
        if state is not State.PROPOSED and state is not State.WAITING:
            raise IllegalStep("only a call that is not decided yet can be rewritten")
        self._tell(CallMoved(call=call, state=state, because=because))

    def move(
        self,
        call: Call,
        state: State,
        *,
        ticket: str | None = None,
        by: Actor | None = None,
        because: str = "",
        record: int | None = None,
        on_copy: bool = False,
    ) -> None:
        """Take a step and tell it."""
        key = (call.chat, call.id)
        self._standing[key] = step(self._standing[key], state)
        if is_end(state):
            del self._standing[key]
        self._tell(
            CallMoved(
                call=call,
                state=state,
                ticket=ticket,
                by=by,
                because=because,
                record=record,
                on_copy=on_copy,
            )
        )
