"""Streams as hosts document them, in their own framing: the words in them are ours."""

import json
from typing import Any

from attrs import frozen

__all__ = ["RECORDED", "Recorded"]

_MODELS = "https://api.openai.com/v1"


@frozen(kw_only=True)
class Recorded:
    """One reply: who sends it, how, and how it goes back to them."""

    dialect: str
    model: str
    url: str
    body: bytes
    calls: tuple[tuple[str, str], ...]
    text: str
    back: tuple[Any, ...]
    """What stands in the next request between the words before it and the result of its call."""


def _sse(*sent: object, end: str = "data: [DONE]\n\n", before: str = "") -> bytes:
    frames = (f"data: {json.dumps(it, separators=(',', ':'))}\n\n" for it in sent)
    return (before + "".join(frames) + end).encode()


def _delta(delta: dict[str, Any], reason: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": [choice], **more}


def _piece(arguments: str, **head: Any) -> dict[str, Any]:
    name = head.pop("name", None)
    function = {**({"name": name} if name else {}), "arguments": arguments}
    return {"tool_calls": [{"index": 0, **head, "function": function}]}


_BEGUN = {"id": "call_a", "type": "function", "name": "read_file"}
_USED = {"prompt_tokens": 20, "completion_tokens": 9, "total_tokens": 29}
_ARGUMENTS = '{"path":"a.txt"}'
_CALL = ("read_file", _ARGUMENTS)


def _chat_back(content: str | None = "I look.", call: Any = None, **more: Any) -> dict[str, Any]:
    function = {"name": "read_file", "arguments": _ARGUMENTS}
    made = {"id": "call00001", "type": "function", "function": function, **(call or {})}
    return {"role": "assistant", "content": content, "tool_calls": [made], **more}


_OPENAI = Recorded(
    dialect="openai",
    model="gpt-4.1",
    url=_MODELS,
    body=_sse(
        _delta({"role": "assistant", "content": "", "refusal": None}),
        _delta({"content": "I "}),
        _delta({"content": "look."}),
        _delta(_piece("", **_BEGUN)),
        _delta(_piece('{"path"')),
        _delta(_piece(':"a.txt"}')),
        _delta({}, "tool_calls"),
        {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": _USED},
    ),
    calls=(_CALL,),
    text="I look.",
    back=(_chat_back(),),
)
_AZURE = Recorded(
    dialect="openai",
    model="gpt-4.1",
    url="https://ours.openai.azure.com/openai/v1",
    body=_sse(
        {"choices": [], "prompt_filter_results": [{"prompt_index": 0}], "usage": None},
        _delta({"role": "assistant"}, usage=None),
        {
            **_delta({"content": "I look."}, usage=None),
            "content_filter_results": {"hate": {"filtered": False, "severity": "safe"}},
        },
        _delta(_piece(_ARGUMENTS, **_BEGUN), usage=None),
        _delta({}, "tool_calls", usage=None),
        {"choices": [], "usage": _USED},
    ),
    calls=(_CALL,),
    text="I look.",
    back=(_chat_back(),),
)
_SIGNED = {"extra_content": {"google": {"thought_signature": "c2lnbmVk"}}}
_GEMINI = Recorded(
    dialect="openai",
    model="gemini-3-flash",
    url="https://generativelanguage.googleapis.com/v1beta/openai",
    body=_sse(
        _delta({"role": "assistant", **_piece(_ARGUMENTS, **_BEGUN, **_SIGNED)}),
        _delta({"role": "assistant"}, "tool_calls", usage=_USED),
    ),
    calls=(_CALL,),
    text="",
    back=(_chat_back(None, _SIGNED),),
)
_DEEPSEEK = Recorded(
    dialect="openai",
    model="deepseek-v4-pro",
    url="https://api.deepseek.com",
    body=_sse(
        _delta({"role": "assistant", "content": None, "reasoning_content": ""}),
        _delta({"content": None, "reasoning_content": "A file, "}),
        _delta({"content": None, "reasoning_content": "so I look."}),
        _delta({"content": "I look.", "reasoning_content": None}),
        _delta(_piece(_ARGUMENTS, **_BEGUN)),
        _delta({"content": ""}, "tool_calls", usage=_USED),
        before=": keep-alive\n\n",
    ),
    calls=(_CALL,),
    text="I look.",
    back=(_chat_back(reasoning_content="A file, so I look."),),
)
_DETAIL = {"type": "reasoning.encrypted", "data": "c2VhbGVk", "format": "x-v1", "index": 0}
_OPENROUTER = Recorded(
    dialect="openai",
    model="openai/gpt-5-mini",
    url="https://openrouter.ai/api/v1",
    body=_sse(
        _delta({"role": "assistant", "content": "", "reasoning": "Hm.", "reasoning_details": []}),
        _delta({"role": "assistant", "content": "", "reasoning_details": [_DETAIL]}),
        _delta({"role": "assistant", "content": "I look."}),
        _delta({"role": "assistant", "content": None, **_piece(_ARGUMENTS, **_BEGUN)}),
        _delta({"role": "assistant", "content": ""}, "tool_calls"),
        {"choices": [], "usage": {**_USED, "cost": 0.001}},
        before=": OPENROUTER PROCESSING\n\n" * 2,
    ),
    calls=(_CALL,),
    text="I look.",
    back=(_chat_back(reasoning_details=[_DETAIL]),),
)


def _named(*sent: dict[str, Any]) -> bytes:
    frames = (f"event: {it['type']}\ndata: {json.dumps(it)}\n\n" for it in sent)
    return "".join(frames).encode()


def _block(index: int, block: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    more = [{"type": "content_block_delta", "index": index, "delta": it} for it in deltas]
    begun = {"type": "content_block_start", "index": index, "content_block": block}
    return [begun, *more, {"type": "content_block_stop", "index": index}]


_ANTHROPIC = Recorded(
    dialect="anthropic",
    model="claude-opus-5",
    url="https://api.anthropic.com",
    body=_named(
        {"type": "message_start", "message": {"id": "msg_1", "usage": {"input_tokens": 9}}},
        *_block(
            0,
            {"type": "thinking", "thinking": "", "signature": ""},
            {"type": "thinking_delta", "thinking": "A file, "},
            {"type": "thinking_delta", "thinking": "so I look."},
            {"type": "signature_delta", "signature": "c2lnbmVk"},
        ),
        {"type": "ping"},
        *_block(1, {"type": "redacted_thinking", "data": "aGlkZGVu"}),
        *_block(2, {"type": "text", "text": ""}, {"type": "text_delta", "text": "I look."}),
        *_block(
            3,
            {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {}},
            {"type": "input_json_delta", "partial_json": ""},
            {"type": "input_json_delta", "partial_json": '{"path":'},
            {"type": "input_json_delta", "partial_json": '"a.txt"}'},
        ),
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"output_tokens": 21},
        },
        {"type": "message_stop"},
    ),
    calls=(_CALL,),
    text="I look.",
    back=(
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "A file, so I look.", "signature": "c2lnbmVk"},
                {"type": "redacted_thinking", "data": "aGlkZGVu"},
                {"type": "text", "text": "I look."},
                {
                    "type": "tool_use",
                    "id": "call00001",
                    "name": "read_file",
                    "input": {"path": "a.txt"},
                },
            ],
        },
    ),
)
_REASONING = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "A file, so I look."}],
    "encrypted_content": "c2VhbGVk",
}
_MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "status": "completed",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "I look.", "annotations": []}],
}
_FUNCTION = {
    "id": "fc_1",
    "type": "function_call",
    "status": "completed",
    "call_id": "call_a",
    "name": "read_file",
    "arguments": _ARGUMENTS,
}


