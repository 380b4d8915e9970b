"""The desk: open tickets, and what each answer does to them; a state machine without IO.

Each ticket is settled exactly once, through `settle`. Whoever is first wins, and everybody else
is told what had been decided. The desk has no clock: an expiry comes in as one more settlement.
"""

from collections import OrderedDict
from typing import Any

from assent.gate.approvals.options import ANSWER_PREFIX
from assent.gate.approvals.tickets import (
    Answer,
    Option,
    OptionKind,
    Receipt,
    ReceiptKind,
    Scope,
    Settlement,
    Ticket,
    TicketId,
)
from assent.gate.call.calls import Call, canonical
from assent.gate.call.modes import NAMES
from assent.gate.call.verdicts import Actor
from assent.gate.ruling.forms import Unfit, read
from assent.gate.values import define, evolve, field

__all__ = ["MAX_SETTLED_TICKETS", "Desk"]

MAX_SETTLED_TICKETS = 10_000
"""How many settled tickets are kept, so that a late answer can be told the truth."""


@define
class Desk:
    """Holds the open tickets in the order in which they were opened."""

    _open: dict[TicketId, Ticket] = field(factory=dict)
    _settled: OrderedDict[TicketId, Settlement] = field(factory=OrderedDict)

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """The open tickets, oldest first."""
        return tuple(self._open.values())

    def ticket(self, ticket_id: TicketId) -> Ticket | None:
        """The open ticket of that id."""
        return self._open.get(ticket_id)

    def open(self, ticket: Ticket) -> None:
        """Put a new question on the desk."""
        if ticket.id in self._open or ticket.id in self._settled:
            raise ValueError(f"ticket {ticket.id} was opened before")
        self._open[ticket.id] = ticket

    def revise(self, ticket: Ticket) -> Ticket | None:
        """Put a changed question in the place of the old; None if it is no longer open."""
        before = self._open.get(ticket.id)
        if before is None:
            return None
        self._open[ticket.id] = evolve(ticket, revision=before.revision + 1)
        return self._open[ticket.id]

    def reopen(self, ticket: Ticket) -> None:
        """Ask once more about what was settled, since the answer met a change."""
        if ticket.id in self._open or self._settled.pop(ticket.id, None) is None:
            raise ValueError(f"ticket {ticket.id} was not settled")
        self._open[ticket.id] = ticket

    def be_patient(self, ticket_id: TicketId) -> Ticket | None:
        """Take the deadline from a ticket; what was judged stays, and so does the revision."""
        before = self._open.get(ticket_id)
        if before is None:
            return None
        self._open[ticket_id] = evolve(before, patience=None)
        return self._open[ticket_id]

    def settle(self, ticket_id: TicketId, settlement: Settlement) -> bool:
        """End a ticket. False if it had ended already or never was; then nothing changes."""
        if self._open.pop(ticket_id, None) is None:
            return False
        self._settled[ticket_id] = _without_details(settlement)
        while len(self._settled) > MAX_SETTLED_TICKETS:
            self._settled.popitem(last=False)
        return True

    def correct(self, ticket_id: TicketId, settlement: Settlement) -> None:
        """Replace what is told of a settled ticket, when what was decided could not be kept."""
        if self._settled.get(ticket_id, settlement) != settlement:
            self._settled[ticket_id] = _without_details(settlement)

    def check(self, answer: Answer) -> Receipt | Option:
        """The option that an answer means, or the receipt that says why it means none."""
        ticket = self._open.get(answer.ticket)
        if ticket is None:
            return self._late(answer)
        if answer.chat != ticket.chat:
            return _unknown("there is no such question in that chat")
        if (answer.revision, answer.digest) != (ticket.revision, ticket.digest):
            return Receipt(kind=ReceiptKind.STALE, current=ticket)
        option = ticket.option(answer.option)
        if option is None:
            return _unknown("the card does not offer that answer")
        if option.kind is OptionKind.ANSWER_WORDS and not (answer.feedback or "").strip():
            return _unknown("an answer in your own words needs words")
        if option.kind is OptionKind.ALLOW_SOME and not _is_choice(option, answer):
            return Receipt(kind=ReceiptKind.UNFIT, because="Tick some of what the card lists.")
        try:
            _written(ticket, option, answer)
        except Unfit as error:
            return Receipt(kind=ReceiptKind.UNFIT, because=str(error))
        return option

    def answer(self, answer: Answer) -> Receipt:
        """Settle a ticket by a person's answer, if the answer holds."""
        option = self.check(answer)
        if isinstance(option, Receipt):
            return option
        written = _written(self._open[answer.ticket], option, answer)
        settlement = _by_user(option, answer, written)
        self.settle(answer.ticket, settlement)
        return Receipt(kind=ReceiptKind.APPLIED, settlement=settlement)

    def _late(self, answer: Answer) -> Receipt:
        settlement = self._settled.get(answer.ticket)
        if settlement is None:
            return _unknown("there is no such question")
        return Receipt(kind=ReceiptKind.ALREADY_DECIDED, settlement=settlement)


