"""Removes from the hub's messages the secrets that the person gave its servers by reference.

A server may write a secret of its own anywhere: what it ends with, what it calls an error, what it
says of a tool. All of it goes to a model, to the journal and to whoever looks. Names stay as they
are, since a call is ruled on and made by them: `postgres` is a server, and somebody's password.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final

from assent.gate.text.redactor import Redactor

__all__ = ["RedactedMessages"]

_NAMES: Final = frozenset({"fingerprint", "name", "names", "source", "state", "tool", "workspace"})
"""Members by which the gate finds again what it was told of."""
_WITHIN: Final = frozenset({"found", "is", "states"})
"""Members in which such members stand; all else is somebody's words."""


class RedactedMessages:
    """Says messages, each without the values."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say, self._clean = say, Redactor()
        self._values: set[str] = set()

    def __call__(self, message: dict[str, Any]) -> None:
        """Say it."""
        self._say({key: self._member(key, value) for key, value in message.items()})

    def keep(self, values: Iterable[str]) -> None:
        """These are values, too; who was given one before may still be heard."""
        self._values.update(values)
        self._clean = Redactor.of(self._values)

    def _member(self, key: str, value: Any) -> Any:
        if key in _NAMES:
            return value
        if key in _WITHIN and isinstance(value, list):
            return [self._member(key, item) for item in value]
        if key in _WITHIN and isinstance(value, dict):
            return {name: self._member(name, item) for name, item in value.items()}
        return self._clean.of_json(value)
