"""The JSON schema of a tool's arguments for models: flat, compact, without titles."""

from typing import Any

from assent.agent.tools.tool import Arguments

__all__ = ["schema_of"]


def schema_of(arguments: type[Arguments]) -> dict[str, Any]:
    """The schema of a form of arguments."""
    whole = arguments.model_json_schema()
    schema = _plain(whole, whole.get("$defs", {}))
    schema.setdefault("properties", {})
    return schema


def _plain(schema: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """A schema in which everything stands where it is used; not every model follows references."""
    if "$ref" in schema:
        return _plain(named[schema["$ref"].rpartition("/")[2]] | _beside(schema), named)
    if "anyOf" in schema:
        # What may be left out may also be nothing, which need not be said.
        (only,) = [each for each in schema["anyOf"] if each != {"type": "null"}]
        return _plain(only | _beside(schema), named)
    plain = {name: value for name, value in schema.items() if name not in _UNSAID}
    if "properties" in schema:
        members = schema["properties"].items()
        plain["properties"] = {name: _plain(member, named) for name, member in members}
        plain.pop("description", None)
    if "items" in schema:
        plain["items"] = _plain(schema["items"], named)
    return plain


_UNSAID = frozenset({"title", "$defs", "default"})


def _beside(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name == "description"}
