"""The dialects in which agents speak with models: how a conversation is read, a step told."""

import json
from collections.abc import Iterator
from typing import Any, Final, Protocol
from uuid import uuid4

from agents.script import Use

__all__ = ["DIALECTS", "MODELS", "NAME", "Dialect"]

NAME: Final = "played"
_ONE: Final = {"id": NAME, "object": "model", "type": "model", "display_name": NAME, "created": 1}
MODELS: Final = {"object": "list", "data": [_ONE], "has_more": False}


class Dialect(Protocol):
    """How one kind of provider is spoken with."""

    def tools(self, asked: dict[str, Any]) -> list[str]:
        """The tools that the model is offered."""
        ...

    def conversation(self, asked: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """What the `user` said and what came of each `tool`, in order."""
        ...

    def stream(self, asked: dict[str, Any], step: Use | str) -> Iterator[str]:
        """The answer, as server-sent events."""
        ...

    def whole(self, asked: dict[str, Any], step: Use | str) -> dict[str, Any]:
        """The answer in one piece."""
        ...


class _Anthropic:
    """Messages, as Claude Code sends them."""

    def tools(self, asked: dict[str, Any]) -> list[str]:
        return [str(it.get("name")) for it in asked.get("tools") or []]

    def conversation(self, asked: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for message in asked.get("messages") or []:
            for part in _parts(message.get("content")):
                if part.get("type") == "tool_result":
                    yield "tool", _text(part.get("content"))
                elif part.get("type") == "text" and message.get("role") == "user":
                    yield "user", str(part.get("text"))

    def stream(self, asked: dict[str, Any], step: Use | str) -> Iterator[str]:
        message = self.whole(asked, step)
        blocks, message["content"] = message["content"], []
        yield _named({"type": "message_start", "message": {**message, "stop_reason": None}})
        for at, block in enumerate(blocks):
            head, delta = _opened(block)
            yield _named({"type": "content_block_start", "index": at, "content_block": head})
            yield _named({"type": "content_block_delta", "index": at, "delta": delta})
            yield _named({"type": "content_block_stop", "index": at})
        end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        yield _named({"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}})
        yield _named({"type": "message_stop"})

    def whole(self, asked: dict[str, Any], step: Use | str) -> dict[str, Any]:
        return {
            "id": f"msg_{uuid4().hex}",
            "type": "message",
            "role": "assistant",
            "model": asked.get("model"),
            "content": [_block(step)],
            "stop_reason": "tool_use" if isinstance(step, Use) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }


def _block(step: Use | str) -> dict[str, Any]:
    if isinstance(step, str):
        return {"type": "text", "text": step}
    name = f"toolu_{uuid4().hex}"
    return {"type": "tool_use", "id": name, "name": step.tool, "input": step.input}


def _opened(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A block as it begins, and the one piece that makes it whole."""
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    given = json.dumps(block["input"])
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": given}


def _named(event: dict[str, Any]) -> str:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _parts(content: object) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [it for it in content if isinstance(it, dict)] if isinstance(content, list) else []


def _text(content: object) -> str:
    return "\n".join(str(it.get("text") or "") for it in _parts(content))


DIALECTS: Final[dict[str, Dialect]] = {"/v1/messages": _Anthropic()}
"""By the end of the address that is asked."""
