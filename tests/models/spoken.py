"""The dialects, as their hosts speak them: steps of a script in, bytes out.

Nothing here is shared with the product, so that a mistake in reading is not made twice.
"""

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from models.script import Step, pieces_of, written

__all__ = ["SPEAKERS", "Anthropic", "Ollama", "OpenAI", "Responses", "Speaker"]


class Speaker:
    """Says one reply; each dialect is one of these."""

    content_type: ClassVar[str]
    reasons: ClassVar[dict[str, str]]

    def __init__(self, model: str) -> None:
        self.model = model
        self.calls: dict[object, dict[str, Any]] = {}
        self.used: list[int] | None = None
        self.reason: str | None = None

    def head(self) -> bytes:
        return b""

    def say(self, step: Step) -> Iterator[bytes]:
        """One step, in the pieces in which it is sent."""
        kind = next((name for name in step if name in WAYS), None)
        if kind is None:
            raise ValueError(f"a script knows no step like {step}")
        return WAYS[kind](self, step)

    def call(self, step: Step) -> Iterator[bytes]:
        key = f"call {len(self.calls)}"
        yield self.begin(key, step["call"], step.get("id"))
        for piece in pieces_of(written(step.get("arguments")), step.get("pieces", 1)):
            yield self.more(key, piece)
        yield self.whole(key)

    def note(self, *, used: list[int] | None = None, reason: str | None = None) -> None:
        """Keep what is told at the end."""
        self.used, self.reason = used or self.used, reason or self.reason

    def why(self) -> str:
        """Why the reply ends, in the dialect's words."""
        return self.reasons[self.reason or ("calls" if self.calls else "done")]

    def frame(self, sent: object) -> bytes:
        return f"data: {json.dumps(sent)}\n\n".encode()

    def text(self, piece: str) -> bytes:
        raise NotImplementedError

    def think(self, said: str, seal: str, hidden: str) -> bytes:
        raise NotImplementedError

    def begin(self, key: object, name: str, given: str | None) -> bytes:
        raise NotImplementedError

    def more(self, key: object, piece: str) -> bytes:
        raise NotImplementedError

    def whole(self, key: object) -> bytes:
        raise NotImplementedError

    def end(self) -> bytes:
        raise NotImplementedError

    def error(self, message: str, kind: str) -> bytes:
        raise NotImplementedError

    def refusal(self, message: str, kind: str) -> dict[str, Any]:
        """The body of an answer that is an error."""
        raise NotImplementedError


def _each(*sent: bytes | None) -> Iterator[bytes]:
    return (it for it in sent if it)


WAYS: dict[str, Callable[[Speaker, Step], Iterator[bytes]]] = {
    "text": lambda it, step: map(it.text, pieces_of(step["text"], step.get("pieces", 1))),
    "think": lambda it, step: _each(
        it.think(step["think"], step.get("seal", ""), step.get("hidden", ""))
    ),
    "call": lambda it, step: it.call(step),
    "begin": lambda it, step: _each(it.begin(step["begin"], step["name"], step.get("id"))),
    "more": lambda it, step: _each(it.more(step["more"], step["piece"])),
    "whole": lambda it, step: _each(it.whole(step["whole"])),
    "usage": lambda it, step: _each(it.note(used=step["usage"])),
    "stop": lambda it, step: _each(it.note(reason=step["stop"])),
    "frame": lambda it, step: _each(it.frame(step["frame"])),
    "raw": lambda _, step: _each(step["raw"].encode()),
    "error": lambda it, step: _each(it.error(step["error"], step.get("kind", "api_error"))),
}
"""How a step is said, by the member that names it."""


