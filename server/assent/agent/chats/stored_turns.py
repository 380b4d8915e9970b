"""Encodes each turn of our own agent's conversation as JSON, and decodes it strictly.

What is read back is held to its shape, member by member: a text where a text belongs, and nothing
that nobody knows.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import cattrs
import orjson
from cattrs.strategies import configure_tagged_union

from assent.agent.models.conversation import Block, Given, Turn

__all__ = ["turn_of", "turns_of", "written"]


def written(turn: Turn) -> bytes:
    """A turn as JSON."""
    value = _converter().unstructure(turn, Turn)
    try:
        return orjson.dumps(value)
    except TypeError:
        # Half a character, which UTF-8 cannot spell, can be spelled as an escape.
        return json.dumps(value).encode()


def turn_of(body: bytes) -> Turn:
    """What `written` made JSON of; raise `ValueError` where it is none."""
    try:
        turn: Turn = _converter().structure(json.loads(body), Turn)  # type: ignore[arg-type]
    except Exception as error:
        raise ValueError("a turn that was kept is none") from error
    return turn


def turns_of(bodies: Sequence[bytes]) -> tuple[Turn, ...]:
    """All of a conversation; raise `ValueError` where one of them is none."""
    return tuple(map(turn_of, bodies))


@cache
def _converter() -> cattrs.Converter:
    """Made with the first chat that is kept."""
    made = cattrs.Converter(forbid_extra_keys=True, detailed_validation=False)
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly)
    made.register_structure_hook(Given, _given)
    configure_tagged_union(Block, made, tag_name="is")
    configure_tagged_union(Turn, made, tag_name="is")
    return made


def _given(value: Any, _: type) -> Given:
    """What goes back to a host is JSON, or nothing goes back at all."""
    json.loads(value["json"])
    return Given(by=_exactly(value["by"], str), json=value["json"])


def _exactly(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{type(value).__name__} where {kind.__name__} belongs")
    return value
