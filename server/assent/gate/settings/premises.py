"""The gate's own premises, as far as this machine itself shows them."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from assent.gate.call.calls import Premise
from assent.gate.disk.premises.process import premises_of_process
from assent.gate.settings.paths import (
    agent_hosts,
    agents_folder,
    browser_folder,
    connected_folder,
    key_file,
    managed_file,
    sockets_folder,
    user_settings_files,
)
from assent.gate.settings.private_files import UnfitFile, read_private

__all__ = ["AGENT_HOST", "premises_of_machine"]

AGENT_HOST: Final = "the token of an editor's own agents"


def premises_of_machine(state: Path, home: Path, roots: Iterable[str]) -> list[Premise]:
    """The process, its state, and the files in which settings are written here."""
    own = user_settings_files(home)
    return [
        *premises_of_process(roots),
        *_kept_in(state),
        Premise(path=str(managed_file()), name="your organisation's settings"),
        *_connected(state),
        *(Premise(path=str(path), name="an editor's settings") for path in own),
        *(Premise(path=str(path), name=AGENT_HOST, keys=True) for path in agent_hosts(home)),
    ]


def _kept_in(state: Path) -> Iterator[Premise]:
    """What was said and decided, and what proves it; not what agents are given to look at."""
    own = "Assent's own state"
    yield Premise(path=str(state), name=own, keys=True)
    yield Premise(path=str(key_file(state)), name="the key of what you agreed to", keys=True)
    channels = str(sockets_folder(state))
    yield Premise(path=channels, name="where agents ask Assent", keys=True, channel=True)
    for shown in (agents_folder(state), browser_folder(state)):
        yield Premise(path=str(shown), name=own)


def _connected(state: Path) -> Iterator[Premise]:
    """The files of agents in terminals that name Assent's hook, as each was written down."""
    for record in connected_folder(state).glob("*.json"):
        with suppress(UnfitFile, ValueError, KeyError, TypeError):
            import orjson  # noqa: PLC0415 -- only where it is needed

            record_data = orjson.loads(read_private(record) or b"{}")
            for path in (record_data["file"], os.path.realpath(record_data["file"])):
                yield Premise(path=path, name="what an agent in a terminal is told of Assent")
