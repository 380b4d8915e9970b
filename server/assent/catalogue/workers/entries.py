"""Our own programs that offer nodes, as tool servers of the person's settings."""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pydantic

import assent
from assent.gate.settings.node_files import node_files
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.settings.workers import FUNCTIONS, NODETOOL

__all__ = ["workers_of"]

_BOOT: Final = (
    "import os, sys; sys.path[:0] = sys.argv[1].split(os.pathsep);"
    " from assent.catalogue.workers.{0} import main; main()"
)
_MAX_FUNCTION_FILES: Final = 200
"""So many files of functions are read."""


def workers_of(nodetool: str = "", nodes: Iterable[str] = ()) -> Iterable[ServerEntry]:
    """Those that the person's settings ask for; nothing is started to tell that."""
    if nodetool:
        yield _nodetool(nodetool)
    if files := node_files(nodes):
        yield _functions(files[:_MAX_FUNCTION_FILES], len(files[_MAX_FUNCTION_FILES:]))


def _nodetool(written: str) -> ServerEntry:
    path = os.path.expanduser(written)  # noqa: PTH111 -- a string in and out
    return ServerEntry(
        name=NODETOOL,
        command=sys.executable,
        args=("-I", "-S", "-c", _BOOT.format("nodetool"), _packages(assent), path),
        # Links are what a folder of packages has for its interpreter.
        known={"interpreter": path, "resolves to": os.path.realpath(path)},
        # Its names have dots, which many agents write as something else.
        is_handed=False,
    )


def _functions(files: list[tuple[str, str]], more: int) -> ServerEntry:
    """These, of which there are so many more.

    Where a file has changed this is another server, so that what runs is what stands there.
    """
    return ServerEntry(
        name=FUNCTIONS,
        command=sys.executable,
        # With the packages of this Python, since a person's functions may want some.
        args=(
            "-I",
            "-c",
            _BOOT.format("functions"),
            _packages(assent, pydantic),
            str(more),
            json.dumps(files),
        ),
        known={"offered by": "the person's own files"},
    )


def _packages(*of: object) -> str:
    folders = (str(Path(getattr(module, "__file__", "")).resolve().parents[1]) for module in of)
    return os.pathsep.join(dict.fromkeys(folders))
