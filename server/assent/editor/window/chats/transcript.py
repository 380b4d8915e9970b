"""One chat as every replica must see it, computed from its events.

`step` takes a happening, changes the transcript and returns the events that tell replicas of the
same change, so that a snapshot and the events before it never disagree. Whatever an agent does,
each entry and each event has a bound, and so has what is kept in memory of all of them.
"""

from collections.abc import Callable
from typing import Final

from assent.editor.lsp.wire import written
from assent.editor.protocol import agents, chats, happenings, records
from assent.editor.protocol.card import Span
from assent.editor.protocol.changes import ChangedFile, FilesUndone
from assent.editor.protocol.changes import FilesChanged as FilesTold
from assent.editor.window.chats.agent_shapes import (
    commands_shape,
    draft_shape,
    label,
    log_in_shape,
    picture_shape,
    settings_shape,
    sound_shape,
)
from assent.editor.window.chats.call_records import CallRecords, JudgedCalls
from assent.editor.window.chats.call_shapes import (
    changes_shape,
    offer_shape,
    plan_shape,
    shell_shape,
    undone_shape,
    usage_shape,
    waiting_shape,
)
from assent.editor.window.chats.cut_to_size import cut_line, cut_lines, pieces_of
from assent.editor.window.chats.entries import Entries, Item, beside
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.modes import Mode
from assent.gate.journal import agent_events, events
from assent.gate.journal.file_changes import FilesChanged
from assent.gate.journal.flows import FlowMoved
from assent.gate.text.shortening import bytes_of
from assent.gate.values import define, field

__all__ = ["Transcript"]

_MAX_TITLE_LETTERS: Final = 60
"""A chat is named by the beginning of its first prompt, up to this length."""

_MAX_ENDED_SHELLS: Final = 5
"""How many shells that have ended are still listed."""

_MAX_PARAGRAPH_BYTES: Final = 64 * 1024
"""In bytes on the wire: what is said beyond it goes into an entry of its own."""


