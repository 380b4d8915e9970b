"""The gate: every call of every agent passes `Gate.admit`.

Nothing runs before its decision is in the journal. Nothing runs but the call that was judged:
its digest is taken again once the decision is kept. What a hook makes of a call is judged as any
other. A call whose files changed under its card is aimed anew, ruled on and asked about again,
where that can be done here; where its agent carries it out, it is refused. The gate knows no tool,
no wire, no agent.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final
from uuid import uuid4

from assent.gate.approvals import endings
from assent.gate.approvals.covered_steps import CoveredSteps
from assent.gate.approvals.grants import Grants, rule_of_chat
from assent.gate.approvals.options import options_for
from assent.gate.approvals.tickets import OptionKind, Outcome, Settlement, Ticket, TicketId
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.call.errors import CallUnreadable, JournalUnwritable
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.journal import records
from assent.gate.journal.journal import Journal
from assent.gate.journal.ledger import Ledger
from assent.gate.passage import (
    NO_HOOKS,
    UNRUN,
    Ended,
    Hooks,
    Passage,
    PendingCall,
    Remake,
    Run,
    after,
    as_it_is,
    decided,
    is_about,
    remade,
)
from assent.gate.rules.book import EMPTY
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.ruling.decide import FOR_PERSON, decide
from assent.gate.ruling.facts import Facts
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord, after_rewrite, under
from assent.gate.ruling.policy import Policy, grant_for
from assent.gate.values import evolve, field, frozen

__all__ = ["Gate"]

_MAX_ROUNDS: Final = 5
"""So often a call that meets a change is asked about anew, before it is refused."""

_REWORDED: Final = "The agent has changed this call since it was shown."
_RULED: Final = "What you have set has changed since this was allowed."


@frozen(kw_only=True)
class Gate:
    """One for the whole server."""

    ledger: Ledger
    journal: Journal
    room: WaitingRoom
    policy: Callable[[ChatId, AgentId], Policy]
    """The policy for an agent in a chat, as it stands at this moment."""
    patience: Callable[[], float | None]
    """Seconds until nobody's answer is a refusal, as it stands at this moment."""
    agent_name: Callable[[AgentId], str]
    facts: Callable[[Call], Facts]
    """What is known of files where a call would be made, at this moment."""
    why_stale: Callable[[Call], str | None]
    """Why a call would no longer do what was judged; None if it still would."""
    with_file_digests: Callable[[Call], Call] = lambda call: call
    """Adds the digests of the files that the call runs, as they are now."""
    rule_suggestions: Callable[[Call, Ruling, Policy], Drafts] = lambda *_: NONE
    """The rules that a card suggests for an answer "always"."""
    modes: Callable[[Call], tuple[Mode, ...]] = lambda _: ()
    """The modes in which an approved plan may be carried out, the one to begin with first."""
    card_of: Callable[[TicketId], Callable[[], str] | None] = lambda _: None
    """The card of a ticket, to be stored with the decision; None if no card was shown."""
    add_screenshot: Callable[[Call], Awaitable[Call]] = as_it_is
    """Adds a picture of the page that the call acts on; never raises, nor takes long."""
    grants: Grants = field(factory=Grants)
    covered: CoveredSteps = field(factory=CoveredSteps)
    """The steps of workflows that a person allowed before they were reached."""
    hooks: Hooks = NO_HOOKS
    ways: dict[tuple[ChatId, CallId], PendingCall] = field(factory=dict)
    """The calls that are being decided."""
    _turn: asyncio.Lock = field(factory=asyncio.Lock)

    async def admit(self, call: Call, run: Run, remake: Remake | None = None) -> Passage:
        """Rule on a call, ask if it must be asked, and run it if it may run.

        Without `remake` nobody can give the call another input, and a hook that would is a no.
        """
        if self.ledger.state(call) is not None:
            way = PendingCall(call=call, heard=call, remake=None, digest=call.digest)
            settlement, _ = await self._keep(way, endings.namesake())
            return Passage(settlement=settlement)
        call = self.with_file_digests(call)
        self.ledger.propose(call)
        call, settlement, row = await self._pass_judgement(call, remake)
        allowed = settlement.outcome is Outcome.ALLOWED
        state = State.RUNNING if allowed else UNRUN[settlement.outcome]
        # What runs on a copy ends with its turn.
        on_copy = _is_on_copy(settlement)
        self.ledger.move(
            evolve(call, detachable=False) if on_copy else call,
            state,
            by=settlement.by,
            because=settlement.because,
            record=row,
            on_copy=on_copy,
        )
        if not allowed:
            return Passage(settlement=settlement)
        ended = await self._carry_out(call, run, settlement)
        remark = await self.hooks.after(call, ended)
        return Passage(settlement=settlement, ended=ended, remark=remark)

    async def wait_for_turn(self) -> None:
        """Let the calls that come at once be prepared one by one, and others be heard between."""
        async with self._turn:
            await asyncio.sleep(0)

    def judge_afterwards(self, call: Call) -> Ruling:
        """What would be ruled on a call that ran without having been asked for; it changes nothing.

        What hooks would say of it nobody knows.
        """
        return self._ruling(call)

    def rule_again(self) -> None:
        """Judge the open tickets anew, after rules, a mode or settings changed."""
        for ticket in self.room.tickets:
            if isinstance(ticket.asks, Call):
                try:
                    self._rule_again(ticket, ticket.asks)
                except Exception as error:  # noqa: BLE001 -- a rule that broke is no leave to go on
                    self.room.settle(ticket.id, endings.failed(error))

    def stop(self, chat: ChatId, by: Actor, because: str) -> None:
        """Refuse whatever waits in a chat, or is being decided."""
        refused = endings.refused(by, because)
        for way in self.ways.values():
            if way.call.chat == chat:
                # Between two steps it has no ticket that could be settled.
                way.stopped = refused
        self.room.settle_chat(chat, refused)

    def refuse(self, call: Call, settlement: Settlement) -> None:
        """Refuse a call that is being asked about."""
        for ticket in self.room.tickets:
            if is_about(ticket, call):
                self.room.settle(ticket.id, settlement)

    def reword(self, call: Call) -> bool:
        """Ask about a call as its agent tells of it by now; False where it is not being asked."""
        ticket = next((ticket for ticket in self.room.tickets if is_about(ticket, call)), None)
        if ticket is None:
            return False
        ruling = after(_REWORDED, self._ruling(call))
        self.amend(evolve(ticket, ruling=ruling), call)
        if ruling.verdict is not Verdict.ASK:
            self.room.settle(ticket.id, endings.by_ruling(ruling))
        return True

    def amend(self, ticket: Ticket, call: Call) -> None:
        """Ask about a call as a person has changed it, on the card that it has."""
        said = ticket.ruling
        self.ledger.rewrite(call, said.because)
        again = self._ticket(call, call.digest, said)
        self.journal.note(records.asked(call, ticket.id, said.because, said.deeds))
        self.room.revise(evolve(again, id=ticket.id, patience=ticket.patience))

    async def _pass_judgement(
        self, call: Call, remake: Remake | None
    ) -> tuple[Call, Settlement, int | None]:
        """The call as hooks leave it, and what is decided of it; what breaks off is refused."""
        way = PendingCall(call=call, heard=call, remake=remake)
        self.ways[call.chat, call.id] = way
        try:
            await self._hear_hooks(way)
            way.digest = way.call.digest
            settlement, row = await self._decide(way)
        except BaseException as error:
            call, settlement = way.call, way.broken_off(error)
            self.ledger.move(call, State.REFUSED, by=settlement.by, because=settlement.because)
            if settlement is not way.final:
                self.journal.note(decided(call, settlement, None))
            raise
        finally:
            del self.ways[call.chat, call.id]
        return way.call, settlement, row

    async def _hear_hooks(self, way: PendingCall) -> None:
        word = way.word = await self.hooks.before(way.call)
        if word.rewritten is None:
            return
        try:
            again = self.with_file_digests(remade(way.remake, word.rewritten))
        except CallUnreadable as error:
            because = f"{word.because} That cannot be done: {error}"
            way.word = HookWord(verdict=Verdict.DENY, because=because)
            return
        self.ledger.rewrite(again)
        way.call = again
        await self._hear_again(way, again)

    async def _hear_again(self, way: PendingCall, call: Call) -> None:
        """Let the hooks hear what a call has become; what they refused stays refused."""
        way.word = after_rewrite(way.word, await self.hooks.before(call), call)
        way.heard = call

    async def _decide(self, way: PendingCall) -> tuple[Settlement, int | None]:
        """Settle a call, keep that, and only then tell it."""
        try:
            settlement, row = await self._settle_for_good(way)
            if way.ticket is not None:
                self._remember(way.call, settlement)
        except JournalUnwritable as error:
            # Nobody is asked a question whose answer could not be kept.
            settlement, row = endings.unkept(error), None
        except BaseException as error:
            # An answer that was not kept is no answer, and nobody is told that it was one.
            if way.ticket is not None:
                self.room.close(way.ticket, way.broken_off(error), None)
            raise
        if way.ticket is not None:
            self.room.close(way.ticket, settlement, row)
        return settlement, row

    async def _settle_for_good(self, way: PendingCall) -> tuple[Settlement, int | None]:
        """Settle a call and keep that; what came to stand against it meanwhile takes another row.

        An open ticket is ruled on again when rules change. A settled one is not open any more.
        """
        while True:
            settlement = evolve(await self._settle(way), deeds=way.deeds)
            settlement, row = await self._keep(way, settlement)
            if settlement.outcome is not Outcome.ALLOWED or self._holds(way, settlement):
                return settlement, row
            way.restart(way.call, _RULED)

    def _holds(self, way: PendingCall, settlement: Settlement) -> bool:
        """Whether what allowed a call would allow it still, as rules and mode stand by now."""
        ruling = self._ruling(way.call)
        kind = settlement.option.kind if settlement.option is not None else None
        by_user = settlement.by is Actor.USER
        if ruling.verdict is Verdict.ASK:
            holds = by_user or (ruling.may_try and kind is OptionKind.TRY)
        else:
            is_held = not ruling.in_sandbox or by_user or _is_on_copy(settlement)
            holds = ruling.verdict is Verdict.ALLOW and is_held
        return way.stopped is None and holds

    async def _settle(self, way: PendingCall) -> Settlement:
        """What is said of a call as it is; what meets a change is ruled on and asked about anew."""
        while True:
            if way.stopped is not None:
                return way.stopped
            ruling = after(way.changed, self._ruling(way.call))
            way.deeds = ruling.deeds
            if ruling.verdict is Verdict.ASK and ruling.may_try and way.ticket is None:
                settlement = endings.tried()
            elif ruling.verdict is Verdict.ASK:
                settlement = self._allowed_before(way, ruling) or await self._ask(way, ruling)
            else:
                settlement = endings.by_ruling(ruling)
            if settlement.outcome is not Outcome.ALLOWED or way.call.digest != way.digest:
                return settlement
            try:
                if not await self._has_changed(way, settlement):
                    return way.stopped or settlement
            except CallUnreadable as error:
                return endings.stale(f"{way.changed} {str(error).removesuffix('.')}.")

    async def _has_changed(self, way: PendingCall, settlement: Settlement) -> bool:
        """Whether a call that was allowed has to be ruled on anew, which it is made ready for."""
        if way.heard is not way.call and await self._has_another_ruling(way, settlement):
            way.restart(way.call, "This call is another than the one that was proposed.")
            return True
        changed = self.why_stale(way.call) if way.remake is not None else None
        # After so many rounds nobody is asked again: the last check refuses it as stale.
        if changed is None or way.remake is None or way.rounds >= _MAX_ROUNDS:
            return False
        way.changed = changed
        again = self.with_file_digests(way.remake(way.call.input))
        await self._hear_again(way, again)
        self.ledger.rewrite(again, changed)
        way.restart(again, changed)
        return True

    async def _has_another_ruling(self, way: PendingCall, settlement: Settlement) -> bool:
        """Whether the answer to what an agent reworded stands against what hooks say of it now.

        However often it was reworded: what runs is what the hooks have heard.
        """
        await self._hear_again(way, way.call)
        verdict = self._ruling(way.call).verdict
        if verdict is Verdict.ASK and settlement.by is not Actor.USER:
            if way.rounds >= _MAX_ROUNDS:
                raise CallUnreadable("It has changed too often to be asked about once more.")
            return True
        return verdict is Verdict.DENY

    def _allowed_before(self, way: PendingCall, ruling: Ruling) -> Settlement | None:
        """A person's answer to exactly this call, where it was shown to them as one of several."""
        is_asked = way.word.verdict is Verdict.ASK
        return None if is_asked else self.covered.take(way.digest, ruling)

    async def _ask(self, way: PendingCall, ruling: Ruling) -> Settlement:
        """Open a ticket, or put back the one that was answered, and wait."""
        call, before = way.call, way.ticket
        ticket = self._ticket(call, way.digest, ruling)
        if before is None:
            way.ticket = ticket
            self.ledger.move(call, State.WAITING, ticket=ticket.id, because=ruling.because)
            ask = self.room.ask
        else:
            ticket, ask = evolve(ticket, id=before.id), self.room.ask_again
        settlement = await ask(ticket, lambda: self._before(way, ticket.id, ruling))
        last = self.room.last(ticket.id)
        if isinstance(last.asks, Call):
            way.ticket, way.call, way.digest = last, last.asks, last.digest
            way.deeds = last.ruling.deeds
        if settlement.outcome is Outcome.ALLOWED:
            self.covered.answered(way.call, last.ruling, self._ruling)
        return settlement

    async def _before(self, way: PendingCall, ticket: TicketId, ruling: Ruling) -> None:
        """Have a person see what a call acts on, and its question on the disk before they do."""
        call = await self.add_screenshot(way.call)
        asked = self.room.ticket(ticket)
        if call is not way.call and asked is not None and asked.asks is way.call:
            way.replace_call(call)
            self.room.revise(evolve(asked, asks=call, digest=call.digest))
        await self.journal.keep(records.asked(way.call, ticket, ruling.because, ruling.deeds))
        await self.wait_for_turn()

    def _ruling(self, call: Call) -> Ruling:
        return decide(call, self._policy_for(call), self.facts(call))

    async def _keep(
        self, way: PendingCall, settlement: Settlement
    ) -> tuple[Settlement, int | None]:
        """A settlement and its row on the disk; what cannot be kept does not run, nor is it sent.

        Without a journal row only refusals take effect.
        """
        call, ticket = way.call, way.ticket.id if way.ticket else None
        if call.digest != way.digest:
            settlement = evolve(endings.changed(), deeds=settlement.deeds)
        allowed = settlement.outcome is Outcome.ALLOWED
        stale = self.why_stale(call) if allowed else None
        if stale is not None:
            settlement, allowed = evolve(endings.stale(stale), deeds=settlement.deeds), False
        way.final = settlement if settlement.outcome in endings.NOTHING else None
        try:
            picture = self.card_of(ticket) if ticket is not None else None
            row = await self.journal.keep(decided(call, settlement, ticket), picture)
        except JournalUnwritable as error:
            unkept = endings.UNKEPT.get(settlement.outcome)
            return (unkept(error) if unkept else settlement), None
        if allowed and (call.digest != way.digest or self.why_stale(call) is not None):
            # It, or its files, changed while its row was being written: that takes another row.
            return await self._keep(way, settlement)
        return settlement, row

    async def _carry_out(self, call: Call, run: Run, settlement: Settlement) -> Ended:
        """Run the call; whatever happens to it, its end is told."""
        ended = Ended(state=State.FAILED)
        try:
            ended = await run(call, settlement)
        except asyncio.CancelledError:
            ended = Ended(state=State.KILLED)
            raise
        finally:
            self.ledger.move(call, ended.state, by=settlement.by, because=settlement.because)
            self.journal.note(records.ended(call, ended.state, ended.output))
        return ended

    def _rule_again(self, ticket: Ticket, call: Call) -> None:
        ruling = self._ruling(call)
        if ruling.verdict is not Verdict.ASK:
            self.room.settle(ticket.id, endings.by_ruling(ruling))
            return
        again = self._ticket(call, ticket.digest, ruling)
        revised = evolve(ticket, ruling=ruling, options=again.options)
        if revised != ticket:
            self.room.revise(revised)

    def _ticket(self, call: Call, digest: str, ruling: Ruling) -> Ticket:
        name, policy = self.agent_name(call.agent), self._policy_for(call)
        drafts = self.rule_suggestions(call, ruling, policy)
        return Ticket(
            id=TicketId(str(uuid4())),
            asks=call,
            digest=digest,
            ruling=ruling,
            options=options_for(call, ruling, policy, name, drafts, modes=self.modes(call)),
            patience=None if call.tool in FOR_PERSON else self.patience(),
        )

    def _remember(self, call: Call, settlement: Settlement) -> None:
        """Turn a kept `for this chat` into a grant, and see what else it covers."""
        chosen = settlement.option.kind if settlement.option else None
        if settlement.outcome is Outcome.ALLOWED and chosen is OptionKind.ALLOW_CHAT:
            if rules := settlement.option.rules if settlement.option else ():
                self.grants.write(
                    call.chat, tuple(rule_of_chat(rule, Verdict.ALLOW) for rule in rules)
                )
            else:
                self.grants.add(grant_for(call))
            self.rule_again()

    def _policy_for(self, call: Call) -> Policy:
        way = self.ways.get((call.chat, call.id))
        policy = under(self.policy(call.chat, call.agent), way.word if way else SILENCE)
        rules = self.grants.written(call.chat)
        return evolve(
            policy,
            rules=(*policy.rules, *self.grants.of(call.chat)),
            more=evolve(policy.book, rules=rules, suspended=frozenset()) if rules else EMPTY,
        )


def _is_on_copy(settlement: Settlement) -> bool:
    return settlement.option is not None and settlement.option.kind.is_on_copy
