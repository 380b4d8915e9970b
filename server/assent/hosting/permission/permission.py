"""Answers an agent: which of its options is chosen, and for which reason.

Options are chosen by id, for what their kinds say. Where the agent offers nothing that means
just this once, nothing wider is chosen for it: then the answer is `cancelled`.
"""

from collections.abc import Sequence
from typing import Any

from assent.gate.approvals.options import AGENT_PREFIX
from assent.gate.approvals.tickets import OptionKind, Outcome, Settlement
from assent.gate.call.calls import Offer
from assent.gate.call.verdicts import Actor
from assent.hosting.connection.shapes import AllowKind, PermissionOption

__all__ = ["allowing", "are_distinct", "cancelled", "offers_in", "refusing", "selected"]

_ONCE = "once"


def offers_in(options: Sequence[PermissionOption]) -> tuple[Offer, ...]:
    """The agent's own lasting answers, verbatim."""
    return tuple(
        Offer(id=option.option_id, label=option.name)
        for option in options
        if option.kind == AllowKind.ALLOW_ALWAYS
    )


def are_distinct(options: Sequence[PermissionOption]) -> bool:
    """Whether each option has an id of its own, so that choosing one chooses no other."""
    return len({option.option_id for option in options}) == len(options)


def allowing(options: Sequence[PermissionOption], settlement: Settlement) -> str | None:
    """The id of the option that says what was allowed; None where the agent has none."""
    chosen = settlement.option
    if chosen is not None and chosen.kind is OptionKind.AGENT_ALWAYS:
        wanted = chosen.id.removeprefix(AGENT_PREFIX)
        lasting = [offer.id for offer in offers_in(options)]
        return wanted if wanted in lasting else None
    return _just_once(options, AllowKind.ALLOW_ONCE)


def refusing(options: Sequence[PermissionOption], settlement: Settlement) -> dict[str, Any]:
    """The answer to a request that was refused."""
    stopped = settlement.by is Actor.STOP or settlement.outcome is Outcome.WITHDRAWN
    option = None if stopped else _just_once(options, AllowKind.REJECT_ONCE)
    because = settlement.feedback or settlement.because
    return cancelled(because) if option is None else selected(option, because)


def selected(option_id: str, because: str) -> dict[str, Any]:
    """The answer that chooses an option."""
    return _answer({"outcome": "selected", "optionId": option_id}, because)


def cancelled(because: str) -> dict[str, Any]:
    """The answer after which the agent must not go on with the call."""
    return _answer({"outcome": "cancelled"}, because)


def _just_once(options: Sequence[PermissionOption], kind: str) -> str | None:
    """Some agents send several that last once, of which one also changes their mode."""
    ids = [option.option_id for option in options if option.kind == kind]
    named = [option_id for option_id in ids if _ONCE in option_id.lower()]
    return next(iter(named or ids), None)


def _answer(outcome: dict[str, Any], because: str) -> dict[str, Any]:
    # A file's name need not be text, and no line could carry it as it is.
    sendable = because.encode("utf-8", "backslashreplace").decode("utf-8")
    return {"outcome": outcome, "_meta": {"assent": {"because": sendable}}}
