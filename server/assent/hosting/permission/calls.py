"""Reads an agent's request for permission into a `Call`.

What counts is what will be used: the arguments, the changes, the paths. A title decides nothing,
and a kind can only make a call weigh more. Where the parts contradict each other the strongest
effect counts, and what cannot be judged says so in `unreadable`, which is asked in every mode.
"""

import os
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from uuid import uuid4

from assent.catalogue.browser.call_effects import known_of
from assent.catalogue.nodes.catalogue import Seen
from assent.gate.call.calls import (
    AgentId,
    Beside,
    Call,
    CallId,
    ChatId,
    Described,
    Edit,
    Effect,
    Offer,
    Target,
)
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.places import Places
from assent.gate.values import evolve, field, frozen
from assent.hosting.permission import arguments
from assent.hosting.permission.edits import edits_of
from assent.hosting.permission.mcp_tool_names import ServerTool, names_in, served_in
from assent.hosting.permission.parts import Parts, args_of, shown_anyway
from assent.hosting.permission.patches import FilePatch, edits_by

__all__ = ["FOLDER_UNTOLD", "Reader"]

_MAX_NAME_LETTERS: Final = 60
FOLDER_UNTOLD: Final = "Its agent did not tell in which folder it would run."
_FOLDER_RELATIVE: Final = "Its agent told a folder to run in that may be anywhere: `{}`."
_FOLDER_GONE: Final = "It would run in `{}`, and there is no such folder."
_TWO_HOMES: Final = "It names a path below `{}`, which may be a home or lie in the folder itself."
_TYPED: Final = "It starts `{}`, and what is typed into that later is run without a question."


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
    described: Described | None = None
    beside: tuple[Beside, ...] = ()
    caution: str = ""
    says: tuple[str, ...] = ()
    """What the agent says of it among its arguments."""


