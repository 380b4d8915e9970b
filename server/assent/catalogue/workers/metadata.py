"""Translates the metadata and results of nodetool's worker into those of tools."""

import json
from collections.abc import Mapping
from typing import Any, Final

from assent.catalogue.workers.node_server import UNPASSED, plain

__all__ = ["mime_of", "results", "tool_of"]

_TYPES: Final = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "dict": "object",
}
_PARTS: Final = ("outputs", "blobs")
_MAX_TEXT_LETTERS: Final = 8_000
_MAX_ITEMS: Final = 200
_PICTURES: Final = (
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
)
_RIFF, _WEBP = b"RIFF", b"WEBP"
"""How each file of that family begins, sounds and films too, and what says eight bytes in that it
is a picture."""


def tool_of(node: Mapping[str, Any]) -> dict[str, Any] | str:
    """A node as a tool; why it is none, where it cannot be one."""
    name = node.get("node_type")
    if not isinstance(name, str):
        return "a node has no name"
    properties = _named(node.get("properties"))
    outputs = _named(node.get("outputs"))
    if properties is None or outputs is None:
        return f"{name}: what is said of it could not be read"
    wants = [setting for setting in node.get("required_settings") or () if isinstance(setting, str)]
    needs = f"\nIt needs {', '.join(wants)}, which Assent does not give it." if wants else ""
    return {
        "name": name,
        "title": _text(node.get("title")),
        "description": _text(node.get("description")) + needs,
        "inputSchema": {
            "type": "object",
            "properties": {name_given: _schema(given) for name_given, given in properties.items()},
            "additionalProperties": bool(node.get("is_dynamic")),
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                name_given: {"description": _type(given)} for name_given, given in outputs.items()
            },
        },
    }


def _named(given: Any) -> dict[str, dict[str, Any]] | None:
    """What has names, by them; None where it is not made so."""
    if not isinstance(given, list) or len(given) > _MAX_ITEMS:
        return None
    by_name = {
        member["name"]: member for member in given if isinstance(member, dict) and "name" in member
    }
    whole = len(by_name) == len(given) and all(isinstance(member, str) for member in by_name)
    return by_name if whole else None


def _schema(given: Mapping[str, Any]) -> dict[str, Any]:
    kind = _type(given)
    known = _TYPES.get(kind.partition("[")[0])
    said = ". ".join(filter(None, (_text(given.get("description")), "" if known else kind)))
    schema: dict[str, Any] = {"type": known} if known else {}
    schema |= {"description": said} if said else {}
    return schema | ({"default": plain(given["default"])} if "default" in given else {})


def _type(given: Mapping[str, Any]) -> str:
    kind = given.get("type")
    return _text(kind.get("type") if isinstance(kind, dict) else kind)


def _text(value: Any) -> str:
    return value[:_MAX_TEXT_LETTERS] if isinstance(value, str) else ""


def results(came: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What came of a run: its outputs by their names, and the pictures among them."""
    outputs, blobs = (part if isinstance(part, dict) else {} for part in map(came.get, _PARTS))
    data = {name: blob if isinstance(blob, bytes) else b"" for name, blob in blobs.items()}
    # A step that comes later looks into this text, so it is JSON and nothing beside, and what
    # stands there for bytes is taken for no value.
    kept = {name: {UNPASSED: len(blob)} for name, blob in data.items()}
    text = json.dumps(plain({**outputs, **kept}), ensure_ascii=False)
    pictures = [
        {"type": "image", "mimeType": mime, "data": plain(blob)}
        for blob in data.values()
        if (mime := mime_of(blob)) is not None
    ]
    return [{"type": "text", "text": text}, *pictures]


def mime_of(data: bytes) -> str | None:
    r"""Which picture this is; None where it is none.

    >>> mime_of(b"RIFF\x24\x00\x00\x00WEBPVP8 "), mime_of(b"RIFF\x24\x00\x00\x00WAVEfmt ")
    ('image/webp', None)
    """
    if data.startswith(_RIFF) and data[8:12] == _WEBP:
        return "image/webp"
    return next((mime for begin, mime in _PICTURES if data.startswith(begin)), None)
