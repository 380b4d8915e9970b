"""Writes a request as a list of messages, for Chat Completions and for Ollama.

They differ in how they spell calls and results, and in nothing else. A reply is one message in
both: what its host gave goes back as members of it, beside its text and its calls.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from assent.agent.models.attachments import Attachment
from assent.agent.models.conversation import (
    Answered,
    Part,
    Replied,
    Request,
    Result,
    Said,
    Thought,
    Toolcard,
    Turn,
    Wanted,
    Words,
)
from assent.agent.models.thoughts import joined
from assent.agent.models.well_formed import well_formed
from assent.gate.values import frozen

__all__ = ["GIVEN_BY_CALLS", "OLLAMA", "OPENAI", "Spelling", "marked", "messages", "tools"]

GIVEN_BY_CALLS: Final = "[Your calls before this came to what is shown here: {}.]"

_Told = dict[str, Any]


@frozen(kw_only=True)
class Spelling:
    """How one of them wants calls and results."""

    call: Callable[[Wanted], _Told]
    result: Callable[[Result], _Told]
    said: Callable[[str, tuple[Attachment, ...]], _Told]
    """The members of a message that says this and shows that."""
    no_text: str | None
    """The text of a reply that has none."""


def messages(request: Request, spelling: Spelling, by: str = "") -> list[_Told]:
    """All that was said, with what was given by whoever is told it."""
    turns = [
        message for turn in well_formed(request.turns) for message in _message(turn, spelling, by)
    ]
    system = [{"role": "system", "content": request.system}] if request.system.strip() else []
    return [*system, *turns]


def marked(sent: list[_Told]) -> list[_Told]:
    """Add marks to messages, before which a host may keep everything until the next request.

    They stand at the system prompt, at the end, and where the end was the time before.
    """
    asked = [at for at, message in enumerate(sent) if message["role"] in {"user", "tool"}]
    ends = [at for at in asked if at + 1 not in asked][-2:]
    places = {0, *ends} if sent and sent[0]["role"] == "system" else set(ends)
    return [_marked(message) if at in places else message for at, message in enumerate(sent)]


def _marked(message: _Told) -> _Told:
    mark = {"cache_control": {"type": "ephemeral"}}
    if message["role"] == "tool":
        return {**message, **mark}
    content = message["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return {**message, "content": [*parts[:-1], {**parts[-1], **mark}]}


def tools(request: Request) -> _Told:
    """The member that names the tools, where there are any."""
    declared = [{"type": "function", "function": _tool(card)} for card in request.tools]
    return {"tools": declared} if declared else {}


def _message(turn: Turn, spelling: Spelling, by: str) -> Iterator[_Told]:
    match turn:
        case Said():
            yield {"role": "user", **spelling.said(turn.text, turn.attached)}
        case Replied():
            yield _reply(turn, spelling, by)
        case Answered():
            for result in turn.results:
                members = {"tool_call_id": result.call, "content": result.text}
                yield {"role": "tool", **members, **spelling.result(result)}
            yield from _given_by_calls(turn, spelling)


def _given_by_calls(turn: Answered, spelling: Spelling) -> Iterator[_Told]:
    """What calls came to beside words: results have no place for it, so it is said behind them."""
    shown = tuple(at for result in turn.results for at in result.attached)
    if shown:
        text = GIVEN_BY_CALLS.format(", ".join(attachment.label for attachment in shown))
        yield {"role": "user", **spelling.said(text, shown)}


def _reply(turn: Replied, spelling: Spelling, by: str) -> _Told:
    message: _Told = {"role": "assistant", "content": turn.text or spelling.no_text}
    given = joined(_given(turn, by), whole=True)
    if turn.calls:
        message["tool_calls"] = [{**spelling.call(call), **_back(call, by)} for call in turn.calls]
    if "reasoning_details" in given:
        # They say the same, and more.
        given.pop("reasoning", None)
    if "content" in given:
        # The text comes in parts, thoughts among them, and goes back so.
        given["content"] = _in_parts(turn, by)
    return {**message, **given}


def _given(turn: Replied, by: str) -> Iterator[_Told]:
    return (_back(block, by) for block in turn.blocks if isinstance(block, Thought | Part))


def _in_parts(turn: Replied, by: str) -> list[_Told]:
    parts: list[_Told] = []
    for block in turn.blocks:
        if isinstance(block, Words):
            parts.append({"type": "text", "text": block.text})
        else:
            parts += _back(block, by).get("content", [])
    return parts


def _back(block: Thought | Part | Wanted, by: str) -> _Told:
    """What its host gave with it, for that host."""
    given = block.given.back(by) if block.given is not None else None
    return given or {}


def _tool(card: Toolcard) -> _Told:
    return {"name": card.name, "description": card.says, "parameters": card.schema}


def _said_in_parts(text: str, shown: tuple[Attachment, ...]) -> _Told:
    if not shown:
        return {"content": text}
    words = [{"type": "text", "text": text}] if text.strip() else []
    return {"content": [*words, *map(_part, shown)]}


def _part(attachment: Attachment) -> _Told:
    if attachment.is_picture:
        return {"type": "image_url", "image_url": {"url": attachment.url}}
    return {"type": "file", "file": {"filename": attachment.name, "file_data": attachment.url}}


def _said_beside(text: str, shown: tuple[Attachment, ...]) -> _Told:
    pictures = [attachment.data for attachment in shown if attachment.is_picture]
    return {"content": text, **({"images": pictures} if pictures else {})}


def _call_as_text(call: Wanted) -> _Told:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _call_as_meant(call: Wanted) -> _Told:
    function = {"name": call.name, "arguments": json.loads(call.arguments)}
    return {"id": call.id, "function": function}


OPENAI: Final = Spelling(call=_call_as_text, result=lambda _: {}, said=_said_in_parts, no_text=None)
OLLAMA: Final = Spelling(
    call=_call_as_meant,
    result=lambda result: {"tool_name": result.name},
    said=_said_beside,
    no_text="",
)
