"""Reads what an agent asks permission for into a `Call`.

What counts is what will be used: the arguments, the changes, the paths. A title decides nothing,
and a kind can only make a call weigh more. Where the parts contradict each other the strongest
effect counts, and what cannot be judged says so in `unreadable`, which is asked in every mode.
"""

import shlex
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

from attrs import field, frozen

from assent.acp import arguments
from assent.acp.edits import Diff, diffs_in, edits_of
from assent.calls import AgentId, Call, CallId, ChatId, Edit, Effect, Offer, Target, canonical
from assent.errors import CallUnreadable
from assent.places import Places

__all__ = ["Reader", "label_of"]

_LONGEST_LABEL: Final = 200


@frozen(kw_only=True)
class _Reading:
    """What a call comes to, before it is somebody's."""

    tool: str
    effect: Effect
    input: dict[str, Any] = field(hash=False)
    cwd: str
    folder: str = "."
    targets: tuple[Target, ...] = ()
    edits: tuple[Edit, ...] = ()
    unreadable: str | None = None


@frozen(kw_only=True)
class Reader:
    """Reads the calls of one agent in one chat."""

    chat: ChatId
    agent: AgentId
    cwd: str
    places: Places

    def read(self, whole: dict[str, Any], offers: tuple[Offer, ...] = ()) -> Call:
        """The call that a tool call, with all that is known of it, comes to.

        Each has an id of its own: an agent that uses an id twice gets nothing by it.
        """
        try:
            reading = self._read(_Parts.of(whole))
        except CallUnreadable as error:
            reading = self._unreadable(str(error), whole)
        title = whole.get("title")
        return Call(
            id=CallId(str(uuid4())),
            chat=self.chat,
            agent=self.agent,
            tool=reading.tool,
            effect=reading.effect,
            input=reading.input,
            cwd=reading.cwd,
            folder=reading.folder,
            targets=reading.targets,
            edits=reading.edits,
            unreadable=reading.unreadable,
            says=title if isinstance(title, str) else "",
            offers=offers,
        )

    def _read(self, parts: "_Parts") -> _Reading:
        command = arguments.command_in(parts.args)
        if command is not None:
            return self._shell(parts, command)
        if parts.diffs or (parts.kind in {"edit", "delete", "move"} and parts.named):
            return self._write(parts)
        if parts.kind in {"read", "search"} and parts.named and arguments.only_read(parts.args):
            return self._reading(parts, "read", Effect.READ, parts.named)
        if parts.args:
            paths = [path for path in parts.named if "://" not in path]
            return self._reading(parts, "other", Effect.EXTERNAL, paths)
        raise CallUnreadable("It came without anything that says what it would do.")

    def _shell(self, parts: "_Parts", command: str | list[str]) -> _Reading:
        if parts.diffs or arguments.paths_in(parts.args):
            return _Reading(
                tool="other",
                effect=Effect.EXECUTE,
                input=parts.args,
                cwd=self.cwd,
                unreadable="It names a command and files at once.",
            )
        text = command if isinstance(command, str) else shlex.join(command)
        folder = arguments.folder_in(parts.args)
        where = self.places.locate(folder or ".", self.cwd)
        return _Reading(
            tool="shell",
            effect=Effect.EXECUTE,
            input={"command": text} if folder is None else {"command": text, "cwd": folder},
            cwd=where.resolved,
            folder=where.shown,
        )

    def _write(self, parts: "_Parts") -> _Reading:
        if parts.kind in {"execute", "fetch"}:
            raise CallUnreadable(f"It says that it is there to {parts.kind}, and it changes files.")
        paths = [*parts.named, *arguments.likely_paths(parts.args)]
        changes = [(diff, self.places.locate(diff.path, self.cwd)) for diff in parts.diffs]
        return _Reading(
            tool="write",
            effect=Effect.WRITE,
            input=parts.args,
            cwd=self.cwd,
            targets=_once([*(target for _, target in changes), *self._locate(paths)]),
            edits=edits_of(changes, everywhere=arguments.everywhere(parts.args)),
        )

    def _reading(self, parts: "_Parts", tool: str, effect: Effect, paths: list[str]) -> _Reading:
        return _Reading(
            tool=tool,
            effect=effect,
            input=parts.args,
            cwd=self.cwd,
            targets=_once(list(self._locate(paths))),
        )

    def _unreadable(self, because: str, whole: dict[str, Any]) -> _Reading:
        return _Reading(
            tool="other",
            effect=Effect.EXTERNAL,
            input=_shown_anyway(whole),
            cwd=self.cwd,
            unreadable=because,
        )

    def _locate(self, paths: list[str]) -> Iterator[Target]:
        return (self.places.locate(path, self.cwd) for path in paths)


@frozen(kw_only=True)
class _Parts:
    """The parts of a tool call that say what it would do."""

    kind: str
    args: dict[str, Any] = field(hash=False)
    diffs: list[Diff] = field(hash=False)
    named: list[str] = field(hash=False)
    """The paths that it names outright."""

    @classmethod
    def of(cls, whole: dict[str, Any]) -> "_Parts":
        raw = whole.get("rawInput")
        args = raw if isinstance(raw, dict) else {} if raw is None else {"input": raw}
        _check_depth(args)
        locations = _objects(whole, "locations")
        places = [location.get("path") for location in locations]
        if not all(isinstance(path, str) for path in places):
            raise CallUnreadable("It names a place without a path.")
        kind = whole.get("kind")
        return cls(
            kind=kind if isinstance(kind, str) else "",
            args=args,
            diffs=diffs_in(_objects(whole, "content")),
            named=[*arguments.places_in(args), *(str(path) for path in places)],
        )


def label_of(whole: dict[str, Any]) -> str:
    """What to call a tool call in a sentence: its command, else its title."""
    raw = whole.get("rawInput")
    try:
        command = arguments.command_in(raw) if isinstance(raw, dict) else None
    except CallUnreadable:
        command = None
    text = shlex.join(command) if isinstance(command, list) else command
    text = text or str(whole.get("title") or whole.get("toolCallId") or "a call")
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"


def _objects(whole: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = whole.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise CallUnreadable(f"Its `{name}` is not a list of objects.")
    return value


def _check_depth(args: dict[str, Any]) -> None:
    """Refuse to judge what is nested too deeply for a digest to be taken of it."""
    try:
        canonical(args)
    except RecursionError as error:
        raise CallUnreadable("Its arguments are nested too deeply.") from error


def _shown_anyway(whole: dict[str, Any]) -> dict[str, Any]:
    """What there is of an unreadable call, for the person to look at."""
    raw = whole.get("rawInput")
    shown = raw if isinstance(raw, dict) else {} if raw is None else {"input": raw}
    try:
        canonical(shown)
    except RecursionError:
        return {}
    return shown


def _once(targets: list[Target]) -> tuple[Target, ...]:
    """Each target once, by where it leads."""
    return tuple({target.resolved: target for target in reversed(targets)}.values())[::-1]
