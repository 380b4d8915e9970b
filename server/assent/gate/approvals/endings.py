"""How a ticket or a call ends without a person's answer."""

from typing import Final

from assent.gate.approvals.options import IN_SANDBOX, TRY
from assent.gate.approvals.tickets import Outcome, Settlement
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.ruling.ruling_context import ON_COPY

__all__ = [
    "NOTHING",
    "NOT_RUN",
    "UNKEPT",
    "by_ruling",
    "changed",
    "expired",
    "failed",
    "interrupted",
    "namesake",
    "refused",
    "stale",
    "too_large",
    "tried",
    "unkept",
    "unsent",
]


def by_ruling(ruling: Ruling) -> Settlement:
    """What a ruling comes to that needs nobody's answer."""
    allowed = ruling.verdict is Verdict.ALLOW
    return Settlement(
        outcome=Outcome.ALLOWED if allowed else Outcome.REFUSED,
        by=ruling.by,
        because=_with_source(ruling),
        rule=ruling.rule,
        source=str(ruling.source) if ruling.source else None,
        option=IN_SANDBOX if ruling.in_sandbox else None,
    )


def tried() -> Settlement:
    """Nobody is asked, since it runs on a copy of the workspace."""
    return Settlement(outcome=Outcome.ALLOWED, by=Actor.MODE, because=ON_COPY.because, option=TRY)


def _with_source(ruling: Ruling) -> str:
    """Why, and where the rule that says so is written, unless that has been said."""
    source = ruling.source
    if source is None or source.scope in ruling.because:
        return ruling.because
    return f"{ruling.because.removesuffix('.')} ({source})."


def refused(by: Actor, because: str) -> Settlement:
    """A refusal by something other than a person or the policy."""
    return Settlement(outcome=Outcome.REFUSED, by=by, because=because)


def expired() -> Settlement:
    """Nobody answered: not the same as a person's no, and said so."""
    return refused(Actor.TIMEOUT, "Nobody answered in time, so it was not run.")


def changed() -> Settlement:
    """The call is no longer what was judged."""
    return refused(Actor.ERROR, "The call changed after it was judged, so it was not run.")


NOT_RUN: Final = "It was not run; the agent may ask again."


def stale(because: str) -> Settlement:
    """The files are no longer as they were when the call was judged."""
    return refused(Actor.ERROR, f"{because!s} {NOT_RUN}")


def unkept(error: Exception) -> Settlement:
    """The decision could not be written down."""
    return refused(Actor.ERROR, f"Nothing ran, because {error!s}.")


def unsent(error: Exception) -> Settlement:
    """The answer to a question could not be written down, so nobody gets it."""
    return refused(Actor.ERROR, f"The answer was not sent, because {error!s}.")


def too_large() -> Settlement:
    """Nobody can be shown all of it, so nobody can be asked."""
    return refused(Actor.ERROR, "This call is too large to be shown whole; do it in smaller parts.")


def failed(error: BaseException) -> Settlement:
    """The gate itself broke; what it had not decided does not run."""
    return refused(Actor.ERROR, f"The gate failed ({type(error).__name__}), so it was not run.")


def namesake() -> Settlement:
    """An agent gave a call the id of another that has not ended."""
    return refused(Actor.ERROR, "A call of the same id has not ended, so this one was not run.")


def interrupted() -> Settlement:
    """Whoever asked is gone."""
    return Settlement(
        outcome=Outcome.WITHDRAWN,
        by=Actor.STOP,
        because="The question was withdrawn before it was decided.",
    )


NOTHING: Final = frozenset({Outcome.REFUSED, Outcome.WITHDRAWN})
"""What lets nothing happen."""

UNKEPT: Final = {Outcome.ALLOWED: unkept, Outcome.ANSWERED: unsent}
"""What becomes of a decision that lets something happen, where it cannot be kept."""
