"""One chat as every replica must see it: a fold of what happened in it.

`step` takes a happening, changes the transcript and returns the event that tells replicas of the
same change, so that a snapshot and the events before it never disagree.
"""

from collections.abc import Callable

from attrs import define, field

from assent.calls import AgentId, CallId, ChatId
from assent.cards.titles import title_of
from assent.history import events
from assent.policy.modes import Mode
from assent.policy.weight import weigh
from assent.protocol import chats

__all__ = ["Transcript"]

_TITLE = 60
"""A chat is named by the beginning of its first prompt, up to this length."""

_OUTPUT = 64 * 1024
"""How much of a call's output a replica is given; the journal keeps its digest."""


@define
class _Speech:
    """Text that grows."""

    kind: str
    message: str
    pieces: list[str]

    def shown(self) -> chats.Said:
        return chats.Said(kind=self.kind, message_id=self.message, text="".join(self.pieces))  # type: ignore[arg-type]  # one of the three by `Said`


Item = _Speech | chats.CallRecord | chats.Notice


@define
class Transcript:
    """What a chat holds."""

    chat: ChatId
    agent: AgentId
    mode: Mode
    _now: Callable[[], int]
    title: str = "New chat"
    running: bool = False
    plan: tuple[chats.PlanEntry, ...] = ()
    _items: list[Item] = field(factory=list)
    _calls: dict[CallId, int] = field(factory=dict)
    """Where in the items each call's record stands."""

    def shown(self, agent_name: str) -> chats.Chat:
        """The chat whole, for a snapshot."""
        return chats.Chat(
            chat_id=self.chat,
            agent_id=self.agent,
            agent_name=agent_name,
            title=self.title,
            mode=self.mode.value,
            running=self.running,
            gate="advisory",
            plan=list(self.plan),
            items=[item.shown() if isinstance(item, _Speech) else item for item in self._items],
        )

    def step(self, happening: events.Happening) -> chats.Event | None:
        """Take in what happened; the event that tells it, or None where nothing is to be told."""
        match happening:
            case events.Said():
                return self._say(happening)
            case events.CallMoved():
                return self._move(happening)
            case events.CallPrinted():
                return self._print(happening)
            case events.PlanMade():
                return self._make_plan(happening)
            case events.ModeSet():
                self.mode = happening.mode
                return chats.ModeSet(mode=happening.mode.value)
            case events.TurnBegan():
                self.running = True
                return chats.TurnBegan()
            case events.TurnEnded():
                self.running = False
                return chats.TurnEnded(reason=happening.reason, because=happening.because)  # type: ignore[arg-type]  # one of the five by `TurnEnded`
            case events.Noticed():
                return self._notice(happening)
            case events.ChatOpened() | events.ChatClosed() | events.AgentMoved():
                return None

    def _say(self, said: events.Said) -> chats.SaidMore:
        last = self._items[-1] if self._items else None
        if isinstance(last, _Speech) and last.message == said.message:
            last.pieces.append(said.text)
        else:
            self._items.append(_Speech(said.who, said.message, [said.text]))
        if said.who == "user" and self.title == "New chat":
            self.title = " ".join(said.text.split())[:_TITLE] or "New chat"
        return chats.SaidMore(who=said.who, message_id=said.message, append=said.text)  # type: ignore[arg-type]  # one of the three by `Said`

    def _move(self, moved: events.CallMoved) -> chats.CallMoved:
        call = moved.call
        before = self._record(call.id)
        record = chats.CallRecord(
            call_id=call.id,
            approval_id=moved.ticket or (before.approval_id if before else None),
            title=before.title if before else title_of(call),
            level=weigh(call).level.value,
            state=moved.state.value,
            by=moved.by.value if moved.by else None,
            because=moved.because,
            output=before.output if before else "",
            record_id=moved.record or (before.record_id if before else None),
            at=before.at if before else self._now(),
        )
        self._put(call.id, record)
        return chats.CallMoved(call=record)

    def _print(self, printed: events.CallPrinted) -> chats.CallPrinted | None:
        record = self._record(printed.call)
        room = _OUTPUT - len(record.output) if record else 0
        if record is None or room <= 0:
            return None
        text = printed.text[:room]
        self._put(printed.call, record.model_copy(update={"output": record.output + text}))
        return chats.CallPrinted(call_id=printed.call, append=text)

    def _make_plan(self, made: events.PlanMade) -> chats.PlanMade:
        self.plan = tuple(
            chats.PlanEntry(text=line.text, state=line.state)  # type: ignore[arg-type]  # one of the three by `PlanLine`
            for line in made.lines
        )
        return chats.PlanMade(entries=list(self.plan))

    def _notice(self, noticed: events.Noticed) -> chats.Noticed:
        notice = chats.Notice(level=noticed.level, text=noticed.text, at=self._now())  # type: ignore[arg-type]  # one of the three by `Noticed`
        self._items.append(notice)
        return chats.Noticed(notice=notice)

    def _record(self, call: CallId) -> chats.CallRecord | None:
        at = self._calls.get(call)
        record = self._items[at] if at is not None else None
        return record if isinstance(record, chats.CallRecord) else None

    def _put(self, call: CallId, record: chats.CallRecord) -> None:
        at = self._calls.setdefault(call, len(self._items))
        self._items[at : at + 1] = [record]
