"""Agents that hang, flood, print banners or only say that they stopped: told as it is."""

import asyncio
import os
from collections.abc import Callable

import pytest
from attrs import evolve

from assent.gate.call.calls import Call, ChatId
from assent.gate.call.errors import AgentFailed
from assent.gate.call.lifecycle import State
from assent.gate.journal.agent_events import AgentTitled
from assent.gate.journal.events import PlanMade, Said
from assent.hosting.connection.spec import AgentSpec, eliza
from hosting.eliza.rig import BOUND, PATIENCE, Rig

Make = Callable[..., AgentSpec]

LEAVES = """
number = begin()
ask(1, {"toolCallId": "t", "rawInput": {"command": "sleep 1000"}})
answer_to(1)
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
update(sessionUpdate="tool_call_update", toolCallId="t", status="in_progress")
say("%d" % child.pid)
until("session/cancel")
"""


async def stopped(rig: Rig) -> tuple[int, Call]:
    """A turn with one call that is let run and then stopped: its child, and the call."""
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        ticket = await rig.ticket()
        await rig.answer(ticket, "once")
        await rig.until(rig.said)
        await rig.fleet.stop(rig.chat)
    assert isinstance(ticket.asks, Call)
    return int(rig.said()), ticket.asks


@pytest.mark.requirement("T-08")
async def test_a_stopped_call_that_still_runs_is_not_called_killed(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(LEAVES + 'end(number, "cancelled")\nuntil("never")\n')
    child, call = await stopped(rig)
    assert rig.states(call)[-1] is State.FAILED
    told = f"Odd was stopped, but still runs `sleep` (process {child}), which ends when Odd does."
    assert rig.notices("warning") == [told]
    os.kill(child, 0)


async def test_a_stopped_call_whose_processes_are_gone_is_killed(rig: Rig, scripted: Make) -> None:
    body = 'child.kill()\nchild.wait()\nend(number, "cancelled")\nuntil("never")\n'
    rig.agent = scripted(LEAVES + body)
    _, call = await stopped(rig)
    assert rig.states(call)[-1] is State.KILLED
    assert rig.notices("warning") == []


async def test_an_agent_that_only_prints_a_banner_is_given_up_with_its_words(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        print("Welcome to Odd 7")
        print("Please log in: odd login", flush=True)
        while True:
            hear()
        """
    )
    quick = rig.new_fleet(evolve(PATIENCE, greeting=5))
    async with quick:
        with pytest.raises(AgentFailed) as failed:
            await quick.open(rig.chat, rig.agent, str(rig.root))
    said = str(failed.value)
    assert said.startswith("Odd did not answer to being started within 5 seconds.")
    assert said.endswith("Its last words were:\nWelcome to Odd 7\nPlease log in: odd login")


async def test_an_agent_that_prints_a_banner_and_dies_says_it(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted('print("\\x1b[31mno key\\x1b[0m", flush=True)\nsys.exit(4)\n')
    with pytest.raises(AgentFailed, match=r"ended before it was ready .exit code 4.") as failed:
        await rig.open()
    assert "no key" in str(failed.value)


async def in_peace(rig: Rig) -> None:
    """A chat with Eliza answers."""
    calm = ChatId("calm")
    if not rig.fleet.has(calm):
        await rig.fleet.open(calm, eliza(), str(rig.root))
    async with asyncio.timeout(BOUND):
        assert await rig.fleet.prompt(calm, "hello") == ("done", "")


@pytest.mark.parametrize(
    ("flood", "kind", "most"),
    [
        ('say("x")', Said, 5_000),
        ('update(sessionUpdate="session_info_update", title=str(at))', AgentTitled, 5_000),
        (
            'update(sessionUpdate="plan", entries=[{"content": str(at), "status": "pending"}])',
            PlanMade,
            5_000,
        ),
    ],
)
async def test_a_flood_of_updates_is_told_in_few_pieces_and_others_are_answered(
    rig: Rig, scripted: Make, flood: str, kind: type, most: int
) -> None:
    rig.agent = scripted(
        f"""
        number = begin()
        for at in range(100_000):
            {flood}
        end(number)
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(3 * BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await in_peace(rig)
        assert await turn == ("done", "")
    pieces = [it for it in rig.happened if isinstance(it, kind) and it.chat == rig.chat]
    assert 0 < len(pieces) < most
    if kind is Said:
        assert rig.said().count("x") >= 100_000


@pytest.mark.long
async def test_ten_thousand_requests_at_once_are_answered_and_few_are_asked(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        threading.Thread(target=lambda: [
            ask(at, {"toolCallId": str(at), "rawInput": {"command": "true"}})
            for at in range(10_000)], daemon=True).start()
        refused = 0
        while refused < 9_000:
            refused += "error" in hear()
        say("enough")
        until("session/cancel")
        end(number, "cancelled")
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(3 * BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.until(lambda: "enough" in rig.said())
        await in_peace(rig)
        await rig.fleet.stop(rig.chat)
        assert (await turn)[0] == "stopped"
    assert 0 < len(rig.opened) <= 1_000
    assert rig.gate.room.tickets == ()


async def test_a_line_of_fifty_megabytes_ends_the_agent_and_no_other(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        begin()
        say("x" * 50_000_000)
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(3 * BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await in_peace(rig)
        reason, because = await turn
    assert reason == "error"
    assert because.startswith("Odd was ended, because it sent a message longer than")
    await in_peace(rig)
