"""The table of what is started later without being named, with its programs' files.

A hook, an agent, a server of tools, a function: whoever may write its program needs no call that
runs it. So these files are the gate's own premises, to be looked up by path wherever a call is
ruled on. What is started in another way belongs in the table; nobody else has a list.
"""

import os
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from assent.gate.call.calls import Premise
from assent.gate.settings.agents import AgentEntry
from assent.gate.settings.environment import variable
from assent.gate.settings.hook_entries import HookEntry
from assent.gate.settings.node_files import folder_of, node_files
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.positions import plain_json
from assent.gate.settings.program_files import OF_AN_ENVIRONMENT, Started, files_of_programs
from assent.gate.settings.references import filled, references_in
from assent.gate.settings.wishes import Wish
from assent.gate.text.strict_json import decoded
from assent.gate.values import frozen

if TYPE_CHECKING:
    from assent.gate.settings.own import Own

__all__ = ["agreed_files", "started_later"]

_FUNCTIONS: Final = "where the functions stand that agents may use"
_NODETOOL: Final = "what nodetool's nodes run from"
_MAX_FILE_BYTES: Final = 1024 * 1024
_STARTS: Final = frozenset(("command", "cmd", "bash", "args"))
"""A member of this name makes one of settings that start something."""
_NOTIFIES: Final = "notify"
_FOLDERS: Final = ("${workspaceFolder}", "${PWD}", "${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR")
"""How the folder of a repository is called in its files."""


@frozen(kw_only=True)
class _Standing:
    """What is said now of what is started."""

    hooks: tuple[HookEntry, ...]
    agents: tuple[AgentEntry, ...]
    own: "Own"
    roots: tuple[str, ...]
    agreed: tuple[Wish, ...]

    def files(self, name: str, commands: Iterable[Started]) -> Iterator[Premise]:
        for command in commands:
            yield from files_of_programs(command, name, self.roots)


def started_later(
    hooks: Iterable[HookEntry],
    agents: Iterable[AgentEntry],
    own: "Own",
    roots: Sequence[str],
    agreed: Iterable[Wish] = (),
) -> Iterator[Premise]:
    """The files that run without a question; `agreed` is what the person let a repository do."""
    standing = _Standing(
        hooks=tuple(hooks),
        agents=tuple(agents),
        own=own,
        roots=tuple(roots),
        agreed=tuple(agreed),
    )
    for files in _TABLE:
        yield from files(standing)


def agreed_files(agreed: Iterable[Wish]) -> Iterator[tuple[str, str]]:
    """The files of repositories that the person agreed to, each with the folder it is for."""
    for wish in agreed:
        value = wish.value if isinstance(wish.value, dict) else {}
        folder, files = value.get("folder"), value.get("files")
        if isinstance(folder, str) and isinstance(files, dict):
            for name in files:
                above = (f"{parent}/{name}" for parent in (folder, *map(str, Path(folder).parents)))
                file = next(filter(os.path.isfile, above), None)
                if file is not None:
                    yield file, folder


def _hooks(said: _Standing) -> Iterator[Premise]:
    texts = []
    for hook in said.hooks:
        with suppress(ValueError):
            texts.append(tuple(shlex.split(hook.command)))
    commands = (Started(words=text, folders=said.roots[:1] or (_home(),)) for text in texts)
    yield from said.files("what one of your hooks runs", commands)


def _agents(said: _Standing) -> Iterator[Premise]:
    folders = said.roots or (_home(),)
    commands = (_started(agent.command, agent.args, agent.env, folders) for agent in said.agents)
    yield from said.files("what one of your agents runs", commands)


def _servers(said: _Standing) -> Iterator[Premise]:
    # They are started in the person's home.
    commands = (
        _started(server.command, server.args, server.env, (_home(),)) for server in said.own.servers
    )
    yield from said.files("what one of your servers of tools runs", commands)


def _agreed(said: _Standing) -> Iterator[Premise]:
    name = "what you let this repository start"
    for file, folder in agreed_files(said.agreed):
        beside = os.path.dirname(file)  # noqa: PTH120 -- a string in
        commands = _commands_of(file, (folder, beside))
        yield from said.files(name, commands)


def _functions(said: _Standing) -> Iterator[Premise]:
    for pattern in said.own.nodes:
        yield from _all_in(folder_of(pattern), said.roots, _FUNCTIONS)
    # What one of them is a link to is run as well.
    for file, _ in node_files(said.own.nodes):
        yield Premise(path=file, name=_FUNCTIONS, run=True)


def _nodetool(said: _Standing) -> Iterator[Premise]:
    if not said.own.nodetool:
        return
    interpreter = Path(said.own.nodetool).expanduser()
    command = Started(words=(str(interpreter),), folders=(_home(),))
    yield from files_of_programs(command, _NODETOOL, said.roots)
    # Its packages lie beside it, where it is of an environment of its own.
    folder = str(interpreter.parent.parent)
    if any(os.path.exists(f"{folder}/{marker}") for marker in OF_AN_ENVIRONMENT):  # noqa: PTH110
        yield from _all_in(folder, said.roots, _NODETOOL)


_TABLE: Final[tuple[Callable[[_Standing], Iterator[Premise]], ...]] = (
    _hooks,
    _agents,
    _servers,
    _agreed,
    _functions,
    _nodetool,
)


def _home() -> str:
    return str(Path.home())


def _started(
    command: str, args: tuple[str, ...], env: dict[str, str], folders: tuple[str, ...]
) -> Started:
    # A secret is nowhere here, and no folder of programs.
    values = {reference: variable(reference.name) or "" for reference in references_in(env)}
    return Started(words=(command, *args), folders=folders, env=filled(env, values))


def _commands_of(file: str, folders: tuple[str, ...]) -> Iterator[Started]:
    """What a file of settings starts, in whatever form an agent reads."""
    try:
        text = read_ordinary(file, _MAX_FILE_BYTES).decode("utf-8-sig", "replace")
    except OSError:
        return
    for folder in _FOLDERS:
        text = text.replace(folder, folders[0])
    try:
        whole = tomllib.loads(text) if file.endswith(".toml") else decoded(plain_json(text))
    except (ValueError, RecursionError):
        # Words for an agent start servers in front alone.
        front = text[: text.rfind("\n---")] if "\n---" in text else ""
        yield Started(words=tuple(front.split()), folders=folders)
        return
    for words in _commands_in(whole):
        yield Started(words=words, folders=folders)


def _commands_in(value: Any) -> Iterator[tuple[str, ...]]:
    if isinstance(value, list):
        for item in value:
            yield from _commands_in(item)
    elif isinstance(value, dict):
        if not _STARTS.isdisjoint(value):
            yield tuple(_words_in([value.get("command"), value]))
            return
        for name, item in value.items():
            if name == _NOTIFIES:
                yield tuple(_words_in(item))
            yield from _commands_in(item)


def _words_in(value: Any) -> Iterator[str]:
    """All texts of a member, and their parts where one is a line for a shell."""
    if isinstance(value, str):
        yield from (value, *(value.split() if " " in value else ()))
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _words_in(item)


def _all_in(folder: str, roots: Sequence[str], name: str) -> Iterator[Premise]:
    """All that lies in a folder; where a workspace is a part of it, nothing of the workspace."""
    for path in {folder, os.path.realpath(folder)}:
        is_above = any(root != path and Path(root).is_relative_to(path) for root in roots)
        yield Premise(path=path, name=name, yields=is_above, run=True)
