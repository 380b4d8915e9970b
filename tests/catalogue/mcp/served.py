"""Servers of tools for tests: who misbehaves how, as the person would write it down."""

import sys
from pathlib import Path
from typing import Any, Final

from assent.gate.settings.tool_servers import ServerEntry

__all__ = ["ROGUE", "entry", "setting"]

ROGUE: Final = str(Path(__file__).with_name("rogue.py"))


def setting(kind: str, *words: object, **env: str) -> dict[str, Any]:
    """One of them, in `assent.mcpServers`."""
    args = [ROGUE, kind, *map(str, words)]
    return {"command": sys.executable, "args": args, "env": env}


def entry(kind: str, *words: object, name: str = "", **env: str) -> ServerEntry:
    """One of them, as the settings were read."""
    given = setting(kind, *words, **env)
    return ServerEntry(
        name=name or kind, command=given["command"], args=tuple(given["args"]), env=given["env"]
    )
