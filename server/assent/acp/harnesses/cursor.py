"""Cursor: its sessions are the person's own; it is known by what is written of its hooks.

Nobody here has tried it. What it names otherwise than is written makes a call that cannot be read,
which is asked about.
"""

from collections.abc import Mapping
from typing import Any, Final

from assent.acp.hook_words import diff
from assent.acp.recipe import Recipe

__all__ = ["RECIPE"]


def _changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("file_path")
    return [diff(path, None, given.get("content"))] if tool == "Write" and path else []


RECIPE: Final = Recipe(
    id="cursor",
    kinds={
        "Delete": "delete",
        "Grep": "search",
        "Read": "read",
        "Shell": "execute",
        "Write": "edit",
    },
    changes=_changes,
)
