"""What the whole server holds: little for each call, nothing of a closed chat, no endless message.

The server runs in this process, so that its objects can be counted and weighed; sizes are those
of objects and of bytes on the wire, and no clock and no system is asked.
"""

import asyncio
import contextlib
import gc
import sys
import types
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import attrs
import pytest
from attrs import field, frozen

from assent.editor.lsp.frames import MAX_FRAME_BYTES
from assent.editor.lsp.wire import written
from assent.editor.window.chats.board import MAX_CARD_BYTES, MAX_CHATS, Board
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect, Planned, Target
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.journal import agent_events, events
from assent.gate.journal.agent_events import Image, Pictured
from assent.gate.journal.flows import FlowStep
from assent.gate.text.encodings import Encoding
from assent.gate.text.sounds import Sound
from assent.hosting.connection.shown_contents import MAX_DATA_LETTERS
from editor.wire.client import Client
from editor.wire.editor import Editor
from editor.wire.inside import Inside, inside
from editor.wire.own import OwnStage, model, own
from editor.wire.scene import IN_TIME
from host.waiting import until
from models.script import call, text
from models.server import ModelServer

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

CHAT: Final = ChatId("chat-1")
TIMES: Final = 7_000
WARM: Final = 4_000
"""From here on everything that is kept for a while has been replaced by newer things."""
_TURN, _LOOKS = 1_800, 225
"""What is held grows until so many more were told and much of it is put away at once; in each such
turn it is looked at so often."""
GROWS: Final = 1024 * 1024
"""In bytes: what is kept of so many happenings is where to find them on disk."""

STRANGE: Final = 'a\x01\u202e"\n\U0001f600\ud83d'
"""Of each letter more bytes than one come onto the wire."""


# Every kind of happening.

WORDS: Final[dict[tuple[type, str], Any]] = {
    (events.Said, "who"): "agent",
    (events.ShellMoved, "state"): "exited",
    (events.PlanLine, "state"): "done",
    (FlowStep, "state"): "failed",
    (Planned, "call"): None,
    (Call, "made_by"): None,
    (events.TurnEnded, "reason"): "error",
    (events.Noticed, "level"): "error",
    (events.Noticed, "back_to"): "message-1",
    (events.AgentMoved, "state"): "failed",
    (events.GateSeen, "gate"): "verified",
    (events.CallMoved, "ticket"): "ticket-1",
    (Target, "twins"): (),
    (events.ModelSet, "effort"): "high",
    (events.ModelSet, "efforts"): ("low", "high"),
    (agent_events.LogInWay, "id"): "way",
    (agent_events.LogInWay, "kind"): "env_var",
    (agent_events.LogInWay, "variables"): ("KEY",),
    (events.ChatOpened, "effort"): "high",
    (events.ChatOpened, "efforts"): ("low", "high"),
}
"""Of these members only certain words are known; and of a ticket our own id."""

KINDS: Final = get_args(events.Happening)


