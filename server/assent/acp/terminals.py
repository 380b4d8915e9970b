"""The agents that people run for themselves: in a terminal, in another editor, unattended.

Nobody here starts them. Each runs a hook of the person's own settings before every call; what is
known of its words and its tools is the recipe of the same agent as Assent would host it.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from attrs import frozen

from assent.acp.hook_words import HookWords
from assent.acp.recipe import Recipe
from assent.acp.recipes import RECIPES
from assent.calls import AgentId
from assent.errors import CallUnreadable
from assent.settings.ordinary import read_ordinary

__all__ = ["PREFIX", "SECONDS", "TERMINALS", "Asked", "Terminal", "agent_of", "name_of"]

SECONDS: Final = 3_600
"""After which such an agent gives up on its hook."""
_LARGEST: Final = 1024 * 1024

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
    hooks: Mapping[str, Callable[[str], Mapping[str, Any]]]
    """What stands there, by its event, for a command line."""
    off: Sequence[tuple[str, Sequence[str]]]
    """The files of a repository that turn hooks off, each with the words that do."""
    base: str = "{}\n"
    """Such a file in which nothing is said."""
    in_turn: bool = False
    """Whether it runs its hooks one after the other, so that none can wait for another."""
    trust: str = ""
    """The file in which it keeps which hooks the person has trusted, where it runs no others."""

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
        """The file of a repository that may turn its hooks off; None where none does."""
        if os.path.realpath(folder) == os.path.realpath(Path.home()):
            return None  # What lies there is the person's own.
        for name, words in self.off:
            try:
                text = read_ordinary(Path(folder) / name, _LARGEST).decode("utf-8", "replace")
            except FileNotFoundError:
                continue
            except OSError:
                return name  # What nobody can read may say so.
            if all(word in text for word in words):
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


def _in_groups(line: str) -> Mapping[str, Any]:
    """As Claude Code and Codex list them."""
    return {
        "matcher": "*",
        "hooks": [{"type": "command", "command": line, "timeout": SECONDS}],
    }


def _in_milliseconds(line: str) -> Mapping[str, Any]:
    """As Qwen Code lists them: as Claude Code does, in a thousandth of its unit."""
    hook = {"type": "command", "command": line, "timeout": SECONDS * 1_000}
    return {"matcher": "*", "hooks": [hook]}


def _by_itself(line: str) -> Mapping[str, Any]:
    """As Copilot lists them."""
    return {"type": "command", "bash": line, "timeoutSec": SECONDS}


TERMINALS: Final = {
    it.id: it
    for it in (
        Terminal(
            id="claude",
            name="Claude Code",
            home=".claude",
            variable="CLAUDE_CONFIG_DIR",
            file="settings.json",
            hooks={"PreToolUse": _in_groups},
            off=(
                (".claude/settings.json", ("disableAllHooks",)),
                (".claude/settings.local.json", ("disableAllHooks",)),
            ),
        ),
        Terminal(
            id="codex",
            name="Codex",
            home=".codex",
            variable="CODEX_HOME",
            file="hooks.json",
            hooks={"PreToolUse": _in_groups},
            off=((".codex/config.toml", ("features", "hooks")),),
            trust="config.toml",
        ),
        Terminal(
            id="copilot",
            name="Copilot",
            home=".copilot",
            variable="COPILOT_HOME",
            file="hooks/assent.json",
            hooks={"preToolUse": _by_itself},
            off=(
                (".github/copilot/settings.json", ("disableAllHooks",)),
                (".github/copilot/settings.local.json", ("disableAllHooks",)),
            ),
            base='{\n  "version": 1\n}\n',
            in_turn=True,
        ),
        Terminal(
            id="qwen",
            name="Qwen Code",
            home=".qwen",
            variable="QWEN_HOME",
            file="settings.json",
            hooks={"PreToolUse": _in_milliseconds},
            off=((".qwen/settings.json", ("disableAllHooks",)),),
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
