"""Handles a person's answers: to a card, to its deadline, to a workspace's wish.

Broad answers are asked once more by the editor itself, since a webview should not decide them.
Nothing here knows why a ticket was opened; it only takes the answer to the desk.
"""

from assent.editor.lsp.wire import Wire
from assent.editor.protocol import approvals, chats, editor
from assent.editor.window.chats import diffs
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.wording import receipt_shape
from assent.editor.window.consent.widening_consent import WideningConsent
from assent.editor.window.rules.always_answers import Always
from assent.editor.window.rules.plans import Plans
from assent.gate.approvals.tickets import (
    Answer,
    Option,
    OptionKind,
    Receipt,
    ReceiptKind,
    Scope,
    Ticket,
    TicketId,
)
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.calls import Call, ChatId
from assent.gate.call.errors import AssentError, EditorRefused
from assent.gate.values import define, evolve, field

__all__ = ["Answers"]


@define
class Answers:
    """Serves the methods with which a person answers."""

    _wire: Wire
    _room: WaitingRoom
    _board: Board
    _widening_consent: WideningConsent
    _always: Always
    _plans: Plans
    _confirming: set[TicketId] = field(factory=set)

    async def respond(self, params: approvals.ApprovalResponse) -> approvals.Receipt:
        """`tool/approvalResponse`."""
        answer = _answer(params)
        if self._room.check(answer) is None:
            drawn_back = await self._confirm(answer)
            if drawn_back is not None:
                return approvals.Kept(because=drawn_back)
        ticket = self._room.ticket(answer.ticket)
        receipt = await self._room.answer(answer)
        if ticket is not None and receipt.kind is ReceiptKind.APPLIED:
            receipt = await self._widen(ticket, answer, receipt)
        current = receipt.current
        shown = self._board.request(current, 0) if current else None
        return receipt_shape(receipt, shown)

    def be_patient(self, params: approvals.AnswerLater) -> chats.Nothing:
        """`agent/answerLater`."""
        if not self._room.be_patient(TicketId(params.approval_id)):
            raise AssentError("That question is closed already.")
        return chats.Nothing()

    async def open_diff(self, params: editor.OpenDiffTicket) -> chats.Nothing:
        """`tool/openDiff`."""
        ticket = self._room.ticket(TicketId(params.approval_id))
        if ticket is None or not isinstance(ticket.asks, Call):
            raise AssentError("That question is closed already.")
        if params.file >= len(ticket.asks.edits):
            raise AssentError("That question has no such file.")
        edit = ticket.asks.edits[params.file]
        await diffs.show(self._wire, edit, "proposed", params.approval_id)
        return chats.Nothing()

    async def _confirm(self, answer: Answer) -> str | None:
        """Ask a broad answer once more; why it is not to be applied, or None."""
        ticket = self._room.ticket(answer.ticket)
        option = ticket.option(answer.option) if ticket else None
        if ticket is None or option is None:
            return None
        if option.kind not in _ASKED_AGAIN and not option.kind.writes_rules:
            return None
        if ticket.id in self._confirming:
            return "You are being asked about this already."
        self._confirming.add(ticket.id)
        try:
            if option.kind.writes_rules:
                return await self._always.agree(ticket, option, answer)
            return await self._ask_once_more(ticket, option)
        except EditorRefused as error:
            return f"This editor could not ask you once more, so nothing was changed. {error!s}"
        finally:
            self._confirming.discard(ticket.id)

    async def _ask_once_more(self, ticket: Ticket, option: Option) -> str | None:
        if option.kind is OptionKind.BYPASS_AGENT and isinstance(ticket.asks, Call):
            return await self._widening_consent.agree_to_bypass(ticket.asks.agent)
        if option.kind is OptionKind.APPROVE_PLAN:
            return await self._plans.agree(ticket, option)
        if option.kind is OptionKind.AGENT_ALWAYS:
            return await self._widening_consent.agree_to_remember(ticket, option)
        return await self._widening_consent.agree_to_wish(ticket)

    async def _widen(self, ticket: Ticket, answer: Answer, receipt: Receipt) -> Receipt:
        """Do what an answer means beyond its call, now that the call itself is settled.

        In the other order the new setting would settle the ticket, and the person would be told
        that somebody else was faster.
        """
        settlement = receipt.settlement
        option = settlement.option if settlement else None
        if settlement is None or option is None or not isinstance(ticket.asks, Call):
            return receipt
        failure = await self._do_more(ticket, ticket.asks, option, answer)
        if failure is None:
            return receipt
        told = f"{settlement.because}, but you will be asked again: {failure}"
        return evolve(receipt, settlement=evolve(settlement, because=told))

    async def _do_more(
        self, ticket: Ticket, call: Call, option: Option, answer: Answer
    ) -> str | None:
        """What the option means for later calls; why that could not be done, or None."""
        if option.kind is OptionKind.BYPASS_AGENT:
            return await self._widening_consent.grant_bypass(call.agent)
        if option.kind.writes_rules:
            return await self._always.grant(ticket, option, answer)
        if option.kind is OptionKind.DENY_CHAT:
            self._always.deny_for_chat(call)
        return None


_ASKED_AGAIN = frozenset(
    {
        OptionKind.AGENT_ALWAYS,
        OptionKind.APPROVE_PLAN,
        OptionKind.BYPASS_AGENT,
        OptionKind.GRANT_WISH,
    }
)


def _answer(params: approvals.ApprovalResponse) -> Answer:
    return Answer(
        ticket=TicketId(params.approval_id),
        chat=None if params.chat_id is None else ChatId(params.chat_id),
        revision=params.revision,
        digest=params.digest,
        option=params.option_id,
        feedback=params.feedback,
        rules=tuple(params.rules),
        scope=None if params.scope is None else Scope(params.scope),
        values=params.values,
        chosen=tuple(params.chosen),
        shown_ms=params.shown_ms,
    )
