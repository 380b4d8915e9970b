"""Reads the arguments that a model wrote, or tells the model what is wrong with them.

Nothing is guessed: a member that stands twice, that nobody knows or that is of another kind is
wrong. Only a number, a truth or a list that was written as a text (`"1"`) is taken for what it
says; it is judged, shown and used as that. Whatever its size, a text is read in time that grows
with it.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import pydantic

from assent.agent.tools.tool import Arguments, Tool
from assent.gate.call.errors import AssentError
from assent.gate.text.strict_json import Ambiguous, decoded

__all__ = ["ArgumentsWrong", "arguments_in", "arguments_of"]

A = TypeVar("A", bound=Arguments)

_MAX_LETTERS: Final = 8 * 1024 * 1024
"""In characters: twice what may be judged, since JSON writes some letters as two."""

_MAX_FAULTS: Final = 8
_MAX_VALUE_LETTERS: Final = 60
_MAX_DECODINGS: Final = 2
"""A list that was written as a text may have a number in it that was, too."""

_SURROGATE: Final = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
_HALF: Final = r"half a character stands in them (such as `\ud83d` by itself); write it whole"

_EXPECTED: Final[Mapping[str, str]] = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such argument",
    "string_type": "expected a text",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "float_type": "expected a number",
    "bool_type": "expected true or false",
    "list_type": "expected a list",
    "tuple_type": "expected a list",
    "dict_type": "expected an object",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "literal_error": "expected {expected}",
    "enum": "expected {expected}",
    "greater_than_equal": "expected at least {ge}",
    "less_than_equal": "expected at most {le}",
    "string_too_short": "expected a longer text",
    "string_too_long": "expected at most {max_length} characters",
    "too_short": "expected at least {min_length}",
    "too_long": "expected at most {max_length}",
    "value_error": "{error}",
}


class ArgumentsWrong(AssentError):
    """A call that the model wrote cannot be one; the message tells it what to write instead."""


def arguments_of(tool: Tool[A], text: str) -> A:
    """The arguments in a JSON text; nothing at all is an object without members."""
    if len(text) > _MAX_LETTERS:
        raise _wrong(
            tool, [f"they are longer than {_MAX_LETTERS:,} characters; do it in smaller parts"]
        )
    value = _checked_json(tool, text)
    try:
        return _validated(tool, text, value)
    except UnicodeEncodeError as error:
        raise _wrong(tool, [_HALF]) from error
    except pydantic.ValidationError as error:
        raise _wrong(tool, _faults(tool, error)) from error


def _validated(tool: Tool[A], text: str, value: dict[str, Any]) -> A:
    """The arguments, once more where some of them were only written as texts."""
    validate = tool.arguments.model_validate_json
    for _ in range(_MAX_DECODINGS):
        try:
            return validate(text.encode() if text.strip() else b"{}")
        except pydantic.ValidationError as error:
            if not _unwrapped(value, error):
                raise
            text = json.dumps(value, ensure_ascii=False)
    return validate(text.encode())


def _unwrapped(value: Any, error: pydantic.ValidationError) -> bool:
    """Put what texts say in their place, where something else belongs there; whether any did."""
    has_changed = False
    for fault in error.errors(include_url=False)[:_MAX_FAULTS]:
        says = _SAYS.get(fault["type"])
        *way, last = fault["loc"] or (None,)
        if says is None or type(fault["input"]) is not str or last is None:
            continue
        said = says(fault["input"])
        holder = value
        for part in way:
            holder = holder[part]
        if said is not None:
            holder[last], has_changed = said, True
    return has_changed


def _number(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None


def _truth(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text)


def _list(text: str) -> list[Any] | None:
    try:
        value = decoded(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


_WHOLE: Final = re.compile(r"-?[0-9]{1,12}")
_SAYS: Final[Mapping[str, Callable[[str], Any]]] = {
    "int_type": _number,
    "bool_type": _truth,
    "list_type": _list,
}
"""What a text says where something else belongs, by the fault of that."""


def arguments_in(tool: Tool[A], given: dict[str, Any]) -> A:
    """The arguments in the input of a call, as the tool's `aim` made it or a hook changed it."""
    try:
        text = json.dumps(tool.back(given), allow_nan=False, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError, LookupError) as error:
        raise _wrong(tool, ["they are no JSON"]) from error
    return arguments_of(tool, text)


def _checked_json(tool: Tool[A], text: str) -> dict[str, Any]:
    """What it says; refused is what other readers let pass, a member twice or an odd number."""
    if not text.strip():
        return {}
    try:
        value = decoded(text)
    except RecursionError as error:
        raise _wrong(tool, ["they are nested too deeply"]) from error
    except json.JSONDecodeError as error:
        where = "they break off" if error.pos >= len(text) else f"see character {error.pos + 1}"
        raise _wrong(tool, [f"they are not valid JSON: {error.msg} ({where})"]) from error
    except ValueError as error:
        fault = (
            str(error) if isinstance(error, Ambiguous) else "a number in them has too many digits"
        )
        raise _wrong(tool, [fault]) from error
    if not isinstance(value, dict):
        raise _wrong(tool, ["they must be one JSON object"])
    if _SURROGATE.search(text) and _has_half(value):
        raise _wrong(tool, [_HALF])
    return value


def _has_half(value: object) -> bool:
    """Whether half of a character stands in it, which no file and no command can hold."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _wrong(tool: Tool[A], faults: list[str]) -> ArgumentsWrong:
    listed = "\n".join(f"- {fault}" for fault in faults)
    return ArgumentsWrong(f"{tool.name} was not called, because its arguments are wrong:\n{listed}")


def _faults(tool: Tool[A], error: pydantic.ValidationError) -> list[str]:
    errors = error.errors(include_url=False)
    faults = [_fault(each["type"], each["loc"], each) for each in errors[:_MAX_FAULTS]]
    if len(errors) > _MAX_FAULTS:
        faults.append(f"and {len(errors) - _MAX_FAULTS} more")
    if any(each["type"] == "extra_forbidden" and len(each["loc"]) == 1 for each in errors):
        names = ", ".join(f"`{name}`" for name in tool.arguments.model_fields)
        faults.append(f"its arguments are {names}" if names else "it takes no arguments")
    return faults


def _fault(kind: str, place: tuple[int | str, ...], fault: Mapping[str, Any]) -> str:
    wanted = _EXPECTED.get(kind, "{msg}").format_map({"msg": fault["msg"], **fault.get("ctx", {})})
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)[1:]
    if not place:
        return wanted
    if kind in {"missing", "extra_forbidden", "value_error"}:
        return f"`{_short(name)}`: {wanted}"
    return f"`{_short(name)}`: {wanted}, got {_got(fault.get('input'))}"


def _got(value: object) -> str:
    """What stood there, without writing down more of it than is shown."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    begin = value[: _MAX_VALUE_LETTERS + 1] if isinstance(value, str) else value
    return _short(json.dumps(begin, ensure_ascii=False, default=str))


def _short(text: str) -> str:
    return text if len(text) <= _MAX_VALUE_LETTERS else f"{text[:_MAX_VALUE_LETTERS]}…"
