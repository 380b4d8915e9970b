"""The hash chain through the journal's rows, and what breaks it.

A row's hash covers all its values and the hash of the row before. The chain shows damage and
careless tampering; whoever can rewrite the whole file can rewrite the chain too.
"""

import hashlib
from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any, Final

from assent.gate.call.calls import canonical

__all__ = ["START", "first_break", "linked", "spelled"]

_NAMES: Final = (
    "agent", "at", "body", "call", "chat", "digest", "epoch", "kind", "previous", "seq",
)  # fmt: skip
_ROW: Final = "{" + ",".join(f'"{name}":%s' for name in _NAMES) + "}"
"""The canonical spelling of a row, whose names are known and stand in their order."""
_values: Final = itemgetter(*_NAMES)

START = "0" * 64
"""What stands for the hash of the row before the first."""


def spelled(text: str) -> str:
    """A text as it is kept; what is no character is told by its escape."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def linked(values: Mapping[str, Any], previous: str) -> dict[str, Any]:
    """A row with its place in the chain."""
    row = {**values, "previous": previous}
    row["hash"] = _hash(row)
    return row


def first_break(
    rows: Iterable[Mapping[str, Any]], start: int = 1, before: str = START
) -> int | None:
    """The number of the first row that is not what it was or not where it was; None if all are.

    The rows begin with number `start`; `before` is the hash of the one before that.
    """
    for expected, row in enumerate(rows, start=start):
        if (row["seq"], row["previous"], row["hash"]) != (expected, before, _hash_of(row)):
            return expected
        before = row["hash"]
    return None


def _hash_of(row: Mapping[str, Any]) -> str | None:
    """What its hash should be; None where it holds what no row does."""
    try:
        # The encoder of all of them would ask of each value again what most values are.
        values = [
            encode_basestring(value) if type(value) is str else _spelled(value)
            for value in _values(row)
        ]
        return hashlib.sha256((_ROW % tuple(values)).encode()).hexdigest()
    except (TypeError, ValueError):
        return None


def _spelled(value: object) -> str:
    if type(value) is int:
        return repr(value)
    return "null" if value is None else canonical(value)


def _hash(row: dict[str, Any]) -> str:
    return hashlib.sha256(canonical(row).encode("utf-8")).hexdigest()
