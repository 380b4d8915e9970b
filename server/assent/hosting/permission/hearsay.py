"""A call of which its agent tells nothing but words for people: no rule lets it pass."""

from typing import Final

from assent.gate.call.calls import Call
from assent.gate.values import evolve

__all__ = ["told_in_words"]

_UNCHECKED: Final = "Its agent tells only in words what it would do. Assent cannot check them."


def told_in_words(call: Call) -> Call:
    """The call, which a person sees in every mode where it is no command."""
    if call.tool == "shell":
        return evolve(call, hearsay=True)
    looks = "search" if "pattern" in call.input else "list"
    action = looks if call.tool == "read" else call.action
    return evolve(call, hearsay=True, action=action, caution=call.caution or _UNCHECKED)
