"""However speech, calls, answers, stops and changes interleave, each call comes to one result.

None runs twice, none without its row, none after a stop; and what was said can be sent again.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Reply, Table, check
from assent.agent.models.events import Argued, CallStarted, Text
from assent.agent.models.provider import ModelFailed, WindowFull
from assent.agent.tools import registry
from assent.gate.call.errors import AgentFailed
from assent.gate.call.lifecycle import is_end
from assent.gate.call.modes import Mode
from assent.gate.journal.events import CallMoved, Happening, Said, TurnBegan, TurnEnded
from gate.admit.scene import within
from gate.approvals.samples import answer_to, turn

EFFECTS = st.sampled_from(["read", "write", "execute", "chat"])
DOES = st.sampled_from(["end", "wait", "crash", "fail", "hop"])
CALLS = st.one_of(
    st.builds(lambda effect, does: {"effect": effect, "does": does}, EFFECTS, DOES),
    st.sampled_from(["part", "wrong", "unknown"]),
)
WHICH = st.integers(0, 5)
STEPS = st.one_of(
    st.tuples(st.just("prompt"), st.none()),
    st.tuples(st.just("call"), st.tuples(WHICH, CALLS)),
    st.tuples(st.just("call"), st.tuples(WHICH, CALLS)),
    st.tuples(st.just("say"), WHICH),
    st.tuples(st.just("argue"), WHICH),
    st.tuples(st.just("end"), st.tuples(WHICH, st.sampled_from(["calls", "done", "length"]))),
    st.tuples(st.just("break"), st.tuples(WHICH, st.sampled_from([ModelFailed, WindowFull]))),
    st.tuples(st.just("answer"), st.sampled_from(["once", "chat", "deny", "tell"])),
    st.tuples(st.just("release"), WHICH),
    st.tuples(st.just("kill"), WHICH),
    st.tuples(st.just("mode"), st.sampled_from(Mode)),
    st.tuples(st.just("stop"), st.booleans()),
    st.tuples(st.just("turn"), st.integers(1, 8)),
    st.tuples(st.just("written"), st.none()),
)


class _Play:
    """Plays a schedule at a table."""

    def __init__(self, table: Table, probes: Probes) -> None:
        self.table, self.probes = table, probes
        self.prompts: list[asyncio.Task[tuple[str, str]]] = []
        self.others: list[asyncio.Future[Any]] = []
        self.labels = 0

    @property
    def replies(self) -> list[Reply]:
        """Those that somebody listens to."""
        return [it for it in self.table.model.replies if not it.closed.is_set()]

    async def step(self, name: str, given: Any) -> None:  # noqa: C901 -- one case for each step
        match name:
            case "prompt":
                self.prompts.append(self.table.prompt())
            case "say" | "argue" | "end" | "break" | "call":
                self._speak(name, given)
            case "answer":
                for ticket in self.table.room.tickets[:1]:
                    answer = self.table.room.answer(answer_to(ticket, given))
                    self.others.append(asyncio.ensure_future(answer))
            case "release" if self.labels:
                self.probes.release(str(given % self.labels))
            case "kill" if self.table.calls:
                call = self.table.calls[given % len(self.table.calls)]
                self.others.append(asyncio.ensure_future(self.table.assistants.kill(CHAT, call.id)))
            case "mode":
                self.table.mode = given
                self.table.gate.rule_again()
            case "stop":
                await self._stop(given)
            case "turn":
                for _ in range(given):
                    await turn()
            case "written":
                await self.table.written()

    async def _stop(self, waits: bool) -> None:
        stopping = asyncio.ensure_future(self.table.assistants.stop(CHAT))
        if not waits:
            self.others.append(stopping)
            return
        await within(stopping)
        begun, told = self.probes.begun.copy(), len(self.table.told)
        for _ in range(20):
            await turn()
        if not self.table.assistants.is_running(CHAT):
            assert (self.probes.begun, len(self.table.told)) == (begun, told)

    def _speak(self, name: str, given: Any) -> None:
        which, what = given if isinstance(given, tuple) else (given, None)
        if not self.replies:
            return
        reply = self.replies[which % len(self.replies)]
        match name:
            case "say":
                reply.say(Text(text="word "))
            case "argue":
                reply.say(CallStarted(key=99, name="probe"), Argued(key=99, piece='{"label'))
            case "end":
                reply.end(what)
            case "break":
                reply.fail(what("It broke off."))
            case "call":
                reply.call(*self._call(what))

    def _call(self, what: Any) -> tuple[str, str]:
        match what:
            case "part":
                return "run_subtask", json.dumps({"name": "part", "prompt": "Do it."})
            case "wrong":
                return "probe", "{"
            case "unknown":
                return "nothing", "{}"
        label, self.labels = str(self.labels), self.labels + 1
        return probe(label, **what)

    async def end(self) -> None:
        """Stop whatever is under way, and wait for everything."""
        while not all(task.done() for task in self.prompts):
            await within(self.table.assistants.stop(CHAT))
            await turn()
        ended = await within(asyncio.gather(*self.prompts, return_exceptions=True))
        assert all(isinstance(it, tuple | AgentFailed) for it in ended), ended
        others = await within(asyncio.gather(*self.others, return_exceptions=True))
        assert not [it for it in others if isinstance(it, BaseException) and _is_odd(it)]


def _is_odd(error: BaseException) -> bool:
    return not isinstance(error, AgentFailed)


def _check_story(happened: list[Happening]) -> None:
    """Between turns nobody says or does anything."""
    works = False
    for it in happened:
        match it:
            case TurnBegan():
                assert not works
                works = True
            case TurnEnded():
                assert works
                works = False
            case Said() if it.who != "user":
                assert works
            case CallMoved():
                assert works, it
            case _:
                pass
    assert not works


async def _play(folder: Path, probes: Probes, steps: list[tuple[str, Any]]) -> None:
    table = Table(folder)
    play = _Play(table, probes)
    try:
        async with table.assistants:
            for name, given in steps:
                await play.step(name, given)
            await play.end()
        await table.written()
    finally:
        table.journal.close()
    check(table.turns)
    _check_story(table.happened)
    begun = [call.id for call in probes.seen]
    assert len(set(begun)) == len(begun)
    assert all(table.allowing_rows(call) for call in probes.seen)
    assert all(is_end(table.steps(call)[-1]) for call in table.calls)
    for call in table.calls:
        assert sum(is_end(state) for state in table.steps(call)) == 1
    assert table.room.tickets == ()
    assert table.ledger._standing == {}
    assert set(table.closed) == table.opened


@pytest.mark.requirement("C-07", "T-07", "T-08")
@settings(max_examples=80, deadline=None)
@given(st.lists(STEPS, max_size=40))
def test_no_schedule_leaves_a_call_without_its_one_result(steps: list[tuple[str, Any]]) -> None:
    probes = Probes()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "BELT", (*registry.BELT, probes.tool))
        asyncio.run(_play(Path(folder), probes, [("prompt", None), ("turn", 3), *steps]))