@frozen(kw_only=True)
class Reader:
    """Reads the calls of one agent in one chat."""

    chat: ChatId
    agent: AgentId
    cwd: str
    """The folder from which the paths of a call lead, and in which its command runs."""
    places: Places
    servers_in: str = ""
    """The folder in which its agent began, and with it its servers, where that is another."""
    unplaced: str = ""
    """Why nobody knows in which folder a call would run, a sentence; nothing where it is known."""
    seen: Callable[[str], Seen | None] = lambda _: None
    """What a tool is by now that the agent has through us, by the name `server:tool`."""
    types_later: bool = False
    """Whether the agent types into programs that run, and nobody is told of that."""

    def in_folder(self, folder: str) -> "Reader":
        """Return the reader for a call of which its agent's hook told this folder."""
        if os.path.isabs(folder):  # noqa: PTH117 -- a string in
            return evolve(self, cwd=folder, servers_in=self.cwd)
        why = _FOLDER_RELATIVE.format(_name(folder)) if folder else FOLDER_UNTOLD
        return evolve(self, unplaced=why)

    def read(
        self,
        whole: dict[str, Any],
        offers: tuple[Offer, ...] = (),
        *,
        notes: bool = False,
        patch: list[FilePatch] | None = None,
    ) -> Call:
        """The call that a tool call, with all that is known of it, comes to.

        Each has an id of its own: an agent that uses an id twice gets nothing by it. `notes` says
        that it is surely a tool that touches nothing but its chat, and `patch` what it surely
        patches.
        """
        try:
            parts, served = Parts.of(whole), served_in(whole)
            # What shows a change of files is one, whatever else it is called.
            if served is not None and not parts.diffs:
                reading = self._served(parts, served)
            elif notes:
                reading = self._reading(parts, "other", Effect.CHAT, [])
            elif patch is not None:
                reading = self._patching(parts, patch)
            else:
                reading = self._read(parts)
        except CallUnreadable as error:
            reading = self._unreadable(str(error), whole)
        title, tool_call_id = whole.get("title"), whole.get("toolCallId")
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
            tool_call_id=tool_call_id if isinstance(tool_call_id, str) else "",
            says="\n".join((*([title] if isinstance(title, str) and title else []), *reading.says)),
            served=names_in(whole, only_marked=reading.tool in {"read", "write"}),
            offers=offers,
            described=reading.described,
            beside=reading.beside,
            caution=self._caution(reading),
            own_files=self.places.own_files,
        )

    def _caution(self, reading: _Reading) -> str:
        """Why a person should see it whatever the rules say."""
        if reading.tool == "shell" and not self.places.enters(reading.cwd):
            return _FOLDER_GONE.format(_name(reading.folder))
        if not (self.types_later and reading.tool == "shell"):
            return reading.caution
        # Only a command to be judged pays for loading what reads shells.
        from assent.gate.programs.code_inputs import is_typed_into  # noqa: PLC0415
        from assent.gate.programs.read_lines import read_script  # noqa: PLC0415

        commands = read_script(str(reading.input["command"])).commands
        typed = next((command.name for command in commands if is_typed_into(command)), None)
        return "" if typed is None else _TYPED.format(typed)

    def _read(self, parts: Parts) -> _Reading:
        command = arguments.command_in(parts.args)
        if command is not None:
            return self._shell(parts, command)
        changes = parts.kind in {"edit", "delete", "move"}
        if parts.diffs or (changes and (parts.names_places or arguments.likely_paths(parts.args))):
            return self._write(parts)
        if (
            parts.kind in {"read", "search"}
            and parts.names_places
            and arguments.only_read(parts.args)
        ):
            return self._reading(parts, "read", Effect.READ, parts.named)
        hired = arguments.hired_in(parts.args)
        if hired is not None:
            return self._hiring(parts, hired)
        if parts.args and self._here:
            paths = [path for path in parts.named if "://" not in path]
            runs = parts.kind == "execute"
            effect = Effect.EXECUTE if runs else Effect.EXTERNAL
            return self._reading(parts, "other", effect, paths)
        nothing = "It came without anything that says what it would do."
        raise CallUnreadable(self.unplaced or nothing)

    def _patching(self, parts: Parts, patch: list[FilePatch]) -> _Reading:
        """Changes of files, where the patch fits them; else the command that it came as, if any."""
        try:
            made = edits_by(patch, partial(self._locate, base=self._here))
        except CallUnreadable:
            if arguments.command_in(parts.args) is None:
                raise
            return self._read(parts)
        return _Reading(
            tool="write",
            effect=Effect.WRITE,
            # Each letter of it stands in the changes.
            input={},
            cwd=self.cwd,
            targets=tuple(target for target, _ in made),
            edits=tuple(edit for _, edit in made),
            action="write",
        )

    def _served(self, parts: Parts, served: ServerTool) -> _Reading:
        """A tool of a server, which does with its arguments what nobody here knows."""
        paths = [*arguments.paths_in(served.arguments), *parts.places]
        named = [path for path in paths if "://" not in path]
        given = {"server": served.server, "tool": served.tool, "arguments": served.arguments}
        # A server does not follow its agent into another folder.
        folders = dict.fromkeys((self.servers_in or self.cwd, self.cwd))
        targets = [self._locate(path, folder) for folder in folders for path in named]
        seen = self.seen(f"{served.server}:{served.tool}")
        known = known_of(seen, served.arguments, self.places)
        return _Reading(
            tool="mcp",
            effect=known.effect,
            input={**(given if seen is None else seen.given(served.arguments)), **parts.beside},
            cwd=self.cwd,
            targets=_once(targets),
            described=None if seen is None else seen.described,
            caution=known.caution if seen is None else seen.caution or known.caution,
            beside=known.beside,
        )

    def _hiring(self, parts: Parts, name: str) -> _Reading:
        """Work that is handed to another agent, of which it may never be told what it does."""
        return _Reading(
            tool="agent",
            effect=Effect.EXTERNAL,
            input={"name": name, "arguments": parts.args},
            cwd=self.cwd,
            targets=_once([self._locate(path, self._here) for path in parts.places]),
        )

    def _shell(self, parts: Parts, command: str) -> _Reading:
        if parts.diffs or arguments.paths_in(parts.args):
            raise CallUnreadable("It names a command and files at once.")
        beside = arguments.beside_command(parts.args)
        if beside is not None:
            raise CallUnreadable(f"It names a command, and beside it `{_name(beside)}`.")
        folder = arguments.folder_in(parts.args)
        where = self._locate(folder or ".", self._here)
        given = {"command": command} if folder is None else {"command": command, "cwd": folder}
        return _Reading(
            tool="shell",
            effect=Effect.EXECUTE,
            input={**given, **arguments.manner_in(parts.args)},
            cwd=where.resolved,
            folder=where.shown,
            says=tuple(arguments.words_beside(parts.args)),
        )

    def _write(self, parts: Parts) -> _Reading:
        if parts.kind in {"execute", "fetch"}:
            raise CallUnreadable(f"It says that it is there to {parts.kind}, and it changes files.")
        base = self._folder(parts)
        paths = [*parts.named, *arguments.likely_paths(parts.args)] or [base]
        changes = [(diff, self._locate(diff.path, base)) for diff in parts.diffs]
        named = [self._locate(path, base) for path in paths]
        targets = _once([*(target for _, target in changes), *named])
        beside = arguments.beside_change(parts.args)
        if beside is not None:
            because = f"It changes files, and names `{_name(beside)}` beside them."
            return self._unclear(parts, targets, because)
        everywhere = arguments.everywhere(parts.args)
        edits = edits_of(changes, args=parts.args, everywhere=everywhere)
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

    def _unclear(self, parts: Parts, targets: tuple[Target, ...], because: str) -> _Reading:
        """A change of files that cannot be shown as one."""
        return _Reading(
            tool="other",
            effect=Effect.WRITE,
            input=parts.whole,
            cwd=self.cwd,
            targets=targets,
            unreadable=because,
        )

    def _reading(self, parts: Parts, tool: str, effect: Effect, paths: list[str]) -> _Reading:
        base = self._folder(parts)
        if arguments.folder_in(parts.args) is not None:
            paths = [*paths, base]
        return _Reading(
            tool=tool,
            effect=effect,
            input=parts.args,
            cwd=self.cwd,
            targets=_once([self._locate(path, base) for path in paths]),
        )

    def _unreadable(self, because: str, whole: dict[str, Any]) -> _Reading:
        args = args_of(whole)
        runs = whole.get("kind") == "execute" or arguments.names_command(args)
        return _Reading(
            tool="other",
            effect=Effect.EXECUTE if runs else Effect.EXTERNAL,
            input=shown_anyway(whole),
            cwd=self.cwd,
            unreadable=because,
        )

    def _folder(self, parts: Parts) -> str:
        """The folder from which the call's own paths lead; nothing where nobody knows it."""
        folder = arguments.folder_in(parts.args)
        return self._here if folder is None else self._locate(folder, self._here).resolved

    @property
    def _here(self) -> str:
        """The folder in which the call would run; nothing where nobody knows it."""
        return "" if self.unplaced else self.cwd

    def _locate(self, path: str, base: str) -> Target:
        """Return where a path leads from a folder; raise where it could lead to several places."""
        if not (base or path.startswith(("/", "~"))):
            raise CallUnreadable(self.unplaced)
        first = path.partition("/")[0]
        if first.startswith("~") and os.path.lexists(os.path.join(base or self.cwd, first)):  # noqa: PTH118 -- strings in
            raise CallUnreadable(_TWO_HOMES.format(first))
        return self.places.locate(path, base or self.cwd)


def _is_all_shown(args: dict[str, Any], edits: tuple[Edit, ...]) -> bool:
    """Whether each text among the arguments comes to stand in a file that is shown."""
    after = [_with_plain_breaks(edit.new) for edit in edits]
    texts = [_with_plain_breaks(text) for text in arguments.new_texts(args)]
    return all(any(text in new for new in after) for text in texts)


def _with_plain_breaks(text: str) -> str:
    return text.replace("\r\n", "\n")


def _name(name: str) -> str:
    """An argument's name, short enough for a sentence."""
    return name if len(name) <= _MAX_NAME_LETTERS else name[: _MAX_NAME_LETTERS - 1] + "…"


def _once(targets: list[Target]) -> tuple[Target, ...]:
    """Each target once, by where it leads."""
    return tuple({target.resolved: target for target in reversed(targets)}.values())[::-1]