def value_of(kind: Any, letters: int) -> Any:
    """One value of a type, with texts of so many letters."""
    args = get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind is str:
        return STRANGE * (letters // len(STRANGE))
    if args and args[-1] is type(None):
        return value_of(args[0], letters)
    if args and args[-1] is Ellipsis:
        return (value_of(args[0], letters // _MANY),) * _MANY
    if args:
        return {"command": value_of(str, letters)}
    if kind is Image:
        return Image(mime="image/png", data="A" * letters, width=1, height=1)
    if kind is Sound:
        return Sound(mime="audio/wav", data="A" * letters)
    hints = get_type_hints(kind)
    names = [it.name for it in attrs.fields(kind)]
    return kind(
        **{
            it: WORDS[kind, it] if (kind, it) in WORDS else value_of(hints[it], letters)
            for it in names
        }
    )


_MANY: Final = 6
_PLAIN: Final[dict[Any, Any]] = {
    int: 2**53,
    float: 1e9,
    bool: True,
    ChatId: CHAT,
    CallId: CallId("call"),
    AgentId: AgentId("eliza"),
    State: State.SUCCEEDED,
    Mode: Mode.AUTO,
    Actor: Actor.USER,
    Effect: Effect.EXECUTE,
    Encoding: Encoding.WINDOWS,
}


@frozen
class Making:
    """Makes the happenings of one kind, each of another message, call or shell."""

    kind: type
    letters: int
    one: Any = field(init=False)
    moved: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "one", value_of(self.kind, self.letters))
        object.__setattr__(self, "moved", value_of(events.CallMoved, self.letters))

    def of(self, number: int) -> Iterator[Any]:
        """The happening, and whatever must have happened before it can."""
        call_id = CallId(f"call-{number}")
        moved = attrs.evolve(self.moved, call=attrs.evolve(self.moved.call, id=call_id))
        if self.kind is events.CallMoved:
            yield attrs.evolve(moved, state=State.PROPOSED)
            yield moved
        elif self.kind in {events.CallPrinted, events.CallUndone}:
            yield attrs.evolve(moved, state=State.RUNNING)
            yield attrs.evolve(self.one, call=call_id)
            yield moved
        else:
            names = {it.name for it in attrs.fields(self.kind)} & {"shell", "message"}
            yield attrs.evolve(self.one, **{it: f"{it}-{number}" for it in names})


def weight_of(*roots: object) -> int:
    """How many bytes all that can be reached from some objects take, but for code."""
    seen = set[int]()
    left = list(roots)
    size = 0
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, _NO_DATA):
            continue
        seen.add(id(one))
        size += sys.getsizeof(one)
        left += gc.get_referents(one)
    return size


_NO_DATA = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
_NO_DATA += (types.MethodType, types.CodeType, types.FrameType, types.CoroutineType)


def test_every_kind_of_happening_is_one_that_can_be_made() -> None:
    for kind in KINDS:
        assert kind in {type(it) for it in Making(kind, 100).of(1)}


# The largest of them takes a minute where others work beside it.
@pytest.mark.timeout(300)
@requirement("S-05")
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, id=kind.__name__, marks=[pytest.mark.long] if number else [])
        for number, kind in enumerate(KINDS)
    ],
)
async def test_a_happening_thousands_of_times_leaves_little_and_a_snapshot_that_fits(
    window: Inside, kind: type
) -> None:
    board, making = window.built.run.board, Making(kind, 200)
    board.tell(events.ChatOpened(chat=CHAT, agent=AgentId("eliza"), mode=Mode.AUTO))

    def most(numbers: range) -> int:
        """What is held at most, looked at now and then while these are told."""
        found = 0
        for number in numbers:
            tell(board, making, number)
            if number % _LOOKS == 0:
                found = max(found, weight_of(board.all, board.stream._kept))
        return found

    for number in range(WARM - _TURN):
        tell(board, making, number)
    before = most(range(WARM - _TURN, WARM))
    for number in range(WARM, TIMES - _TURN):
        tell(board, making, number)
    after = most(range(TIMES - _TURN, TIMES))
    assert after - before < GROWS, f"{after:,} bytes after {before:,}"
    assert after < 40 * 1024 * 1024
    assert len(written(await window.ask("agent/subscribe", viewId="v"))) < MAX_FRAME_BYTES // 4


def tell(board: Board, making: Making, number: int) -> None:
    for happening in making.of(number):
        board.tell(happening)


@requirement("S-05")
@pytest.mark.parametrize("kind", KINDS, ids=lambda it: it.__name__)
async def test_one_happening_of_half_a_million_letters_is_told_in_messages_that_fit(
    window: Inside, kind: type
) -> None:
    board = window.built.run.board
    board.tell(events.ChatOpened(chat=CHAT, agent=AgentId("eliza"), mode=Mode.AUTO))
    sizes: list[int] = []
    board.stream._send = noting(board.stream._send, sizes)
    for number in range(2):
        tell(board, Making(kind, 500_000), number)
    assert max(sizes, default=0) < 1024 * 1024
    assert weight_of(board.all) < 16 * 1024 * 1024
    assert len(written(await window.ask("agent/subscribe", viewId="v"))) < MAX_FRAME_BYTES // 4


