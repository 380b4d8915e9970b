"""The programs of ours that offer nodes, as servers of tools that the person set up."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import assent
from assent.settings.served import ServerEntry

__all__ = ["workers_of"]

_PACKAGE: Final = str(Path(assent.__file__ or "").resolve().parents[1])
_BOOT: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); from assent.workers.{0} import main; main()"
)


def workers_of(nodetool: str) -> Iterable[ServerEntry]:
    """Those that the person's settings ask for; nothing is started to tell that."""
    if nodetool:
        yield _nodetool(nodetool)


def _nodetool(written: str) -> ServerEntry:
    path = os.path.expanduser(written)  # noqa: PTH111 -- a string in and out
    return ServerEntry(
        name="nodetool",
        command=sys.executable,
        args=("-I", "-S", "-c", _BOOT.format("nodetool"), _PACKAGE, path),
        # Links are what a folder of packages has for its interpreter.
        known={"interpreter": path, "resolves to": os.path.realpath(path)},
    )
