"""References in a workflow: `${step}`, `${step.field.0}`, `${inputs.name}`, `${item}`.

A text that is one reference and nothing else becomes what that stands for; within a text it is
put in as a text. What a step gave as a text that is JSON can be looked into as that.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from assent.catalogue.workers.node_server import UNPASSED
from assent.gate.call.errors import AssentError

__all__ = ["OWN", "Lacks", "filled", "items_of", "names_in"]

OWN: Final = frozenset({"inputs", "item"})
"""What is no step."""

_REFERENCE: Final = re.compile(r"(\$?)\$\{([^{}]*)\}")
_MAX_STEP_RUNS: Final = 200
"""So many times a step is run at most."""


class Lacks(AssentError):
    """Something that is referred to is not there; the message says what."""


def names_in(value: Any) -> frozenset[str]:
    """What a value refers to: steps, `inputs`, `item`."""
    return frozenset(
        match[2].strip().partition(".")[0]
        for text in _texts_in(value)
        for match in _REFERENCE.finditer(text)
        if not match[1]
    )


def filled(value: Any, known: Mapping[str, Any]) -> Any:
    """The value with what its references stand for; raises `Lacks`."""
    if isinstance(value, str):
        whole = _REFERENCE.fullmatch(value)
        if whole is not None and not whole[1]:
            return _looked_up(whole[2], known)
        return _REFERENCE.sub(lambda match: _as_text(match, known), value)
    if isinstance(value, dict):
        return {name: filled(item, known) for name, item in value.items()}
    if isinstance(value, list):
        return [filled(item, known) for item in value]
    return value


def items_of(value: Any) -> list[Any]:
    """What a step is run for each of: a list, or the lines of a text. Raises `Lacks`."""
    items = _parsed(value) if isinstance(value, str) else value
    if isinstance(items, str):
        items = [line for line in items.splitlines() if line.strip()]
    if not isinstance(items, list):
        raise Lacks("what it is to be run for each of is no list.")
    if len(items) > _MAX_STEP_RUNS:
        raise Lacks(f"it would be run {len(items):,} times, and {_MAX_STEP_RUNS} are the most.")
    return items


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item)


def _as_text(match: re.Match[str], known: Mapping[str, Any]) -> str:
    if match[1]:
        return match[0][1:]
    value = _looked_up(match[2], known)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _looked_up(reference: str, known: Mapping[str, Any]) -> Any:
    first, *path = reference.strip().split(".")
    if first not in known:
        raise Lacks(f"`{reference}` is not there.")
    value = known[first]
    for name in path:
        value = _within(_parsed(value), name, reference)
    if _has_bytes(value):
        raise Lacks(f"`{reference}` is made of bytes, which do not go from one step to the next.")
    return value


def _has_bytes(value: Any) -> bool:
    """Whether what stands for bytes is there, which would be taken for a value of its own."""
    # What JSON nests deeper than Python calls is somebody else's, and ends no run.
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            if UNPASSED in part:
                return True
            left += part.values()
        elif isinstance(part, list):
            left += part
        elif isinstance(part, str) and UNPASSED in part:
            # A text that is JSON, as nodes give it, is looked into by whoever is given it.
            parsed = _parsed(part)
            left += [] if isinstance(parsed, str) else [parsed]
    return False


def _within(value: Any, name: str, reference: str) -> Any:
    if isinstance(value, dict) and name in value:
        return value[name]
    if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
        return value[int(name)]
    raise Lacks(f"`{reference}` is not there.")


def _parsed(value: Any) -> Any:
    """What stands in a text that is JSON; every other value as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