def noting(send: Any, sizes: list[int]) -> Any:
    def sent(*told: Any) -> bytes | None:
        body: bytes | None = send(*told)
        sizes.append(MAX_FRAME_BYTES if body is None else len(body))
        return body

    return sent


_FULL: Final = 4
"""So many of each kind fill a chat; with more, older entries leave, and its snapshot is smaller."""


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_a_snapshot_fits_with_as_many_chats_as_may_be_open_and_each_as_full_as_it_may_be(
    window: Inside,
) -> None:
    board = window.built.run.board
    kinds = set(KINDS) - {events.ChatOpened, events.ChatClosed, events.AgentMoved}
    makings = [Making(kind, 20_000) for kind in kinds]
    for place in range(MAX_CHATS):
        chat = ChatId(f"chat-{place}")
        board.tell(events.ChatOpened(chat=chat, agent=AgentId("eliza"), mode=Mode.AUTO))
        for number, making in product(range(_FULL), makings):
            for happening in making.of(number):
                board.tell(moved_to(chat, happening))
    assert (
        len(written(await window.ask("agent/subscribe", viewId="v")))
        < MAX_FRAME_BYTES - MAX_CARD_BYTES
    )
    with pytest.raises(Exception, match="close one"):
        await window.chat("eliza")


async def test_a_snapshot_fits_though_the_newest_of_each_chat_is_as_large_a_picture_as_may_be(
    window: Inside,
) -> None:
    board = window.built.run.board
    image = Image(mime="image/png", data="A" * MAX_DATA_LETTERS, width=1, height=1)
    for place in range(MAX_CHATS):
        chat = ChatId(f"chat-{place}")
        board.tell(events.ChatOpened(chat=chat, agent=AgentId("eliza"), mode=Mode.AUTO))
        board.tell(Pictured(chat=chat, image=image))
    snapshot = (await window.ask("agent/subscribe", viewId="v")).snapshot
    assert len(written(snapshot)) < MAX_FRAME_BYTES - MAX_CARD_BYTES
    page = await window.ask("agent/turns", chatId="chat-0", before=snapshot.chats[0].first, limit=9)
    assert [it.data for it in page.items] == [image.data]


def moved_to(chat: ChatId, happening: Any) -> Any:
    if isinstance(happening, events.CallMoved):
        return attrs.evolve(happening, call=attrs.evolve(happening.call, chat=chat))
    return attrs.evolve(happening, chat=chat)


@requirement("S-05")
@pytest.mark.long
async def test_what_is_no_longer_in_a_snapshot_comes_by_page_and_nothing_is_lost(
    window: Inside,
) -> None:
    board = window.built.run.board
    board.tell(events.ChatOpened(chat=CHAT, agent=AgentId("eliza"), mode=Mode.AUTO))
    said, printed = Making(events.Said, 100), Making(events.CallPrinted, 100)
    for number in range(1_500):
        tell(board, said, number)
        tell(board, printed, number)
    (chat,) = (await window.ask("agent/subscribe", viewId="v")).snapshot.chats
    items, first = list(chat.items), chat.first
    assert 0 < first < 3_000
    while first > 0:
        page = await window.ask("agent/turns", chatId=CHAT, before=first, limit=100)
        assert page.kept_from == 0
        assert page.first + len(page.items) == first
        items, first = [*page.items, *items], page.first
    spoken = [it.message_id for it in items if it.kind == "agent"]
    called = [it.call_id for it in items if it.kind == "call"]
    assert spoken == [f"message-{number}" for number in range(1_500)]
    assert called == [f"call-{number}" for number in range(1_500)]
    assert {it.state for it in items if it.kind == "call"} == {"succeeded"}


