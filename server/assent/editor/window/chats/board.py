"""The board: everything that replicas see: chats, open tickets, agents, banners.

It listens to what happens and passes it on, numbered. It decides nothing. Whatever there is of
chats and tickets, a snapshot of them fits in one message: it has the last of each chat and the
cards of the first tickets, and tells how to get the others.
"""

from collections.abc import Callable
from typing import Final

from assent.editor.cards.draw import Setting
from assent.editor.cards.stored_card import kept_of
from assent.editor.protocol import approvals, chats, happenings, replicas
from assent.editor.window.chats.archive import Archive
from assent.editor.window.chats.call_records import JudgedCalls
from assent.editor.window.chats.cut_to_size import cut_line
from assent.editor.window.chats.entries import Entries, shares_of
from assent.editor.window.chats.stream import Stream
from assent.editor.window.chats.transcript import Transcript
from assent.editor.window.chats.wording import request_shape, settled_shape
from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Settlement, Ticket, TicketId
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode
from assent.gate.journal import events
from assent.gate.text.shortening import shortened
from assent.gate.values import define, evolve, field

__all__ = ["MAX_CARD_BYTES", "MAX_CHATS", "Board", "Facts"]

MAX_CHATS: Final = 64
"""How many may be open at once."""

MAX_CARD_BYTES: Final = 12 * 1024 * 1024
"""In bytes: a question that takes more is not asked; and so many for all in one snapshot."""

_MAX_CARDS: Final = 50
"""So many are drawn for one snapshot; a view asks for the others one by one."""

_MAX_ENTRIES_BYTES: Final = 8 * 1024 * 1024
"""In bytes: the entries of all chats in one snapshot."""

_MAX_REASON_LETTERS: Final = 16_000
"""In characters: why an agent failed."""

_MAX_RESUMED_BYTES: Final = 64 * 1024
"""In bytes: the entries of a chat that comes back."""


@define
class Facts:
    """What holds for the whole workspace, as replicas are told."""

    trusted: bool = False
    mode: Mode = Mode.ASK
    banners: tuple[str, ...] = ()


@define
class _Asked:
    """What is kept of an open ticket beside it."""

    at: int
    sent: bytes
    """The question with its card, as it was shown last."""


