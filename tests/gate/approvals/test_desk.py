"""However asks, answers, expiries, stops and changes interleave, each ticket is settled once."""

import pytest
from attrs import evolve
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)

from assent.gate.approvals import desk as module
from assent.gate.approvals import endings
from assent.gate.approvals.desk import Desk
from assent.gate.approvals.tickets import (
    Answer,
    OptionKind,
    Outcome,
    Receipt,
    ReceiptKind,
    Scope,
    Settlement,
    Ticket,
    TicketId,
)
from assent.gate.call.calls import ChatId, Effect
from assent.gate.call.verdicts import Actor, Deed
from assent.gate.settings.wishes import Wish
from gate.approvals.samples import answer_to, ticket
from gate.ruling.samples import running, using
from tables import each_row

OPTIONS = ["once", "chat", "always", "bypass", "deny", "tell", "denyChat", "never"]
FORGERIES: list[dict[str, object]] = [
    {"digest": "0" * 64},
    {"chat": ChatId("chat-3")},
    {"chat": ChatId("")},
    {"option": "allow"},
    {"option": ""},
    {"revision": 0},
    {"revision": 99},
    {"ticket": TicketId("nobody")},
]
WISH = Wish(key="bypassPermissions", name="eliza", value=True, effect="It would not be asked.")

ENDS = st.sampled_from(
    [
        endings.expired(),
        endings.interrupted(),
        endings.refused(Actor.STOP, "You pressed Stop."),
        endings.refused(Actor.AGENT_GONE, "The agent is gone."),
    ]
)


class ADesk(RuleBasedStateMachine):
    """Keeps beside the desk what must be true of it, and asks the desk after each step."""

    tickets: Bundle[TicketId] = Bundle("tickets")
    answers: Bundle[Answer] = Bundle("answers")

    @initialize()
    def a_new_desk(self) -> None:
        self.desk = Desk()
        self.open: dict[TicketId, Ticket] = {}
        self.ended: dict[TicketId, Settlement] = {}
        self.order: list[TicketId] = []

    @rule(target=tickets, chat=st.sampled_from(["chat-1", "chat-2"]), wish=st.booleans())
    def ask(self, chat: str, wish: bool) -> TicketId:
        asked = ticket(running(chat=ChatId(chat)))
        asked = evolve(asked, asks=WISH, digest=WISH.digest) if wish else asked
        self.desk.open(asked)
        self.open[asked.id] = asked
        self.order.append(asked.id)
        return asked.id

    @rule(ticket_id=tickets)
    def ask_again_under_the_same_id(self, ticket_id: TicketId) -> None:
        with pytest.raises(ValueError, match="opened before"):
            self.desk.open(ticket(id=ticket_id))

    @rule(target=answers, ticket_id=tickets, option=st.sampled_from(OPTIONS))
    def a_person_looks(self, ticket_id: TicketId, option: str) -> Answer:
        """Draw an answer now; it may come much later, or twice."""
        asked = self.open.get(ticket_id) or ticket(id=ticket_id)
        return answer_to(asked, option)

    @rule(answer=answers)
    def answer(self, answer: Answer) -> None:
        self._expect(answer, self.desk.answer(answer))

    @rule(answer=consumes(answers))
    def answer_twice(self, answer: Answer) -> None:
        self._expect(answer, self.desk.answer(answer))
        self._expect(answer, self.desk.answer(answer))

    @rule(answer=answers, forgery=st.sampled_from(FORGERIES))
    def answer_with_a_forgery(self, answer: Answer, forgery: dict[str, object]) -> None:
        before = self.desk.tickets
        receipt = self.desk.answer(evolve(answer, **forgery))
        assert receipt.kind is not ReceiptKind.APPLIED
        assert self.desk.tickets == before

    @rule(ticket_id=tickets, ending=ENDS)
    def end(self, ticket_id: TicketId, ending: Settlement) -> None:
        was_open = self.open.pop(ticket_id, None) is not None
        assert self.desk.settle(ticket_id, ending) is was_open
        if was_open:
            self.ended[ticket_id] = ending

    @rule(ticket_id=tickets)
    def revise(self, ticket_id: TicketId) -> None:
        before = self.open.get(ticket_id)
        revised = self.desk.revise(before or ticket(id=ticket_id))
        assert (revised is None) is (before is None)
        if before and revised:
            assert revised == evolve(before, revision=before.revision + 1)
            self.open[ticket_id] = revised

    @rule(ticket_id=tickets)
    def be_patient(self, ticket_id: TicketId) -> None:
        patient = self.desk.be_patient(ticket_id)
        assert (patient is None) is (ticket_id not in self.open)
        if patient:
            assert patient.patience is None
            assert patient.revision == self.open[ticket_id].revision
            self.open[ticket_id] = patient

    @rule(ticket_id=tickets)
    def correct(self, ticket_id: TicketId) -> None:
        unkept = endings.unkept(OSError("disk full"))
        self.desk.correct(ticket_id, unkept)
        if ticket_id in self.ended:
            self.ended[ticket_id] = unkept

    @invariant()
    def the_desk_knows_what_is_open(self) -> None:
        assert {each.id: each for each in self.desk.tickets} == self.open
        assert [each.id for each in self.desk.tickets] == [i for i in self.order if i in self.open]

    @invariant()
    def whoever_asks_late_is_told_what_was_decided(self) -> None:
        for ticket_id, settlement in self.ended.items():
            assert self.desk.ticket(ticket_id) is None
            late = self.desk.answer(answer_to(ticket(id=ticket_id)))
            assert late == Receipt(kind=ReceiptKind.ALREADY_DECIDED, settlement=settlement)

    def _expect(self, answer: Answer, receipt: Receipt) -> None:
        """The receipt is what this machine's own book says it must be."""
        asked = self.open.get(answer.ticket)
        if asked is None:
            ended = self.ended[answer.ticket]
            assert receipt == Receipt(kind=ReceiptKind.ALREADY_DECIDED, settlement=ended)
        elif answer.chat != asked.chat:
            assert receipt.kind is ReceiptKind.UNKNOWN
        elif (answer.revision, answer.digest) != (asked.revision, asked.digest):
            assert receipt == Receipt(kind=ReceiptKind.STALE, current=asked)
        else:
            assert receipt.kind is ReceiptKind.APPLIED
            assert receipt.settlement is not None
            allowed = answer.option in {"once", "chat", "always", "bypass"}
            assert (receipt.settlement.outcome is Outcome.ALLOWED) is allowed
            assert receipt.settlement.by is Actor.USER
            self.ended[answer.ticket] = receipt.settlement
            del self.open[answer.ticket]


