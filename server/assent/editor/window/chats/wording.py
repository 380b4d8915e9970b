"""Translates the desk's and the policy's words into the shapes of the wire."""

from assent.editor.cards.draw import Setting, draw
from assent.editor.cards.hunks import CARD_LETTERS
from assent.editor.protocol import approvals
from assent.editor.window.chats.call_shapes import describe_call
from assent.gate.approvals.tickets import Receipt, ReceiptKind, Settlement, Ticket
from assent.gate.call.calls import Call

__all__ = ["receipt_shape", "request_shape", "settled_shape"]


def request_shape(
    ticket: Ticket,
    setting: Setting,
    *,
    epoch: str,
    seq: int,
    asked_at: int,
    now: int,
    expires_in: float | None,
) -> approvals.ApprovalRequest:
    """An open ticket with its card."""
    return approvals.ApprovalRequest(
        epoch=epoch,
        seq=seq,
        approval_id=ticket.id,
        chat_id=ticket.chat,
        call_id=ticket.asks.id if isinstance(ticket.asks, Call) else None,
        revision=ticket.revision,
        digest=ticket.digest,
        card=draw(ticket, setting),
        call=describe_call(ticket.asks, CARD_LETTERS) if isinstance(ticket.asks, Call) else None,
        asked_at=asked_at,
        now=now,
        expires_at=None if expires_in is None else now + round(expires_in * 1000),
    )


def settled_shape(
    ticket: Ticket, settlement: Settlement, *, epoch: str, seq: int, record: int | None
) -> approvals.ApprovalSettled:
    """How a ticket ended."""
    return approvals.ApprovalSettled(
        epoch=epoch,
        seq=seq,
        approval_id=ticket.id,
        chat_id=ticket.chat,
        outcome=settlement.outcome.value,
        by=settlement.by.value,
        because=settlement.because,
        record_id=record,
    )


def receipt_shape(receipt: Receipt, current: approvals.ApprovalRequest | None) -> approvals.Receipt:
    """What the desk says of an answer; `current` is the card as it is now, for a stale one."""
    settlement = receipt.settlement
    if receipt.kind is ReceiptKind.STALE and current is not None:
        return approvals.Stale(current=current)
    if receipt.kind is ReceiptKind.UNFIT:
        return approvals.Kept(because=receipt.because)
    if settlement is None:
        return approvals.Unknown(because=receipt.because)
    if receipt.kind is ReceiptKind.ALREADY_DECIDED:
        return approvals.Already(outcome=settlement.outcome.value, by=settlement.by.value)
    return approvals.Applied(
        outcome=settlement.outcome.value,
        by=settlement.by.value,
        because=settlement.because,
    )
