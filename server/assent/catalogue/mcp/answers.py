"""Reads an HTTP answer within bounds: one JSON text, or a stream of events."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from assent.catalogue.mcp.transport import MAX_LINE_BYTES, MAX_MESSAGES_A_SECOND, Pace
from assent.gate.values import define, field

if TYPE_CHECKING:
    import httpx2

__all__ = ["Event", "answers_in"]

_EVENTS: Final = "text/event-stream"
_MAX_PAUSE_S: Final = 60.0
_MAX_DIGITS: Final = 9


@define
class Event:
    """One message of an answer."""

    id: str = ""
    """By what the rest after it is asked for."""
    data: bytes = b""
    pause: float | None = None
    """In seconds: when to ask for the rest, where it says so."""
    _lines: list[bytes] = field(factory=list)

    def take(self, line: bytes) -> None:
        """Take in a line of an event."""
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._lines.append(value)
        elif name == b"id" and b"\0" not in value:
            self.id = value[:512].decode("latin-1")
        elif name == b"retry" and value.isdigit():
            self.pause = min(int(value[:_MAX_DIGITS]) / 1_000, _MAX_PAUSE_S)

    def ended(self) -> "Event":
        """Return the event whole, once a blank line stands behind it."""
        return Event(self.id, b"\n".join(self._lines), self.pause)


async def answers_in(response: "httpx2.Response") -> AsyncIterator[Event]:
    """The messages in an answer; raises `ValueError` where it breaks a bound."""
    if response.headers.get("content-type", "").lower().startswith(_EVENTS):
        async for event in _events(response):
            yield event
        return
    whole = bytearray()
    async for chunk in response.aiter_bytes():
        whole += chunk
        if len(whole) > MAX_LINE_BYTES:
            raise ValueError(f"it sent more than {MAX_LINE_BYTES >> 20} MB")
    yield Event(data=bytes(whole))


async def _events(response: "httpx2.Response") -> AsyncIterator[Event]:
    pace, event, size = Pace(), Event(), 0
    async for line in _lines(response):
        size += len(line)
        if size > MAX_LINE_BYTES:
            raise ValueError(f"it sent more than {MAX_LINE_BYTES >> 20} MB")
        if line:
            event.take(line)
            continue
        if not pace.keeps():
            raise ValueError(f"it sent more than {MAX_MESSAGES_A_SECOND:,} messages in a second")
        yield event.ended()
        event, size = Event(event.id, pause=event.pause), 0


async def _lines(response: "httpx2.Response") -> AsyncIterator[bytes]:
    """The lines of a stream, whatever ends them; one without an end breaks the bound."""
    held = bytearray()
    async for chunk in response.aiter_bytes():
        looked = len(held)
        held += chunk
        begin = 0
        while (end := held.find(b"\n", max(begin, looked))) >= 0:
            yield bytes(held[begin:end]).rstrip(b"\r")
            begin = end + 1
        del held[:begin]
        if len(held) > MAX_LINE_BYTES:
            raise ValueError(f"it sent more than {MAX_LINE_BYTES >> 20} MB")