TestADesk = pytest.mark.requirement("T-07", "T-11", "C-07", "S-06")(ADesk.TestCase)
TestADesk.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.requirement("T-11")
def test_an_answer_to_an_unknown_question_says_so(desk: Desk) -> None:
    receipt = desk.answer(answer_to(ticket()))
    assert receipt == Receipt(kind=ReceiptKind.UNKNOWN, because="there is no such question")


@each_row(
    ("scope", "where"),
    [
        (None, ""),
        (Scope.WORKSPACE, " for this workspace"),
        (Scope.USER, " for all your workspaces"),
    ],
)
def test_an_answer_for_always_tells_by_which_rules_and_for_where(
    scope: Scope | None, where: str
) -> None:
    question = ticket()
    desk = Desk()
    desk.open(question)
    given = answer_to(question, "always", rules=("shell(make test)",), scope=scope)
    settlement = desk.answer(given).settlement
    assert settlement is not None
    assert settlement.because == f"You allowed it always, by `shell(make test)`{where}"


@pytest.mark.requirement("T-11", "C-06")
@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_a_forged_answer_settles_nothing(desk: Desk, forgery: dict[str, object]) -> None:
    asked = ticket()
    desk.open(asked)
    receipt = desk.answer(evolve(answer_to(asked), **forgery))
    assert receipt.kind in {ReceiptKind.STALE, ReceiptKind.UNKNOWN}
    assert desk.tickets == (asked,)


def test_an_answer_from_another_chat_changes_nothing(desk: Desk) -> None:
    asked = ticket()
    desk.open(asked)
    receipt = desk.answer(answer_to(asked, chat=ChatId("chat-2")))
    assert receipt.kind is ReceiptKind.UNKNOWN
    assert desk.tickets == (asked,)


def test_an_answer_that_is_not_offered_changes_nothing(desk: Desk) -> None:
    asked = ticket()
    desk.open(asked)
    receipt = desk.answer(answer_to(asked, "grant"))
    assert receipt.because == "the card does not offer that answer"
    assert desk.tickets == (asked,)


