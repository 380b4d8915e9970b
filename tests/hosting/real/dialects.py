"""The dialects in which agents speak with models: how a conversation is read, a step told."""

import json
from collections.abc import Iterator
from typing import Any, Final, Protocol
from uuid import uuid4

from hosting.real.script import Use

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


class _Responses:
    """Responses, as Codex sends them."""

    def tools(self, asked: dict[str, Any]) -> list[str]:
        return [name for tool in asked.get("tools") or [] for name in _names(tool)]

    def conversation(self, asked: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for item in asked.get("input") or []:
            kind = str(item.get("type") or "message")
            if kind.endswith("_output"):
                yield "tool", str(item.get("output"))
            elif kind == "message" and item.get("role") == "user":
                yield "user", _text(item.get("content"))

    def stream(self, asked: dict[str, Any], step: Use | str) -> Iterator[str]:
        whole = self.whole(asked, step)
        (item,) = whole["output"]
        begun = {**whole, "status": "in_progress", "output": []}
        yield _named({"type": "response.created", "response": begun})
        yield _named({"type": "response.output_item.added", "output_index": 0, "item": item})
        yield _named({"type": "response.output_item.done", "output_index": 0, "item": item})
        yield _named({"type": "response.completed", "response": whole})

    def whole(self, asked: dict[str, Any], step: Use | str) -> dict[str, Any]:
        none = {"cached_tokens": 0, "reasoning_tokens": 0}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        details = {"input_tokens_details": none, "output_tokens_details": none}
        return {
            "id": f"resp_{uuid4().hex}",
            "object": "response",
            "status": "completed",
            "model": asked.get("model"),
            "output": [_item(step)],
            "usage": {**usage, **details},
        }


def _names(tool: dict[str, Any]) -> list[str]:
    """What a tool is called, or each of a group, as it stands in a script."""
    name = str(tool.get("name") or tool.get("type"))
    if tool.get("type") != "namespace":
        return [name]
    return [f"{name}/{inner.get('name')}" for inner in tool.get("tools") or []]


def _item(step: Use | str) -> dict[str, Any]:
    if isinstance(step, str):
        said = {"type": "output_text", "text": step, "annotations": []}
        head = {"type": "message", "id": f"msg_{uuid4().hex}", "status": "completed"}
        return {**head, "role": "assistant", "content": [said]}
    head = {"type": "function_call", "id": f"fc_{uuid4().hex}", "status": "completed"}
    # The tools of a server stand in a room of their own.
    room, _, tool = step.tool.rpartition("/")
    more = {"namespace": room} if room else {}
    given = {"name": tool, **more, "arguments": json.dumps(step.input)}
    return {**head, "call_id": f"call_{uuid4().hex}", **given}


class _Completions:
    """Chat completions, as Copilot sends them to a provider of one's own."""

    def tools(self, asked: dict[str, Any]) -> list[str]:
        return [str((it.get("function") or {}).get("name")) for it in asked.get("tools") or []]

    def conversation(self, asked: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for message in asked.get("messages") or []:
            if message.get("role") in {"user", "tool"}:
                yield str(message["role"]), _text(message.get("content"))

    def stream(self, asked: dict[str, Any], step: Use | str) -> Iterator[str]:
        whole = self.whole(asked, step)
        (choice,) = whole["choices"]
        calls = [
            {"index": at, **it} for at, it in enumerate(choice["message"].get("tool_calls", []))
        ]
        delta = {**choice["message"], **({"tool_calls": calls} if calls else {})}
        head = {**whole, "object": "chat.completion.chunk"}
        ends = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
        for one in ({"index": 0, "delta": delta, "finish_reason": None}, ends):
            yield f"data: {json.dumps({**head, 'choices': [one]})}\n\n"
        yield "data: [DONE]\n\n"

    def whole(self, asked: dict[str, Any], step: Use | str) -> dict[str, Any]:
        is_call = isinstance(step, Use)
        message: dict[str, Any] = {"role": "assistant", "content": None if is_call else step}
        if isinstance(step, Use):
            given = {"name": step.tool, "arguments": json.dumps(step.input)}
            name = f"call_{uuid4().hex}"
            message["tool_calls"] = [{"id": name, "type": "function", "function": given}]
        end = "tool_calls" if is_call else "stop"
        return {
            "id": f"chatcmpl-{uuid4().hex}",
            "object": "chat.completion",
            "created": 1,
            "model": asked.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": end}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


class _Gemini:
    """Contents, as Gemini sends them."""

    def tools(self, asked: dict[str, Any]) -> list[str]:
        lists = [it.get("functionDeclarations") or [] for it in asked.get("tools") or []]
        return [str(it.get("name")) for one in lists for it in one]

    def conversation(self, asked: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for message in asked.get("contents") or []:
            for part in message.get("parts") or []:
                if "functionResponse" in part:
                    yield "tool", json.dumps(part["functionResponse"])
                elif "text" in part and message.get("role") == "user":
                    yield "user", str(part["text"])

    def stream(self, asked: dict[str, Any], step: Use | str) -> Iterator[str]:
        yield f"data: {json.dumps(self.whole(asked, step))}\n\n"

    def whole(self, asked: dict[str, Any], step: Use | str) -> dict[str, Any]:
        part: dict[str, Any] = {"text": step} if isinstance(step, str) else {}
        if isinstance(step, Use):
            part = {"functionCall": {"name": step.tool, "args": step.input}}
        content = {"role": "model", "parts": [part]}
        counts = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        return {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": counts,
            "modelVersion": NAME,
        }


DIALECTS: Final[dict[str, Dialect]] = {
    "/v1/messages": _Anthropic(),
    "/v1/responses": _Responses(),
    "/chat/completions": _Completions(),
    ":generateContent": _Gemini(),
    ":streamGenerateContent": _Gemini(),
}
"""By the end of the address that is asked."""
