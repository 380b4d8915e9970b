"""The JSON that a hook is given about a call."""

import json
from typing import Any, Final

from assent.gate.call.calls import Call, Edit
from assent.gate.passage import Ended
from assent.gate.settings.hook_entries import HookEvent
from assent.gate.text.shortening import shortened

__all__ = ["about", "about_ended", "about_waiting", "spoken"]

_MAX_OUTPUT_LETTERS: Final = 30_000
"""In characters: so much of a call's output."""


def about(call: Call, event: HookEvent, root: str) -> dict[str, Any]:
    """What every hook is told."""
    return {
        "event": event,
        "chat": call.chat,
        "call": call.id,
        "agent": call.agent,
        "part": call.part,
        "tool": call.tool,
        "effect": call.effect,
        "input": call.input,
        "cwd": call.cwd,
        "root": root,
        "targets": [target.resolved for target in call.targets],
        "edits": [*map(_edit, call.edits)],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    """A change; of a large file, of the lines from that one on."""
    change = {"path": edit.path, "old": edit.old, "new": edit.new}
    return change if edit.stretch is None else {**change, "line": edit.stretch.lines + 1}


def about_ended(call: Call, ended: Ended, root: str) -> dict[str, Any]:
    """What it is told of a call that ran."""
    facts = about(call, HookEvent.POST_TOOL_USE, root)
    return {**facts, "state": ended.state, "output": shortened(ended.output, _MAX_OUTPUT_LETTERS)}


def about_waiting(call: Call, because: str, root: str) -> dict[str, Any]:
    """What it is told of a call that waits for the person."""
    return {**about(call, HookEvent.NOTIFICATION, root), "because": because}


def spoken(facts: dict[str, Any]) -> bytes:
    """As it is written to a hook; whatever is no letter in Unicode is told by its escape."""
    return json.dumps(facts, ensure_ascii=True).encode("ascii") + b"\n"
