"""Claude Code: it goes by the person's own settings, and by what they allow a repository.

Our hook stands above both: no setting of theirs switches it off, and none lets a call pass it.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from assent.hosting.hooks.hook_words import CLAUDE, diff
from assent.hosting.recipes.claude_hooks import own_settings
from assent.hosting.recipes.recipe import (
    HOUR_S,
    NO_SETTINGS,
    NO_WORDS,
    FolderWords,
    Hooking,
    LogInCommand,
    OwnSettings,
    Recipe,
    letters_of,
)
from assent.hosting.repositories.configuration import claudes_servers, claudes_settings, hooks_of
from assent.hosting.repositories.sources import Source, Taken

__all__ = ["RECIPE"]


def _changes(tool: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    path = given.get("file_path")
    if tool == "Write":
        return [diff(path, None, given.get("content"))]
    edits = given.get("edits") if tool == "MultiEdit" else [given]
    well_formed = (
        [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    )
    if tool in {"Edit", "MultiEdit"}:
        return [diff(path, edit.get("old_string"), edit.get("new_string")) for edit in well_formed]
    return []


def _meta(
    line: str | None,
    taken: Sequence[Taken] = (),
    own: OwnSettings = NO_SETTINGS,
    words: FolderWords = NO_WORDS,
) -> dict[str, Any]:
    """No settings of a repository, no servers of one, and no leave to do as it likes."""
    options: dict[str, Any] = {
        "settingSources": ["user"] if own.are_read else [],
        # The servers of a repository are among its settings; this leaves out the person's as well.
        "strictMcpConfig": not own.are_read,
        "allowDangerouslySkipPermissions": False,
    }
    if line is not None:
        hook = {"type": "command", "command": line, "timeout": HOUR_S}
        # One that is killed together with its shell, or held up, keeps the call from running.
        strict = {**hook, "onFailure": "block"}
        let = hooks_of(taken)
        hooks = {
            **let,
            "PreToolUse": [{"matcher": "*", "hooks": [strict]}],
            # Runs when a session begins, and so tells that its hooks are run at all.
            "SessionStart": [{"hooks": [hook]}, *let.get("SessionStart", [])],
        }
        options["settings"] = {"hooks": hooks, **_HELD}
    if words.plugin:
        options["plugins"] = [{"type": "local", "path": words.plugin}]
    guided = {"systemPrompt": {"append": words.guides}} if words.guides else {}
    return {"claudeCode": {"options": options}, **guided}


_ALONE: Final = {"CLAUDE_CODE_DISABLE_CRON": "1"}
"""What a repository has it do by the clock (`.claude/scheduled_tasks.json`) reaches its model as if
the person had said it, whatever settings it is kept from."""

_HELD: Final = {
    "disableAllHooks": False,
    # A skill would run its commands as it is read, and no hook is asked about them.
    "disableSkillShellExecution": True,
    # In either of these modes it runs no hooks.
    "env": {**_ALONE, "CLAUDE_CODE_SIMPLE": "", "CLAUDE_CODE_SAFE_MODE": "0"},
}
"""What stands above the person's own settings."""


def _own_files(home: str, folder: str) -> tuple[str, ...]:
    """Its plans, its memory of this project, and the scratch files of its sessions here.

    >>> _own_files("/home/ada", "/code/my.app")[1]
    '/home/ada/.claude/projects/-code-my-app/memory/*.md'
    """
    project = letters_of(folder)
    scratch = f"/tmp/claude-{os.getuid()}/{project}/*/scratchpad"  # noqa: S108 -- where it makes it
    return (
        f"{home}/.claude/plans/*.md",
        f"{home}/.claude/projects/{project}/memory/*.md",
        f"{scratch}/**",
        f"/private{scratch}/**",
    )


_KINDS: Final = {
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


RECIPE: Final = Recipe(
    id="claude",
    packages=("@agentclientprotocol/claude-agent-acp", "@zed-industries/claude-code-acp"),
    log_in=LogInCommand(
        program="claude", words=("auth", "login"), own_words=("--cli", "auth", "login")
    ),
    hooking=Hooking(words=CLAUDE, meta=_meta),
    meta=_meta(None),
    own_files=_own_files,
    own_settings=own_settings,
    guides=("CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/*.md", "CLAUDE.local.md"),
    texts_in=".claude",
    env=_ALONE,
    stays_by={"CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR": "1"},
    kinds=_KINDS,
    # Its own question reaches the person as a form, which has a card of its own.
    notes=frozenset({"AskUserQuestion", "TodoWrite", "ToolSearch"}),
    changes=_changes,
    sources=(
        Source(pattern=".claude/settings.json", takes=claudes_settings, is_here=True),
        Source(pattern=".claude/settings.local.json", takes=claudes_settings, is_here=True),
        Source(pattern=".mcp.json", takes=claudes_servers),
    ),
    is_handed=True,
)
