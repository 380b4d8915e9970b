"""Anthropic's messages: blocks of text, thought and calls, each with a beginning and an end.

A call is ready at the end of its block. Where its arguments are no whole object then, the reply
may have been cut short in it, and that is only told later: such a call waits until it is.
"""

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Final

from attrs import define, evolve, field

from assent.providers.anthropic_messages import body_of
from assent.providers.anthropic_shapes import Block, Delta, Told, Usage
from assent.providers.conversation import Request
from assent.providers.drafts import Draft, see_room
from assent.providers.events import Event, Stopped, Text, Thinking, Used
from assent.providers.growing import written
from assent.providers.hosted import Hosted, Trying
from assent.providers.hosts import Host
from assent.providers.lines import data_of
from assent.providers.posting import Line, Question, posted
from assent.providers.reading import read
from assent.providers.refusing import objection
from assent.providers.trouble import Declined, Garbled, Loss, Lost
from assent.providers.windows import Window, guessed

__all__ = ["Anthropic", "opened"]

_VERSION: Final = "2023-06-01"
_REASONS: Final = {
    "end_turn": "done",
    "stop_sequence": "done",
    "pause_turn": "done",
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}
_TOO_LONG: Final = re.compile(r"max_tokens: \d+ > (\d{1,9})\b")
"""How the host says that a reply may not be as long as was asked for."""
_CUT_SHORT: Final = frozenset({"length", "refused"})


def opened(host: Host, window: int | None, trying: Trying) -> Hosted:
    """The provider of a model that is spoken to in this way."""
    spoken = Anthropic(line=Line(host=host))
    return Hosted(
        host=host,
        window=Window(ask=_nobody, known=window or guessed(host.model)),
        trying=trying,
        reply=spoken.reply,
    )


async def _nobody() -> int | None:
    """No host of this dialect tells how much a model can read."""
    return None


@define
class Anthropic:
    """One model, as its host is asked."""

    _line: Line
    _most: int | None = None
    """How many tokens the model may reply with, once the host said that it is less than asked."""

    async def reply(self, request: Request) -> AsyncGenerator[Event, None]:
        """One reply, no longer than the host lets the model reply."""
        begun = False
        while True:
            most = min(request.most_tokens, self._most or request.most_tokens)
            try:
                async with aclosing(self._told(evolve(request, most_tokens=most))) as events:
                    async for event in events:
                        begun = True
                        yield event
            except Declined as no:
                # A reply that has begun is never begun anew: its calls may run already.
                self._most = None if begun else _most_in(no)
                if self._most is None or self._most >= most:
                    raise
            else:
                return

    async def _told(self, request: Request) -> AsyncGenerator[Event, None]:
        reply = _Reply(key=self._line.host.key)
        path = "/messages" if self._line.host.url.endswith("/v1") else "/v1/messages"
        body = body_of(request, self._line.host.model)
        question = Question(path=path, headers=self._headers(), body=body)
        async with (
            aclosing(posted(self._line, question)) as lines,
            aclosing(data_of(lines)) as sent,
        ):
            async for data in sent:
                told = read(Told, data)
                for event in reply.take(told):
                    yield event
                if told.type == "message_stop":
                    break
            else:
                raise Lost(Loss.BROKEN)
        yield reply.end()

    def _headers(self) -> dict[str, str]:
        key = {"x-api-key": self._line.host.key} if self._line.host.key else {}
        return {"anthropic-version": _VERSION, **key}


def _most_in(no: Declined) -> int | None:
    """How long a reply may be, where that is why there is none."""
    found = _TOO_LONG.search(no.words)
    return int(found[1]) or None if found else None


@define
class _Reply:
    """What one stream has said so far."""

    _key: str | None = field(repr=False)
    _drafts: dict[int, Draft] = field(factory=dict)
    """The calls, by the number of their block."""
    _ended: list[Draft] = field(factory=list)
    """The calls whose block has ended before their arguments were whole."""
    _seals: dict[int, list[str]] = field(factory=dict)
    """The seals of the thoughts that are open, in the pieces that came."""
    _reason: str = ""
    _used: Usage = field(factory=Usage)

    def take(self, told: Told) -> Iterator[Event]:
        """The events of one message."""
        match told.type:
            case "error":
                raise objection({"error": told.error or {}}, self._key)
            case "message_start":
                yield from self._count(told.message.usage)
            case "content_block_start":
                yield from self._begin(told.index, told.content_block)
            case "content_block_delta":
                yield from self._more(told.index, told.delta)
            case "content_block_stop":
                yield from self._end_block(told.index)
            case "message_delta":
                self._reason = told.delta.stop_reason or self._reason
                yield from self._finish()
                yield from self._count(told.usage)
            case _:
                # Pings, and whatever is invented later.
                pass

    def end(self) -> Event:
        """The end of the reply; raises where a call of it is open still."""
        if not self._reason or (self._open and self._stop not in _CUT_SHORT):
            raise Lost(Loss.BROKEN)
        return Stopped(reason=self._stop)

    @property
    def _open(self) -> bool:
        return not all(draft.ready for draft in self._drafts.values())

    @property
    def _stop(self) -> str:
        return _REASONS.get(self._reason, "done")

    def _begin(self, index: int, block: Block) -> Iterator[Event]:
        if index in self._drafts:
            raise Garbled("a block of it begins twice")
        # Those before it were not cut short, or nothing would follow.
        yield from self._close_ended()
        match block.type:
            case "tool_use":
                see_room(len(self._drafts))
                draft = Draft(key=index, id=block.id or "", name=block.name or "")
                self._drafts[index] = draft
                yield from draft.start()
                yield from draft.more(written(block.input or None))
            case "thinking":
                self._seals[index] = [block.signature or ""]
                if block.thinking:
                    yield Thinking(text=block.thinking)
            case "redacted_thinking" if block.data:
                yield Thinking(hidden=block.data)
            case "text" if block.text:
                yield Text(text=block.text)
            case _:
                pass

    def _more(self, index: int, delta: Delta) -> Iterator[Event]:
        match delta.type:
            case "text_delta" if delta.text:
                yield Text(text=delta.text)
            case "thinking_delta" if delta.thinking:
                yield Thinking(text=delta.thinking)
            case "signature_delta":
                self._seals.setdefault(index, []).append(delta.signature or "")
            case "input_json_delta" if index in self._drafts:
                yield from self._drafts[index].more(delta.partial_json or "")
            case "input_json_delta" if (delta.partial_json or "").strip():
                raise Garbled("there are arguments of no call in it")
            case _:
                pass

    def _end_block(self, index: int) -> Iterator[Event]:
        draft = self._drafts.get(index)
        if draft is not None:
            draft.ended = True
            if draft.whole:
                yield from draft.close()
            else:
                self._ended.append(draft)
        seal = "".join(self._seals.pop(index, ()))
        if seal:
            yield Thinking(seal=seal)

    def _finish(self) -> Iterator[Event]:
        if self._reason and self._stop not in _CUT_SHORT:
            yield from self._close_ended()

    def _close_ended(self) -> Iterator[Event]:
        for draft in self._ended:
            yield from draft.close()
        self._ended.clear()

    def _count(self, usage: Usage | None) -> Iterator[Event]:
        if usage is not None:
            self._used = self._used.with_more(usage)
            yield Used(read=self._used.read, wrote=self._used.output_tokens or 0)
