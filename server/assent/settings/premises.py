"""What is known of the gate's own premises by the machine itself, and by what settings start."""

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import orjson

from assent.calls import Premise
from assent.disk.executables import Executables, path_in
from assent.disk.premises.process import premises_of_process
from assent.settings.agents import AgentEntry
from assent.settings.hookentries import HookEntry
from assent.settings.paths import (
    connected_folder,
    key_file,
    managed_file,
    sockets_folder,
    user_settings_files,
)
from assent.settings.private_files import UnfitFile, read_private
from assent.settings.references import filled, references_in

__all__ = ["premises_of_machine", "premises_of_settings"]


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
            told = orjson.loads(read_private(record) or b"{}")
            for path in (told["file"], os.path.realpath(told["file"])):
                yield Premise(path=path, name="what an agent in a terminal is told of Assent")


def premises_of_settings(
    hooks: Iterable[HookEntry], agents: Iterable[AgentEntry], roots: Sequence[str]
) -> Iterator[Premise]:
    """The files that hooks and agents are started from: they run without being asked about."""
    for hook in hooks:
        with suppress(ValueError):
            yield from _started(shlex.split(hook.command), {}, roots, "what one of your hooks runs")
    for agent in agents:
        words = (agent.command, *agent.args)
        # A secret is nowhere here, and no folder of programs.
        values = {it: os.environ.get(it.name, "") for it in references_in(agent.env)}
        env = filled(agent.env, values)
        yield from _started(words, env, roots, "what one of your agents runs")


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
