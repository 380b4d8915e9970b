"""Our own agent with all that stands around it for real: gate, journal, room, tools on a disk.

Played are the person, who answers what the window was shown, and the model, which says what a
test lets it say, when the test lets it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from attrs import evolve

from assent.agent.loop.assistants import Assistants
from assent.agent.loop.chat import Chat
from assent.agent.loop.prompt import mode_note
from assent.agent.loop.setup import Limits, Setup
from assent.agent.models import conversation
from assent.agent.models.conversation import Answered, Replied, Request, Result
from assent.agent.models.events import CallReady, CallStarted, Event, Stopped, Text
from assent.agent.models.provider import ModelFailed, Provider
from assent.catalogue.workflows.runs import Runs
from assent.gate.approvals.tickets import Ticket
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Premise
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.disk.buffers import Buffer, Buffers
from assent.gate.disk.freshness import changed_since
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.journal.agent_events import Beside, Image
from assent.gate.journal.events import CallMoved, CallPrinted, Happening, Said, TurnEnded
from assent.gate.passage import Hooks
from assent.gate.processes.shell import Shell
from assent.gate.text.positions import difference
from gate.admit.scene import Scene, within

__all__ = ["AGENT", "CHAT", "Model", "Reply", "Table", "calling", "check", "saying", "without_mode"]

CHAT, AGENT = ChatId("chat-1"), AgentId("assent")


class Reply:
    """One reply of the model, said piece by piece."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.closed = asyncio.Event()
        """Set once nobody listens any more: the connection is gone."""
        self._keys = count()
        self._pieces: asyncio.Queue[Event | Exception | None] = asyncio.Queue()

    def say(self, *events: Event) -> "Reply":
        """Say more."""
        for event in events:
            self._pieces.put_nowait(event)
        return self

    def call(self, name: str, arguments: str, name_of_call: str = "x") -> "Reply":
        """Write a call whole."""
        key = next(self._keys)
        started = CallStarted(key=key, name=name)
        ready = CallReady(key=key, id=name_of_call, name=name, arguments=arguments)
        return self.say(started, ready)

    def end(self, reason: str = "done") -> None:
        """End the reply."""
        self.say(Stopped(reason=reason))
        self._pieces.put_nowait(None)

    async def taken(self) -> None:
        """Wait until all that was said has been taken in."""
        await within(self._pieces.join())

    def fail(self, error: Exception) -> None:
        """Break the reply off."""
        self._pieces.put_nowait(error)

    async def stream(self) -> AsyncGenerator[Event, None]:
        """What is said, as it is said."""
        try:
            while (piece := await self._pieces.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
                self._pieces.task_done()
        finally:
            self.closed.set()


class Model:
    """A model that says what it is told to."""

    name = "parrot"
    efforts: tuple[str, ...] = ()
    is_window_known = True
    price: tuple[float, float, float] | None = None

    def __init__(self) -> None:
        self.tokens = 100_000
        self.kinds = frozenset({"image/png", "application/pdf"})
        self.requests: list[Request] = []
        self.replies: list[Reply] = []
        self._asked: asyncio.Queue[Reply] = asyncio.Queue()
        self._script: list[Callable[[Reply], object]] = []

    async def window(self) -> int:
        """How much it can read."""
        return self.tokens

    async def takes(self) -> frozenset[str]:
        """What it can be shown."""
        return self.kinds

    def stream(self, request: Request) -> AsyncGenerator[Event, None]:
        """Begin a reply, which the script or the test says."""
        self.requests.append(request)
        reply = Reply(request)
        self.replies.append(reply)
        if self._script:
            self._script.pop(0)(reply)
        else:
            self._asked.put_nowait(reply)
        return reply.stream()

    def will(self, *replies: Callable[[Reply], object]) -> None:
        """Say these, one for each request."""
        self._script.extend(replies)

    async def asked(self) -> Reply:
        """The next request that no script answers."""
        return await within(self._asked.get())


def saying(text: str, reason: str = "done") -> Callable[[Reply], object]:
    """A reply of words alone."""
    return lambda reply: reply.say(Text(text=text)).end(reason)


def calling(*calls: tuple[str, str], text: str = "") -> Callable[[Reply], object]:
    """A reply that makes these calls."""

    def said(reply: Reply) -> None:
        if text:
            reply.say(Text(text=text))
        for name, arguments in calls:
            reply.call(name, arguments)
        reply.end("calls")

    return said


class Table(Scene):
    """A chat with our agent, and what happened in it."""

    facts = ""
    """What the agent is told of the place."""

    interpreter = "bash"
    """What the person has commands run by."""
    chance = 1.0
    seen = ""
    """What the person sees in the editor."""
    search_url = ""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.root = folder / "ws"
        self.root.mkdir()
        self.happened: list[Happening] = []
        self.limits = Limits()
        self.may_read = True
        self.model = Model()
        self.models: dict[str, Provider | ModelFailed] = {"m": self.model}
        self.shells: list[Shell] = []
        self.gate = evolve(
            self.gate,
            facts=lambda _: self.places(),
            why_stale=lambda call: changed_since(call, self.places(), self.buffers),
        )
        self.buffers = Buffers(self.places, self.apply)
        self.guides: dict[str, str] = {}
        self.skills: dict[str, str] = {}
        self.near: dict[str, str] = {}
        self.wrong: dict[str, str] = {}
        self.state = folder / "state"
        self._heard = asyncio.Event()
        self.assistants = Assistants(
            self.gate,
            self._hear,
            self.places,
            Setup(
                provider=self._provider,
                mode=lambda _: self.mode,
                go_in=self.go_in,
                limits=lambda: self.limits,
                search_url=lambda: self.search_url,
                interpreter=lambda: self.interpreter,
                facts=lambda _: self.facts,
                guides=lambda _: self.guides,
                skill=lambda _, name: self.skills.get(name),
                guides_near=lambda _, paths: {it: self.near[it] for it in self.near if it in paths},
                state_folder=self.state,
                buffers=self.buffers,
                runs=Runs(self.state / "runs.db"),
                look=self.look,
                problems=self.find_problems,
                may_read=lambda *_: self.may_read,
                denies_none=lambda *_: False,
                changed_shell=lambda _, shell: self.shells.append(shell),
                chance=lambda: self.chance,
            ),
        )
        self.assistants.open(CHAT, AGENT, "m", str(self.root))
        self._chat = self.assistants._chats[CHAT]

    def hooked(self, hooks: Hooks) -> None:
        """Let these hooks have a word from now on."""
        object.__setattr__(self.gate, "hooks", hooks)

    def hold_speech(self) -> None:
        """Let the pause between two pieces of speech last until a test ends it."""
        self.assistants._ports.speech._pause = 3_600.0

    def end_pause(self) -> None:
        """Let the pause be over."""
        self.assistants._ports.speech._ring(CHAT)

    def prompt(self, text: str = "go", *images: Image) -> "asyncio.Task[tuple[str, str]]":
        """Say something, and do not wait for the end of the turn."""
        return asyncio.ensure_future(self.assistants.prompt(CHAT, text, Beside(images=images)))

    async def says(self, text: str = "go", *images: Image) -> tuple[str, str]:
        """Say something, and wait for the end of the turn."""
        return await within(self.prompt(text, *images))

    @property
    def chat(self) -> Chat:
        """The chat from within."""
        return self._chat

    @property
    def turns(self) -> tuple[conversation.Turn, ...]:
        """The conversation as the model would be sent it, but for what it is told of the mode."""
        return without_mode(self.chat.conversation.turns)

    @property
    def results(self) -> tuple[Result, ...]:
        """What came of the calls of the last reply that made any."""
        return next(it for it in reversed(self.turns) if isinstance(it, Answered)).results

    def texts(self, who: str = "agent") -> list[str]:
        """What somebody said, message by message."""
        found: dict[str, str] = {}
        for it in self.happened:
            if isinstance(it, Said) and it.who == who:
                found[it.message] = found.get(it.message, "") + it.text
        return list(found.values())

    async def heard(self, text: str) -> None:
        """Wait until something was said in which this stands."""
        async with asyncio.timeout(5):
            while not any(isinstance(it, Said) and text in it.text for it in self.happened):
                await self.more()

    async def more(self) -> None:
        """Wait until something happens."""
        self._heard.clear()
        await self._heard.wait()

    def printed(self, call: CallId) -> str:
        """What a call printed."""
        printed = [it for it in self.happened if isinstance(it, CallPrinted)]
        return "".join(it.text for it in printed if it.call == call)

    @property
    def calls(self) -> list[Call]:
        """The calls that came to the gate, in order."""
        return [it.call for it in self.told if it.state is State.PROPOSED]

    @property
    def ends(self) -> list[TurnEnded]:
        """How turns were told to have ended."""
        return [it for it in self.happened if isinstance(it, TurnEnded)]

    async def deny(self, ticket: Ticket, feedback: str = "") -> None:
        """Refuse a card."""
        await self.answer(ticket, "tell" if feedback else "deny", feedback=feedback or None)

    def go_in(self, _: ChatId, mode: Mode) -> None:
        """Let the chat work in a mode that was chosen with an answer."""
        self.mode = mode
        self.gate.rule_again()

    async def look(self, _: ChatId) -> str:
        """What the person sees."""
        return self.seen

    async def find_problems(self, _: ChatId, paths: Iterable[str]) -> str:
        """What the editor finds wrong after an edit."""
        return "".join(self.wrong.get(Path(path).name, "") for path in paths)

    async def apply(self, buffer: Buffer, new: str) -> bool:
        """Change a text as an editor does: only where it is still of that version."""
        now = self.buffers.at(buffer.resolved)
        if now is None or now.version != buffer.version:
            return False
        self.buffers.change(buffer.uri, now.version + 1, [difference(now.text, new)])
        return True

    def places(self) -> Places:
        """The workspace."""
        state = Premise(path=str(self.path.parent), name="Assent's own state")
        return Places(
            roots=(str(self.root),),
            home=str(self.root.parent / "home"),
            premises=Premises.of([state], [str(self.root)]),
        )

    async def _provider(self, model: str) -> Provider:
        found = self.models[model]
        if isinstance(found, ModelFailed):
            raise found
        return found

    def _hear(self, happening: Happening) -> None:
        self.happened.append(happening)
        self._heard.set()

    def _tell(self, happening: Happening) -> None:
        assert isinstance(happening, CallMoved)
        super()._tell(happening)
        self._hear(happening)


def without_mode(turns: Sequence[conversation.Turn]) -> tuple[conversation.Turn, ...]:
    """The turns without the notes about the mode, which are looked at by tests of their own."""
    notes = {mode_note(mode) for mode in Mode}
    said = [
        evolve(it, text="\n\n".join(one for one in it.text.split("\n\n") if one not in notes))
        if isinstance(it, conversation.Said)
        else it
        for it in turns
    ]
    return tuple(
        it for it in said if not isinstance(it, conversation.Said) or it.text or it.attached
    )


def check(turns: Sequence[conversation.Turn]) -> None:
    """See whether a conversation can be sent."""
    before: Any = None
    ids: list[str] = []
    for turn in turns:
        match turn:
            case conversation.Said():
                assert not isinstance(before, conversation.Said)
                assert not (isinstance(before, Replied) and before.calls)
            case Replied():
                assert before is not None
                assert not isinstance(before, Replied)
                assert turn.text or turn.calls
                ids += [call.id for call in turn.calls]
            case Answered():
                assert isinstance(before, Replied)
                assert before.calls
                made = [(call.id, call.name) for call in before.calls]
                assert made == [(result.call, result.name) for result in turn.results]
        before = turn
    assert not (isinstance(before, Replied) and before.calls)
    assert len(set(ids)) == len(ids)
