"""Finds agents on the person's PATH.

A name is only where one looks. What is there is an agent where the file that it leads to is a
program of that agent's package; whatever else has the name is not offered.
"""

from typing import Final

from assent.gate.disk.executables import Executables
from assent.gate.values import frozen
from assent.hosting.recipes.recipes import recipe_for

__all__ = ["KNOWN", "OnPath", "is_still", "on_path"]

KNOWN: Final = (
    ("claude", "Claude Code", ("claude-agent-acp",)),
    ("codex", "Codex", ("codex-acp",)),
    ("copilot", "Copilot", ("copilot", "--acp")),
    ("qwen", "Qwen Code", ("qwen", "--acp")),
    ("opencode", "opencode", ("opencode", "acp")),
    ("gemini", "Gemini", ("gemini", "--acp")),
)
"""By the recipe: what its package puts on PATH, with the words by which it speaks with editors."""


@frozen(kw_only=True)
class OnPath:
    """One of them."""

    recipe: str
    name: str
    command: str
    """Its program, as it stands on PATH; where that leads may change with its version."""
    args: tuple[str, ...]

    @property
    def id(self) -> str:
        """What it is called in the settings; never what a package of the registry is called."""
        return f"{self.recipe}-on-path"


def on_path(programs: Executables) -> tuple[OnPath, ...]:
    """Those that are there now, outside of every workspace."""
    candidates = (
        OnPath(recipe=recipe, name=name, command=path, args=words[1:])
        for recipe, name, words in KNOWN
        if (path := programs.find(words[0])) is not None
    )
    return tuple(candidate for candidate in candidates if is_still(candidate))


def is_still(candidate: OnPath) -> bool:
    """Whether the program is one of that agent's package."""
    return recipe_for(candidate.command, candidate.args).id == candidate.recipe
