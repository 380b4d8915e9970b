"""Reads a streamed response of OpenAI's: items, each with a beginning and an end.

A call is ready when its item is done; one that was cut short never is. An item goes back to its
host as it came, a thought only where the host sealed it, since it keeps nothing of ours.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from assent.agent.models.conversation import Given
from assent.agent.models.drafts import Draft, see_room
from assent.agent.models.events import Closed, Event, Kept, Stopped, Text, Thinking, Used
from assent.agent.models.host_errors import Garbled, Loss, Lost
from assent.agent.models.refusals import objection
from assent.agent.models.responses_shapes import Response, ResponseEvent
from assent.gate.values import define, field

__all__ = ["Reply"]

_CUT: Final = {"max_output_tokens": "length", "content_filter": "refused"}
_SUMMARY: Final = "response.reasoning_summary_text.delta"


@define
class Reply:
    """What one stream has said so far."""

    _by: str
    _secrets: tuple[str, ...] = field(repr=False)
    _drafts: dict[int, Draft] = field(factory=dict)
    """The calls, by the number of their item."""
    _heard: set[int] = field(factory=set)
    """The other items of which something came in pieces."""
    _summary: tuple[int, int] = (-1, 0)
    """The part of a summary that came last: its item, and its number there."""
    _has_items: bool = False
    """Whether an item came whole."""
    _refused: bool = False
    _reason: str = ""

    @property
    def finished(self) -> bool:
        """Whether the host said that the response is over."""
        return bool(self._reason)

    def take(self, response_event: ResponseEvent) -> Iterator[Event]:
        """The events of one message."""
        kind = _KINDS.get(response_event.type)
        if kind is not None:
            yield from kind(self, response_event)
        elif not response_event.type and response_event.object == "response":
            yield from self._all_at_once(response_event)

    def end(self) -> Event:
        """The end of the reply; raises where it is not over, or a call of it is open still."""
        is_open = not all(draft.ready for draft in self._drafts.values())
        if not self._reason or (is_open and self._reason == "done"):
            raise Lost(Loss.BROKEN)
        if self._refused:
            return Stopped(reason="refused")
        calls = self._drafts and self._reason == "done"
        return Stopped(reason="calls" if calls else self._reason)

    def begin(self, response_event: ResponseEvent) -> Iterator[Event]:
        """An item begins."""
        item = response_event.item or {}
        match item.get("type"):
            case "function_call":
                yield from self._begin_call(response_event.output_index, item)
            case "reasoning":
                yield Thinking(text="")
            case _:
                pass

    def say(self, response_event: ResponseEvent) -> Iterator[Event]:
        """More text, or more of why there is none."""
        self._heard.add(response_event.output_index)
        self._refused = self._refused or response_event.type == "response.refusal.delta"
        yield Text(text=response_event.delta or "")

    def think(self, response_event: ResponseEvent) -> Iterator[Event]:
        """More thought; the parts of a summary are paragraphs."""
        self._heard.add(response_event.output_index)
        part = (response_event.output_index, response_event.summary_index)
        if (
            response_event.type == _SUMMARY
            and part != self._summary
            and response_event.summary_index
        ):
            yield Thinking(text="\n\n")
        self._summary = part
        yield Thinking(text=response_event.delta or "")

    def argue(self, response_event: ResponseEvent) -> Iterator[Event]:
        """More of a call's arguments."""
        draft = self._drafts.get(response_event.output_index)
        if draft is not None:
            yield from draft.more(response_event.delta or "")
        elif (response_event.delta or "").strip():
            raise Garbled("there are arguments of no call in it")

    def done(self, response_event: ResponseEvent) -> Iterator[Event]:
        """An item is whole."""
        self._has_items = True
        item = response_event.item or {}
        match item.get("type"):
            case "function_call":
                yield from self._end_call(response_event.output_index, item)
            case "message":
                if response_event.output_index not in self._heard:
                    yield Text(text=_texts(item.get("content")))
                    self._refused = self._refused or _has_refusal(item.get("content"))
                yield Closed(given=Given.of(self._by, item))
            case "reasoning":
                if response_event.output_index not in self._heard:
                    yield Thinking(text=_texts(item.get("summary")))
                sealed = bool(item.get("encrypted_content"))
                yield Closed(given=Given.of(self._by, item) if sealed else None)
            case str():
                yield Kept(given=Given.of(self._by, item))
            case _:
                pass

    def finish(self, response_event: ResponseEvent) -> Iterator[Event]:
        """The response is over."""
        response = response_event.response or Response()
        cut = response.incomplete_details
        reason = (cut.reason if cut is not None else None) or ""
        is_whole = response_event.type == "response.completed"
        if is_whole and not (self._has_items or self._heard or self._drafts):
            # Of some hosts all of it stands in its end alone.
            yield from self._items(response)
        self._reason = "done" if is_whole else _CUT.get(reason, "length")
        if response.usage is not None:
            used = response.usage
            read, wrote = used.input_tokens or 0, used.output_tokens or 0
            yield Used(read=read, wrote=wrote, cached=used.cached)

    def fail(self, response_event: ResponseEvent) -> Iterator[Event]:
        """The host could not go on."""
        inner = response_event.error or (response_event.response and response_event.response.error)
        plain = {"code": response_event.code, "message": response_event.message}
        raise objection({"error": inner or plain}, self._secrets)

    def _all_at_once(self, whole: ResponseEvent) -> Iterator[Event]:
        """The whole response, where a host does not stream."""
        if whole.status not in _ENDS:
            raise Lost(Loss.BROKEN)
        yield from self._items(whole)
        yield from _ENDS[whole.status](
            self, ResponseEvent(type=f"response.{whole.status}", response=whole)
        )

    def _items(self, whole: Response) -> Iterator[Event]:
        for index, item in enumerate(whole.output or ()):
            event = ResponseEvent(output_index=index, item=item)
            yield from self.begin(event)
            yield from self.done(event)

    def _begin_call(self, index: int, item: dict[str, Any]) -> Iterator[Event]:
        if index in self._drafts:
            raise Garbled("an item of it begins twice")
        see_room(len(self._drafts))
        id, name = str(item.get("call_id") or ""), str(item.get("name") or "")  # noqa: A001 -- its name
        draft = self._drafts[index] = Draft(key=index, id=id, name=name)
        yield from draft.start()

    def _end_call(self, index: int, item: dict[str, Any]) -> Iterator[Event]:
        if index not in self._drafts:
            yield from self._begin_call(index, item)
        draft = self._drafts[index]
        sent = item.get("arguments")
        if not draft.argued and isinstance(sent, str):
            yield from draft.more(sent)
        draft.ended = True
        if item.get("status") != "incomplete":
            draft.given = Given.of(self._by, item)
            yield from draft.close()


