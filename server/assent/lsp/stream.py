"""The one ordered stream to all replicas: epoch, sequence, and what was lately sent.

Every change a replica must see passes here and gets the next number. Whoever missed some is given
them, or a snapshot where they are no longer kept; a replica never has to be trusted with memory.
"""

from collections import deque
from collections.abc import Callable

from attrs import define, field

from assent.protocol import approvals, happenings, replicas
from assent.protocol.shapes import Shape

__all__ = ["KEPT", "Stream"]

KEPT = 2_000
"""How many messages are kept for those who missed some."""


@define
class Stream:
    """Numbers what is sent, and keeps the last of it."""

    epoch: str
    """This run of the server."""
    _send: Callable[[str, Shape], None]
    _seq: int = 0
    _kept: deque[replicas.Delivered] = field(factory=lambda: deque(maxlen=KEPT))

    def event(self, chat: str | None, event: happenings.Event) -> None:
        """Tell what happened in a chat, or (no chat) to all."""
        message = happenings.AgentEvent(
            epoch=self.epoch, seq=self._next(), chat_id=chat, event=event
        )
        self._kept.append(replicas.DeliveredEvent(message=message))
        self._send("agent/event", message)

    def request(self, draw: Callable[[int], approvals.ApprovalRequest]) -> None:
        """Tell of an open ticket; `draw` is given the number."""
        message = draw(self._next())
        self._kept.append(replicas.DeliveredRequest(message=message))
        self._send("tool/approvalRequest", message)

    def settled(self, draw: Callable[[int], approvals.ApprovalSettled]) -> None:
        """Tell how a ticket ended; `draw` is given the number."""
        message = draw(self._next())
        self._kept.append(replicas.DeliveredSettled(message=message))
        self._send("tool/approvalSettled", message)

    def subscribe(
        self, have: replicas.Have | None, snapshot: Callable[[int], replicas.Snapshot]
    ) -> replicas.Subscribed:
        """What somebody who has read this far must be told."""
        missing = self._since(have)
        if missing is None:
            return replicas.Subscribed(
                epoch=self.epoch, seq=self._seq, snapshot=snapshot(self._seq)
            )
        return replicas.Subscribed(epoch=self.epoch, seq=self._seq, events=missing)

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _since(self, have: replicas.Have | None) -> list[replicas.Delivered] | None:
        """The messages after `have`; None where they are not all kept."""
        if have is None or have.epoch != self.epoch or have.seq > self._seq:
            return None
        lacking = self._seq - have.seq
        if lacking > len(self._kept):
            return None
        return list(self._kept)[len(self._kept) - lacking :]
