"""The states of a call, in one table.

A call moves only along `NEXT`. A state without a way on is an end, and each call reaches
exactly one end.
"""

from enum import StrEnum
from typing import Final

from assent.gate.call.errors import IllegalStep

__all__ = ["NEXT", "State", "is_end", "step"]


class State(StrEnum):
    """Where a call stands."""

    PROPOSED = "proposed"
    WAITING = "waiting"
    RUNNING = "running"
    REFUSED = "refused"
    ANSWERED = "answered"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    KILLED = "killed"
    BACKGROUNDED = "backgrounded"


NEXT: Final[dict[State, frozenset[State]]] = {
    State.PROPOSED: frozenset({State.WAITING, State.RUNNING, State.REFUSED}),
    State.WAITING: frozenset({State.RUNNING, State.REFUSED, State.ANSWERED}),
    State.RUNNING: frozenset({State.SUCCEEDED, State.FAILED, State.KILLED, State.BACKGROUNDED}),
    State.REFUSED: frozenset(),
    State.ANSWERED: frozenset(),
    State.SUCCEEDED: frozenset(),
    State.FAILED: frozenset(),
    State.KILLED: frozenset(),
    State.BACKGROUNDED: frozenset(),
}


def is_end(state: State) -> bool:
    """Whether a call in this state has nothing more to come."""
    return not NEXT[state]


def step(now: State, then: State) -> State:
    """The state after the step, if the table joins the two."""
    if then not in NEXT[now]:
        raise IllegalStep(f"a call that is {now} cannot become {then}")
    return then
