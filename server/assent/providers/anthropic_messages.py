"""A request in the words of Anthropic's messages.

What stays the same from one request to the next is marked to be kept: the tools, the system
prompt, and the conversation up to its last turn.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from assent.providers.conversation import Answered, Replied, Request, Result, Said, Thought, Turn
from assent.providers.orderly import orderly

__all__ = ["body_of"]

_KEPT: Final = {"cache_control": {"type": "ephemeral"}}

_Block = dict[str, Any]


def body_of(request: Request, model: str) -> dict[str, Any]:
    """The whole request."""
    tools = [
        {"name": it.name, "description": it.says, "input_schema": it.schema} for it in request.tools
    ]
    system = [{"type": "text", "text": request.system}] if request.system.strip() else []
    messages = _messages(orderly(request.turns))
    if messages and messages[-1]["role"] == "user":
        messages[-1]["content"] = _last_kept(messages[-1]["content"])
    parts = {"system": _last_kept(system), "tools": _last_kept(tools)}
    return {
        "model": model,
        "max_tokens": request.most_tokens,
        "stream": True,
        **{name: part for name, part in parts.items() if part},
        "messages": messages,
    }


def _last_kept(blocks: list[_Block]) -> list[_Block]:
    return [*blocks[:-1], *({**last, **_KEPT} for last in blocks[-1:])]


def _messages(turns: tuple[Turn, ...]) -> list[dict[str, Any]]:
    """The turns; what follows on the same side is one message."""
    messages: list[dict[str, Any]] = []
    for turn in turns:
        role = "assistant" if isinstance(turn, Replied) else "user"
        blocks = list(_blocks(turn))
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks
        else:
            messages.append({"role": role, "content": blocks})
    return messages


def _blocks(turn: Turn) -> Iterator[_Block]:
    match turn:
        case Said():
            yield {"type": "text", "text": turn.text}
        case Replied():
            yield from (block for thought in turn.thoughts for block in _thought(thought))
            if turn.text:
                yield {"type": "text", "text": turn.text}
            for call in turn.calls:
                made = {"id": call.id, "name": call.name, "input": json.loads(call.arguments)}
                yield {"type": "tool_use", **made}
        case Answered():
            yield from map(_result, turn.results)


def _thought(thought: Thought) -> Iterator[_Block]:
    """A thought, where its host sealed it; no other is taken back."""
    if thought.hidden:
        yield {"type": "redacted_thinking", "data": thought.hidden}
    elif thought.seal:
        yield {"type": "thinking", "thinking": thought.text, "signature": thought.seal}


def _result(result: Result) -> _Block:
    failed = {"is_error": True} if result.failed else {}
    told = {"tool_use_id": result.call, "content": result.text}
    return {"type": "tool_result", **told, **failed}
