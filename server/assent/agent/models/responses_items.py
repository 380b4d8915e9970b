"""Writes a request in the form of OpenAI's Responses: one list of items.

What the host gave goes back item by item, as it came and in its order. A thought goes back only
with what it led to, because no host takes one that leads to nothing.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from assent.agent.models.attachments import Attachment
from assent.agent.models.chat_messages import GIVEN_BY_CALLS
from assent.agent.models.conversation import (
    Answered,
    Block,
    Part,
    Replied,
    Request,
    Said,
    Thought,
    Toolcard,
    Wanted,
    Words,
)
from assent.agent.models.well_formed import well_formed

__all__ = ["items", "tools"]

_Item = dict[str, Any]


def items(request: Request, by: str) -> list[_Item]:
    """All that was said."""
    sent: list[_Item] = []
    names: dict[str, str] = {}
    for turn in well_formed(request.turns):
        match turn:
            case Said():
                sent.append({"role": "user", "content": _content(turn.text, turn.attached)})
            case Replied():
                sent += _reply(turn, by, names)
            case Answered():
                sent += [
                    {
                        "type": "function_call_output",
                        "call_id": names[result.call],
                        "output": result.text,
                    }
                    for result in turn.results
                ]
                sent += _given_by_calls(turn)
    return sent


def tools(request: Request) -> dict[str, Any]:
    """The member that names the tools, where there are any."""
    declared = [_tool(card) for card in request.tools]
    return {"tools": declared} if declared else {}


def _content(text: str, shown: tuple[Attachment, ...]) -> str | list[_Item]:
    if not shown:
        return text
    words = [{"type": "input_text", "text": text}] if text.strip() else []
    return [*words, *map(_part, shown)]


def _part(attachment: Attachment) -> _Item:
    if attachment.is_picture:
        return {"type": "input_image", "image_url": attachment.url}
    return {"type": "input_file", "filename": attachment.name, "file_data": attachment.url}


def _given_by_calls(turn: Answered) -> Iterator[_Item]:
    """What calls came to beside words: not every host has a place for it in their results."""
    shown = tuple(at for result in turn.results for at in result.attached)
    if shown:
        text = GIVEN_BY_CALLS.format(", ".join(attachment.label for attachment in shown))
        yield {"role": "user", "content": _content(text, shown)}


def _tool(card: Toolcard) -> _Item:
    named = {"type": "function", "name": card.name, "description": card.says}
    return {**named, "parameters": card.schema, "strict": False}


def _reply(turn: Replied, by: str, names: dict[str, str]) -> Iterator[_Item]:
    """The items of a reply; its calls go by the names that their host knows, or by ours."""
    idle = len(list(takewhile(_is_thought, reversed(turn.blocks))))
    for block in turn.blocks[: len(turn.blocks) - idle]:
        given = block.given.back(by) if block.given is not None else None
        if isinstance(block, Wanted):
            yield _call(block, given, names)
        else:
            yield from [given] if given is not None else _words(block)


def _is_thought(block: Block) -> bool:
    return isinstance(block, Thought | Part)


def _words(block: Block) -> Iterator[_Item]:
    if isinstance(block, Words) and block.text.strip():
        yield {"role": "assistant", "content": block.text}


def _call(call: Wanted, given: _Item | None, names: dict[str, str]) -> _Item:
    known = str(given.get("call_id") or "") if given is not None else ""
    if given is not None and known and known not in names.values():
        names[call.id] = known
        return given
    names[call.id] = call.id
    made = {"call_id": call.id, "name": call.name, "arguments": call.arguments}
    return {"type": "function_call", **made}
