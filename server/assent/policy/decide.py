"""Facts in, a ruling out: pure, synchronous, and total.

Deny beats ask, ask beats allow, allow beats the mode. What cannot be read, and whatever would
change what is allowed later, is asked in every mode. An exception here is a question.
"""

from typing import Final

from assent.calls import Call, canonical
from assent.policy.modes import MODES, NAMES, Mode, reach_of
from assent.policy.protected import protected_place
from assent.policy.rules import Policy
from assent.policy.verdicts import Actor, Ruling, Verdict

__all__ = ["decide"]

_MOST: Final = 4 * 1024 * 1024
"""Nobody reads more on a card, and drawing it would keep others waiting."""

_TOO_LARGE: Final = "This call is too large to be shown whole; do it in smaller parts."


def decide(call: Call, policy: Policy) -> Ruling:
    """Rule on `call`: the strictest rule that covers it, else the mode."""
    try:
        return _decide(call, policy)
    except Exception as error:  # noqa: BLE001 -- whatever goes wrong in judging, the person is asked
        return _asked(f"The policy could not judge this call ({type(error).__name__}).")


def _decide(call: Call, policy: Policy) -> Ruling:
    if _size(call) > _MOST:
        return Ruling(verdict=Verdict.DENY, because=_TOO_LARGE)
    covering = [rule.ruling for rule in policy.rules if rule.covers(call)]
    ruling = max(covering, key=lambda it: it.verdict) if covering else _by_mode(call, policy)
    if ruling.verdict is Verdict.DENY:
        return ruling
    return _always_asked(call) or ruling


def _size(call: Call) -> int:
    edits = sum(len(edit.new) + len(edit.old or "") for edit in call.edits)
    return edits + len(canonical(call.input)) + len(call.says)


def _always_asked(call: Call) -> Ruling | None:
    """The question that no rule, mode or bypass lifts, if this call raises one."""
    if call.unreadable is not None:
        return _asked(f"This call could not be read: {call.unreadable}")
    place = protected_place(call)
    if place is None:
        return None
    return _asked(f"Changes to {place} are asked about in every mode.")


def _by_mode(call: Call, policy: Policy) -> Ruling:
    """What the mode says; a bypass lifts its question and never its denial."""
    reach = reach_of(call)
    verdict = MODES[policy.mode][reach]
    if verdict is Verdict.ASK and call.agent in policy.bypassed:
        return Ruling(
            verdict=Verdict.ALLOW,
            because="You stopped asking for this agent in this workspace.",
            by=Actor.RULE,
            rule="assent.bypassPermissions",
        )
    return Ruling(verdict=verdict, because=_mode_says(policy.mode, verdict, reach))


def _mode_says(mode: Mode, verdict: Verdict, reach: str) -> str:
    says = {
        Verdict.ALLOW: "lets agents",
        Verdict.ASK: "asks before agents",
        Verdict.DENY: "does not let agents",
    }[verdict]
    return f"{NAMES[mode]} mode {says} {reach}."


def _asked(because: str) -> Ruling:
    return Ruling(verdict=Verdict.ASK, because=because, lasting=False)
