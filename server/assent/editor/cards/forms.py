"""The body of a card with the question of a tool server or an agent, in the words of that."""

from collections.abc import Mapping
from typing import Any

from assent.editor.cards.spans import code, line
from assent.editor.protocol.questions import FieldChoice, FormBody, FormField
from assent.gate.call.calls import Call
from assent.gate.text.addresses import address_of
from assent.gate.text.invisible_characters import stands_plain

__all__ = ["asker_of", "form_of"]


def asker_of(call: Call) -> str:
    """Who asks, by the person's own name for it."""
    return str(call.input["agent"] if "agent" in call.input else call.input["server"])


def form_of(call: Call) -> FormBody:
    """The form, or the page that is to be opened."""
    url = str(call.input.get("url", ""))
    address = address_of(url) if url else None
    return FormBody(
        server=line(asker_of(call)),
        message=code(str(call.input["message"])),
        fields=[*map(_field, _fields(call.input.get("fields")))],
        url=url,
        host=line(address.host if address is not None else url),
    )


def _fields(given: object) -> list[Mapping[str, Any]]:
    """The fields; of a long form the record keeps a text, of which none is drawn."""
    return given if isinstance(given, list) else []


def _field(field: Mapping[str, Any]) -> FormField:
    return FormField(
        name=field["name"],
        label=line(str(field.get("title") or field["name"])),
        says=line(str(field.get("says", ""))),
        kind=field["kind"],
        format=field.get("format", ""),
        required=bool(field.get("required")),
        choices=[
            FieldChoice(value=choice["value"], label=line(_known(choice["label"], choice["value"])))
            for choice in field.get("choices", ())
        ],
        initial=_initial(field),
    )


def _known(label: str, value: str) -> str:
    """A choice by what it is called, and by what is sent unless its label begins with that."""
    return label if f"{label}: ".startswith(f"{value}: ") else f"{label} ({value})"


def _initial(field: Mapping[str, Any]) -> str | bool | list[str]:
    value = field.get("initial")
    match field["kind"]:
        case "boolean":
            return bool(value)
        case "some":
            return list(value or ())
        case "one":
            return str(value or "")
        case _:
            # A person sends what stands there as their own words, and must have seen all of it.
            text = "" if value is None else str(value)
            return text if stands_plain(text) else ""
