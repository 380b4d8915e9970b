"""The agents that people run for themselves: in a terminal, in another editor, unattended.

Nobody here starts them. Each runs a hook of the person's own settings before every call; what is
known of its words and its tools is the recipe of the same agent as Assent would host it.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson
from attrs import frozen

from assent.acp.harnesses import cursor, gemini, opencode
from assent.acp.harnesses.opencode_plugin import connected_plugin
from assent.acp.hook_places import HookPlace, InFile, InList
from assent.acp.hook_words import CURSOR, GEMINI, Hooked, HookWords
from assent.acp.recipe import Recipe
from assent.acp.recipes import RECIPES
from assent.acp.repository import unheld_in
from assent.calls import AgentId
from assent.errors import CallUnreadable
from assent.settings.ordinary import read_ordinary

__all__ = ["PREFIX", "SECONDS", "TERMINALS", "Asked", "Terminal", "agent_of", "name_of"]

SECONDS: Final = 3_600
"""After which such an agent gives up on its hook."""
_LARGEST: Final = 1024 * 1024

_REWRITTEN: Final = (
    "{} in this folder gives {} hooks that come after Assent's and could change what it ruled on."
    " So nothing is run here."
)

Switches = Sequence[tuple[str, *tuple[Sequence[str], ...]]]
"""Files of a repository, each with the words that stand in it, or with several ways to say it."""

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
    place: HookPlace
    """How its hook stands there."""
    off: Switches = ()
    """The files of a repository that turn hooks off, each with the words that do."""
    rewritten_in: Callable[[str], str | None] = lambda _: None
    """The file of a repository by which a call may change once it was ruled on."""
    in_turn: bool = False
    """Whether it runs its hooks one after the other, so that none can wait for another."""
    trust: str = ""
    """The file in which it keeps which hooks the person has trusted, where it runs no others."""

    own: tuple[Recipe, HookWords] | None = None
    """What its tools are and how its hooks are spoken with, where no hosted one has these."""

    @property
    def recipe(self) -> Recipe:
        """What its tools are."""
        return self.own[0] if self.own else next(it for it in RECIPES if it.id == self.id)

    @property
    def words(self) -> HookWords:
        """How its hooks are spoken with."""
        if self.own:
            return self.own[1]
        assert self.recipe.hooking is not None  # noqa: S101 -- each of the others has hooks
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
        return _naming(self.off, folder)


def _naming(files: Switches, folder: str) -> str | None:
    """The first of these files of a repository that says in one of its ways what it is here for."""
    if os.path.realpath(folder) == os.path.realpath(Path.home()):
        return None  # What lies there is the person's own.
    for name, *ways in files:
        try:
            text = read_ordinary(Path(folder) / name, _LARGEST).decode("utf-8", "replace")
        except FileNotFoundError:
            continue
        except OSError:
            return name  # What nobody can read may say so.
        if any(all(word in text for word in words) for words in ways):
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

    def heard(self) -> Hooked:
        """The call itself; raise `CallUnreadable` where nobody could hold it to its ruling."""
        hooked = self.terminal.words.heard(self.call)
        file = self.terminal.rewritten_in(self.folder) if hooked.tool else None
        if file is not None:
            raise CallUnreadable(_REWRITTEN.format(file, self.terminal.name))
        return hooked


def _in_groups(line: str) -> Mapping[str, Any]:
    """As Claude Code and Codex list them."""
    return {
        "matcher": "*",
        "hooks": [{"type": "command", "command": line, "timeout": SECONDS}],
    }


def _in_milliseconds(line: str) -> Mapping[str, Any]:
    """As Qwen Code and Gemini list them: as Claude Code does, in a thousandth of its unit."""
    hook = {"type": "command", "command": line, "timeout": SECONDS * 1_000}
    return {"matcher": "*", "hooks": [hook]}


def _failing_closed(line: str) -> Mapping[str, Any]:
    """As Cursor lists them."""
    return {"command": line, "timeout": SECONDS, "failClosed": True}


def _by_itself(line: str) -> Mapping[str, Any]:
    """As Copilot lists them."""
    return {"type": "command", "bash": line, "timeoutSec": SECONDS}


_VERSIONED: Final = '{\n  "version": 1\n}\n'


TERMINALS: Final = {
    it.id: it
    for it in (
        Terminal(
            id="claude",
            name="Claude Code",
            home=".claude",
            variable="CLAUDE_CONFIG_DIR",
            file="settings.json",
            place=InList(hooks={"PreToolUse": _in_groups}),
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
            place=InList(hooks={"PreToolUse": _in_groups}),
            off=((".codex/config.toml", ("features", "hooks")),),
            trust="config.toml",
        ),
        Terminal(
            id="copilot",
            name="Copilot",
            home=".copilot",
            variable="COPILOT_HOME",
            file="hooks/assent.json",
            place=InList(hooks={"preToolUse": _by_itself}, base=_VERSIONED),
            off=(
                (".github/copilot/settings.json", ("disableAllHooks",)),
                (".github/copilot/settings.local.json", ("disableAllHooks",)),
            ),
            in_turn=True,
        ),
        Terminal(
            id="qwen",
            name="Qwen Code",
            home=".qwen",
            variable="QWEN_HOME",
            file="settings.json",
            place=InList(hooks={"PreToolUse": _in_milliseconds}),
            off=((".qwen/settings.json", ("disableAllHooks",)),),
        ),
        Terminal(
            id="gemini",
            name="Gemini",
            home="",
            variable="GEMINI_CLI_HOME",
            file=".gemini/settings.json",
            place=InList(hooks={"BeforeTool": _in_milliseconds}),
            off=((".gemini/settings.json", ("hooksConfig",)),),
            # Of several hooks the last has its way with the input, and a repository's are last.
            # A letter that is spelled by its number may be any.
            rewritten_in=partial(_naming, ((".gemini/settings.json", ("BeforeTool",), ("\\u",)),)),
            own=(gemini.RECIPE, GEMINI),
        ),
        Terminal(
            id="opencode",
            name="opencode",
            home=".config",
            variable="XDG_CONFIG_HOME",
            file="opencode/plugin/assent.js",
            place=InFile(text=connected_plugin),
            rewritten_in=partial(unheld_in, opencode.RECIPE.sources),
            in_turn=True,
        ),
        Terminal(
            id="cursor",
            name="Cursor",
            home=".cursor",
            variable="",
            file="hooks.json",
            place=InList(hooks={"preToolUse": _failing_closed}, base=_VERSIONED),
            own=(cursor.RECIPE, CURSOR),
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
