"""An agent that asks for permission, and then runs its hook about the same call: one question."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.calls import Effect
from assent.gate.call.modes import Mode
from assent.gate.journal.events import CallMoved
from assent.hosting.connection.spec import AgentSpec
from hosting.eliza.hooked import packaged
from hosting.eliza.rig import BOUND, PATIENCE, Rig

Make = Callable[..., AgentSpec]

ASKS_FIRST = """
number = begin_hooked()
said = []
def hook(tool, given):
    line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
    code, printed, _ = run_hook(line, {"hook_event_name": "PreToolUse", "session_id": "s",
        "tool_name": tool, "tool_input": given, "tool_use_id": "t"})
    said.append(json.loads(printed)["hookSpecificOutput"]["permissionDecision"])
ask(1, ASKED)
said.append(answer_to(1)["result"]["outcome"]["optionId"])
for tool, given in HANDED:
    hook(tool, given)
update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
say(json.dumps(said))
end(number)
until("never")
"""
MAKE: dict[str, Any] = {"command": "make", "description": "build it"}
SHELL = {"toolCallId": "t", "kind": "execute", "rawInput": MAKE}
HIRED: dict[str, Any] = {"subagent_type": "a", "prompt": "look"}
NAMED = {"toolCallId": "t", "kind": "other", "rawInput": HIRED, "_meta": {"toolName": "Agent"}}
NAMELESS = {**NAMED, "_meta": {}}


async def answers(
    rig: Rig, make: Make, folder: Path, asked: Any, *handed: tuple[str, Any], by: str = "once"
) -> tuple[list[str], int]:
    """What an agent is told that asks and then runs its hook, and how often a person was asked."""
    rig.sockets = folder / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    script = ASKS_FIRST.replace("ASKED", repr(asked)).replace("HANDED", repr(handed))
    rig.agent = packaged(make, folder, script)
    async with rig.fleet, asyncio.timeout(BOUND):
        await rig.open()
        turn = asyncio.ensure_future(rig.fleet.prompt(rig.chat, "hello"))
        number = 0
        while True:
            ticket = asyncio.ensure_future(rig.ticket(number + 1))
            await asyncio.wait((turn, ticket), return_when=asyncio.FIRST_COMPLETED)
            if not ticket.done():
                ticket.cancel()
                break
            number += 1
            await rig.answer(ticket.result(), by if number == 1 else "deny")
        await turn
    return json.loads(rig.said()), number


async def test_what_was_allowed_before_its_hook_is_run_is_asked_about_once(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    told = await answers(rig, scripted, tmp_path, SHELL, ("Bash", MAKE))
    assert told == (["yes", "ask"], 1)
    rows = await rig.journal.rows()
    assert [row["kind"] for row in rows] == ["asked", "decided", "ended"]


async def test_a_tool_that_nobody_knows_is_the_same_call_by_its_name_and_input(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    told = await answers(rig, scripted, tmp_path, NAMED, ("Agent", HIRED))
    assert told == (["yes", "ask"], 1)


OTHERS: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "another command": (SHELL, "Bash", {**MAKE, "command": "make install"}),
    "another tool": (SHELL, "Destroy", MAKE),
    "another agent": (NAMED, "Agent", {**HIRED, "prompt": "destroy"}),
    "another name": (NAMED, "Destroy", HIRED),
    "no name": (NAMELESS, "Agent", HIRED),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
async def test_what_its_hook_is_handed_and_was_not_asked_for_is_another_question(
    rig: Rig, scripted: Make, tmp_path: Path, other: tuple[Any, str, dict[str, Any]]
) -> None:
    asked, tool, given = other
    told = await answers(rig, scripted, tmp_path, asked, (tool, given))
    assert told == (["yes", "deny"], 2)


async def test_what_was_allowed_once_is_no_leave_for_a_second_hook(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    told = await answers(rig, scripted, tmp_path, SHELL, ("Bash", MAKE), ("Bash", MAKE))
    assert told == (["yes", "ask", "deny"], 2)


async def test_what_was_denied_is_no_leave_for_its_hook(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    told = await answers(rig, scripted, tmp_path, SHELL, ("Bash", MAKE), by="deny")
    assert told == (["no", "deny"], 2)


NOTED_FIRST = """
number = begin_hooked()
line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
run_hook(line, {"hook_event_name": "PreToolUse", "session_id": "s",
    "tool_name": TOOL, "tool_input": {}, "tool_use_id": "t"})
ask(1, {"toolCallId": "t", "kind": "execute", "rawInput": {"command": "rm -rf /home"}})
say(json.dumps(answer_to(1)["result"]["outcome"]))
end(number)
until("never")
"""


@pytest.mark.parametrize("tool", ["TodoWrite", "AskUserQuestion"])
async def test_what_an_agent_asks_about_under_the_id_of_a_note_is_no_note(
    rig: Rig, scripted: Make, tmp_path: Path, tool: str
) -> None:
    rig.mode = Mode.PLAN
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    rig.agent = packaged(scripted, tmp_path, NOTED_FIRST.replace("TOOL", repr(tool)))
    async with rig.fleet, asyncio.timeout(BOUND):
        await rig.open()
        await rig.fleet.prompt(rig.chat, "hello")
    assert json.loads(rig.said()).get("optionId") != "yes"
    moved = [it.call for it in rig.happened if isinstance(it, CallMoved)]
    assert {(call.tool, call.effect) for call in moved if call.input} == {("shell", Effect.EXECUTE)}