def test_a_stale_answer_is_given_the_question_as_it_stands(desk: Desk) -> None:
    asked = ticket()
    desk.open(asked)
    current = desk.revise(asked)
    assert desk.answer(answer_to(asked)) == Receipt(kind=ReceiptKind.STALE, current=current)


@pytest.mark.parametrize(("first", "outcome"), [("once", "allowed"), ("deny", "refused")])
def test_the_first_of_two_contrary_answers_holds(desk: Desk, first: str, outcome: str) -> None:
    asked = ticket()
    desk.open(asked)
    second = {"once": "deny", "deny": "once"}[first]
    applied, late = desk.answer(answer_to(asked, first)), desk.answer(answer_to(asked, second))
    assert (applied.kind, late.kind) == (ReceiptKind.APPLIED, ReceiptKind.ALREADY_DECIDED)
    assert applied.settlement == late.settlement
    assert late.settlement is not None
    assert late.settlement.outcome == outcome


@pytest.mark.requirement("T-05")
def test_a_refusal_carries_the_persons_words(desk: Desk) -> None:
    asked = ticket()
    desk.open(asked)
    receipt = desk.answer(answer_to(asked, "tell", feedback="  use the docs "))
    assert receipt.settlement is not None
    assert receipt.settlement.because == "You denied it: “use the docs”"
    assert receipt.settlement.feedback == "use the docs"


def test_every_kind_of_option_has_words_for_its_record() -> None:
    assert set(module._USER_SAYS) == set(OptionKind)


def test_the_desk_forgets_the_oldest_before_it_grows_without_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_SETTLED_TICKETS", 2)
    asked = [ticket() for _ in range(3)]
    for each in asked:
        desk.open(each)
        desk.settle(each.id, endings.expired())
    kinds = [desk.answer(answer_to(each)).kind for each in asked]
    late = ReceiptKind.ALREADY_DECIDED
    assert kinds == [ReceiptKind.UNKNOWN, late, late]


def test_what_a_call_did_is_not_kept_with_its_settled_ticket(desk: Desk) -> None:
    stopped = endings.refused(Actor.STOP, "You pressed Stop.")
    asked = [ticket() for _ in range(3)]
    for each in asked:
        desk.open(each)
        desk.settle(each.id, evolve(stopped, values={"size": "large"}))
        desk.correct(each.id, evolve(stopped, deeds=(Deed(kind="run", what="make"),) * 1_000))
    late = [desk.answer(answer_to(each)).settlement for each in asked]
    assert late == [stopped] * 3
    assert [(each.deeds, each.values) for each in late if each is not None] == [((), {})] * 3


def test_only_a_settled_question_is_asked_once_more(desk: Desk) -> None:
    never, opened, settled = ticket(), ticket(), ticket()
    for each in (opened, settled):
        desk.open(each)
    desk.settle(settled.id, endings.expired())
    desk.reopen(settled)
    assert desk.tickets == (opened, settled)
    for each in (never, opened, settled):
        with pytest.raises(ValueError, match="was not settled"):
            desk.reopen(each)
    assert desk.tickets == (opened, settled)


def form(**field: object) -> Ticket:
    fields = [{"name": "size", "kind": "text"} | field]
    given = {"message": "How large?", "fields": fields}
    call = evolve(using(given), tool="form", effect=Effect.CHAT)
    return ticket(call)


def test_what_does_not_fit_a_form_is_refused_with_a_sentence_and_the_question_stays(
    desk: Desk,
) -> None:
    asked = form(most=3)
    desk.open(asked)
    answer = answer_to(asked, "answer", values={"size": "large"})
    for receipt in (desk.check(answer), desk.answer(answer)):
        assert isinstance(receipt, Receipt)
        assert receipt.kind is ReceiptKind.UNFIT
        assert receipt.because == "“size” takes at most 3 characters."
    assert desk.tickets == (asked,)


@pytest.mark.parametrize(
    ("length", "told"), [(5, ': {"size":"xxxxx"}'), (300, " with 311 characters")]
)
def test_what_went_to_a_server_is_told_and_of_what_is_long_how_much(
    desk: Desk, length: int, told: str
) -> None:
    asked = form()
    desk.open(asked)
    receipt = desk.answer(answer_to(asked, "answer", values={"size": "x" * length}))
    assert receipt.settlement is not None
    assert receipt.settlement.because.endswith(f"You answered the server{told}")
