"""Reads JSON on a command line or a line of input, strictly."""

import json
from typing import Any

from assent.gate.explain import DUPLICATE

__all__ = ["arguments_in", "members_of", "no_number"]


def arguments_in(text: str | None) -> dict[str, Any]:
    """The arguments in a word; raises `ValueError`."""
    if text is None:
        return {}
    try:
        given = json.loads(text, object_pairs_hook=members_of, parse_constant=no_number)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"The arguments are not JSON: {error}.") from None
    if not isinstance(given, dict) or DUPLICATE in given:
        raise ValueError("The arguments are no JSON object in which each member stands once.")
    return given


def members_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; one in which a member stands twice says so."""
    made = dict(pairs)
    return made if len(made) == len(pairs) else {**made, DUPLICATE: True}


def no_number(name: str) -> object:
    """Refuse what JSON has no word for."""
    raise ValueError(f"{name} is no number")