async def test_a_call_that_ends_long_after_it_was_put_away_is_found_ended(window: Inside) -> None:
    board = window.built.run.board
    board.tell(events.ChatOpened(chat=CHAT, agent=AgentId("eliza"), mode=Mode.AUTO))
    moved, said = value_of(events.CallMoved, 100), Making(events.Said, 100)
    board.tell(attrs.evolve(moved, state=State.PROPOSED))
    board.tell(attrs.evolve(moved, state=State.RUNNING))
    for number in range(1_000):
        tell(board, said, number)
    board.tell(events.CallPrinted(chat=CHAT, call=CallId("call"), text="at last"))
    running = await window.ask("agent/turns", chatId=CHAT, before=1, limit=1)
    assert (running.items[0].state, running.items[0].output) == ("running", "at last")
    board.tell(attrs.evolve(moved, state=State.SUCCEEDED))
    for number in range(1_000, 2_000):
        tell(board, said, number)
    ended = await window.ask("agent/turns", chatId=CHAT, before=1, limit=1)
    assert (ended.items[0].state, ended.items[0].output) == ("succeeded", "at last")


# A chat that is closed.


def held_of_chats() -> Counter[str]:
    """How many objects of ours there are, by kind; messages that are kept for a while aside."""
    gc.collect()
    kinds = Counter(type(it) for it in gc.get_objects())
    return Counter(
        {
            f"{kind.__module__}.{kind.__qualname__}": count
            for kind, count in kinds.items()
            if kind.__module__.startswith("assent.")
            and not kind.__module__.startswith("assent.editor.protocol.")
        }
    )


def opened() -> Counter[str]:
    """What this process holds open, by what it is.

    SQLite opens and drops the files beside a database by itself; a connection that nobody closed
    is seen by the database, which is then open once more.
    """
    targets = Counter[str]()
    for link in Path("/proc/self/fd").iterdir():
        # What is closed meanwhile is no longer open.
        with contextlib.suppress(FileNotFoundError):
            targets[str(link.readlink()).partition(":[")[0]] += 1
    return Counter({it: targets[it] for it in targets if not it.endswith(_BESIDE)})


_BESIDE: Final = ("-wal", "-shm", "-journal")


AGENTS: Final = ("assent", "eliza", "other")


