"""Takes the sentences out of the settings' part of the manifest, and leaves a key for each.

The editor puts what a `package.nls.*.json` has behind a key in its place, in the language that it
is shown in. The English stays where the settings are described; nobody writes it twice.
"""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["PREFIX", "keyed"]

PREFIX: Final = "setting."
"""What the keys of settings begin with."""

_SENTENCES: Final = frozenset(
    {"description", "markdownDescription", "patternErrorMessage", "title", "label"}
)
_LISTS: Final = frozenset({"enumDescriptions", "enumItemLabels"})
_UNSAID: Final = frozenset({"properties", "anyOf", "description", "markdownDescription"})
_PLAIN: Final = {"items": "each", "patternProperties": "each", "enumDescriptions": "value"}
"""What parts of a path are called in a key, and those that a key goes without, as patterns."""

_NAME: Final = "Assent"
"""Said alike in every language."""


def keyed(configuration: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Put keys in the place of sentences, and return the sentences by their keys."""
    keys: dict[str, str] = {}
    named: dict[str, Any] = {}
    for name, schema in configuration["properties"].items():
        path = (PREFIX + name.partition(".")[2],)
        named[name] = {key: _of(key, value, path, keys) for key, value in schema.items()}
    sentences = {key: text for text, key in keys.items()}
    return {**configuration, "properties": named}, sentences


def _walked(value: Any, path: tuple[str, ...], keys: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _of(key, member, path, keys) for key, member in value.items()}
    if isinstance(value, list):
        return [_walked(item, (*path, str(at)), keys) for at, item in enumerate(value)]
    return value


def _of(name: str, value: Any, path: tuple[str, ...], keys: dict[str, str]) -> Any:
    within = (*path, name)
    if name in _SENTENCES and isinstance(value, str):
        return _key(value, within, keys)
    if name in _LISTS:
        return [_key(item, (*within, str(at)), keys) for at, item in enumerate(value)]
    # What is offered to be written, and what stands where nothing was, is no sentence of ours.
    is_value = name in {"default", "body"} and path[-1] != "properties"
    return value if is_value else _walked(value, within, keys)


def _key(text: str, path: tuple[str, ...], keys: dict[str, str]) -> str:
    """The key of a sentence; one that was met before keeps its own."""
    if text == _NAME or _is_notation(text):
        return text
    made = ".".join(
        _PLAIN.get(part, part) for part in path if part not in _UNSAID and "^" not in part
    )
    if keys.setdefault(text, made) == made and list(keys.values()).count(made) > 1:
        raise ValueError(f"Two sentences are called {made}.")
    return f"%{keys[text]}%"


def _is_notation(text: str) -> bool:
    """Whether it is a rule as it is written, in which no word is English."""
    return " " not in text.partition("(")[0] and "(" in text
