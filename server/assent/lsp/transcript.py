"""One chat as every replica must see it: a fold of what happened in it.

`step` takes a happening, changes the transcript and returns the event that tells replicas of the
same change, so that a snapshot and the events before it never disagree.
"""

from collections.abc import Callable

from attrs import define, field

from assent.calls import AgentId, CallId, ChatId
from assent.cards.titles import title_of
from assent.history import events
from assent.lifecycle import State
from assent.lsp.callshapes import may_of, shell_shape, usage_shape
from assent.policy.modes import Mode
from assent.policy.weight import weigh
from assent.protocol import chats, happenings, records

__all__ = ["Transcript"]

_TITLE = 60
"""A chat is named by the beginning of its first prompt, up to this length."""

_ENDED_SHELLS = 5
"""How many shells that have ended are still listed."""

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


Item = _Speech | records.CallRecord | chats.Notice


@define
class Transcript:
    """What a chat holds."""

    chat: ChatId
    agent: AgentId
    mode: Mode
    _now: Callable[[], int]
    title: str = "New chat"
    running: bool = False
    model: str = ""
    plan: tuple[chats.PlanEntry, ...] = ()
    usage: chats.Usage | None = None
    shells: dict[str, records.ShellInfo] = field(factory=dict)
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
            model=self.model,
            plan=list(self.plan),
            shells=list(self.shells.values()),
            usage=self.usage,
            items=[item.shown() if isinstance(item, _Speech) else item for item in self._items],
        )

    def step(  # noqa: C901, PLR0912 -- one row for each, and the type checker misses none
        self, happening: events.Happening
    ) -> happenings.Event | None:
        """Take in what happened; the event that tells it, or None where nothing is to be told."""
        match happening:
            case events.Said():
                return self._say(happening)
            case events.CallMoved():
                return self._move(happening)
            case events.CallPrinted():
                return self._print(happening)
            case events.CallUndone():
                return self._undo(happening)
            case events.PlanMade():
                return self._make_plan(happening)
            case events.ShellMoved():
                return self._move_shell(happening)
            case events.Used():
                self.usage = usage_shape(happening)
                return happenings.Used(usage=self.usage)
            case events.ModeSet():
                self.mode = happening.mode
                return happenings.ModeSet(mode=happening.mode.value)
            case events.ModelSet():
                self.model = happening.model
                return happenings.ModelSet(model=happening.model)
            case events.TurnBegan():
                self.running = True
                return happenings.TurnBegan()
            case events.TurnEnded():
                self.running = False
                return happenings.TurnEnded(reason=happening.reason, because=happening.because)  # type: ignore[arg-type]  # one of the five by `TurnEnded`
            case events.Noticed():
                return self._notice(happening)
            case events.ChatOpened() | events.ChatClosed() | events.AgentMoved():
                return None

    def _say(self, said: events.Said) -> happenings.SaidMore:
        last = self._items[-1] if self._items else None
        if isinstance(last, _Speech) and last.message == said.message:
            last.pieces.append(said.text)
        else:
            self._items.append(_Speech(said.who, said.message, [said.text]))
        if said.who == "user" and self.title == "New chat":
            self.title = " ".join(said.text.split())[:_TITLE] or "New chat"
        return happenings.SaidMore(who=said.who, message_id=said.message, append=said.text)  # type: ignore[arg-type]  # one of the three by `Said`

    def _move(self, moved: events.CallMoved) -> happenings.CallMoved:
        call = moved.call
        before = self._record(call.id)
        record = records.CallRecord(
            call_id=call.id,
            approval_id=moved.ticket or (before.approval_id if before else None),
            title=before.title if before and moved.state is not State.PROPOSED else title_of(call),
            level=weigh(call).level.value,
            state=moved.state.value,
            by=moved.by.value if moved.by else None,
            because=moved.because,
            output=before.output if before else "",
            record_id=moved.record or (before.record_id if before else None),
            at=before.at if before else self._now(),
            part=call.part,
            may=may_of(call, moved.state),
        )
        self._put(call.id, record)
        return happenings.CallMoved(call=record)

    def _print(self, printed: events.CallPrinted) -> happenings.CallPrinted | None:
        record = self._record(printed.call)
        room = _OUTPUT - len(record.output) if record else 0
        if record is None or room <= 0:
            return None
        text = printed.text[:room]
        self._put(printed.call, record.model_copy(update={"output": record.output + text}))
        return happenings.CallPrinted(call_id=printed.call, append=text)

    def _undo(self, undone: events.CallUndone) -> happenings.CallMoved | None:
        record = self._record(undone.call)
        if record is None:
            return None
        before = record.because.removesuffix(".")
        because = f"{before}. You undid it." if before else "You undid it."
        record = record.model_copy(update={"may": [], "because": because})
        self._put(undone.call, record)
        return happenings.CallMoved(call=record)

    def _move_shell(self, moved: events.ShellMoved) -> happenings.ShellMoved:
        before = self.shells.pop(moved.shell, None)
        shell = shell_shape(moved, before.at if before else self._now())
        self.shells[shell.shell_id] = shell
        ended = [it.shell_id for it in self.shells.values() if it.state != "running"]
        for gone in ended[:-_ENDED_SHELLS]:
            del self.shells[gone]
        return happenings.ShellMoved(shell=shell)

    def _make_plan(self, made: events.PlanMade) -> happenings.PlanMade:
        self.plan = tuple(
            chats.PlanEntry(text=line.text, state=line.state)  # type: ignore[arg-type]  # one of the three by `PlanLine`
            for line in made.lines
        )
        return happenings.PlanMade(entries=list(self.plan))

    def _notice(self, noticed: events.Noticed) -> happenings.Noticed:
        notice = chats.Notice(level=noticed.level, text=noticed.text, at=self._now())  # type: ignore[arg-type]  # one of the three by `Noticed`
        self._items.append(notice)
        return happenings.Noticed(notice=notice)

    def _record(self, call: CallId) -> records.CallRecord | None:
        at = self._calls.get(call)
        record = self._items[at] if at is not None else None
        return record if isinstance(record, records.CallRecord) else None

    def _put(self, call: CallId, record: records.CallRecord) -> None:
        at = self._calls.setdefault(call, len(self._items))
        self._items[at : at + 1] = [record]
