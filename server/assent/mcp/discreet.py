"""What the hub tells, without what the person gave its servers by reference.

A server may write a secret of its own anywhere: what it ends with, what it calls an error, what it
says of a tool. All of it goes to a model, to the journal and to whoever looks.
"""

from collections.abc import Callable, Iterable
from typing import Any

from assent.text.redactor import Redactor

__all__ = ["Discreet"]


class Discreet:
    """Says messages, each without the values."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        self._say, self._clean = say, Redactor()

    def __call__(self, message: dict[str, Any]) -> None:
        """Say it."""
        self._say(self._clean.of_json(message))

    def keep(self, values: Iterable[str]) -> None:
        """These are the values from now on."""
        self._clean = Redactor.of(values)
