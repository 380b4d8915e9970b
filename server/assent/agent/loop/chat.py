"""A chat with our own agent: its turns, their calls, and how they are stopped.

A turn is the work on one prompt; the work on a part of it is a turn within a call. Each call that
a model made comes to exactly one result.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from assent.agent.loop.attachments import Prompt
from assent.agent.loop.budget import Budget
from assent.agent.loop.cancellation import Cancellation
from assent.agent.loop.conversation import Conversation
from assent.agent.loop.model_in_use import Mind
from assent.agent.loop.reach import Reach
from assent.agent.loop.repeats import Repeats
from assent.agent.loop.retry_delays import RetryDelays
from assent.agent.loop.speech import Voice
from assent.agent.loop.spending import Spent
from assent.agent.loop.undo_stack import UndoStack
from assent.agent.loop.wording import BROKEN_BY_HOST, NO_MORE_WRITES, STOPPED
from assent.agent.models.attachments import Attachment
from assent.agent.models.conversation import Replied, Result, Toolcard, Wanted
from assent.agent.tools.registry import toolcards
from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.processes.shell_registry import ShellRegistry
from assent.gate.values import define, evolve, field

__all__ = ["Chat", "Flight", "Turn"]


@define(eq=False)
class Flight:
    """One call of the model, on its way to its result."""

    wanted: Wanted
    most: int
    """How many letters of its result the model is given."""
    tool_call_id: str = ""
    """What the model called it."""
    reach: Reach = field(factory=Reach)
    reached: asyncio.Event = field(factory=asyncio.Event)
    """Set once that is known, or will be no more."""
    is_running: bool = False
    has_run: bool = False
    edited: tuple[str, ...] = ()
    """The files that it changed, by resolved path."""
    has_printed: bool = False
    """Whether the person has seen something of what it does."""
    result: Result | None = None
    remarks: list[str] = field(factory=list)
    """What hooks have to say about it and its steps; never left out of what is long."""
    lost: str = STOPPED
    """What its result says if it comes to none."""
    task: asyncio.Task[None] | None = None

    @property
    def id(self) -> CallId:
        """The call's id, in the house as in the conversation."""
        return CallId(self.wanted.id)

    def begin(self, task: asyncio.Task[None]) -> None:
        """It is on its way, in this task."""
        self.task = task
        task.add_done_callback(lambda _: self.reached.set())

    def come_to(
        self, text: str, *, failed: bool = True, attached: tuple[Attachment, ...] = ()
    ) -> None:
        """This is what the model is told of it, and shown."""
        self.result = evolve(self._result(text, failed=failed), attached=attached)

    def hear(self, remark: str) -> None:
        """A hook has this to say to the model, if anything."""
        if remark:
            self.remarks.append(remark)

    def outcome(self) -> Result:
        """What came of it, whatever happened."""
        result = self.result or self._result(self.lost, failed=True)
        return evolve(result, text="\n\n".join((result.text, *self.remarks)))

    def _result(self, text: str, *, failed: bool) -> Result:
        return Result(call=self.wanted.id, name=self.wanted.name, text=text, failed=failed)


@define(eq=False, kw_only=True)
class Turn:
    """The work on one prompt, or on a part of one."""

    conversation: Conversation
    voice: Voice
    budget: Budget
    patience: RetryDelays
    part: str = ""
    depth: int = 0
    within: "tuple[Turn, Flight] | None" = None
    """The work that it is a part of, and the call of it."""
    mind: Mind | None = None
    """The model that it goes on with, once it was asked for."""
    cancellation: Cancellation = field(factory=Cancellation)
    flights: list[Flight] = field(factory=list)
    """The calls of the reply that is being heard, in order."""
    repeats: Repeats = field(factory=Repeats)
    rounds: int = 0
    insists: bool = False
    """Whether the model goes on changing files although it was told that it may not."""
    stopped_part: str = ""
    """Why a part of this work was stopped that used all that it may, which ends this one too."""
    has_faltered: bool = False
    """Whether the last reply was not whole and came to nothing, and the model was told so."""
    calls_as_text: int = 0
    """How often the model wrote a call as text."""
    has_promised: bool = False
    """Whether the model was told that it called nothing after a promise."""
    is_squeezed: bool = False
    """Whether the conversation was shortened because it turned out to be too long."""
    over: asyncio.Event = field(factory=asyncio.Event)
    ending: tuple[str, str] = ("stopped", "")
    """How it ended, and why, once it is over."""
    _warned_round: int = 0
    """In which round the model was told that no more files may be changed."""

    def before(self, flight: Flight) -> Iterator[Flight]:
        """The calls that stand before this one: in its reply, and in those that it is a part of.

        Other parts are none of these there, since parts are worked on side by side.
        """
        yield from self.flights[: self.flights.index(flight)]
        if self.within is not None:
            outer, part = self.within
            yield from (flight for flight in outer.before(part) if not flight.reach.is_part)

    def break_off(self, spared: frozenset[CallId]) -> None:
        """End the work at once, but for calls whose refusal is on its way to them."""
        self.cancellation.cut()
        for flight in self.flights:
            if flight.task is not None and flight.id not in spared:
                flight.task.cancel()

    def count(self, call: Call) -> str | None:
        """Count a call that changes files; why it may not be made, where there were too many."""
        if self.budget.count(call):
            return None
        self.insists = self.insists or 0 < self._warned_round < self.rounds
        self._warned_round = self._warned_round or self.rounds
        return NO_MORE_WRITES


