"""The agents that people run for themselves: in a terminal, in another editor, unattended.

Nobody here starts them. Each runs a hook of the person's own settings before every call; what is
known of its words and its tools is the recipe of the same agent as Assent would host it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from attrs import frozen

from assent.acp.hook_words import HookWords
from assent.acp.recipes import RECIPES, Recipe
from assent.calls import AgentId
from assent.errors import CallUnreadable

__all__ = ["PREFIX", "TERMINALS", "Asked", "Terminal", "agent_of", "name_of"]

PREFIX: Final = "connected:"
"""What stands before its name where such an agent is told from one that is hosted."""


@frozen(kw_only=True)
class Terminal:
    """One such agent."""

    id: str
    name: str
    home: str
    """The folder of its own settings, below the person's home."""
    variable: str
    """The variable that names another folder for them."""
    file: str
    """The file in it that names its hooks."""
    off: Sequence[tuple[str, str]]
    """The files of a repository that turn hooks off, each with the word that does."""

    @property
    def recipe(self) -> Recipe:
        """What its tools are."""
        return next(it for it in RECIPES if it.id == self.id)

    @property
    def words(self) -> HookWords:
        """How its hooks are spoken with."""
        assert self.recipe.hooking is not None  # noqa: S101 -- each of these has hooks
        return self.recipe.hooking.words

    @property
    def agent(self) -> AgentId:
        """As whom it is ruled on."""
        return AgentId(PREFIX + self.id)

    def settings(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The file that names its hooks."""
        told = environment.get(self.variable)
        return (Path(told) if told else home / self.home) / self.file

    def turned_off_in(self, folder: str) -> str | None:
        """The file of a repository that turns its hooks off; None where none does."""
        for name, word in self.off:
            try:
                text = (Path(folder) / name).read_text("utf-8", "replace")
            except OSError:
                continue
            if word in text:
                return name
        return None


@frozen(kw_only=True)
class Asked:
    """What the hook of such an agent asks: whose it is, where its session began, and the call."""

    terminal: Terminal
    folder: str
    path: str
    """The PATH that its commands get."""
    call: str
    """As the agent handed it over."""

    @classmethod
    def read(cls, text: str) -> "Asked":
        """What a hook said; raise `CallUnreadable` where no hook of ours says so."""
        try:
            told: dict[str, Any] = orjson.loads(text)
            agent, folder, path, call = (told[it] for it in ("agent", "folder", "path", "call"))
        except (ValueError, KeyError, TypeError) as error:
            raise CallUnreadable("A hook said what nobody understands.") from error
        terminal = TERMINALS.get(agent) if isinstance(agent, str) else None
        is_folder = isinstance(folder, str) and Path(folder).is_absolute() and "\0" not in folder
        if terminal is None or not (is_folder and isinstance(path, str) and isinstance(call, str)):
            raise CallUnreadable("A hook said what nobody understands.")
        return cls(terminal=terminal, folder=folder, path=path, call=call)


TERMINALS: Final = {
    it.id: it
    for it in (
        Terminal(
            id="claude",
            name="Claude Code",
            home=".claude",
            variable="CLAUDE_CONFIG_DIR",
            file="settings.json",
            off=(
                (".claude/settings.json", "disableAllHooks"),
                (".claude/settings.local.json", "disableAllHooks"),
            ),
        ),
        Terminal(
            id="codex",
            name="Codex",
            home=".codex",
            variable="CODEX_HOME",
            file="hooks.json",
            off=((".codex/config.toml", "hooks"),),
        ),
        Terminal(
            id="copilot",
            name="Copilot",
            home=".copilot",
            variable="COPILOT_HOME",
            file="hooks/assent.json",
            off=(
                (".github/copilot/settings.json", "disableAllHooks"),
                (".github/copilot/settings.local.json", "disableAllHooks"),
            ),
        ),
    )
}
"""By the name with which each is connected."""


def agent_of(agent: str) -> Terminal | None:
    """The one that is ruled on as this agent."""
    return TERMINALS.get(agent.removeprefix(PREFIX)) if agent.startswith(PREFIX) else None


def name_of(agent: str) -> str | None:
    """What a person calls it."""
    found = agent_of(agent)
    return None if found is None else f"{found.name} in a terminal"
