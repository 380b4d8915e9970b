"""Reads what an agent asks permission for into a `Call`.

What counts is what will be used: the arguments, the changes, the paths. A title decides nothing,
and a kind can only make a call weigh more. Where the parts contradict each other the strongest
effect counts, and what cannot be judged says so in `unreadable`, which is asked in every mode.
"""

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
_LONGEST_NAME: Final = 60


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
    action: str = ""
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
            action=reading.action,
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

    def _shell(self, parts: "_Parts", command: str) -> _Reading:
        if parts.diffs or arguments.paths_in(parts.args):
            raise CallUnreadable("It names a command and files at once.")
        beside = arguments.beside_command(parts.args)
        if beside is not None:
            raise CallUnreadable(f"It names a command, and beside it `{_name(beside)}`.")
        folder = arguments.folder_in(parts.args)
        where = self.places.locate(folder or ".", self.cwd)
        return _Reading(
            tool="shell",
            effect=Effect.EXECUTE,
            input={"command": command} if folder is None else {"command": command, "cwd": folder},
            cwd=where.resolved,
            folder=where.shown,
        )

    def _write(self, parts: "_Parts") -> _Reading:
        if parts.kind in {"execute", "fetch"}:
            raise CallUnreadable(f"It says that it is there to {parts.kind}, and it changes files.")
        base = self._base(parts)
        paths = [*parts.named, *arguments.likely_paths(parts.args)]
        changes = [(diff, self.places.locate(diff.path, base)) for diff in parts.diffs]
        targets = _once([*(target for _, target in changes), *self._locate(paths, base)])
        beside = arguments.beside_change(parts.args)
        if beside is not None:
            because = f"It changes files, and names `{_name(beside)}` beside them."
            return self._unclear(parts, targets, because)
        edits = edits_of(changes, everywhere=arguments.everywhere(parts.args))
        if edits and not _is_all_shown(parts.args, edits):
            because = "It names a text to write that is not in the change that it shows."
            return self._unclear(parts, targets, because)
        return _Reading(
            tool="write",
            effect=Effect.WRITE,
            # Without a change to show, what it names is all that there is to look at.
            input=parts.args if edits or not parts.places else parts.whole,
            cwd=self.cwd,
            targets=targets,
            edits=edits,
            action=parts.kind if parts.kind in {"delete", "move"} else "write",
        )

    def _unclear(self, parts: "_Parts", targets: tuple[Target, ...], because: str) -> _Reading:
        """A change of files that cannot be shown as one."""
        return _Reading(
            tool="other",
            effect=Effect.WRITE,
            input=parts.whole,
            cwd=self.cwd,
            targets=targets,
            unreadable=because,
        )

    def _reading(self, parts: "_Parts", tool: str, effect: Effect, paths: list[str]) -> _Reading:
        return _Reading(
            tool=tool,
            effect=effect,
            input=parts.args,
            cwd=self.cwd,
            targets=_once(list(self._locate(paths, self._base(parts)))),
        )

    def _unreadable(self, because: str, whole: dict[str, Any]) -> _Reading:
        args = _args_of(whole)
        runs = whole.get("kind") == "execute" or arguments.names_command(args)
        return _Reading(
            tool="other",
            effect=Effect.EXECUTE if runs else Effect.EXTERNAL,
            input=_shown_anyway(whole),
            cwd=self.cwd,
            unreadable=because,
        )

    def _base(self, parts: "_Parts") -> str:
        """The folder from which the call's own paths lead."""
        folder = arguments.folder_in(parts.args)
        return self.cwd if folder is None else self.places.locate(folder, self.cwd).resolved

    def _locate(self, paths: list[str], base: str) -> Iterator[Target]:
        return (self.places.locate(path, base) for path in paths)


@frozen(kw_only=True)
class _Parts:
    """The parts of a tool call that say what it would do."""

    kind: str
    args: dict[str, Any] = field(hash=False)
    whole: dict[str, Any] = field(hash=False)
    """The arguments, and what is told beside them where there is such."""
    diffs: list[Diff] = field(hash=False)
    places: list[str] = field(hash=False)
    """The paths that it names beside its arguments."""

    @property
    def named(self) -> list[str]:
        """The paths that it names outright."""
        return [*arguments.places_in(self.args), *self.places]

    @classmethod
    def of(cls, whole: dict[str, Any]) -> "_Parts":
        args = _args_of(whole)
        _check_depth(whole)
        places = [location.get("path") for location in _objects(whole, "locations")]
        if not all(isinstance(path, str) for path in places):
            raise CallUnreadable("It names a place without a path.")
        kind = whole.get("kind")
        return cls(
            kind=kind if isinstance(kind, str) else "",
            args=args,
            whole=_shown_anyway(whole),
            diffs=diffs_in(_objects(whole, "content")),
            places=[str(path) for path in places],
        )


def label_of(whole: dict[str, Any]) -> str:
    """What to call a tool call in a sentence: its command, else its title."""
    raw = whole.get("rawInput")
    try:
        command = arguments.command_in(raw) if isinstance(raw, dict) else None
    except CallUnreadable:
        command = None
    text = command or str(whole.get("title") or whole.get("toolCallId") or "a call")
    return text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"


def _objects(whole: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = whole.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise CallUnreadable(f"Its `{name}` is not a list of objects.")
    return value


def _args_of(whole: dict[str, Any]) -> dict[str, Any]:
    raw = whole.get("rawInput")
    return raw if isinstance(raw, dict) else {} if raw is None else {"input": raw}


def _check_depth(whole: dict[str, Any]) -> None:
    """Refuse to judge what is nested too deeply for a digest to be taken of it."""
    try:
        canonical([whole.get(name) for name in ("rawInput", "content", "locations")])
    except RecursionError as error:
        raise CallUnreadable("Its arguments are nested too deeply.") from error


def _shown_anyway(whole: dict[str, Any]) -> dict[str, Any]:
    """All that a call says of what it would do, for the person to look at, and for its digest."""
    args, content = _args_of(whole), whole.get("content")
    if isinstance(content, list):
        # Words and pictures are what a call shows of itself, not what it does.
        content = [one for one in content if not _is_mere_content(one)]
    beside = {"locations": whole.get("locations"), "content": content}
    told = {name: value for name, value in beside.items() if value}
    shown = {"rawInput": args, **told} if told else args
    try:
        canonical(shown)
    except RecursionError:
        return {}
    return shown


def _is_mere_content(item: object) -> bool:
    return isinstance(item, dict) and item.get("type") == "content"


def _is_all_shown(args: dict[str, Any], edits: tuple[Edit, ...]) -> bool:
    """Whether each text among the arguments comes to stand in a file that is shown."""
    after = [_with_plain_breaks(edit.new) for edit in edits]
    texts = [_with_plain_breaks(text) for text in arguments.new_texts(args)]
    return all(any(text in new for new in after) for text in texts)


def _with_plain_breaks(text: str) -> str:
    return text.replace("\r\n", "\n")


def _name(name: str) -> str:
    """An argument's name, short enough for a sentence."""
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _once(targets: list[Target]) -> tuple[Target, ...]:
    """Each target once, by where it leads."""
    return tuple({target.resolved: target for target in reversed(targets)}.values())[::-1]