@define(eq=False, kw_only=True)
class Chat:
    """A chat with our own agent."""

    id: ChatId
    agent: AgentId
    cwd: str
    model: str
    """The id of the model that it goes on with."""
    effort: str | None = None
    """How much the model is to think, as in `Request.effort`."""
    shell_registry: ShellRegistry
    cards: tuple[Toolcard, ...] = field(factory=toolcards)
    """What the model is told of its tools; it takes a while to make them."""
    conversation: Conversation = field(factory=Conversation)
    shelf: UndoStack = field(factory=UndoStack)
    spent: Spent = field(factory=Spent)
    """What its requests came to so far, those of parts of the work too."""
    tried_before: dict[str, str] = field(factory=dict)
    """What came of the command that ran in the sandbox last, by what it was run with."""
    stopped: dict[str, Conversation] = field(factory=dict)
    """The parts of this turn that used all that they may, by name."""
    resumable: dict[str, Conversation] = field(factory=dict)
    """Those of the turn before: the person let it go on, so each can be gone on with."""
    turns: dict[CallId | None, Turn] = field(factory=dict)
    """The turn under way, and those within its calls, by the calls."""
    prompts: int = 0
    has_failed: bool = False
    """Whether its last turn ended in an error of its model, which can be asked again."""
    news: list[str] = field(factory=list)
    """What happened since the model was asked last, and it is to be told."""
    words: list[Prompt] = field(factory=list)
    """What the person said while it worked, and it was not told yet."""

    @property
    def turn(self) -> Turn | None:
        """The work on the person's prompt, if there is one."""
        return self.turns.get(None)

    @contextmanager
    def working(self, turn: Turn, call: CallId | None = None) -> Iterator[None]:
        """While a turn is under way it can be found."""
        self.turns[call] = turn
        try:
            yield
        finally:
            del self.turns[call]
            turn.over.set()

    def let_parts_go_on(self) -> None:
        """The person lets the work go on, and so the parts of it that used all that they may."""
        self.resumable, self.stopped = self.stopped, {}

    def say(self, prompt: Prompt, seen: str = "") -> None:
        """The person goes on, after whatever they did meanwhile, and sees this while they do."""
        self.catch_up()
        self.conversation.inform("seen", seen)
        self._say(prompt)

    def resume(self, seen: str = "") -> None:
        """The model is asked the same again, and told only what is new since."""
        self.catch_up()
        turns = self.conversation.turns
        if turns and isinstance(turns[-1], Replied):
            # What it had said stands, and nobody spoke since.
            self.conversation.note(BROKEN_BY_HOST)
        self.conversation.inform("seen", seen)

    def catch_up(self) -> None:
        """Tell the model what happened meanwhile, and what the person said."""
        news, self.news = self.news, []
        words, self.words = self.words, []
        for line in news:
            self.conversation.note(line)
        for prompt in words:
            self._say(prompt)

    def _say(self, prompt: Prompt) -> None:
        self.conversation.mark(prompt.key)
        if prompt.note:
            self.conversation.note(prompt.note)
        self.conversation.say(prompt.said.text, prompt.said.attached)

    def break_off(self, waiting: frozenset[CallId]) -> None:
        """End all work at once; calls that wait, and those around them, end by being refused."""
        spared = waiting | {call for call in self.turns if call is not None}
        for turn in tuple(self.turns.values()):
            turn.break_off(spared)

    def flight(self, call: CallId) -> Flight | None:
        """The call of that id, if it is one of a turn under way."""
        flights = (flight for turn in self.turns.values() for flight in turn.flights)
        return next((flight for flight in flights if flight.id == call), None)