class OpenAI(Speaker):
    """Chat completions."""

    content_type = "text/event-stream"
    reasons: ClassVar = {
        "done": "stop",
        "calls": "tool_calls",
        "length": "length",
        "refused": "content_filter",
    }

    def head(self) -> bytes:
        return self._delta({"role": "assistant", "content": ""})

    def text(self, piece: str) -> bytes:
        return self._delta({"content": piece})

    def think(self, said: str, seal: str, hidden: str) -> bytes:
        return self._delta({"reasoning_content": said})

    def begin(self, key: object, name: str, given: str | None) -> bytes:
        index = len(self.calls)
        self.calls[key] = {"index": index}
        called = f"call_{index}" if given is None else given
        function = {"name": name, "arguments": ""}
        made = {"index": index, "id": called, "type": "function", "function": function}
        return self._delta({"tool_calls": [made]})

    def more(self, key: object, piece: str) -> bytes:
        made = {**self.calls[key], "function": {"arguments": piece}}
        return self._delta({"tool_calls": [made]})

    def whole(self, key: object) -> bytes:
        return b""

    def end(self) -> bytes:
        told = self._chunk([{"index": 0, "delta": {}, "finish_reason": self.why()}])
        if self.used:
            read, wrote = self.used
            counted = {"prompt_tokens": read, "completion_tokens": wrote}
            told += self._chunk([], usage=counted)
        return told + b"data: [DONE]\n\n"

    def error(self, message: str, kind: str) -> bytes:
        return self.frame(self.refusal(message, kind))

    def refusal(self, message: str, kind: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": kind, "code": kind or None}}

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return self._chunk([{"index": 0, "delta": delta, "finish_reason": None}])

    def _chunk(self, choices: list[Any], **rest: object) -> bytes:
        told = {"id": "x", "object": "chat.completion.chunk", "model": self.model}
        return self.frame({**told, "choices": choices, **rest})


class Anthropic(Speaker):
    """Messages."""

    content_type = "text/event-stream; charset=utf-8"
    reasons: ClassVar = {
        "done": "end_turn",
        "calls": "tool_use",
        "length": "max_tokens",
        "refused": "refusal",
    }

    def __init__(self, model: str) -> None:
        super().__init__(model)
        self._next = itertools.count()
        self._open_text: int | None = None

    def head(self) -> bytes:
        message = {"id": "msg_x", "role": "assistant", "content": [], "model": self.model}
        counted = {"input_tokens": 1, "output_tokens": 1}
        told = {"type": "message_start", "message": {**message, "usage": counted}}
        return self._event(told) + self._event({"type": "ping"})

    def frame(self, sent: object) -> bytes:
        name = sent.get("type", "message") if isinstance(sent, dict) else "message"
        return f"event: {name}\ndata: {json.dumps(sent)}\n\n".encode()

    def text(self, piece: str) -> bytes:
        told = b""
        if self._open_text is None:
            self._open_text, told = self._block({"type": "text", "text": ""})
        return told + self._delta(self._open_text, {"type": "text_delta", "text": piece})

    def think(self, said: str, seal: str, hidden: str) -> bytes:
        closed = self._close_text()
        if hidden:
            index, told = self._block({"type": "redacted_thinking", "data": hidden})
            return closed + told + self._stop(index)
        index, told = self._block({"type": "thinking", "thinking": "", "signature": ""})
        told += self._delta(index, {"type": "thinking_delta", "thinking": said})
        if seal:
            told += self._delta(index, {"type": "signature_delta", "signature": seal})
        return closed + told + self._stop(index)

    def begin(self, key: object, name: str, given: str | None) -> bytes:
        closed = self._close_text()
        called = f"toolu_{len(self.calls)}" if given is None else given
        made = {"type": "tool_use", "id": called, "name": name, "input": {}}
        index, told = self._block(made)
        self.calls[key] = {"index": index}
        return closed + told

    def more(self, key: object, piece: str) -> bytes:
        delta = {"type": "input_json_delta", "partial_json": piece}
        return self._delta(self.calls[key]["index"], delta)

    def whole(self, key: object) -> bytes:
        return self._stop(self.calls[key]["index"])

    def end(self) -> bytes:
        read, wrote = self.used or [1, 1]
        told = {
            "type": "message_delta",
            "delta": {"stop_reason": self.why(), "stop_sequence": None},
            "usage": {"input_tokens": read, "output_tokens": wrote},
        }
        return self._close_text() + self._event(told) + self._event({"type": "message_stop"})

    def error(self, message: str, kind: str) -> bytes:
        return self._event(self.refusal(message, kind))

    def refusal(self, message: str, kind: str) -> dict[str, Any]:
        return {"type": "error", "error": {"type": kind or "api_error", "message": message}}

    def _event(self, told: dict[str, Any]) -> bytes:
        return self.frame(told)

    def _block(self, made: dict[str, Any]) -> tuple[int, bytes]:
        index = next(self._next)
        told = {"type": "content_block_start", "index": index, "content_block": made}
        return index, self._event(told)

    def _delta(self, index: int, delta: dict[str, Any]) -> bytes:
        return self._event({"type": "content_block_delta", "index": index, "delta": delta})

    def _stop(self, index: int) -> bytes:
        return self._event({"type": "content_block_stop", "index": index})

    def _close_text(self) -> bytes:
        open_text, self._open_text = self._open_text, None
        return b"" if open_text is None else self._stop(open_text)


class Ollama(Speaker):
    """Ollama's own chat; a call comes whole."""

    content_type = "application/x-ndjson"
    reasons: ClassVar = {"done": "stop", "calls": "stop", "length": "length", "refused": "stop"}

    def frame(self, sent: object) -> bytes:
        return json.dumps(sent).encode() + b"\n"

    def text(self, piece: str) -> bytes:
        return self._message({"content": piece})

    def think(self, said: str, seal: str, hidden: str) -> bytes:
        return self._message({"content": "", "thinking": said})

    def begin(self, key: object, name: str, given: str | None) -> bytes:
        self.calls[key] = {"name": name, "id": given, "written": ""}
        return b""

    def more(self, key: object, piece: str) -> bytes:
        self.calls[key]["written"] += piece
        return b""

    def whole(self, key: object) -> bytes:
        made = self.calls[key]
        try:
            arguments = json.loads(made["written"] or "{}")
        except ValueError:
            arguments = made["written"]
        called = {"function": {"name": made["name"], "arguments": arguments}}
        named = called if made["id"] is None else {"id": made["id"], **called}
        return self._message({"content": "", "tool_calls": [named]})

    def end(self) -> bytes:
        read, wrote = self.used or [1, 1]
        told = {
            "model": self.model,
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": self.why(),
            "prompt_eval_count": read,
            "eval_count": wrote,
        }
        return self.frame(told)

    def error(self, message: str, kind: str) -> bytes:
        return self.frame(self.refusal(message, kind))

    def refusal(self, message: str, kind: str) -> dict[str, Any]:
        return {"error": message}

    def _message(self, said: dict[str, Any]) -> bytes:
        message = {"role": "assistant", **said}
        return self.frame({"model": self.model, "message": message, "done": False})


class Responses(Speaker):
    """OpenAI's Responses: items, each added, told in pieces, and done."""

    content_type = "text/event-stream; charset=utf-8"
    reasons: ClassVar = {
        "done": "",
        "calls": "",
        "length": "max_output_tokens",
        "refused": "content_filter",
    }

    def __init__(self, model: str) -> None:
        super().__init__(model)
        self._next = itertools.count()
        self._open_text: tuple[int, list[str]] | None = None
        self._output: list[dict[str, Any]] = []

    def head(self) -> bytes:
        return self._event("created", response={"id": "resp_x", "model": self.model})

    def frame(self, sent: object) -> bytes:
        name = sent.get("type", "message") if isinstance(sent, dict) else "message"
        return f"event: {name}\ndata: {json.dumps(sent)}\n\n".encode()

    def text(self, piece: str) -> bytes:
        told = b""
        if self._open_text is None:
            item = {"type": "message", "role": "assistant", "content": []}
            index, told = self._added("msg", item)
            self._open_text = (index, [])
        index, pieces = self._open_text
        pieces.append(piece)
        place = {"output_index": index, "item_id": f"msg_{index}", "content_index": 0}
        return told + self._event("output_text.delta", **place, delta=piece)

    def think(self, said: str, seal: str, hidden: str) -> bytes:
        closed = self._close_text()
        index, told = self._added("rs", {"type": "reasoning", "summary": []})
        place = {"output_index": index, "item_id": f"rs_{index}", "summary_index": 0}
        if said:
            told += self._event("reasoning_summary_text.delta", **place, delta=said)
        summary = [{"type": "summary_text", "text": said}] if said else []
        sealed = {"encrypted_content": seal or hidden} if seal or hidden else {}
        item = {"id": f"rs_{index}", "type": "reasoning", "summary": summary, **sealed}
        return closed + told + self._done(index, item)

    def begin(self, key: object, name: str, given: str | None) -> bytes:
        closed = self._close_text()
        called = f"call_{len(self.calls)}" if given is None else given
        item = {"type": "function_call", "call_id": called, "name": name, "arguments": ""}
        index, told = self._added("fc", item)
        self.calls[key] = {**item, "id": f"fc_{index}", "index": index}
        return closed + told

    def more(self, key: object, piece: str) -> bytes:
        made = self.calls[key]
        made["arguments"] += piece
        place = {"output_index": made["index"], "item_id": made["id"]}
        return self._event("function_call_arguments.delta", **place, delta=piece)

    def whole(self, key: object) -> bytes:
        item = {**self.calls[key], "status": "completed"}
        index = item.pop("index")
        return self._done(index, item)

    def end(self) -> bytes:
        read, wrote = self.used or [1, 1]
        counted = {"input_tokens": read, "output_tokens": wrote}
        why = self.why()
        cut = {"incomplete_details": {"reason": why}} if why else {}
        closed = self._close_text()
        response = {"id": "resp_x", "output": self._output, "usage": counted, **cut}
        return closed + self._event("incomplete" if why else "completed", response=response)

    def error(self, message: str, kind: str) -> bytes:
        return self.frame({"type": "error", "code": kind, "message": message})

    def refusal(self, message: str, kind: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": kind, "code": kind or None}}

    def _event(self, name: str, **told: object) -> bytes:
        return self.frame({"type": f"response.{name}", **told})

    def _added(self, kind: str, item: dict[str, Any]) -> tuple[int, bytes]:
        index = next(self._next)
        known = {"id": f"{kind}_{index}", **item}
        return index, self._event("output_item.added", output_index=index, item=known)

    def _done(self, index: int, item: dict[str, Any]) -> bytes:
        self._output.append(item)
        return self._event("output_item.done", output_index=index, item=item)

    def _close_text(self) -> bytes:
        opened, self._open_text = self._open_text, None
        if opened is None:
            return b""
        index, pieces = opened
        content = [{"type": "output_text", "text": "".join(pieces), "annotations": []}]
        item = {"id": f"msg_{index}", "type": "message", "role": "assistant", "content": content}
        return self._done(index, item)


SPEAKERS: dict[str, type[Speaker]] = {
    "/v1/chat/completions": OpenAI,
    "/v1/responses": Responses,
    "/v1/messages": Anthropic,
    "/api/chat": Ollama,
}
"""Who speaks at which path."""