def _item(index: int, whole: dict[str, Any], *between: dict[str, Any]) -> list[dict[str, Any]]:
    bare = {"content": [], "summary": [], "arguments": "", "status": "in_progress"}
    begun = {name: bare.get(name, value) for name, value in whole.items()}
    return [
        {"type": "response.output_item.added", "output_index": index, "item": begun},
        *({"output_index": index, **it} for it in between),
        {"type": "response.output_item.done", "output_index": index, "item": whole},
    ]


_RESPONSES = Recorded(
    dialect="openai",
    model="gpt-5.6",
    url=_MODELS,
    body=_named(
        {"type": "response.created", "response": {"id": "resp_1", "status": "in_progress"}},
        *_item(
            0,
            _REASONING,
            {"type": "response.reasoning_summary_part.added", "summary_index": 0},
            {
                "type": "response.reasoning_summary_text.delta",
                "summary_index": 0,
                "delta": "A file, so I look.",
            },
        ),
        *_item(
            1,
            _MESSAGE,
            {"type": "response.output_text.delta", "delta": "I "},
            {"type": "response.output_text.delta", "delta": "look."},
        ),
        *_item(
            2,
            _FUNCTION,
            {"type": "response.function_call_arguments.delta", "delta": '{"path"'},
            {"type": "response.function_call_arguments.delta", "delta": ':"a.txt"}'},
            {"type": "response.function_call_arguments.done", "arguments": _ARGUMENTS},
        ),
        {
            "type": "response.completed",
            "response": {
                "id": "resp_1",
                "status": "completed",
                "usage": {"input_tokens": 20, "output_tokens": 9},
            },
        },
    ),
    calls=(_CALL,),
    text="I look.",
    back=(_REASONING, _MESSAGE, _FUNCTION),
)


def _lines(*sent: dict[str, Any]) -> bytes:
    head = {"model": "qwen3", "created_at": "2026-11-21T00:00:00Z"}
    return "".join(f"{json.dumps({**head, **it})}\n" for it in sent).encode()


_FUNCTION_OF_OLLAMA = {"function": {"name": "read_file", "arguments": {"path": "a.txt"}}}
_OLLAMA = Recorded(
    dialect="ollama",
    model="qwen3",
    url="http://127.0.0.1:11434",
    body=_lines(
        {"message": {"role": "assistant", "content": "", "thinking": "A file, "}, "done": False},
        {"message": {"role": "assistant", "content": "", "thinking": "so I look."}, "done": False},
        {"message": {"role": "assistant", "content": "I look."}, "done": False},
        {
            "message": {"role": "assistant", "content": "", "tool_calls": [_FUNCTION_OF_OLLAMA]},
            "done": False,
        },
        {
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 20,
            "eval_count": 9,
        },
    ),
    calls=(("read_file", '{"path": "a.txt"}'),),
    text="I look.",
    back=(
        {
            "role": "assistant",
            "content": "I look.",
            "thinking": "A file, so I look.",
            "tool_calls": [{"id": "call00001", **_FUNCTION_OF_OLLAMA}],
        },
    ),
)

RECORDED: dict[str, Recorded] = {
    "openai": _OPENAI,
    "responses": _RESPONSES,
    "anthropic": _ANTHROPIC,
    "gemini": _GEMINI,
    "deepseek": _DEEPSEEK,
    "openrouter": _OPENROUTER,
    "ollama": _OLLAMA,
    "azure": _AZURE,
}
"""By their hosts."""