@define
class Transcript:
    """What a chat holds."""

    chat: ChatId
    agent: AgentId
    mode: Mode
    _now: Callable[[], int]
    title: str = "New chat"
    is_named: bool = False
    """Whether the person gave it its title."""
    asked: str = ""
    """What the person said last; nothing where they have not said anything."""
    is_elsewhere: bool = False
    """Whether another window has it, so that it can only be read here."""
    base: int = 0
    """The number of the first entry that was not only kept before it came back."""
    kept_from: int = 0
    """The number of the first of those that are kept before that."""
    before_plan: Mode | None = None
    """The mode that it had before it went into Plan mode last."""
    modes_set: int = 0
    """How often its mode was set, be it to the same."""
    running: bool = False
    model: str = ""
    effort: chats.Effort | None = None
    efforts: list[chats.Effort] = field(factory=list)
    plan: tuple[chats.PlanEntry, ...] = ()
    agent_title: str = ""
    commands: tuple[agents.AgentCommand, ...] = ()
    settings: tuple[agents.AgentSetting, ...] = ()
    loose: str = ""
    left_out: str = ""
    log_in: agents.LogIn | None = None
    usage: chats.Usage | None = None
    limit: str = ""
    waiting: chats.Waiting | None = None
    drafted: tuple[Span, ...] = ()
    changes: list[ChangedFile] = field(factory=list)
    undone: FilesUndone | None = None
    gate: events.GateSeen = field(init=False)
    shells: dict[str, records.ShellInfo] = field(factory=dict)
    _entries: Entries = field(kw_only=True)
    _judged: JudgedCalls = field(kw_only=True)
    calls: CallRecords = field(init=False)
    _message: str = ""
    """Which message the last entry is of, if it is one."""
    _said: int = 0
    """How many bytes of it stand in that entry."""

    def __attrs_post_init__(self) -> None:
        self.gate = events.GateSeen(chat=self.chat, gate="advisory", passed=0, tools=0)
        self.calls = CallRecords(self._entries, self._judged, self._now)

    @property
    def weight(self) -> int:
        """How many bytes its entries in memory are on the wire."""
        return self._entries.weight

    def page(self, before: int, limit: int) -> chats.Turns:
        """Older entries, from memory or from disk."""
        first, items = self._entries.page(before, limit)
        kept_from = self._entries.kept_from
        if kept_from <= self.base:
            kept_from = self.kept_from
        return chats.Turns(first=first, items=items, kept_from=kept_from)

    def come_back(self, items: list[Item], kept_from: int, ended: dict[int, bytes]) -> None:
        """Begin with what was kept: these are the last entries, and these have changed since.

        With those that have changed stands what is kept of their calls.
        """
        self.kept_from = kept_from
        for item in items:
            self._entries.add(item)
        self._entries.changed = set(ended)
        for number, kept in ended.items():
            self._judged.put_kept(number, kept)

    def tell(self, notice: chats.Notice) -> None:
        """Say something that nobody has to be told of by itself."""
        self._entries.add(notice)

    def take_changed(self) -> dict[int, Item]:
        """The entries that are others than when this was asked last, by their numbers."""
        numbers, self._entries.changed = sorted(self._entries.changed), set()
        items = {number: self._entries.get(number) for number in numbers}
        return {number: item for number, item in items.items() if item is not None}

    def entry(self, number: int) -> Item | None:
        """One entry of this run; None where it is not kept here."""
        return self._entries.get(number) if self.base <= number < self.length else None

    def judged(self, number: int) -> bytes:
        """What is kept of the call of an entry, as it was judged; nothing where none is."""
        return self._judged.get(number)

    def body(self, number: int, item: Item) -> bytes:
        """An entry as it is kept, with its call."""
        return beside(written(item), self.judged(number))

    @property
    def length(self) -> int:
        """How many entries there are, wherever they are."""
        return len(self._entries)

    def close(self) -> None:
        """The chat is gone, and what is on disk of it."""
        self._entries.close()
        self._judged.close()

    def shown(self, agent_name: str, most: int) -> chats.Chat:
        """The chat with the last of its entries, as many bytes of them as are wanted."""
        first, items = self._entries.newest(most)
        return chats.Chat(
            chat_id=self.chat,
            agent_id=self.agent,
            agent_name=agent_name,
            title=self.title,
            mode=self.mode.value,
            running=self.running,
            gate=self.gate.gate,  # type: ignore[arg-type]  # one of the three by `GateSeen`
            passed=self.gate.passed,
            tools=self.gate.tools,
            model=self.model,
            effort=self.effort,
            efforts=self.efforts,
            plan=list(self.plan),
            agent_title=self.agent_title,
            commands=list(self.commands),
            settings=list(self.settings),
            loose=self.loose,
            left_out=self.left_out,
            log_in=self.log_in,
            shells=list(self.shells.values()),
            usage=self.usage,
            limit=self.limit,
            waiting=self._waiting_now(),
            drafted=list(self.drafted),
            changes=self.changes,
            undone=self.undone,
            elsewhere=self.is_elsewhere,
            first=first,
            items=items,
        )

    def step(self, happening: events.Happening) -> list[happenings.Event]:
        """Take in what happened; the events that tell it."""
        match happening:
            case events.Said():
                reports = self._say(happening)
            case events.ChatOpened() | events.ChatClosed() | events.AgentMoved():
                reports = []
            case _:
                event = self._take(happening)
                reports = [] if event is None else [event]
        if self._entries.trim(self.calls.put_away):
            reports.append(happenings.Archived(first=self._entries.first))
        return reports

    def _take(  # noqa: C901, PLR0912 -- one row for each, and the type checker misses none
        self, happening: events.OneStep
    ) -> happenings.Event | None:
        match happening:
            case events.CallMoved():
                return self.calls.move(happening)
            case events.CallPrinted():
                return self.calls.print(happening)
            case events.CallUndone() | FlowMoved():
                return self.calls.change(happening)
            case events.PlanMade():
                return self._make_plan(happening)
            case events.ShellMoved():
                return self._move_shell(happening)
            case events.Used():
                return self._use(happening)
            case events.ChatNamed() | agent_events.AgentTitled():
                return self._name(happening)
            case agent_events.CommandsTold():
                self.commands = commands_shape(happening)
                return agents.CommandsTold(commands=list(self.commands))
            case agent_events.OptionsTold():
                return self._set_options(happening)
            case agent_events.LogInTold():
                self.log_in = log_in_shape(happening)
                return agents.LogInTold(log_in=self.log_in)
            case agent_events.Pictured() | agent_events.Sounded():
                return self._show(happening)
            case events.Waiting():
                return self._wait(happening)
            case FilesChanged():
                return self._change_files(happening)
            case agent_events.Drafted():
                self.drafted = draft_shape(happening)
                return happenings.Drafted(line=list(self.drafted))
            case events.ModeSet():
                self._set_mode(happening.mode)
                return happenings.ModeSet(mode=happening.mode.value)
            case events.ModelSet():
                return self.set_model(happening)
            case events.GateSeen():
                return self._see_gate(happening)
            case events.TurnBegan():
                self.running, self.limit = True, ""
                return happenings.TurnBegan()
            case events.TurnEnded():
                return self._end_turn(happening)
            case events.Noticed():
                return self._notice(happening)

    def _name(
        self, happening: events.ChatNamed | agent_events.AgentTitled
    ) -> happenings.ChatNamed | agents.AgentTitled | None:
        """What the person calls it stands, whatever its agent does."""
        if isinstance(happening, events.ChatNamed):
            self.title, self.is_named, self.agent_title = cut_line(happening.title), True, ""
            return happenings.ChatNamed(title=self.title)
        if self.is_named:
            return None
        self.agent_title = label(happening.title)
        return agents.AgentTitled(title=self.agent_title)

    def _set_options(self, options: agent_events.OptionsTold) -> agents.OptionsTold:
        self.settings, self.loose = settings_shape(options), cut_line(options.loose)
        self.left_out = cut_line(options.left_out)
        return agents.OptionsTold(
            settings=list(self.settings), loose=self.loose, left_out=self.left_out
        )

    def _change_files(self, changed: FilesChanged) -> FilesTold:
        self.changes = changes_shape(changed, self.changes)
        self.undone = undone_shape(changed)
        return FilesTold(files=self.changes, undone=self.undone)

    def _use(self, used: events.Used) -> happenings.Used:
        self.usage = usage_shape(used)
        return happenings.Used(usage=self.usage)

    def _wait(self, waiting: events.Waiting) -> happenings.WaitsForModel:
        self.waiting = waiting_shape(waiting, self._now())
        return happenings.WaitsForModel(waiting=self.waiting)

    def _end_turn(self, ended: events.TurnEnded) -> happenings.TurnEnded:
        self.running, because = False, cut_line(ended.because)
        self.limit = because if ended.reason == "limit" else ""
        return happenings.TurnEnded(reason=ended.reason, because=because)  # type: ignore[arg-type]  # one of the five by `TurnEnded`

    def _set_mode(self, mode: Mode) -> None:
        if mode is Mode.PLAN and self.mode is not Mode.PLAN:
            self.before_plan = self.mode
        self.mode = mode
        self.modes_set += 1

    def _waiting_now(self) -> chats.Waiting | None:
        return self.waiting and self.waiting.model_copy(update={"now": self._now()})

    def _say(self, said: events.Said) -> list[happenings.Event]:
        self.asked = said.text if said.who == "user" else self.asked
        if said.who == "user" and self.title == "New chat":
            self.title = " ".join(said.text.split())[:_MAX_TITLE_LETTERS] or "New chat"
        return [self._say_piece(said, piece) for piece in pieces_of(said.text)]

    def _say_piece(self, said: events.Said, text: str) -> happenings.SaidMore:
        length, last, names = bytes_of(text), self._entries.last, list[str]()
        goes_on = isinstance(last, chats.Said) and self._message == said.message
        if isinstance(last, chats.Said) and goes_on and self._said <= _MAX_PARAGRAPH_BYTES:
            self._said += length
            message = last.message_id
            more = last.model_copy(update={"text": last.text + text})
            self._entries.grow(more, length)
        else:
            message = f"{said.message}+{len(self._entries)}" if goes_on else said.message
            self._message, self._said = said.message, length
            names = [] if goes_on else cut_lines(list(said.references))
            item = chats.Said(kind=said.who, message_id=message, text=text, references=names)  # type: ignore[arg-type]  # one of the three by `Said`
            self._entries.add(item)
        return happenings.SaidMore(
            who=said.who,  # type: ignore[arg-type]  # one of the three by `Said`
            message_id=message,
            append=text,
            references=names,
        )

    def _move_shell(self, moved: events.ShellMoved) -> happenings.ShellMoved:
        self.calls.move_shell(moved)
        before = self.shells.pop(moved.shell, None)
        shell = shell_shape(moved, before.at if before else self._now())
        self.shells[shell.shell_id] = shell
        ended = [shell.shell_id for shell in self.shells.values() if shell.state != "running"]
        for gone in ended[:-_MAX_ENDED_SHELLS]:
            del self.shells[gone]
        return happenings.ShellMoved(shell=shell)

    def set_model(self, model_set: events.ModelSet | events.ChatOpened) -> happenings.ModelSet:
        """The chat has this model, which thinks so much."""
        self.model = cut_line(model_set.model)
        self.effort = model_set.effort or None  # type: ignore[assignment]  # the table's words
        self.efforts = list(model_set.efforts)  # type: ignore[arg-type]  # the same
        return happenings.ModelSet(model=self.model, effort=self.effort, efforts=self.efforts)

    def _make_plan(self, made: events.PlanMade) -> happenings.PlanMade:
        self.plan = plan_shape(made)
        return happenings.PlanMade(entries=list(self.plan))

    def _see_gate(self, seen: events.GateSeen) -> happenings.GateSeen:
        self.gate = seen
        return happenings.GateSeen(gate=seen.gate, passed=seen.passed, tools=seen.tools)  # type: ignore[arg-type]  # one of the three by `GateSeen`

    def _notice(self, noticed: events.Noticed) -> happenings.Noticed:
        notice = chats.Notice(
            level=noticed.level,  # type: ignore[arg-type]  # one of the three by `Noticed`
            text=cut_line(noticed.text),
            at=self._now(),
            offer=offer_shape(noticed),
            back_to=noticed.back_to or None,
            alarm=noticed.alarm,
        )
        self._entries.add(notice)
        return happenings.Noticed(notice=notice)

    def _show(
        self, event: agent_events.Pictured | agent_events.Sounded
    ) -> agents.Pictured | agents.Sounded:
        if isinstance(event, agent_events.Sounded):
            sound = sound_shape(event)
            self._entries.add(sound)
            return agents.Sounded(sound=sound)
        picture = picture_shape(event)
        self._entries.add(picture)
        return agents.Pictured(picture=picture)
