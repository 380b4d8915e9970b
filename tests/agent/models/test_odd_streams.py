"""Streams that real hosts send in other forms than they document: read as what they mean."""

import json
from typing import Any

import pytest

from agent.models.recorded import Recorded
from agent.models.scene import ready, texts
from agent.models.test_recorded import Played, played, reply
from assent.agent.models.events import Stopped

__all__ = ["played"]

CALL = ("read_file", '{"path":"a.txt"}')
ARGUMENTS = CALL[1]


def _framed(*sent: object, end: str = "\n\n", before: str = "data: ") -> str:
    return "".join(f"{before}{it if isinstance(it, str) else json.dumps(it)}{end}" for it in sent)


def _choice(delta: Any, reason: Any = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason, **more}]}


def _tool(arguments: Any, **more: Any) -> dict[str, Any]:
    made = {"index": 0, "id": "c1", "type": "function", **more}
    return {"tool_calls": [{**made, "function": {"name": "read_file", "arguments": arguments}}]}


SAID = _choice({"role": "assistant", "content": "I look."})
CALLED = _choice(_tool(ARGUMENTS))
END = _choice({}, "tool_calls")
DONE = "[DONE]"
WHOLE = [SAID, CALLED, END, DONE]

OPENAI = {
    "no blank behind the colon": _framed(*WHOLE, before="data:"),
    "carriage returns": _framed(*WHOLE, end="\r\n\r\n"),
    "a mark first": "\ufeff" + _framed(*WHOLE),
    "comments and names of events": ": hi\n\nevent: message\nid: 1\nretry: 3\n" + _framed(*WHOLE),
    "no end behind the last line": _framed(*WHOLE).rstrip(),
    "the usage behind the end": _framed(
        SAID, CALLED, END, {"choices": [], "usage": {"prompt_tokens": 1}}, DONE
    ),
    "an empty reason all along": _framed(
        _choice({"role": "assistant", "content": "I look."}, ""), _choice(_tool(ARGUMENTS), ""),
        END, DONE,
    ),
    "stop for calls": _framed(SAID, CALLED, _choice({}, "stop"), DONE),
    "another word for calls": _framed(SAID, CALLED, _choice({}, "tool_use"), DONE),
    "the reason with the call": _framed(SAID, _choice(_tool(ARGUMENTS), "tool_calls"), DONE),
    "a reason and no more": _framed(SAID, CALLED, END),
    "nothing for a choice": _framed({"choices": None}, {"choices": []}, *WHOLE),
    "nothing for a delta": _framed(_choice(None), *WHOLE),
    "no delta at all": _framed({"choices": [{"index": 0}]}, *WHOLE),
    "nothing for the calls": _framed(
        _choice({"content": "I look.", "tool_calls": None, "function_call": None}),
        CALLED, END, DONE,
    ),
    "filters first": _framed({"choices": [], "prompt_filter_results": [{}]}, *WHOLE),
    "a number that is a text": _framed(SAID, _choice(_tool(ARGUMENTS, index="0")), END, DONE),
    "a number below none": _framed(SAID, _choice(_tool(ARGUMENTS, index=-1)), END, DONE),
    "an object for the arguments": _framed(
        SAID, _choice(_tool({"path": "a.txt"})), END, DONE
    ),
    "the text once more in the end": _framed(
        SAID, CALLED,
        _choice({}, "tool_calls", message={"role": "assistant", "content": "I look."}), DONE,
    ),
    "the old form of one call": _framed(
        SAID,
        _choice({"function_call": {"name": "read_file", "arguments": ""}}),
        _choice({"function_call": {"arguments": ARGUMENTS}}),
        _choice({}, "function_call"),
        DONE,
    ),
    "several lines of data in one event": _framed(SAID)
    + 'data: {"choices":\ndata: ' + json.dumps(CALLED["choices"]) + "}\n\n" + _framed(END, DONE),
    "the call in the message of the end": _framed(
        SAID,
        _choice({}, "tool_calls", message={"content": None, **_tool(ARGUMENTS)}),
        DONE,
    ),
    "another choice beside the first": _framed(
        SAID, {"choices": [{"index": 1, "delta": {"content": "Never."}}]}, CALLED, END, DONE
    ),
    "an empty id and name in what follows": _framed(
        SAID, _choice(_tool("")),
        _choice({"tool_calls": [
            {"index": 0, "id": "", "function": {"name": "", "arguments": ARGUMENTS}}
        ]}),
        END, DONE,
    ),
    "nothing for the id and name in what follows": _framed(
        SAID, _choice(_tool("")),
        _choice({"tool_calls": [
            {"index": 0, "id": None, "function": {"name": None, "arguments": ARGUMENTS}}
        ]}),
        END, DONE,
    ),
}  # fmt: skip


