"""What ends in a person's answer and lets nothing run: a plan, a question, a server's form."""

from typing import Final

from assent.policy.forms import secret_in
from assent.policy.matter import Matter, asked
from assent.policy.outward import rule_on_fetch
from assent.verdicts import Ruling, Verdict

__all__ = ["FOR_PERSON", "rule_on_form", "rule_on_question"]

_NEVER: Final = "A server of tools asks for a secret (“{}”). Nobody is asked for one here."

FOR_PERSON: Final = {
    "plan": "Nothing of a plan is done before you approve it.",
    "question": "The agent wants to know something from you. Your answer is no leave for anything.",
    "form": "A server of tools asks this. It is told what you answer, and is allowed nothing.",
}
"""What ends in a person's answer, and lets nothing run."""


def rule_on_question(matter: Matter) -> Ruling:
    """What is there to be answered by a person is asked, whatever lets other calls pass."""
    return asked(FOR_PERSON[matter.call.tool])


def rule_on_form(matter: Matter) -> Ruling:
    """A form of a server is asked, but never for a secret, nor for a page that rules forbid."""
    given = matter.call.input
    if "url" in given:
        ruling = rule_on_fetch(matter)
        return ruling if ruling.verdict is Verdict.DENY else asked(FOR_PERSON["form"])
    secret = secret_in(given)
    return (
        Ruling(verdict=Verdict.DENY, because=_NEVER.format(secret))
        if secret
        else rule_on_question(matter)
    )
