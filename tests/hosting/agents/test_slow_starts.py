"""Agents that do not come up: a person who stops one does not wait for it."""

import asyncio
import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import define, evolve, field

from assent.gate.call.calls import ChatId
from assent.gate.journal.events import AgentMoved
from assent.hosting.connection.spec import AgentSpec, eliza
from assent.hosting.connection.time_limits import Patience
from gate.processes.stand import gone
from hosting.eliza.rig import BOUND, Rig

Make = Callable[..., AgentSpec]

FOR_EVER = Patience(greeting=3_600, stop=3_600, stubborn=3_600, ending=1, words=1)
"""Whoever waits for one of these is not stopped by anything else in a test."""

CHILDREN = """
import signal

def note(what):
    with open(os.environ["NOTES"], "w") as notes:
        notes.write(f"{what}\\n")

for how in ({}, {"start_new_session": True}):
    note(subprocess.Popen(["sleep", "1000"], **how).pid)
note(os.getpid())
"""

SLOW = {
    "says nothing at all": "time.sleep(1000)",
    "never greets": 'until("never")',
    "never opens a session": """
send(id=until("initialize")["id"], result={"protocolVersion": 1})
until("session/new")
note("asked")
until("never")
""",
    "does not hear that it is to end": """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(1000)
""",
    "installs itself first": """
subprocess.run(["sh", "-c", "sleep 1000; echo installed"])
""",
}


@define
class Notes:
    """What an agent writes to a pipe that has a name."""

    path: Path
    _lines: list[str] = field(factory=list)
    _more: asyncio.Event = field(factory=asyncio.Event)

    async def lines(self, wanted: int) -> list[str]:
        """So many lines, once they are there."""
        loop, pipe = asyncio.get_running_loop(), os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        loop.add_reader(pipe, lambda: self._take(os.read(pipe, 65_536)))
        try:
            async with asyncio.timeout(BOUND):
                while len(self._lines) < wanted:
                    self._more.clear()
                    await self._more.wait()
        finally:
            loop.remove_reader(pipe)
            os.close(pipe)
        return self._lines

    def _take(self, told: bytes) -> None:
        self._lines += told.decode().split()
        self._more.set()


@pytest.fixture
def notes(rig: Rig, tmp_path: Path) -> Notes:
    """Where the agents of these tests write their processes."""
    rig.fleet = rig.new_fleet(FOR_EVER)
    os.mkfifo(tmp_path / "notes")
    return Notes(path=tmp_path / "notes")


@pytest.mark.requirement("T-08")
@pytest.mark.parametrize("how", SLOW)
async def test_stop_does_not_wait_for_an_agent_to_start(
    rig: Rig, scripted: Make, notes: Notes, how: str
) -> None:
    rig.agent = scripted(CHILDREN + SLOW[how], env={"NOTES": str(notes.path)})
    async with asyncio.timeout(BOUND), rig.fleet, asyncio.TaskGroup() as group:
        group.create_task(rig.open())
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        told = await notes.lines(4 if "asked" in SLOW[how] else 3)
        # A person in a hurry presses it twice.
        await asyncio.gather(*[rig.fleet.stop(rig.chat) for _ in range(2)])
        assert await turn == ("stopped", "You stopped it.")
        for pid in filter(str.isdigit, told):
            await gone(int(pid))
    assert rig.notices("error") == []
    assert len(_starts(rig)) == 1


@pytest.mark.requirement("T-08")
async def test_closing_a_chat_does_not_wait_for_its_agent_to_start(
    rig: Rig, scripted: Make, notes: Notes
) -> None:
    rig.agent = scripted(CHILDREN + SLOW["never greets"], env={"NOTES": str(notes.path)})
    async with asyncio.timeout(BOUND), rig.fleet, asyncio.TaskGroup() as group:
        group.create_task(rig.open())
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        told = await notes.lines(3)
        await rig.fleet.close(rig.chat)
        assert (await turn)[0] == "stopped"
        for pid in told:
            await gone(int(pid))


async def test_stopping_one_chat_ends_no_agent_that_another_waits_for(
    rig: Rig, scripted: Make, notes: Notes
) -> None:
    body = """
    note("up")
    first = until("initialize")["id"]
    until("test/go")
    send(id=first, result={"protocolVersion": 1})
    send(id=until("session/new")["id"], result={"sessionId": "s"})
    end(until("session/prompt")["id"])
    until("never")
    """
    rig.agent = scripted(CHILDREN + textwrap.dedent(body), env={"NOTES": str(notes.path)})
    async with asyncio.timeout(BOUND), rig.fleet, asyncio.TaskGroup() as group:
        group.create_task(rig.open())
        other = ChatId("chat-2")
        waiting = group.create_task(rig.fleet.open(other, rig.agent, str(rig.root)))
        await notes.lines(4)
        while rig.fleet._hosts._newest["odd"].claims < 2:  # noqa: ASYNC110 -- nothing tells of it
            await asyncio.sleep(0)
        await rig.fleet.stop(rig.chat)
        assert not waiting.done()
        rig.fleet._hosts._newest["odd"].peer.tell("test/go", {})
        await waiting
        assert (await rig.fleet.prompt(other, "hello"))[0] == "done"


async def test_after_a_stop_the_next_prompt_starts_the_agent_anew(
    rig: Rig, scripted: Make, notes: Notes
) -> None:
    slow = scripted(CHILDREN + SLOW["never greets"], env={"NOTES": str(notes.path)})
    async with asyncio.timeout(BOUND), rig.fleet, asyncio.TaskGroup() as group:
        rig.agent = slow
        turn = group.create_task(rig.fleet.open(rig.chat, slow, str(rig.root)))
        await notes.lines(3)
        await rig.fleet.stop(rig.chat)
        await turn
        rig.fleet.agents_changed([evolve(eliza(), id="odd")])
        assert (await rig.fleet.prompt(rig.chat, "hello"))[0] == "done"
    assert rig.said() != ""


def _starts(rig: Rig) -> list[AgentMoved]:
    moved = [one for one in rig.happened if isinstance(one, AgentMoved)]
    return [one for one in moved if one.state == "starting"]