def _event(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


A_TEXT = [
    _event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
    _event("content_block_delta", index=0, delta={"type": "text_delta", "text": "I look."}),
    _event("content_block_stop", index=0),
]
A_START = _event("message_start", message={"id": "m", "usage": {"input_tokens": 1}})
A_USE = {"type": "tool_use", "id": "t1", "name": "read_file", "input": {}}
A_CALL = [
    _event("content_block_start", index=1, content_block=A_USE),
    _event("content_block_delta", index=1, delta={"type": "input_json_delta", "partial_json": ""}),
    _event(
        "content_block_delta",
        index=1,
        delta={"type": "input_json_delta", "partial_json": ARGUMENTS},
    ),
    _event("content_block_stop", index=1),
]
A_END = [
    _event("message_delta", delta={"stop_reason": "tool_use"}, usage={"output_tokens": 1}),
    _event("message_stop"),
]

ANTHROPIC = {
    "no names of events": _framed(A_START, *A_TEXT, *A_CALL, *A_END),
    "pings anywhere": _framed(
        _event("ping"), A_START, *A_TEXT, _event("ping"), *A_CALL, _event("ping"), *A_END
    ),
    "no usage": _framed(
        _event("message_start", message={"id": "m"}), *A_TEXT, *A_CALL,
        _event("message_delta", delta={"stop_reason": "tool_use"}), A_END[1],
    ),
    "a done behind the end": _framed(A_START, *A_TEXT, *A_CALL, *A_END, DONE),
    "the input whole in the start": _framed(
        A_START, *A_TEXT,
        _event("content_block_start", index=1, content_block={**A_USE, "input": {"path": "a.txt"}}),
        A_CALL[-1], *A_END,
    ),
    "citations": _framed(
        A_START, A_TEXT[0],
        _event("content_block_delta", index=0, delta={"type": "citations_delta", "citation": {}}),
        *A_TEXT[1:], *A_CALL, *A_END,
    ),
    "a search of the host's own between": _framed(
        A_START, *A_TEXT,
        _event("content_block_start", index=2, content_block={
            "type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}),
        _event("content_block_delta", index=2,
               delta={"type": "input_json_delta", "partial_json": '{"query":"x"}'}),
        _event("content_block_stop", index=2),
        _event("content_block_start", index=3, content_block={
            "type": "web_search_tool_result", "tool_use_id": "s1", "content": []}),
        _event("content_block_stop", index=3),
        *A_CALL, *A_END,
    ),
}  # fmt: skip


def _item(kind: str, **more: Any) -> dict[str, Any]:
    return _event(f"response.{kind}", **more)


R_CALL = {
    "id": "fc_1", "type": "function_call", "status": "completed", "call_id": "c1",
    "name": "read_file", "arguments": ARGUMENTS,
}  # fmt: skip
R_TEXT = {
    "id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "I look.", "annotations": []}],
}  # fmt: skip
R_SAID = [
    _item("output_item.added", output_index=0, item={**R_TEXT, "content": []}),
    _item("output_text.delta", item_id="msg_1", output_index=0, content_index=0, delta="I look."),
    _item("output_item.done", output_index=0, item=R_TEXT),
]
R_MADE = [
    _item("output_item.added", output_index=1, item={**R_CALL, "arguments": ""}),
    _item("function_call_arguments.delta", item_id="fc_1", output_index=1, delta=ARGUMENTS),
    _item("function_call_arguments.done", item_id="fc_1", output_index=1, arguments=ARGUMENTS),
    _item("output_item.done", output_index=1, item=R_CALL),
]
R_END = _item("completed", response={"status": "completed", "output": [R_TEXT, R_CALL]})

RESPONSES = {
    "as documented": _framed(*R_SAID, *R_MADE, R_END),
    "no pieces, the items alone": _framed(R_SAID[-1], R_MADE[-1], R_END),
    "nothing but its end": _framed(R_END),
    "the arguments without pieces": _framed(*R_SAID, R_MADE[0], *R_MADE[2:], R_END),
    "events that nobody knows": _framed(
        _item("queued"), _item("in_progress"), *R_SAID, _item("web_search_call.searching"),
        *R_MADE, R_END,
    ),
    "other items between": _framed(
        *R_SAID, _item("output_item.added", output_index=2, item={"type": "web_search_call"}),
        _item("output_item.done", output_index=2, item={"type": "web_search_call", "id": "w"}),
        *R_MADE, R_END,
    ),
    "a done behind the end": _framed(*R_SAID, *R_MADE, R_END, DONE),
}  # fmt: skip


def _line(**message: Any) -> dict[str, Any]:
    return {"model": "m", "message": {"role": "assistant", **message}, "done": False}


O_CALL = [{"function": {"name": "read_file", "arguments": {"path": "a.txt"}}}]
O_SAID = _line(content="I look.")
O_MADE = _line(content="", tool_calls=O_CALL)
O_END = {"model": "m", "message": {"role": "assistant", "content": ""}, "done": True,
         "done_reason": "stop"}  # fmt: skip


def _lines(*sent: object, end: str = "\n") -> str:
    return _framed(*sent, end=end, before="")


OLLAMA = {
    "as documented": _lines(O_SAID, O_MADE, O_END),
    "empty lines between": _lines(O_SAID, O_MADE, O_END, end="\r\n\r\n"),
    "no end behind the last line": _lines(O_SAID, O_MADE, O_END).rstrip(),
    "a text for the arguments": _lines(
        O_SAID,
        _line(tool_calls=[{"function": {"name": "read_file", "arguments": ARGUMENTS}}]),
        O_END,
    ),
    "the call with the end": _lines(
        O_SAID, {**O_END, "message": {"content": "", "tool_calls": O_CALL}}
    ),
    "no message in the end": _lines(O_SAID, O_MADE, {"done": True, "done_reason": "stop"}),
    "no reason in the end": _lines(O_SAID, O_MADE, {"done": True}),
    "nothing for the calls": _lines(
        _line(content="I look.", tool_calls=None, thinking=None), O_MADE, O_END
    ),
    "all at once": json.dumps({**O_END, "message": {"content": "I look.", "tool_calls": O_CALL}}),
}  # fmt: skip

_URLS = {
    "openai": "https://api.example.org/v1",
    "responses": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "ollama": "http://localhost:11434",
}
_BODIES = {
    "openai": OPENAI,
    "responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "ollama": OLLAMA,
}
ODD = {
    f"{dialect}: {name}": Recorded(
        dialect="openai" if dialect == "responses" else dialect,
        model="gpt-5.6" if dialect == "responses" else "m",
        url=_URLS[dialect], body=body.encode(), calls=(CALL,), text="I look.", back=(),
    )
    for dialect, bodies in _BODIES.items()
    for name, body in bodies.items()
}  # fmt: skip


@pytest.mark.requirement("M-04")
@pytest.mark.parametrize("it", ODD.values(), ids=ODD)
async def test_it_is_read_as_what_it_means(it: Recorded, played: Played) -> None:
    came, failure = await reply(it)
    assert failure is None
    assert texts(came) == it.text
    made = [(name, json.loads(arguments)) for name, arguments in ready(came)]
    assert made == [(CALL[0], json.loads(CALL[1]))]
    assert [event.reason for event in came if isinstance(event, Stopped)] == ["calls"]
    assert len(played.asked) == 1
