"""What is known of each agent: how it is made to ask, and what its own tools are.

A recipe is found by the package that would run, as it lies on the disk, and never by what an agent
says of itself. A recipe only ever tightens: one that was found wrongly costs questions. Every
other agent goes by the last row, and asks when it likes.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson
from attrs import field, frozen

from assent.acp import hook_words
from assent.acp.agent_package import package_of
from assent.acp.configuration import (
    as_it_stands,
    claudes_servers,
    claudes_settings,
    hooks_of,
    servers_of,
)
from assent.acp.hook_words import Hooked, HookWords, diff
from assent.acp.repository import Source, Taken

__all__ = ["GENERAL", "RECIPES", "Hooking", "Recipe", "recipe_for"]

_HOUR: Final = 3_600
_SPARE: Final = 60
"""In seconds: by so much a hook gives up earlier than its agent gives up on it."""


@frozen(kw_only=True)
class Hooking:
    """How an agent's hook is put into it."""

    words: HookWords
    seconds: float = _HOUR - _SPARE
    """After which the hook gives up; fewer than the agent waits."""
    meta: Callable[[str, Sequence[Taken]], dict[str, Any]] = lambda *_: {}
    """What `session/new` says in `_meta` with the hook's command line, and with what a person lets
    a repository tell the agent."""
    env: Callable[[str], dict[str, str]] = lambda _: {}
    """Variables with which the agent is started for that."""
    files: Callable[[str], dict[str, str]] = lambda _: {}
    """Files that it reads for that, by their paths in a folder of its own."""
    args: Callable[[str], tuple[str, ...]] = lambda _: ()
    """Words with which it is started for that, by that folder's path."""


@frozen(kw_only=True)
class Recipe:
    """What is known of one agent."""

    id: str
    packages: tuple[str, ...] = ()
    """Whose program it is, by the names of packages on the disk."""
    hooking: Hooking | None = None
    meta: Mapping[str, Any] = field(factory=dict, hash=False)
    """What `session/new` says in `_meta` where the hook cannot be."""
    env: Mapping[str, str] = field(factory=dict, hash=False)
    """Variables with which it is started in any case."""
    kinds: Mapping[str, str] = field(factory=dict, hash=False)
    """What its own tools are, in the kinds of the Agent Client Protocol."""
    notes: frozenset[str] = frozenset()
    """Those of its tools that touch nothing but their own chat."""
    changes: Callable[[str, Mapping[str, Any]], list[dict[str, Any]]] = lambda *_: []
    """The changes of files that one of its tools makes with an input."""
    patch: Callable[[Hooked], str | None] = lambda _: None
    """The text that may be a patch of files which the agent applies itself."""
    sources: tuple[Source, ...] = ()
    """The files by which a repository configures it."""
    is_handed: bool = False
    """Whether it is kept from these files, and told what they say where a person agreed to that;
    else it reads them itself whatever it is told."""

    def session_meta(self, line: str | None, taken: Sequence[Taken] = ()) -> dict[str, Any]:
        """What `session/new` says in `_meta`, with the hook's command line where there is one."""
        hooked = {} if line is None or self.hooking is None else self.hooking.meta(line, taken)
        return {**self.meta, **hooked}

    def servers(self, taken: Sequence[Taken]) -> list[Mapping[str, Any]]:
        """The servers with which a session is opened."""
        return servers_of(taken) if self.is_handed else []

    def environment(self, line: str | None) -> dict[str, str]:
        """Variables with which it is started."""
        hooked = {} if line is None or self.hooking is None else self.hooking.env(line)
        return {**self.env, **hooked}

    def whole(self, hooked: Hooked) -> dict[str, Any]:
        """A call that its hook was handed, as the Agent Client Protocol would tell of it."""
        kind = self.kinds.get(hooked.tool)
        changes = self.changes(hooked.tool, hooked.input) if kind == "edit" else []
        is_here = kind == "search" and not hooked.input.get("path")
        return {
            "toolCallId": hooked.call,
            "kind": kind,
            "rawInput": self._named(hooked) if kind is None else hooked.input,
            "content": changes,
            # What is searched without a path is the folder of the session.
            "locations": [{"path": "."}] if is_here else [],
            "name": hooked.tool,
        }

    def _named(self, hooked: Hooked) -> Mapping[str, Any]:
        """The input of a tool that no kind is known of, with its name, which is a part of it.

        The name of a server's tool is read with the call, and a note is known by its own.
        """
        if hooked.tool in self.notes or hooked.tool.startswith("mcp__"):
            return hooked.input
        given = hooked.input
        return {"tool": hooked.tool, **({"input": given} if "tool" in given else given)}


def _claudes_changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("file_path")
    if tool == "Write":
        return [diff(path, None, given.get("content"))]
    edits = given.get("edits") if tool == "MultiEdit" else [given]
    found = [it for it in edits if isinstance(it, dict)] if isinstance(edits, list) else []
    if tool in {"Edit", "MultiEdit"}:
        return [diff(path, it.get("old_string"), it.get("new_string")) for it in found]
    return []


def _copilots_changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("path")
    if tool == "create":
        return [diff(path, None, given.get("file_text"))]
    return [diff(path, given.get("old_str"), given.get("new_str"))] if tool == "edit" else []


