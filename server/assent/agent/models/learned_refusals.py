"""Remembers what a host refused of a request for a model, and leaves it out.

Learnt is no more than a refusal names: one member of the request, by its path. Of a member that a
person chooses it is the value that was refused, so that another one is tried.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from assent.agent.models.host_errors import Declined
from assent.agent.models.seals import is_about_seals
from assent.agent.models.sentences import is_full
from assent.gate.values import define, field

__all__ = ["LearnedRefusals"]

_STATUSES: Final = frozenset({400, 403, 404, 422})
_CHOSEN: Final = frozenset({"reasoning_effort", "reasoning.effort", "output_config.effort"})

_Body = Mapping[str, Any]


@define
class LearnedRefusals:
    """What one host refused for one model."""

    _says: Mapping[str, "re.Pattern[str]"]
    """What may be left out, by its path, and how a host says that it minds it."""
    _refused: set[tuple[str, str]] = field(factory=set)

    def fit(self, body: _Body) -> dict[str, Any]:
        """A request without what was refused."""
        fitted = dict(body)
        for path, value in self._refused:
            if _value_at(fitted, path) == value:
                fitted = _without(fitted, path)
        return fitted

    def learn(self, no: Declined, body: _Body) -> bool:
        """Whether a refusal names something of this request; from now on that is left out."""
        if no.status not in _STATUSES or is_full(no) or is_about_seals(no):
            return False
        for path in self._says:
            value = _value_at(body, path)
            if value is not None and self._minds(no, path):
                self._refused.add((path, value))
                return True
        return False

    def _minds(self, no: Declined, path: str) -> bool:
        """Whether it is about that member; where it says apart which one, its words count less."""
        if no.member:
            return no.member == path
        return self._says[path].search(no.words) is not None


def _value_at(body: _Body, path: str) -> str | None:
    """What is told there, as far as it matters; None where it is not told."""
    value: Any = body
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    if value is None:
        return None
    return json.dumps(value) if path in _CHOSEN else ""


def _without(body: dict[str, Any], path: str) -> dict[str, Any]:
    """A copy without that member, and without what it was in where that has no other."""
    name, _, rest = path.partition(".")
    left = _without(body[name], rest) if rest else {}
    others = {key: value for key, value in body.items() if key != name}
    return {key: left if key == name else value for key, value in body.items()} if left else others
