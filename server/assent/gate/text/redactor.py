"""Removes from a program's output the secret values that it was given by reference.

What an agent wants to do is left as it is: what is shown is what is judged is what runs.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, Self

from assent.gate.values import field, frozen

__all__ = ["MARK", "Redactor"]

MARK: Final = "⟨secret⟩"
_MIN_SECRET_LETTERS: Final = 6
"""In characters: what is shorter stands in any text, and keeps nobody out."""
_IDS: Final = frozenset({"sessionId"})
"""Members by which both sides find something again."""


@frozen
class Redactor:
    """Those of one agent, or of a window's servers of tools."""

    _values: tuple[str, ...] = field(default=(), repr=False)
    """The longest first, as one may be a part of another."""

    @classmethod
    def of(cls, given: Iterable[str]) -> Self:
        """For who was given these values."""
        values = {
            form for value in given for form in _forms(value) if len(form) >= _MIN_SECRET_LETTERS
        }
        return cls(tuple(sorted(values, key=len, reverse=True)))

    def __call__(self, text: str) -> str:
        """A text without the values.

        >>> Redactor(("open sesame",))("I say open sesame to it")
        'I say ⟨secret⟩ to it'
        """
        for value in self._values:
            text = text.replace(value, MARK)
        return text

    def of_json(self, value: Any) -> Any:
        """Redact each text in a JSON value.

        >>> Redactor(("open sesame",)).of_json({"a": ["open sesame"], "b": 1})
        {'a': ['⟨secret⟩'], 'b': 1}
        """
        if not self._values:
            return value
        if isinstance(value, str):
            return self(value)
        if isinstance(value, list):
            return [self.of_json(item) for item in value]
        if isinstance(value, dict):
            return {
                key: member if key in _IDS else self.of_json(member)
                for key, member in value.items()
            }
        return value


def _forms(value: str) -> Iterator[str]:
    """How a value may stand in a text: as it is, its lines apart, and as a text of JSON."""
    yield value
    yield from map(str.strip, value.splitlines())
    yield from (json.dumps(value, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
