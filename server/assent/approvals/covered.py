"""The steps of a workflow that a person allowed on its card, each by its digest, and each once."""

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

from assent.approvals.tickets import Outcome, Settlement
from assent.calls import Call
from assent.verdicts import Actor

__all__ = ["Covered"]


@define(eq=False)
class Covered:
    """What was allowed beforehand, while the workflow runs that it is a part of."""

    _allowed: dict[str, Settlement] = field(factory=dict)

    @contextmanager
    def under(self, call: Call, answer: Settlement) -> Iterator[None]:
        """Let the steps that stood on its card pass by the answer to it, if a person gave one."""
        calls = [it.call for it in call.steps if it.call is not None and not it.waits_for]
        mine = {it.digest for it in calls} if answer.by is Actor.USER else set()
        because = f"You allowed it as a step of {_named(call)}."
        said = Settlement(outcome=Outcome.ALLOWED, by=Actor.USER, because=because)
        self._allowed |= dict.fromkeys(mine, said)
        try:
            yield
        finally:
            for digest in mine:
                self._allowed.pop(digest, None)

    def take(self, digest: str) -> Settlement | None:
        """The answer to the call of this digest; it holds once."""
        return self._allowed.pop(digest, None)


def _named(call: Call) -> str:
    name = str(call.input.get("name", ""))
    return f"the workflow “{name.removeprefix('workflow:')}”"
