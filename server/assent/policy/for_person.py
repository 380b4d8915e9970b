"""What ends in a person's answer and lets nothing run: a plan, a question, a server's form."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assent.policy.forms import secret_in
from assent.policy.matter import Matter, asked
from assent.policy.outward import rule_on_fetch
from assent.text.addresses import address_of, is_private
from assent.verdicts import Ruling, Verdict

__all__ = ["FOR_PERSON", "rule_on_form", "rule_on_question"]

_NEVER: Final = "A server of tools asks for a secret (“{}”). Nobody is asked for one here."

_UNSURE: Final = "Several of its tools run, and it does not say which of them asks."
_NEAR: Final = "{} is on this machine or its own network."
_OPEN: Final = "What you write on that page is not encrypted on its way."

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
    if secret := secret_in(given):
        return Ruling(verdict=Verdict.DENY, because=_NEVER.format(secret))
    if "url" in given and (ruling := rule_on_fetch(matter)).verdict is Verdict.DENY:
        return ruling
    return asked(" ".join(_told(given)))


def _told(given: Mapping[str, Any]) -> Iterator[str]:
    """What a person should know of such a question."""
    yield FOR_PERSON["form"]
    if "tool" not in given:
        yield _UNSURE
    if (address := address_of(str(given.get("url", "")))) is not None:
        if address.near:
            yield _NEAR.format(address.host)
        if not is_private(given["url"].partition("#")[0]):
            yield _OPEN