@requirement("N-07")
@pytest.mark.parametrize("agent", AGENTS)
async def test_of_a_closed_chat_no_object_is_left(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
    async with ModelServer(tags=[]) as model:
        monkeypatch.setenv("OLLAMA_HOST", model.url)
        given = {"provider": "openai", "model": "tiny", "url": model.url_for("openai")}
        other = {"command": sys.executable, "args": ["-m", "assent", "eliza"], "name": "Other"}
        user = {"models": [given], "agents": {"other": other}, "sandbox": "offer"}
        editor = Editor(layers={"user": user}, choose=lambda confirm: confirm.actions[0])
        async with inside(tmp_path, editor) as window:
            await a_chat(window, model, agent)
            before, opened_before = held_of_chats(), opened()
            for _ in range(CHATS):
                await a_chat(window, model, agent)

            def grown() -> Counter[str]:
                more, files = held_of_chats() - before, opened() - opened_before
                kinds = {kind: count for kind, count in more.items() if count >= CHATS - 1}
                left = {file: count for file, count in files.items() if count > 1}
                return Counter({**kinds, **left})

            # What is written and ended behind a closed chat holds some of it until that is done.
            with contextlib.suppress(TimeoutError):
                is_let_go = partial(until, lambda: not grown(), within=IN_TIME, what="let go")
                await asyncio.to_thread(is_let_go)
            assert not grown()


CHATS: Final = 4
"""So many that what is left of each is told from the last one of a kind, which is kept."""


async def a_chat(window: Inside, model: ModelServer, agent: str) -> None:
    """A chat with calls that run, are denied and wait, closed while it works."""
    chat = await window.chat(agent)
    if agent == "assent":
        model.reply(
            call("read_file", {"path": "README.md"}),
            call("run_command", {"command": "seq 10; sleep 0.01", "timeout_seconds": 500}),
            call("write_file", {"path": f"{chat}.txt", "content": "x"}),
            call("run_command", {"command": "sleep 300", "background": True}),
        )
        model.reply(text("Done."))
        await window.ask("agent/prompt", chatId=chat, text="Go on.")
    else:
        await window.ask("agent/prompt", chatId=chat, text="read README.md")
        await window.ask("agent/prompt", chatId=chat, text="run echo hello")
    await window.ask("agent/closeChat", chatId=chat)


# Many large cards.


@requirement("T-13")
@requirement("S-05")
@pytest.mark.long
async def test_many_large_cards_come_one_by_one_and_none_is_lost(own: OwnStage) -> None:
    it = await own(mode="ask")
    script = "echo '" + "a\x01" * 25_000 + "'"
    it.model.reply(*(call("run_command", {"command": f"{script} {n}"}) for n in range(8)))
    it.model.reply(text("Well then."))
    turn = it.say()
    client = it.scene.client
    told = await all_open(client, 8)
    assert told.tickets
    assert told.more, "not all of them have room"
    for ticket in told.more:
        came = await client.request("tool/card", {"approvalId": ticket}, within=30)
        assert came.request.approval_id == ticket
        assert (await it.scene.answer(came.request, "deny")).kind == "applied"
        gone = await client.request("tool/card", {"approvalId": ticket})
        assert gone.request is None
    for ticket in told.tickets:
        assert (await it.scene.answer(ticket, "deny")).kind == "applied"
    assert (await turn).reason == "done"


@requirement("T-13")
async def test_a_snapshot_draws_fifty_cards_and_names_the_others(window: Inside) -> None:
    room = window.built.run.room
    calls = [_small(number) for number in range(70)]
    admitted = [asyncio.ensure_future(window.built.rules.gate.admit(it, never)) for it in calls]
    async with asyncio.timeout(60):
        while len(window.built.run.board._asked) < len(calls):  # noqa: ASYNC110 -- nothing tells of it
            await asyncio.sleep(0)
    snapshot = (await window.ask("agent/subscribe", viewId="v")).snapshot
    shown = [ticket.approval_id for ticket in snapshot.tickets]
    assert (len(shown), len(snapshot.more)) == (50, 20)
    assert [*shown, *snapshot.more] == [ticket.id for ticket in room.tickets]
    window.built.rules.gate.stop(CHAT, Actor.USER, "That was all.")
    await asyncio.gather(*admitted)


def _small(number: int) -> Call:
    return Call(
        id=CallId(f"small-{number}"),
        chat=CHAT,
        agent=AgentId("eliza"),
        tool="other",
        effect=Effect.EXTERNAL,
        input={"number": number},
        cwd="/",
    )


async def all_open(client: Client, count: int) -> Any:
    """A snapshot, once so many tickets are open; what was told of them meanwhile may be lost."""
    async with asyncio.timeout(60):
        while True:
            told = await client.request("agent/subscribe", {"viewId": "v"}, within=30)
            if len(told.snapshot.tickets) + len(told.snapshot.more) == count:
                return told.snapshot


async def test_a_card_that_no_message_could_hold_is_refused_and_nobody_is_asked(
    window: Inside,
) -> None:
    gate = window.built.rules.gate
    huge = Call(
        id=CallId("huge"),
        chat=CHAT,
        agent=AgentId("eliza"),
        tool="other",
        effect=Effect.EXTERNAL,
        input={"text": "\U0001f600" * 2_000_000},
        cwd=str(window.folder),
    )
    passage = await gate.admit(huge, never)
    assert passage.ended is None
    assert "too large to be shown whole" in passage.settlement.because
    assert window.built.run.room.tickets == ()
    snapshot = (await window.ask("agent/subscribe", viewId="v")).snapshot
    assert (snapshot.tickets, snapshot.more) == ([], [])


async def never(*_: object) -> Any:
    raise AssertionError("it ran")