def _without_details(settlement: Settlement) -> Settlement:
    """What is kept for late answers, which are told neither what a call did nor a form's values."""
    has_details = settlement.deeds or settlement.values
    return evolve(settlement, deeds=(), values={}) if has_details else settlement


def _unknown(because: str) -> Receipt:
    return Receipt(kind=ReceiptKind.UNKNOWN, because=because)


def _is_choice(option: Option, answer: Answer) -> bool:
    """Whether an answer names something, and nothing but what the card lists."""
    return bool(answer.chosen) and set(answer.chosen) <= set(option.choices)


def _written(ticket: Ticket, option: Option, answer: Answer) -> dict[str, Any]:
    """What a person wrote into a form; raises `Unfit`."""
    if option.kind is not OptionKind.ANSWER_FORM or not isinstance(ticket.asks, Call):
        return {}
    return read(ticket.asks.input, answer.values)


def _by_user(option: Option, answer: Answer, written: dict[str, Any]) -> Settlement:
    """What a person's option comes to."""
    feedback = (answer.feedback or "").strip() or None
    return Settlement(
        outcome=option.kind.outcome,
        by=Actor.USER,
        because=(option.said or _USER_SAYS[option.kind])
        + _by(option, answer)
        + _chosen(option)
        + _sent_text(written)
        + (f": “{feedback}”" if feedback else ""),
        option=option,
        feedback=feedback,
        values=written,
        chosen=tuple(dict.fromkeys(answer.chosen)) if option.kind is OptionKind.ALLOW_SOME else (),
        shown_ms=answer.shown_ms,
    )


def _chosen(option: Option) -> str:
    """What a person chose of what was offered; never in the words of the agent that offers it."""
    if option.kind is OptionKind.ANSWER:
        return f" with its answer {int(option.id.removeprefix(ANSWER_PREFIX)) + 1}"
    return f", to be carried out in {NAMES[option.mode]} mode" if option.mode else ""


def _sent_text(written: dict[str, Any]) -> str:
    """What went to a server; of what is long only how much that was."""
    if not written:
        return ""
    text = canonical(written)
    return f": {text}" if len(text) <= _MAX_RULE_LETTERS else f" with {len(text):,} characters"


def _by(option: Option, answer: Answer) -> str:
    """By which rules a person answered, and for where."""
    if not option.kind.writes_rules or not answer.rules:
        return ""
    where = "" if answer.scope is None else _WHERE[answer.scope]
    return f", by {', '.join(f'`{text[:_MAX_RULE_LETTERS]}`' for text in answer.rules)}{where}"


_MAX_RULE_LETTERS = 200
"""Of each rule's letters so many are told."""

_WHERE = {
    Scope.CHAT: " for this chat",
    Scope.WORKSPACE: " for this workspace",
    Scope.HERE: " for this folder",
    Scope.USER: " for all your workspaces",
}

_USER_SAYS = {
    OptionKind.ALLOW_ONCE: "You allowed it once",
    OptionKind.ALLOW_CHAT: "You allowed it for this chat",
    OptionKind.ALLOW_ALWAYS: "You allowed it always",
    OptionKind.ALLOW_BACKGROUND: "You allowed it once, in the background",
    OptionKind.TRY: "You had it tried on a copy of the workspace",
    OptionKind.ALLOW_BOXED: "You allowed it once, in the sandbox",
    OptionKind.ALLOW_SOME: "You allowed some of it",
    OptionKind.BYPASS_AGENT: "You allowed it and stopped asking for this agent",
    OptionKind.AGENT_ALWAYS: "You let the agent remember this itself",
    OptionKind.DENY_ONCE: "You denied it",
    OptionKind.DENY_TELL: "You denied it",
    OptionKind.DENY_CHAT: "You denied it for this chat",
    OptionKind.DENY_ALWAYS: "You denied it always",
    OptionKind.GRANT_WISH: "You granted it",
    OptionKind.KEEP_ASKING: "You kept being asked",
    OptionKind.KEEP_OFF: "You kept it off",
    OptionKind.APPROVE_PLAN: "You approved the plan",
    OptionKind.ANSWER: "You answered",
    OptionKind.ANSWER_WORDS: "You answered",
    OptionKind.SKIP: "You skipped it",
    OptionKind.ANSWER_FORM: "You answered the server",
    OptionKind.OPEN_PAGE: "You opened the page",
    OptionKind.DECLINE: "You declined to answer",
    OptionKind.CANCEL: "You cancelled the question",
}
