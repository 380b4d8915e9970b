"""The agents that people run themselves: in a terminal, in another editor, unattended.

Nobody here starts them. Each runs a hook of the person's own settings before every call; what is
known of its words and its tools is the recipe of the same agent as Assent would host it.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson

from assent.gate.call.errors import CallUnreadable
from assent.gate.values import frozen
from assent.hosting.hooks.administrator_hooks import Anchor
from assent.hosting.hooks.hook_places import HookLine, InFile, InList
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.install.agent_version import Versions
from assent.hosting.recipes import cursor, gemini, opencode, qwen
from assent.hosting.recipes.opencode_plugin import connected_plugin
from assent.hosting.repositories.repository import unheld_in
from assent.hosting.terminals.terminal import PREFIX, Terminal, naming

__all__ = ["HOOK_TIMEOUT_S", "TERMINALS", "Asked", "agent_of", "name_of"]

HOOK_TIMEOUT_S: Final = 3_600
"""After which such an agent gives up on its hook."""

_REWRITTEN: Final = (
    "{} in this folder gives {} hooks that come after Assent's and could change what it ruled on."
    " So nothing is run here."
)


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
            message: dict[str, Any] = orjson.loads(text)
            agent, folder, path, call = (
                message[key] for key in ("agent", "folder", "path", "call")
            )
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


_PLAIN_BASH: Final = {"SHELLOPTS": "", "BASHOPTS": "", "BASH_ENV": ""}
"""Variables by which what a repository set keeps bash from reading a line as it stands."""


def _spawned(line: HookLine) -> Mapping[str, Any]:
    """As Claude Code lists them: without a shell, and a hook that fails refuses.

    Before 2.1.139 it passes the words over: then it runs a program that does nothing without them.
    """
    hook = {
        "type": "command",
        "command": "/usr/bin/env",
        "args": [*line.spawned],
        "timeout": HOOK_TIMEOUT_S,
        "onFailure": "block",
    }
    return {"matcher": "*", "hooks": [hook]}


def _in_groups(line: HookLine) -> Mapping[str, Any]:
    """As Codex lists them."""
    return {
        "matcher": "*",
        "hooks": [{"type": "command", "command": line.text, "timeout": HOOK_TIMEOUT_S}],
    }


def _in_milliseconds(line: HookLine) -> Mapping[str, Any]:
    """As Qwen Code and Gemini list them: as Codex does, in a thousandth of its unit."""
    hook = {
        "type": "command",
        "command": line.text,
        "timeout": HOOK_TIMEOUT_S * 1_000,
        "env": _PLAIN_BASH,
    }
    return {"matcher": "*", "hooks": [hook]}


def _failing_closed(line: HookLine) -> Mapping[str, Any]:
    """As Cursor lists them."""
    return {"command": line.text, "timeout": HOOK_TIMEOUT_S, "failClosed": True}


def _by_itself(line: HookLine) -> Mapping[str, Any]:
    """As Copilot lists them."""
    return {"type": "command", "bash": line.text, "timeoutSec": HOOK_TIMEOUT_S, "env": _PLAIN_BASH}


_VERSIONED: Final = '{\n  "version": 1\n}\n'


TERMINALS: Final = {
    terminal.id: terminal
    for terminal in (
        Terminal(
            id="claude",
            name="Claude Code",
            home=".claude",
            variable="CLAUDE_CONFIG_DIR",
            file="settings.json",
            place=InList(hooks={"PreToolUse": _spawned}),
            versions=Versions(
                program="claude", name="Claude Code", runs=(2, 1, 139), holds=(2, 1, 295)
            ),
            off=(
                (".claude/settings.json", ("disableAllHooks",)),
                (".claude/settings.local.json", ("disableAllHooks",)),
            ),
            anchor=Anchor(
                linux="/etc/claude-code/managed-settings.json",
                mac="/Library/Application Support/ClaudeCode/managed-settings.json",
                inner="managed-settings.d",
                text='{"disableAllHooks": false}',
                words=("disableAllHooks",),
                on=False,
            ),
        ),
        Terminal(
            id="codex",
            name="Codex",
            home=".codex",
            variable="CODEX_HOME",
            file="hooks.json",
            # The second spares the person a question in the terminal behind each card.
            place=InList(hooks={"PreToolUse": _in_groups, "PermissionRequest": _in_groups}),
            off=((".codex/config.toml", ("features", "hooks")),),
            anchor=Anchor(
                linux="/etc/codex/requirements.toml",
                mac="/etc/codex/requirements.toml",
                text="features.hooks = true",
                words=("features", "hooks"),
                on=True,
            ),
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
            # Of several hooks it believes the last, but for what is said in every way it knows.
            refusal=qwen.REFUSAL,
            off=((".qwen/settings.json", ("disableAllHooks",)),),
            anchor=Anchor(
                linux="/etc/qwen-code/settings.json",
                mac="/Library/Application Support/QwenCode/settings.json",
                text='{"disableAllHooks": false}',
                words=("disableAllHooks",),
                on=False,
                unless="QWEN_CODE_SYSTEM_SETTINGS_PATH",
            ),
        ),
        Terminal(
            id="gemini",
            name="Gemini",
            home="",
            variable="GEMINI_CLI_HOME",
            file=".gemini/settings.json",
            place=InList(hooks={"BeforeTool": _in_milliseconds}),
            off=((".gemini/settings.json", ("hooksConfig",)),),
            anchor=Anchor(
                linux="/etc/gemini-cli/settings.json",
                mac="/Library/Application Support/GeminiCli/settings.json",
                text='{"hooksConfig": {"enabled": true}}',
                words=("hooksConfig", "enabled"),
                on=True,
                unless="GEMINI_CLI_SYSTEM_SETTINGS_PATH",
            ),
            # Of several hooks the last has its way with the input, and a repository's are last.
            # A letter that is spelled by its number may be any.
            rewritten_in=partial(naming, ((".gemini/settings.json", ("BeforeTool",), ("\\u",)),)),
            own=(gemini.RECIPE, gemini.GEMINI),
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
            own=(cursor.RECIPE, cursor.CURSOR),
        ),
    )
}
"""By the name with which each is connected."""


def agent_of(agent: str) -> Terminal | None:
    """The one that is ruled on as this agent."""
    return TERMINALS.get(agent.removeprefix(PREFIX)) if agent.startswith(PREFIX) else None


def name_of(agent: str) -> str | None:
    """What a person calls it."""
    terminal = agent_of(agent)
    return None if terminal is None else f"{terminal.name} in a terminal"
