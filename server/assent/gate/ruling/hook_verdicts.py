"""What the person's hooks said of a call, and the policy that follows from it.

A hook may tighten whatever it likes. Its yes lifts what the mode would ask and nothing else: no
rule, and nothing that is asked in every mode.
"""

from typing import Any

from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.ruling.policy import Policy
from assent.gate.values import evolve, field, frozen

__all__ = ["SILENCE", "HookWord", "under"]


@frozen(kw_only=True)
class HookWord:
    """The strictest that the hooks had to say."""

    verdict: Verdict | None = None
    because: str = ""
    """Why, as a sentence that names the hook."""
    rewritten: dict[str, Any] | None = field(default=None, hash=False)
    """The input that the call is to have instead."""


SILENCE = HookWord()
"""Nothing was said."""


def after_rewrite(before: HookWord, now: HookWord, call: Call) -> HookWord:
    """What holds of a call that a hook rewrote, once the hooks have heard it as it is now.

    A yes to what it was is no yes to what it is, and a call is rewritten once.
    """
    if now.rewritten is not None and now.rewritten != call.input:
        because = f"{now.because} A call is rewritten before it is asked about, and not after."
        return HookWord(verdict=Verdict.DENY, because=because.strip())
    refused = before.verdict if before.verdict is not Verdict.ALLOW else None
    if refused is not None and (now.verdict is None or refused > now.verdict):
        return evolve(before, rewritten=None)
    return evolve(now, rewritten=None)


def under(policy: Policy, word: HookWord) -> Policy:
    """The policy for a call of which hooks said this."""
    if word.verdict is None:
        return policy
    said = Ruling(verdict=word.verdict, because=word.because, by=Actor.HOOK, lasting=False)
    return evolve(policy, hook=said)
