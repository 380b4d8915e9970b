"""Reads a streamed reply of Anthropic's: blocks, each with a beginning and an end.

A call is ready at the end of its block. Where its arguments are no whole object then, the reply
may have been cut short in it, and that is only told later: such a call waits until it is. A block
of a kind that nobody here knows is kept whole for its host.
"""

from collections.abc import Iterator
from typing import Any, Final

from assent.agent.models.anthropic_shapes import Block, Delta, StreamEvent, Usage
from assent.agent.models.conversation import Given
from assent.agent.models.drafts import Draft, see_room
from assent.agent.models.events import Closed, Event, Kept, Stopped, Text, Thinking, Used
from assent.agent.models.growing_json import object_of, written
from assent.agent.models.host_errors import Garbled, Loss, Lost
from assent.agent.models.refusals import objection
from assent.gate.values import define, field

__all__ = ["Reply"]

_REASONS: Final = {
    "end_turn": "done",
    "stop_sequence": "done",
    "pause_turn": "done",
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}
_CUT_SHORT: Final = frozenset({"length", "refused"})


@define
class _Open:
    """A block that is no call, while it comes."""

    block: Block
    seal: list[str] = field(factory=list)
    pieces: list[str] = field(factory=list)
    """What came of its input."""
    spoiled: bool = False
    """Whether something came of it that cannot be put together again."""

    def whole(self) -> dict[str, Any] | None:
        """The block as its host would send it at once; None where that is not known."""
        members = self.block.model_dump(exclude_unset=True)
        sent = object_of("".join(self.pieces)) if self.pieces else {}
        if self.spoiled or sent is None:
            return None
        return {**members, **({"input": sent} if self.pieces else {})}


@define
class Reply:
    """What one stream has said so far."""

    _by: str
    _secrets: tuple[str, ...] = field(repr=False)
    _drafts: dict[int, Draft] = field(factory=dict)
    """The calls, by the number of their block."""
    _inputs: dict[int, str] = field(factory=dict)
    """The arguments that a call began with; those that come in pieces go before them."""
    _ended: list[Draft] = field(factory=list)
    """The calls whose block has ended before their arguments were whole."""
    _opened: dict[int, _Open] = field(factory=dict)
    """The other blocks that are open."""
    _reason: str = ""
    _used: Usage = field(factory=Usage)

    def take(self, stream_event: StreamEvent) -> Iterator[Event]:
        """The events of one message."""
        match stream_event.type:
            case "error":
                raise objection({"error": stream_event.error or {}}, self._secrets)
            case "message_start":
                yield from self._count(stream_event.message.usage)
            case "content_block_start":
                yield from self._begin(stream_event.index, stream_event.content_block)
            case "content_block_delta":
                yield from self._more(stream_event.index, stream_event.delta)
            case "content_block_stop":
                yield from self._end_block(stream_event.index)
            case "message_delta":
                self._reason = stream_event.delta.stop_reason or self._reason
                yield from self._finish()
                yield from self._count(stream_event.usage)
            case "message":
                yield from self._all_at_once(stream_event)
            case _:
                # Pings, and whatever is invented later.
                pass

    def end(self) -> Event:
        """The end of the reply; raises where a call of it is open still."""
        if not self._reason or (self._is_open and self._stop not in _CUT_SHORT):
            raise Lost(Loss.BROKEN)
        return Stopped(reason=self._stop)

    @property
    def _is_open(self) -> bool:
        return not all(draft.ready for draft in self._drafts.values())

    @property
    def _stop(self) -> str:
        return _REASONS.get(self._reason, "done")

    def _all_at_once(self, stream_event: StreamEvent) -> Iterator[Event]:
        """The whole message, where a host does not stream."""
        for index, block in enumerate(stream_event.content or ()):
            yield from self._begin(index, block)
            yield from self._end_block(index)
        self._reason = stream_event.stop_reason or self._reason
        yield from self._finish()
        yield from self._count(stream_event.usage)

    def _begin(self, index: int, block: Block) -> Iterator[Event]:
        if index in self._drafts or index in self._opened:
            raise Garbled("a block of it begins twice")
        # Those before it were not cut short, or nothing would follow.
        yield from self._close_ended()
        if block.type == "tool_use":
            yield from self._begin_call(index, block)
            return
        self._opened[index] = _Open(block=block, seal=[block.signature or ""])
        match block.type:
            case "thinking":
                yield Thinking(text=block.thinking or "")
            case "text" if block.text:
                yield Text(text=block.text)
            case _:
                pass

    def _begin_call(self, index: int, block: Block) -> Iterator[Event]:
        see_room(len(self._drafts))
        draft = Draft(key=index, id=block.id or "", name=block.name or "")
        self._drafts[index] = draft
        self._inputs[index] = written(block.input or None)
        yield from draft.start()

    def _more(self, index: int, delta: Delta) -> Iterator[Event]:
        opened = self._opened.get(index)
        match delta.type:
            case "text_delta" if delta.text:
                yield Text(text=delta.text)
            case "thinking_delta":
                yield Thinking(text=delta.thinking or "")
            case "signature_delta" if opened is not None:
                opened.seal.append(delta.signature or "")
            case "input_json_delta" if index in self._drafts:
                yield from self._drafts[index].more(delta.partial_json or "")
            case "input_json_delta" if opened is not None:
                opened.pieces.append(delta.partial_json or "")
            case "input_json_delta" if (delta.partial_json or "").strip():
                raise Garbled("there are arguments of no call in it")
            case _ if opened is not None:
                opened.spoiled = True
            case _:
                pass

    def _end_block(self, index: int) -> Iterator[Event]:
        draft = self._drafts.get(index)
        if draft is not None:
            if not draft.argued:
                yield from draft.more(self._inputs[index])
            draft.ended = True
            if draft.whole:
                yield from draft.close()
            else:
                self._ended.append(draft)
        opened = self._opened.pop(index, None)
        if opened is not None:
            yield from self._end_other(opened)

    def _end_other(self, opened: _Open) -> Iterator[Event]:
        match opened.block.type:
            case "thinking":
                seal = "".join(opened.seal)
                yield Closed(given=Given.of(self._by, {"signature": seal}) if seal else None)
            case "text":
                yield Closed()
            case _:
                whole = opened.whole()
                if whole is not None:
                    yield Kept(given=Given.of(self._by, whole))

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
            used = self._used
            kept = used.cache_read_input_tokens or 0
            yield Used(read=used.read, wrote=used.output_tokens or 0, cached=kept)