def _texts(parts: object) -> str:
    """The text of an item that came whole."""
    listed = parts if isinstance(parts, list) else []
    texts = [part.get("text", part.get("refusal")) for part in listed if isinstance(part, dict)]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _has_refusal(parts: object) -> bool:
    listed = parts if isinstance(parts, list) else []
    return any(isinstance(part, dict) and part.get("type") == "refusal" for part in listed)


_KINDS: Final[dict[str, Callable[[Reply, ResponseEvent], Iterator[Event]]]] = {
    "response.output_item.added": Reply.begin,
    "response.output_text.delta": Reply.say,
    "response.refusal.delta": Reply.say,
    _SUMMARY: Reply.think,
    "response.reasoning_text.delta": Reply.think,
    "response.function_call_arguments.delta": Reply.argue,
    "response.output_item.done": Reply.done,
    "response.completed": Reply.finish,
    "response.incomplete": Reply.finish,
    "response.failed": Reply.fail,
    "error": Reply.fail,
}
"""What is done with each kind of message; there are many more, which say nothing new."""
_ENDS: Final[dict[str | None, Callable[[Reply, ResponseEvent], Iterator[Event]]]] = {
    kind.removeprefix("response."): _KINDS[kind]
    for kind in ("response.completed", "response.incomplete", "response.failed")
}
"""By how a whole response stands."""
