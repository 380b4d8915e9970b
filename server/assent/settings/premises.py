"""What is known of the gate's own premises by the machine itself, and by what settings start."""

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from assent.calls import Premise
from assent.disk.executables import Executables, path_in
from assent.disk.premises.process import premises_of_process
from assent.settings.agents import AgentEntry
from assent.settings.hookentries import HookEntry
from assent.settings.nodefiles import folder_of, node_files
from assent.settings.paths import (
    connected_folder,
    key_file,
    managed_file,
    sockets_folder,
    user_settings_files,
)
from assent.settings.private_files import UnfitFile, read_private
from assent.settings.references import filled, references_in

if TYPE_CHECKING:
    from assent.settings.own import Own

__all__ = ["premises_of_machine", "premises_of_settings"]

_FUNCTIONS: Final = "where the functions stand that agents may use"
_OF_AN_ENVIRONMENT: Final = ("pyvenv.cfg", "conda-meta")
_NODETOOL: Final = "what nodetool's nodes run from"


def premises_of_machine(state: Path, home: Path, roots: Iterable[str]) -> list[Premise]:
    """The process, its state, and the files in which settings are written here."""
    own = user_settings_files(home)
    return [
        *premises_of_process(roots),
        Premise(path=str(state), name="Assent's own state"),
        Premise(path=str(key_file(state)), name="the key of what you agreed to", keys=True),
        Premise(path=str(sockets_folder(state)), name="where agents ask Assent", keys=True),
        Premise(path=str(managed_file()), name="your organisation's settings"),
        *_connected(state),
        *(Premise(path=str(path), name="an editor's settings") for path in own),
    ]


def _connected(state: Path) -> Iterator[Premise]:
    """The files of agents in terminals that name Assent's hook, as each was written down."""
    for record in connected_folder(state).glob("*.json"):
        with suppress(UnfitFile, ValueError, KeyError, TypeError):
            import orjson  # noqa: PLC0415 -- only where it is needed

            told = orjson.loads(read_private(record) or b"{}")
            for path in (told["file"], os.path.realpath(told["file"])):
                yield Premise(path=path, name="what an agent in a terminal is told of Assent")


def premises_of_settings(
    hooks: Iterable[HookEntry], agents: Iterable[AgentEntry], own: "Own", roots: Sequence[str]
) -> Iterator[Premise]:
    """The files that hooks, agents and functions run from, which nobody is asked about then."""
    for hook in hooks:
        with suppress(ValueError):
            yield from _started(shlex.split(hook.command), {}, roots, "what one of your hooks runs")
    for agent in agents:
        words = (agent.command, *agent.args)
        # A secret is nowhere here, and no folder of programs.
        values = {it: os.environ.get(it.name, "") for it in references_in(agent.env)}
        env = filled(agent.env, values)
        yield from _started(words, env, roots, "what one of your agents runs")

    for pattern in own.nodes:
        yield from _all_in(folder_of(pattern), roots, _FUNCTIONS)
    # What one of them is a link to is run as well.
    for file, _ in node_files(own.nodes):
        yield Premise(path=file, name=_FUNCTIONS, run=True)
    if own.nodetool:
        interpreter = Path(own.nodetool).expanduser()
        yield from _started((str(interpreter),), {}, roots, _NODETOOL)
        # Its packages lie beside it, where it is of an environment of its own.
        folder = str(interpreter.parent.parent)
        if any(os.path.exists(f"{folder}/{it}") for it in _OF_AN_ENVIRONMENT):  # noqa: PTH110
            yield from _all_in(folder, roots, _NODETOOL)


def _all_in(folder: str, roots: Sequence[str], name: str) -> Iterator[Premise]:
    """All that lies in a folder; where a workspace is a part of it, nothing of the workspace."""
    for path in {folder, os.path.realpath(folder)}:
        is_above = any(it != path and Path(it).is_relative_to(path) for it in roots)
        yield Premise(path=path, name=name, yields=is_above, run=True)


def _started(
    words: Sequence[str], given: Mapping[str, str], roots: Sequence[str], name: str
) -> Iterator[Premise]:
    # A name stands for the program that is started by it, which is none of the workspace.
    programs = Executables(roots=tuple(roots), path=path_in({**os.environ, **given}))
    for word in words:
        path = Path(word).expanduser() if word.startswith("~/") else Path(word)
        found = path if path.is_absolute() else programs.find(word)
        with suppress(OSError, ValueError):
            if found is not None and Path(found).is_file():
                yield Premise(path=str(found), name=name, run=True)
