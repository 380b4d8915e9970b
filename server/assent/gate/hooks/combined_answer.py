"""Combines the answers of all hooks into one.

The strictest counts, and a yes is only about the call of which it was said.
"""

from collections.abc import Sequence

from assent.gate.call.verdicts import Verdict
from assent.gate.hooks.hook_answers import HookAnswer
from assent.gate.ruling.hook_verdicts import HookWord

__all__ = ["combined_answer"]


def combined_answer(said: Sequence[HookAnswer]) -> HookWord:
    """What hooks that were asked side by side had to say of one call."""
    changes = [answer for answer in said if answer.rewritten is not None]
    worst = max(
        (answer for answer in said if answer.verdict is not None), key=_strictness, default=None
    )
    if worst is not None and worst.verdict is Verdict.DENY:
        return HookWord(verdict=Verdict.DENY, because=worst.because)
    if any(change.rewritten != changes[0].rewritten for change in changes):
        return HookWord(verdict=Verdict.ASK, because=_at_odds(changes))
    if not changes:
        return (
            HookWord() if worst is None else HookWord(verdict=worst.verdict, because=worst.because)
        )
    changed = f"{changes[0].hook} changed it."
    if worst is not None and worst.verdict is Verdict.ALLOW:
        # Who allows another call than the one that comes of it, has not allowed that.
        worst = next((change for change in changes if change.verdict is Verdict.ALLOW), None)
    because = changed if worst is None else f"{worst.because} {changed}"
    verdict = None if worst is None else worst.verdict
    return HookWord(verdict=verdict, because=because, rewritten=changes[0].rewritten)


def _strictness(said: HookAnswer) -> int:
    return -1 if said.verdict is None else said.verdict


def _at_odds(changes: Sequence[HookAnswer]) -> str:
    first = changes[0]
    other = next(change for change in changes if change.rewritten != first.rewritten)
    last = other.hook.removeprefix("The hook ")
    return f"{first.hook} and {last} both want to change it, so this is asked about."
