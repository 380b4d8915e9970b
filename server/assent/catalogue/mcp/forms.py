"""Reads a server's or an agent's question to a person: a bounded form, or a page to open.

A form is flat. What nobody could fill in is refused, and nothing of it is shown.
"""

from collections.abc import Mapping
from typing import Any, Final

from assent.gate.call.errors import AssentError
from assent.gate.text.addresses import address_of
from assent.gate.text.invisible_characters import hides, stands_plain

__all__ = ["FormUnfit", "form_of", "page_of"]

_MAX_FIELDS: Final = 25
_MAX_CHOICES: Final = 50
_MAX_NAME_LETTERS: Final = 100
_MAX_VALUE_LETTERS: Final = 500
_MAX_MESSAGE_LETTERS: Final = 4_000
_FORMATS: Final = frozenset({"email", "uri", "date", "date-time"})
_KINDS: Final = {"string": "text", "number": "number", "integer": "integer", "boolean": "boolean"}
_BOUNDS: Final = {
    "text": ("minLength", "maxLength"),
    "number": ("minimum", "maximum"),
    "integer": ("minimum", "maximum"),
    "some": ("minItems", "maxItems"),
}
_INITIAL: Final[dict[str, type | tuple[type, ...]]] = {
    "text": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "one": str,
    "some": list,
}


class FormUnfit(AssentError):
    """Why nobody can be asked that, a clause."""


def form_of(message: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The form that is asked for; raises `FormUnfit`."""
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        raise FormUnfit("its form has no fields that could be filled in")
    if len(properties) > _MAX_FIELDS:
        raise FormUnfit(f"its form has more than {_MAX_FIELDS} fields")
    fields = [_field(name, property_schema) for name, property_schema in properties.items()]
    return {
        "message": _bounded(message),
        "fields": [{**field, "required": field["name"] in required} for field in fields],
    }


def page_of(message: str, url: str) -> dict[str, Any]:
    """The page that is to be opened; raises `FormUnfit`."""
    if address_of(url) is None:
        raise FormUnfit("the page that it wants to be opened has no plain web address")
    return {"message": _bounded(message), "url": url}


def _bounded(message: str) -> str:
    if len(message) > _MAX_MESSAGE_LETTERS:
        raise FormUnfit(f"its question is longer than {_MAX_MESSAGE_LETTERS:,} characters")
    return message


def _field(name: str, schema: Any) -> dict[str, Any]:
    is_shown = 0 < len(name) <= _MAX_NAME_LETTERS and name.isprintable() and not hides(name)
    if not isinstance(schema, dict) or not is_shown:
        raise FormUnfit("its form has a field that could not be shown")
    field: dict[str, Any] = {"name": name, "kind": _kind(schema)}
    field |= {
        ours: value
        for ours, theirs in (("title", "title"), ("says", "description"))
        if (value := _short(schema.get(theirs)))
    }
    if schema.get("format") == "password" or schema.get("writeOnly") is True:
        field["format"] = "password"
    elif schema.get("format") in _FORMATS and field["kind"] == "text":
        field["format"] = schema["format"]
    if field["kind"] in {"one", "some"}:
        field["choices"] = _choices(schema)
    return field | _bounds(field["kind"], schema) | _initial(field["kind"], schema)


def _kind(schema: Mapping[str, Any]) -> str:
    if schema.get("type") == "array":
        return "some"
    if schema.get("type") == "string" and ("enum" in schema or "oneOf" in schema):
        return "one"
    kind = _KINDS.get(str(schema.get("type")))
    if kind is None:
        raise FormUnfit("its form has a field of a kind that nobody here could fill in")
    return kind


def _choices(schema: Mapping[str, Any]) -> list[dict[str, str]]:
    """What may be chosen, in each of the ways in which that is written."""
    of = schema.get("items", {}) if schema.get("type") == "array" else schema
    if not isinstance(of, dict):
        raise FormUnfit("its form has a choice of nothing")
    titled = of.get("oneOf", of.get("anyOf"))
    values, names = of.get("enum"), of.get("enumNames")
    if isinstance(titled, list):
        given = [choice for choice in titled if isinstance(choice, dict)]
        pairs = [(choice.get("const"), _choice_label(choice)) for choice in given]
    elif isinstance(values, list):
        labels = names if isinstance(names, list) and len(names) == len(values) else values
        pairs = [*zip(values, labels, strict=True)]
    else:
        pairs = []
    choices = [
        {"value": value, "label": str(name or value)}
        for value, name in pairs
        if isinstance(value, str)
    ]
    if not choices or len(choices) > _MAX_CHOICES or len(choices) != len(titled or values or ()):
        raise FormUnfit(f"its form has a choice of nothing, or of more than {_MAX_CHOICES}")
    if len({choice["value"] for choice in choices}) < len(choices):
        raise FormUnfit("its form offers the same choice twice")
    if any(len(text) > _MAX_VALUE_LETTERS for choice in choices for text in choice.values()):
        raise FormUnfit("its form has a choice that is too long to be shown")
    return choices


def _choice_label(choice: Mapping[str, Any]) -> str:
    """What a choice is called, with as much of what is said of it as there is room for."""
    name, says = str(choice.get("title") or choice.get("const")), _short(choice.get("description"))
    label = f"{name}: {says}" if says else name
    return label[: max(len(name), _MAX_VALUE_LETTERS)]


def _bounds(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    theirs = _BOUNDS.get(kind, ())
    given = (
        (ours, schema.get(theirs_name))
        for ours, theirs_name in zip(("least", "most"), theirs, strict=False)
    )
    return {ours: bound for ours, bound in given if type(bound) in {int, float}}


def _initial(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    value = schema.get("default")
    fits = isinstance(value, _INITIAL[kind]) and len(str(value)) <= _MAX_VALUE_LETTERS
    if not fits or (kind == "some" and not all(isinstance(text, str) for text in value or ())):
        return {}
    # What stands in a field is sent as a person's own words: all of it has to be seen there.
    if kind == "text" and not stands_plain(str(value)):
        return {}
    return {"initial": value}


def _short(text: object) -> str:
    return text[:_MAX_VALUE_LETTERS] if isinstance(text, str) else ""
