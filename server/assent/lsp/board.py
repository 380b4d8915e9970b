"""The board: everything that replicas see, in one place: chats, open tickets, agents, banners.

It listens to what happens and passes it on, numbered. It decides nothing.
"""

from collections.abc import Callable

from attrs import define, field

from assent.approvals.tickets import Settlement, Ticket
from assent.calls import AgentId, ChatId
from assent.cards.draw import Setting
from assent.history import events
from assent.lsp.stream import Stream
from assent.lsp.transcript import Transcript
from assent.lsp.wording import request_shape, settled_shape
from assent.policy.modes import Mode
from assent.protocol import approvals, chats, happenings, replicas

__all__ = ["Board", "Facts"]


@define
class Facts:
    """What holds for the whole workspace, as replicas are told."""

    trusted: bool = False
    mode: Mode = Mode.ASK
    banners: tuple[str, ...] = ()


@define
class Board:
    """One for the whole server."""

    stream: Stream
    _now: Callable[[], int]
    _tickets: Callable[[], tuple[Ticket, ...]]
    _expires_in: Callable[[Ticket], float | None]
    _agents: Callable[[], list[chats.AgentInfo]]
    _agent_name: Callable[[AgentId], str]
    facts: Facts = field(factory=Facts)
    _chats: dict[ChatId, Transcript] = field(factory=dict)
    _asked_at: dict[str, int] = field(factory=dict)

    def subscribe(self, params: replicas.Subscribe) -> replicas.Subscribed:
        """`agent/subscribe`."""
        return self.stream.subscribe(params.have, self.snapshot)

    def chat(self, chat: ChatId) -> Transcript | None:
        """One chat, if there is such a one."""
        return self._chats.get(chat)

    def tell(self, happening: events.Happening) -> None:
        """Take in what happened and pass it on."""
        match happening:
            case events.ChatOpened():
                self._open(happening)
            case events.ChatClosed():
                self._chats.pop(happening.chat, None)
                self.stream.event(happening.chat, happenings.ChatClosed())
            case events.AgentMoved():
                self.tell_agents()
            case events.CallMoved():
                self._pass_on(happening.call.chat, happening)
            case _:
                self._pass_on(happening.chat, happening)

    def tell_agents(self) -> None:
        """Tell the agents as they stand."""
        self.stream.event(None, happenings.AgentsChanged(agents=self._agents()))

    def tell_facts(self, facts: Facts) -> None:
        """Tell what holds for the whole workspace."""
        self.facts = facts
        self.stream.event(
            None,
            happenings.WorkspaceChanged(
                trusted=facts.trusted,
                default_mode=facts.mode.value,
                banners=list(facts.banners),
            ),
        )

    def tell_ticket(self, ticket: Ticket) -> None:
        """Tell of a ticket that was opened or changed."""
        self._asked_at.setdefault(ticket.id, self._now())
        self.stream.request(lambda seq: self.request(ticket, seq))

    def tell_settled(self, ticket: Ticket, settlement: Settlement, record: int | None) -> None:
        """Tell how a ticket ended."""
        self._asked_at.pop(ticket.id, None)
        self.stream.settled(
            lambda seq: settled_shape(
                ticket, settlement, epoch=self.stream.epoch, seq=seq, record=record
            )
        )

    def request(self, ticket: Ticket, seq: int) -> approvals.ApprovalRequest:
        """A ticket as it is shown now."""
        now = self._now()
        return request_shape(
            ticket,
            self._setting(ticket.chat),
            epoch=self.stream.epoch,
            seq=seq,
            asked_at=self._asked_at.get(ticket.id, now),
            now=now,
            expires_in=self._expires_in(ticket),
        )

    def snapshot(self, seq: int) -> replicas.Snapshot:
        """Everything, for somebody who knows nothing yet."""
        return replicas.Snapshot(
            agents=self._agents(),
            chats=[chat.shown(self._agent_name(chat.agent)) for chat in self._chats.values()],
            tickets=[self.request(ticket, seq) for ticket in self._tickets()],
            trusted=self.facts.trusted,
            default_mode=self.facts.mode.value,
            banners=list(self.facts.banners),
        )

    def _open(self, opened: events.ChatOpened) -> None:
        transcript = Transcript(
            opened.chat, opened.agent, opened.mode, self._now, model=opened.model
        )
        self._chats[opened.chat] = transcript
        shown = transcript.shown(self._agent_name(opened.agent))
        self.stream.event(opened.chat, happenings.ChatOpened(chat=shown))

    def _pass_on(self, chat: ChatId, happening: events.Happening) -> None:
        transcript = self._chats.get(chat)
        event = transcript.step(happening) if transcript else None
        if event is not None:
            self.stream.event(chat, event)

    def _setting(self, chat: ChatId | None) -> Setting:
        transcript = self._chats.get(chat) if chat else None
        return Setting(
            agent_name=lambda agent: self._agent_name(AgentId(agent)),
            chat_title=transcript.title if transcript else "",
            mode=transcript.mode if transcript else self.facts.mode,
        )