@define
class Board:
    """One for the whole server."""

    stream: Stream
    _now: Callable[[], int]
    _room: WaitingRoom
    archive: Callable[[], Archive]
    """Where a chat's older entries go, and its calls as they were judged."""
    agents: Callable[[], list[chats.AgentInfo]] = list
    """Lists the agents as they stand."""
    agent_name: Callable[[AgentId], str] = str
    touched: Callable[[ChatId], None] = lambda _: None
    """Called when something has happened in a chat."""
    heard: Callable[[events.Happening], None] = lambda _: None
    """Called with all that is told, before anybody else hears of it."""
    facts: Facts = field(factory=Facts)
    moved: dict[AgentId, events.AgentMoved] = field(factory=dict)
    """How the agents' processes fare."""
    all: dict[ChatId, Transcript] = field(factory=dict)
    """The chats, in the order in which they came."""
    _asked: dict[str, "_Asked"] = field(factory=dict)

    def subscribe(self, params: replicas.Subscribe) -> replicas.Subscribed:
        """`agent/subscribe`."""
        return self.stream.subscribe(params.have, self.snapshot)

    def chat(self, chat: ChatId) -> Transcript | None:
        """One chat, if there is such a one."""
        return self.all.get(chat)

    def known(self, chat: str) -> Transcript:
        """One chat; raise where there is no such one."""
        transcript = self.all.get(ChatId(chat))
        if transcript is None:
            raise AssentError("There is no such chat.")
        return transcript

    def tell(self, happening: events.Happening) -> None:
        """Take in what happened and pass it on."""
        self.heard(happening)
        match happening:
            case events.ChatOpened():
                self._open(happening)
            case events.ChatClosed():
                self._close(happening.chat)
                self.stream.event(happening.chat, happenings.ChatClosed())
            case events.AgentMoved():
                because = shortened(happening.because, _MAX_REASON_LETTERS)
                self.moved[happening.agent] = evolve(happening, because=because)
                self.tell_agents()
            case events.CallMoved():
                self._pass_on(happening.call.chat, happening)
            case _:
                self._pass_on(happening.chat, happening)

    def tell_agents(self) -> None:
        """Tell the agents as they stand."""
        self.stream.event(None, happenings.AgentsChanged(agents=self.agents()))

    def tell_facts(self, facts: Facts) -> None:
        """Tell what holds for the whole workspace."""
        self.facts = facts
        self.stream.event(
            None,
            happenings.WorkspaceChanged(
                trusted=facts.trusted, default_mode=facts.mode.value, banners=list(facts.banners)
            ),
        )

    def tell_ticket(self, ticket: Ticket) -> None:
        """Tell of a ticket that was opened or changed."""
        before = self._asked.pop(ticket.id, None)
        at = before.at if before else self._now()
        sent = self.stream.request(lambda seq: self.request(ticket, seq), MAX_CARD_BYTES)
        if sent is None:
            # Not even a part of it is shown: nobody should answer what they cannot see whole.
            self._room.settle(ticket.id, endings.too_large())
        else:
            self._asked[ticket.id] = _Asked(at, sent)

    def tell_settled(self, ticket: Ticket, settlement: Settlement, record: int | None) -> None:
        """Tell how a ticket ended."""
        self._asked.pop(ticket.id, None)
        self.stream.settled(
            lambda seq: settled_shape(
                ticket, settlement, epoch=self.stream.epoch, seq=seq, record=record
            )
        )

    def card_of(self, ticket: str) -> Callable[[], str] | None:
        """What is kept of an open ticket's card, as it was shown last; None where it was not."""
        asked = self._asked.get(ticket)
        return None if asked is None else lambda: kept_of(asked.sent)

    def request(self, ticket: Ticket, seq: int) -> approvals.ApprovalRequest:
        """A ticket as it is shown now."""
        now = self._now()
        asked = self._asked.get(ticket.id)
        return request_shape(
            ticket,
            self._setting(ticket.chat),
            epoch=self.stream.epoch,
            seq=seq,
            asked_at=asked.at if asked else now,
            now=now,
            expires_in=self._room.expires_in(ticket.id),
        )

    def snapshot(self, seq: int) -> replicas.Snapshot:
        """Everything, for somebody who knows nothing yet."""
        shares = shares_of(
            {chat: transcript.weight for chat, transcript in self.all.items()}, _MAX_ENTRIES_BYTES
        )
        tickets, more = self._fitting()
        return replicas.Snapshot(
            agents=self.agents(),
            chats=[
                transcript.shown(self.agent_name(transcript.agent), shares[chat])
                for chat, transcript in self.all.items()
            ],
            tickets=[self.request(ticket, seq) for ticket in tickets],
            more=[ticket.id for ticket in more],
            trusted=self.facts.trusted,
            default_mode=self.facts.mode.value,
            banners=list(self.facts.banners),
        )

    def card(self, params: approvals.WantCard) -> approvals.CardShown:
        """`tool/card`."""
        ticket = self._room.ticket(TicketId(params.approval_id))
        request = self.request(ticket, self.stream.seq) if ticket is not None else None
        return approvals.CardShown(request=request)

    def turns(self, params: chats.WantTurns) -> chats.Turns:
        """`agent/turns`."""
        return self.known(params.chat_id).page(params.before, params.limit)

    @property
    def is_full(self) -> bool:
        """Whether as many chats are open as may be."""
        return len(self.all) >= MAX_CHATS

    def close(self) -> None:
        """Close the files of older entries; nothing is told any more."""
        for transcript in self.all.values():
            transcript.close()

    def _fitting(self) -> tuple[list[Ticket], list[Ticket]]:
        """The open tickets whose cards fit into one snapshot, and those after them."""
        shown = [ticket for ticket in self._room.tickets if ticket.id in self._asked]
        size = 0
        for place, ticket in enumerate(shown):
            size += len(self._asked[ticket.id].sent)
            if size > MAX_CARD_BYTES or place == _MAX_CARDS:
                return shown[:place], shown[place:]
        return shown, []

    def _close(self, chat: ChatId) -> None:
        transcript = self.all.pop(chat, None)
        if transcript is not None:
            transcript.close()

    def _open(self, opened: events.ChatOpened) -> None:
        transcript = Transcript(
            opened.chat,
            opened.agent,
            opened.mode,
            self._now,
            entries=Entries(self.archive()),
            judged=JudgedCalls(self.archive()),
        )
        transcript.set_model(opened)
        transcript.title = cut_line(opened.title) or transcript.title
        self.all[opened.chat] = transcript
        shown = transcript.shown(self.agent_name(opened.agent), 0)
        self.stream.event(opened.chat, happenings.ChatOpened(chat=shown))

    def bring(self, transcript: Transcript) -> None:
        """Show a chat of before; one that is shown already is then this one."""
        self._close(transcript.chat)
        self.all[transcript.chat] = transcript
        shown = transcript.shown(self.agent_name(transcript.agent), _MAX_RESUMED_BYTES)
        self.stream.event(transcript.chat, happenings.ChatOpened(chat=shown))

    def _pass_on(self, chat: ChatId, happening: events.Happening) -> None:
        transcript = self.all.get(chat)
        for event in transcript.step(happening) if transcript else ():
            self.stream.event(chat, event)
        if transcript is not None:
            self.touched(chat)

    def _setting(self, chat: ChatId | None) -> Setting:
        transcript = self.all.get(chat) if chat else None
        return Setting(
            agent_name=lambda agent: self.agent_name(AgentId(agent)),
            chat_title=transcript.title if transcript else "",
            mode=transcript.mode if transcript else self.facts.mode,
        )
