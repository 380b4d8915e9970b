"""Gemini: hosted, it runs no hook of ours, so a policy above the person's own has it ask about all.

What it asks about says no more than a title and places, and a change where it is one; a command is
its title. A skill of its own it uses without asking, and lets no sub-agent work.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from assent.acp.hook_words import diff
from assent.acp.recipe import Recipe

__all__ = ["RECIPE"]

_HERE: Final = Path(__file__).resolve().parent / "of_gemini"


def _changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("file_path")
    if tool == "write_file":
        return [diff(path, None, given.get("content"))]
    return (
        [diff(path, given.get("old_string"), given.get("new_string"))] if tool == "replace" else []
    )


RECIPE: Final = Recipe(
    id="gemini",
    packages=("@google/gemini-cli",),
    args=("--admin-policy", str(_HERE / "policy.toml")),
    env={
        "GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(_HERE / "settings.json"),
        # It trusts no folder, so it reads nothing of a repository, and starts no server of it.
        "GEMINI_CLI_TRUSTED_FOLDERS_PATH": str(_HERE / "trusted.json"),
    },
    is_titled=True,
    kinds={
        "glob": "search",
        "google_web_search": "fetch",
        "grep_search": "search",
        "list_directory": "read",
        "read_file": "read",
        "read_many_files": "read",
        "replace": "edit",
        "run_shell_command": "execute",
        "web_fetch": "fetch",
        "write_file": "edit",
    },
    changes=_changes,
)