def _claudes_meta(line: str | None, taken: Sequence[Taken] = ()) -> dict[str, Any]:
    """No settings but these, no servers of a repository, and no leave to do as it likes."""
    options = {
        "settingSources": [],
        "strictMcpConfig": True,
        "allowDangerouslySkipPermissions": False,
    }
    if line is not None:
        hook = {"type": "command", "command": line, "timeout": _HOUR}
        # One that is killed together with its shell, or held up, keeps the call from running.
        strict = {**hook, "onFailure": "block"}
        let = hooks_of(taken)
        hooks = {
            **let,
            "PreToolUse": [{"matcher": "*", "hooks": [strict]}],
            # Runs when a session begins, and so tells that its hooks are run at all.
            "SessionStart": [{"hooks": [hook]}, *let.get("SessionStart", [])],
        }
        options["settings"] = {"hooks": hooks}
    return {"claudeCode": {"options": options}}


def _codexes_patch(hooked: Hooked) -> str | None:
    """It takes a command that only applies a patch out of the shell's hands."""
    text = hooked.input.get("command")
    if not isinstance(text, str) or len(hooked.input) > 1:
        return None
    # A shell that is given the bare text runs whatever file its stars stand for.
    is_own = hooked.tool == "apply_patch" or text.lstrip().startswith("apply")
    return text if is_own and hooked.tool in {"Bash", "apply_patch"} else None


def _codexes_env(line: str) -> dict[str, str]:
    hook = {"type": "command", "command": line, "timeout": _HOUR}
    hooks = {
        "PreToolUse": [{"matcher": ".*", "hooks": [hook]}],
        "SessionStart": [{"hooks": [hook]}],
    }
    config = {"hooks": hooks, "bypass_hook_trust": True, "features": {"hooks": True}}
    return {"CODEX_CONFIG": orjson.dumps(config).decode()}


def _copilots_files(line: str) -> dict[str, str]:
    """A plugin of its own, so that nothing of the person's is written."""
    hook = {"type": "command", "bash": line, "timeoutSec": _HOUR}
    hooks = {"version": 1, "hooks": {"preToolUse": [hook], "sessionStart": [hook]}}
    manifest = {"name": "assent", "version": "1.0.0", "description": "Asks Assent"}
    return {
        "plugin.json": orjson.dumps({**manifest, "hooks": "hooks/hooks.json"}).decode(),
        "hooks/hooks.json": orjson.dumps(hooks).decode(),
    }


_CLAUDES_KINDS: Final = {
    "Bash": "execute",
    "Edit": "edit",
    "Glob": "search",
    "Grep": "search",
    "LS": "read",
    "MultiEdit": "edit",
    "NotebookEdit": "edit",
    "NotebookRead": "read",
    "Read": "read",
    "WebFetch": "fetch",
    "WebSearch": "fetch",
    "Write": "edit",
}

_COPILOTS_KINDS: Final = {
    "bash": "execute",
    "create": "edit",
    "edit": "edit",
    "glob": "search",
    "grep": "search",
    "rg": "search",
    "view": "read",
    "web_fetch": "fetch",
}

GENERAL: Final = Recipe(id="")
"""Any agent of which nothing is known."""

RECIPES: Final[Sequence[Recipe]] = (
    Recipe(
        id="claude",
        packages=("@agentclientprotocol/claude-agent-acp", "@zed-industries/claude-code-acp"),
        hooking=Hooking(words=hook_words.CLAUDE, meta=_claudes_meta),
        meta=_claudes_meta(None),
        kinds=_CLAUDES_KINDS,
        notes=frozenset({"TodoWrite", "ToolSearch"}),
        changes=_claudes_changes,
        sources=(
            Source(pattern=".claude/settings.json", takes=claudes_settings, is_here=True),
            Source(pattern=".claude/settings.local.json", takes=claudes_settings, is_here=True),
            Source(pattern=".mcp.json", takes=claudes_servers),
        ),
        is_handed=True,
    ),
    Recipe(
        id="codex",
        packages=("@agentclientprotocol/codex-acp", "@zed-industries/codex-acp"),
        hooking=Hooking(words=hook_words.CODEX, env=_codexes_env),
        kinds={"Bash": "execute"},
        patch=_codexes_patch,
        # To trust our own hook, it has to trust those of a repository as well.
        sources=(
            Source(pattern=".codex/hooks.json", takes=as_it_stands, unheld=True),
            Source(pattern=".codex/config.toml", takes=as_it_stands, unheld=True),
            # What it lets run by itself.
            Source(pattern=".codex/rules/*", takes=as_it_stands),
        ),
    ),
    Recipe(
        id="copilot",
        packages=("@github/copilot",),
        hooking=Hooking(
            words=hook_words.COPILOT,
            files=_copilots_files,
            args=lambda folder: ("--plugin-dir", folder),
        ),
        kinds=_COPILOTS_KINDS,
        notes=frozenset({"update_todo", "report_intent"}),
        changes=_copilots_changes,
        # A hook rewrites what was ruled on, also in a folder that it does not trust itself, and
        # `disableAllHooks` switches ours off.
        sources=(
            *(
                Source(pattern=pattern, takes=as_it_stands, unheld=True)
                for pattern in (
                    ".github/hooks/**",
                    ".github/copilot/settings*.json",
                    ".claude/settings*.json",
                )
            ),
            *(
                Source(pattern=pattern, takes=as_it_stands)
                for pattern in (
                    ".mcp.json",
                    ".github/mcp.json",
                    ".github/agents/*.md",
                    ".claude/agents/*.md",
                )
            ),
        ),
    ),
)


def recipe_for(program: str, args: Sequence[str]) -> Recipe:
    """What is known of the agent that this program would be, with these words."""
    package = package_of(program, args)
    return next((it for it in RECIPES if package in it.packages), GENERAL)
