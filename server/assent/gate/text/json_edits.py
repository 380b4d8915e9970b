"""Inserts one element into a list of a JSON text, or removes it, and changes nothing else.

The text is JSON to the letter: whoever reads it besides is another program, and what that one
cannot read it passes over.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

__all__ = ["NotPlain", "spans_in", "strict_object", "with_element", "without_elements"]

Path = tuple[str | int, ...]
_BLANK: Final = " \t\r\n"
_INDENT: Final = re.compile(r"\n([ \t]+)\S")
_DECODER: Final = json.JSONDecoder()


class NotPlain(ValueError):
    """Why a text is none that can be changed surely; a sentence's second half."""


def strict_object(text: str) -> dict[str, Any]:
    """The object that a text is.

    >>> strict_object('{"a": [1]}')
    {'a': [1]}
    """
    try:
        whole = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, NotPlain):
            raise
        raise NotPlain("it is not plain JSON, perhaps for a comment or a trailing comma") from error
    if not isinstance(whole, dict):
        raise NotPlain("it is no JSON object")
    return whole


def with_element(text: str, path: tuple[str, ...], element: Mapping[str, Any]) -> str:
    """The text with one element more at the end of a list, which is made where there is none.

    >>> with_element('{"a": {"b": [1]}}', ("a", "b"), {"c": 2})
    '{"a": {"b": [1, {"c": 2}]}}'
    """
    there = _there(strict_object(text), path)
    if there == len(path):
        return _put(text, path, "", element)
    value: Any = [element]
    for name in reversed(path[there + 1 :]):
        value = {name: value}
    # What is missing is made whole, and put into the last that is there.
    return _put(text, path[:there], f"{json.dumps(path[there])}: ", value)


def _there(whole: dict[str, Any], path: tuple[str, ...]) -> int:
    """How far a way leads through what is there."""
    value: Any = whole
    for depth, name in enumerate(path):
        if name not in value:
            return depth
        inner = value[name]
        if not isinstance(inner, list if depth == len(path) - 1 else dict):
            raise NotPlain(f"its `{'.'.join(path[: depth + 1])}` is not what it should be")
        value = inner
    return len(path)


def without_elements(text: str, path: tuple[str, ...], ours: Callable[[Any], bool]) -> str:
    """The text without those elements of a list, and without what is empty for that.

    >>> without_elements('{"a": {"b": [1, 2]}, "c": 3}', ("a", "b"), lambda it: it < 3)
    '{"c": 3}'
    """
    value: Any = strict_object(text)
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    at = (
        [index for index, element in enumerate(value) if ours(element)]
        if isinstance(value, list)
        else []
    )
    for index in reversed(at):
        text = _take(text, (*path, index))
    if not at:
        return text
    inner: Path = path
    while inner and not _at(strict_object(text), inner):
        text, inner = _take(text, inner), inner[:-1]
    return text


def _put(text: str, container: Path, key: str, value: Any) -> str:
    begin, end = spans_in(text)[container]
    items = text[begin + 1 : end - 1]
    is_wide = "\n" in text[begin:end] or (not items.strip() and "\n" in text)
    unit = match.group(1) if (match := _INDENT.search(text)) else "  "
    depth = len(container)
    if not (is_wide or text.strip() == "{}"):
        member = f"{key}{json.dumps(value, ensure_ascii=False)}"
        comma = ", " if items.strip() else ""
        last = begin + 1 + len(items.rstrip(_BLANK))
        return f"{text[:last]}{comma}{member}{text[last:]}"
    line = "\r\n" if "\r\n" in text else "\n"
    spread = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    member = key + (line + unit * (depth + 1)).join(spread)
    last = begin + 1 + len(items.rstrip(_BLANK))
    if items.strip():
        return f"{text[:last]},{line}{unit * (depth + 1)}{member}{text[last:]}"
    inside = f"{line}{unit * (depth + 1)}{member}{line}{unit * depth}"
    return f"{text[: begin + 1]}{inside}{text[end - 1 :]}"


def _take(text: str, path: Path) -> str:
    """The text without one value, its key, and the comma that parted it from another."""
    spans = spans_in(text)
    _, end = spans[path]
    begin, close = spans[path[:-1]]
    before = [last for other, (_, last) in spans.items() if _is_beside(other, path) and last < end]
    if before:
        return text[: max(before)] + text[end:]
    rest = text[end : close - 1]
    if not rest.strip():
        return text[: begin + 1] + text[close - 1 :]
    skipped = len(rest) - len(rest.lstrip(_BLANK))
    after = rest[skipped + 1 :]
    blank = text[begin + 1 : end]
    kept = blank[: len(blank) - len(blank.lstrip(_BLANK))]
    return text[: begin + 1] + kept + after.lstrip(_BLANK) + text[close - 1 :]


def _is_beside(other: Path, path: Path) -> bool:
    return len(other) == len(path) and other[:-1] == path[:-1] and other != path


def _at(value: Any, path: Path) -> Any:
    for name in path:
        value = value[name]
    return value


def spans_in(text: str) -> dict[Path, tuple[int, int]]:
    """Where each value of a JSON text begins and ends."""
    return {path: (begin, end) for path, begin, end in _values(text, _skip(text, 0), ())}


def _values(text: str, at: int, path: Path) -> Iterator[tuple[Path, int, int]]:
    begin = at
    if text[at] not in "{[":
        yield path, begin, _DECODER.raw_decode(text, at)[1]
        return
    keyed, index = text[at] == "{", 0
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        name: str | int = index
        if keyed:
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        spans = list(_values(text, at, (*path, name)))
        yield from spans
        at, index = _skip(text, spans[-1][2]), index + 1
        if text[at] == ",":
            at = _skip(text, at + 1)
    yield path, begin, at + 1


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise NotPlain("a name stands in it twice")
    return made


def _no_number(name: str) -> object:
    raise NotPlain(f"{name} is no number of JSON")
