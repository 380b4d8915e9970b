"""A request as a list of messages, as chat completions and Ollama's own chat are told it.

They differ in how they spell calls and results, and in nothing else.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from attrs import frozen

from assent.providers.conversation import (
    Answered,
    Replied,
    Request,
    Result,
    Said,
    Toolcard,
    Turn,
    Wanted,
)
from assent.providers.orderly import orderly

__all__ = ["OLLAMA", "OPENAI", "Spelling", "messages", "tools"]

_Told = dict[str, Any]


@frozen(kw_only=True)
class Spelling:
    """How one of them wants calls and results."""

    call: Callable[[Wanted], _Told]
    result: Callable[[Result], _Told]
    no_text: str | None
    """The text of a reply that has none."""


def messages(request: Request, spelling: Spelling) -> list[_Told]:
    """All that was said."""
    turns = [it for turn in orderly(request.turns) for it in _message(turn, spelling)]
    system = [{"role": "system", "content": request.system}] if request.system.strip() else []
    return [*system, *turns]


def tools(request: Request) -> _Told:
    """The member that names the tools, where there are any."""
    told = [{"type": "function", "function": _tool(card)} for card in request.tools]
    return {"tools": told} if told else {}


def _message(turn: Turn, spelling: Spelling) -> Iterator[_Told]:
    match turn:
        case Said():
            yield {"role": "user", "content": turn.text}
        case Replied():
            calls = {"tool_calls": [spelling.call(it) for it in turn.calls]} if turn.calls else {}
            yield {"role": "assistant", "content": turn.text or spelling.no_text, **calls}
        case Answered():
            for it in turn.results:
                told = {"tool_call_id": it.call, "content": it.text}
                yield {"role": "tool", **told, **spelling.result(it)}


def _tool(card: Toolcard) -> _Told:
    return {"name": card.name, "description": card.says, "parameters": card.schema}


def _call_as_text(call: Wanted) -> _Told:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _call_as_meant(call: Wanted) -> _Told:
    function = {"name": call.name, "arguments": json.loads(call.arguments)}
    return {"id": call.id, "function": function}


OPENAI: Final = Spelling(call=_call_as_text, result=lambda _: {}, no_text=None)
OLLAMA: Final = Spelling(
    call=_call_as_meant, result=lambda result: {"tool_name": result.name}, no_text=""
)
