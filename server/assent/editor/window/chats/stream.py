"""The one ordered stream to all replicas: epoch, sequence number, recent messages.

Every change a replica must see passes here and gets the next number. Whoever missed some is given
them, or a snapshot where they are no longer kept; a replica never has to be trusted with memory.
"""

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from pydantic import ConfigDict, TypeAdapter

from assent.editor.lsp.wire import unwritten
from assent.editor.protocol import approvals, happenings, replicas
from assent.editor.protocol.shapes import Shape
from assent.gate.values import define, field

__all__ = ["MAX_KEPT_BYTES", "MAX_KEPT_MESSAGES", "Send", "Stream"]

MAX_KEPT_MESSAGES: Final = 2_000
"""How many messages are kept for those who missed some."""

MAX_KEPT_BYTES: Final = 8 * 1024 * 1024
"""In bytes on the wire, all of them together."""

_DELIVERED: Final[TypeAdapter[replicas.Delivered]] = TypeAdapter(
    replicas.Delivered, config=ConfigDict(defer_build=True)
)


class Send(Protocol):
    """Sends a message; what was sent, or None where that is more than it may be."""

    def __call__(self, method: str, params: Shape, most: int = ..., /) -> bytes | None:
        """It was sent, or not."""
        ...


@define
class Stream:
    """Numbers what is sent, and keeps the last of it."""

    epoch: str
    """This run of the server."""
    _send: Send
    seq: int = 0
    """The number of the last message."""
    _kept: deque[bytes] = field(factory=deque)
    """As they are written, which takes a tenth of the memory."""
    _size: int = 0

    def event(self, chat: str | None, event: happenings.Event) -> None:
        """Tell what happened in a chat, or (no chat) to all."""
        message = happenings.AgentEvent(
            epoch=self.epoch, seq=self.seq + 1, chat_id=chat, event=event
        )
        self._tell(b"event", self._send("agent/event", message))

    def request(self, draw: Callable[[int], approvals.ApprovalRequest], most: int) -> bytes | None:
        """Tell of an open ticket; `draw` is given the number.

        What was sent; None where it takes more than it may, and was not told.
        """
        sent = self._send("tool/approvalRequest", draw(self.seq + 1), most)
        if sent is None:
            return None
        self._tell(b"request", sent)
        return sent

    def settled(self, draw: Callable[[int], approvals.ApprovalSettled]) -> None:
        """Tell how a ticket ended; `draw` is given the number."""
        self._tell(b"settled", self._send("tool/approvalSettled", draw(self.seq + 1)))

    def subscribe(
        self, have: replicas.Have | None, snapshot: Callable[[int], replicas.Snapshot]
    ) -> replicas.Subscribed:
        """What somebody who has read this far must be told."""
        missing = self._since(have)
        if missing is None:
            return replicas.Subscribed(epoch=self.epoch, seq=self.seq, snapshot=snapshot(self.seq))
        return replicas.Subscribed(epoch=self.epoch, seq=self.seq, events=missing)

    def _tell(self, kind: bytes, sent: bytes | None) -> None:
        """Count a message, and keep it; one that could not be sent shows as a gap.

        Whoever finds the gap asks, and is given a snapshot, since nothing before it is kept.
        """
        self.seq += 1
        if sent is None:
            self._forget(len(self._kept))
            return
        self._kept.append(b'{"kind":"%b","message":%b}' % (kind, sent))
        self._size += len(self._kept[-1])
        while len(self._kept) > MAX_KEPT_MESSAGES or self._size > MAX_KEPT_BYTES:
            self._forget(1)

    def _forget(self, count: int) -> None:
        for _ in range(count):
            self._size -= len(self._kept.popleft())

    def _since(self, have: replicas.Have | None) -> list[replicas.Delivered] | None:
        """The messages after `have`; None where they are not all kept."""
        if have is None or have.epoch != self.epoch or have.seq > self.seq:
            return None
        lacking = self.seq - have.seq
        if lacking > len(self._kept):
            return None
        kept = list(self._kept)[len(self._kept) - lacking :]
        return [unwritten(_DELIVERED, message) for message in kept]
