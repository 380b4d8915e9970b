"""Settings with an unreadable layer: what it denied before stays denied.

Nothing here widens: a reading only comes out as strict as it went in, or stricter.
"""

from collections.abc import Mapping

from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode, stricter
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.complaints import Complaint
from assent.gate.settings.entries import EVERYTHING
from assent.gate.settings.reading import Reading, permitted
from assent.gate.values import evolve

__all__ = ["illegible", "tightened", "without_settings"]


def tightened(previous: Reading, now: Reading) -> Reading:
    """A reading in which some layer's rules could not be understood, with what it said before.

    What that layer asked about and denied when it could be read last is still in force, and
    nothing is allowed by a rule until it can be read again. What was agreed to stays agreed to:
    a slip of the pen takes nothing back.
    """
    if not now.unclear:
        return now
    left = [rule for rule in now.rules if rule.verdict > Verdict.ALLOW]
    there = {_said_by(rule) for rule in left}
    kept = [
        rule
        for rule in previous.rules
        if rule.layer in now.unclear
        and rule.verdict > Verdict.ALLOW
        and _said_by(rule) not in there
    ]
    claims = {wish.digest: wish for wish in (*previous.claims, *now.claims)}
    return evolve(
        now,
        mode=stricter(previous.mode, now.mode) if now.illegible else now.mode,
        rules=(*left, *kept),
        suspended=now.suspended | previous.suspended,
        hooks=tuple(dict.fromkeys((*now.hooks, *previous.hooks))) if now.illegible else now.hooks,
        claims=tuple(claims.values()),
    )


def illegible(now: Reading, files: Mapping[str, str]) -> Reading:
    """A reading of settings of which some layers' files cannot be read, with why, by layer.

    An editor passes such a file over and tells of it as empty, or as what it could make of it.
    """
    if not files:
        return now
    complaints = tuple(
        Complaint(layer=layer, path=(), severity="error", sentence=sentence)
        for layer, sentence in files.items()
    )
    return evolve(
        now,
        mode=stricter(now.mode, permitted(Mode.ASK, now.forbidden)),
        bypassed=frozenset(),
        suspended=now.suspended | {EVERYTHING},
        unclear=now.unclear | files.keys(),
        illegible=True,
        problems=(*files.values(), *now.problems),
        complaints=(*complaints, *now.complaints),
    )


def without_settings(tight: Reading, before: Reading, error: Exception) -> Reading:
    """What holds while no settings can be had: `tight`, with what was refused before.

    What was granted stays granted; until the settings can be read, it widens nothing.
    """
    because = str(error)
    if not isinstance(error, AssentError):
        kind = type(error).__name__
        because = (
            f"Your settings could not be read ({kind}), so every call is asked about. Assent's log"
            " tells more."
        )
    return evolve(
        tight,
        agents=before.agents,
        claims=before.claims,
        hooks=before.hooks,
        rules=tuple(rule for rule in before.rules if rule.verdict > Verdict.ALLOW),
        problems=(*tight.problems, because),
    )


def _said_by(rule: WrittenRule) -> tuple[object, ...]:
    """What a rule says and whose it is, wherever it stands now."""
    return (rule.layer, rule.verdict, rule.text, *rule.limits)
