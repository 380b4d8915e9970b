"""Cursor: the person runs it themselves; our hook recognizes it by the input of its hooks.

Nobody here has tried it. What it names otherwise than is written makes a call that cannot be read,
which is asked about.
"""

from collections.abc import Mapping
from typing import Any, Final

from assent.gate.call.errors import CallUnreadable
from assent.hosting.hooks.hook_words import Hooked, HookWords, cwd_in, diff
from assent.hosting.recipes.recipe import Recipe

__all__ = ["CURSOR", "RECIPE"]


def _cursors(payload: dict[str, Any]) -> Hooked:
    session, tool, given = (
        payload.get(key) for key in ("conversation_id", "tool_name", "tool_input")
    )
    is_call = payload.get("hook_event_name") == "preToolUse"
    if not is_call or not (isinstance(session, str) and session and isinstance(given, dict)):
        raise CallUnreadable("Its hook was handed something else than a call.")
    if not (isinstance(tool, str) and tool):
        raise CallUnreadable("Its hook was handed a call without a name.")
    call = payload.get("tool_use_id")
    return Hooked(
        session=session,
        tool=tool,
        input=given,
        call=call if isinstance(call, str) else "",
        cwd=cwd_in(payload),
    )


CURSOR: Final = HookWords(
    read=_cursors,
    allow=lambda hooked, _: {"permission": "allow", "updated_input": hooked.input},
    deny=lambda because: {
        "permission": "deny",
        "user_message": because,
        "agent_message": because,
    },
    # It takes the word and does not ask.
    ask=None,
)


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
