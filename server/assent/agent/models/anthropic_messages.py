"""Writes a request in the form of Anthropic's Messages API.

What stays the same from one request to the next is marked to be kept: the tools, the system
prompt, and the conversation up to its last turn. The last mark of the request before stays where
it was, since a host looks back from a mark over a few blocks alone.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from assent.agent.models.anthropic_thinking import thinking
from assent.agent.models.attachments import Attachment
from assent.agent.models.conversation import (
    Answered,
    Block,
    Part,
    Replied,
    Request,
    Result,
    Said,
    Thought,
    Turn,
    Wanted,
    Words,
)
from assent.agent.models.well_formed import well_formed
from assent.gate.settings.models.hosts import Host

__all__ = ["body_of", "giver_of"]

_KEPT: Final = {"cache_control": {"type": "ephemeral"}}

_Block = dict[str, Any]


def giver_of(host: Host) -> str:
    """Who gives what is handed back."""
    return host.giver("anthropic")


def body_of(request: Request, host: Host) -> dict[str, Any]:
    """The whole request."""
    tools = [
        {"name": tool.name, "description": tool.says, "input_schema": tool.schema}
        for tool in request.tools
    ]
    system = [{"type": "text", "text": request.system}] if request.system.strip() else []
    messages = _messages(well_formed(request.turns), giver_of(host))
    for message in [message for message in messages if message["role"] == "user"][-2:]:
        message["content"] = _last_kept(message["content"])
    parts = {"system": _last_kept(system), "tools": _last_kept(tools)}
    return {
        "model": host.model,
        "max_tokens": request.most_tokens,
        "stream": True,
        **{name: part for name, part in parts.items() if part},
        "messages": messages,
        **thinking(request, host.model, messages),
    }


def _last_kept(blocks: list[_Block]) -> list[_Block]:
    return [*blocks[:-1], *({**last, **_KEPT} for last in blocks[-1:])]


def _messages(turns: tuple[Turn, ...], by: str) -> list[dict[str, Any]]:
    """The turns; what follows on the same side is one message."""
    messages: list[dict[str, Any]] = []
    for turn in turns:
        role = "assistant" if isinstance(turn, Replied) else "user"
        blocks = list(_blocks(turn, by))
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks
        else:
            messages.append({"role": role, "content": blocks})
    return messages


def _blocks(turn: Turn, by: str) -> Iterator[_Block]:
    match turn:
        case Said():
            yield from map(_shown, turn.attached)
            if turn.text.strip():
                yield {"type": "text", "text": turn.text}
        case Replied():
            for block in turn.blocks:
                yield from _block(block, by)
        case Answered():
            yield from map(_result, turn.results)


def _block(block: Block, by: str) -> Iterator[_Block]:
    """A block of a reply; what its host did not seal, or another gave, is not taken back."""
    given = block.given.back(by) if block.given is not None else None
    match block:
        case Words() if block.text.strip():
            yield {"type": "text", "text": block.text}
        case Wanted():
            made = {"id": block.id, "name": block.name, "input": json.loads(block.arguments)}
            yield {"type": "tool_use", **made}
        case Thought() if given is not None:
            yield {"type": "thinking", "thinking": block.text, **given}
        case Part() if given is not None:
            yield given
        case _:
            pass


def _shown(attachment: Attachment) -> _Block:
    source = {"type": "base64", "media_type": attachment.mime, "data": attachment.data}
    if attachment.is_picture:
        return {"type": "image", "source": source}
    return {"type": "document", "source": source, "title": attachment.name}


def _result(result: Result) -> _Block:
    failed = {"is_error": True} if result.failed else {}
    words = {"type": "text", "text": result.text}
    content = [words, *map(_shown, result.attached)] if result.attached else result.text
    members = {"tool_use_id": result.call, "content": content}
    return {"type": "tool_result", **members, **failed}
