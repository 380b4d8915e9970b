"""Where an agent's hook is written: into a list of its settings, or a file of its own.

Each place is a text in, a text out; what cannot be changed surely raises `NotPlain`.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, Protocol

import orjson

from assent.gate.text.json_edits import NotPlain, strict_object, with_element, without_elements
from assent.gate.values import frozen

__all__ = ["HookLine", "HookPlace", "InFile", "InList", "Ours"]

Made = Callable[["HookLine"], Mapping[str, Any]]
_MIXED: Final = (
    "a hook of yours stands in one group with Assent's, so move it to a group of its own first"
)
_TAKEN: Final = "something of yours stands there already, which Assent has not written"
_CHANGED: Final = "what Assent wrote there was changed since, so take it out by hand"


@frozen(kw_only=True)
class HookLine:
    """What an agent runs before each call."""

    text: str
    """As a line of any shell."""
    spawned: tuple[str, ...]
    """As a program and its words, where the agent starts it without a shell."""


@frozen(kw_only=True)
class Ours:
    """By what a hook of ours is known."""

    line: HookLine
    """What it runs now."""
    begins: tuple[str, ...]
    """How each line of ours begins, or a word of it, whatever version of us wrote it."""
    written: str = ""
    """All that stood there once it was written last."""


class HookPlace(Protocol):
    """One kind of place."""

    def put(self, text: str | None, ours: Ours) -> str:
        """The text with the hook."""
        ...

    def taken_out(self, text: str, ours: Ours) -> str | None:
        """The text without it; None where nothing is left."""
        ...


@frozen(kw_only=True)
class InList:
    """One more element in the lists of a JSON object, by their events."""

    hooks: Mapping[str, Made]
    """What stands there, by its event, for what the hook is."""
    base: str = "{}\n"
    """Such a file in which nothing is said."""

    def put(self, text: str | None, ours: Ours) -> str:
        """The text with one element at the end of each list."""
        made = self.base if text is None or not text.strip() else text
        for event, element in self.hooks.items():
            if _ours_in(made, event, ours.begins) != [element(ours.line)]:
                made = _cut(made, event, ours.begins)
                made = with_element(made, ("hooks", event), element(ours.line))
        _refuse_silent(strict_object(made), ours.line.text)
        return made

    def taken_out(self, text: str, ours: Ours) -> str | None:
        """The text without these elements."""
        for event in self.hooks:
            text = _cut(text, event, ours.begins)
        return text


@frozen(kw_only=True)
class InFile:
    """A file that holds nothing but the hook."""

    text: Callable[[HookLine], str]
    """What it says, for what the hook is."""

    def put(self, text: str | None, ours: Ours) -> str:
        """The file as it is to be, where none of the person's is there."""
        whole = self.text(ours.line)
        if text is None or not text.strip():
            return whole
        if not _names(text, ours.begins):
            raise NotPlain(_TAKEN)
        # What the person wrote around ours stays there.
        if whole in text:
            return text
        is_there = ours.written and ours.written in text
        return text.replace(ours.written, whole) if is_there else whole

    def taken_out(self, text: str, ours: Ours) -> str | None:
        """What the person wrote around ours; raises where ours itself was changed."""
        for known in (self.text(ours.line), ours.written):
            text = text.replace(known, "") if known else text
        if _names(text, ours.begins):
            raise NotPlain(_CHANGED)
        return text if text.strip() else None


def _names(text: str, begins: tuple[str, ...]) -> bool:
    """Whether a line of ours stands in a text, as a program's text quotes it."""
    return any(orjson.dumps(begin).decode().strip('"') in text for begin in begins)


def _cut(text: str, event: str, begins: tuple[str, ...]) -> str:
    """The text without our elements of one list; raises where another hook would go with them."""
    for our in _ours_in(text, event, begins):
        inner = our.get("hooks")
        if isinstance(inner, list) and not all(_is_ours(element, begins) for element in inner):
            raise NotPlain(_MIXED)
    return without_elements(text, ("hooks", event), lambda element: _is_ours(element, begins))


def _ours_in(text: str, event: str, begins: tuple[str, ...]) -> list[Any]:
    """What stands there and has a line of ours in it."""
    hooks = strict_object(text).get("hooks")
    elements = hooks.get(event) if isinstance(hooks, dict) else None
    return [
        element
        for element in (elements if isinstance(elements, list) else [])
        if _is_ours(element, begins)
    ]


def _is_ours(element: Any, begins: tuple[str, ...]) -> bool:
    """Whether an element, or one inside it, runs a line of ours."""
    if not isinstance(element, dict):
        return False
    inner = element.get("hooks")
    return any(word.startswith(begins) for word in _words_of(element)) or (
        isinstance(inner, list) and any(_is_ours(nested, begins) for nested in inner)
    )


def _words_of(element: Mapping[str, Any]) -> Iterator[str]:
    """What an element runs: its line, and each word of it."""
    args = element.get("args")
    yield from _texts_in(args if isinstance(args, list) else ())
    for line in _texts_in((element.get("command"), element.get("bash"))):
        yield line
        # A line that only a shell can read is none of ours.
        with suppress(ValueError):
            yield from shlex.split(line)


def _texts_in(values: Iterable[object]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str))


def _refuse_silent(whole: Mapping[str, Any], line: str) -> None:
    """Raise where the person's own settings have no hook run at all, or not this one."""
    if whole.get("disableAllHooks"):
        raise NotPlain("it says `disableAllHooks`, so the agent runs no hooks at all")
    config = whole.get("hooksConfig")
    if isinstance(config, dict) and (
        config.get("enabled") is False or line in (config.get("disabled") or ())
    ):
        raise NotPlain("it says `hooksConfig`, so the agent runs no hooks at all, or not this one")
