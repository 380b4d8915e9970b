"""Sub-agents of Qwen Code in the background, which ask a hook since they may ask nobody else.

Qwen Code runs no call of theirs without a yes to its `PermissionRequest`, and then runs the hook
that it runs for each call.
"""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.gate.approvals.tickets import Ticket
from assent.gate.call.calls import Call
from assent.hosting.connection.spec import AgentSpec
from hosting.eliza.hooked import packaged
from hosting.eliza.rig import BOUND, PATIENCE, Rig

Make = Callable[..., AgentSpec]

QWEN = """
HIRED = {"description": "d", "subagent_type": "general-purpose", "prompt": "make it"}
GIVEN = {"command": "touch " + os.environ["FILE"], "description": "list the files"}

def begin_qwen():
    global HOOKS
    HOOKS = json.load(open(os.environ["QWEN_CODE_SYSTEM_SETTINGS_PATH"]))["hooks"]
    number = begin()
    run_hook(HOOKS["SessionStart"][0]["hooks"][0]["command"],
             {"hook_event_name": "SessionStart", "session_id": "s"})
    return number

def hook(event, tool="run_shell_command", given=GIVEN, **more):
    code, printed, error = run_hook(HOOKS[event][0]["hooks"][0]["command"], {
        "hook_event_name": event, "session_id": "s", "tool_name": tool, "tool_input": given,
        **more})
    return json.loads(printed)["hookSpecificOutput"] if printed else error

def hire(status="completed"):
    update(sessionUpdate="tool_call", toolCallId="hired", kind="other", status="pending",
           title="Agent", rawInput=HIRED)
    hook("PreToolUse", "agent", HIRED, tool_use_id="t", tool_call_id="hired")
    update(sessionUpdate="tool_call_update", toolCallId="hired", status=status)

def ask(given=GIVEN):
    return hook("PermissionRequest", given=given, agent_id="general-purpose-hired")

def use(given=GIVEN, call="inner"):
    said = hook("PreToolUse", given=given, agent_id="general-purpose-hired",
                tool_use_id="u" + call, tool_call_id=call)
    if said.get("permissionDecision") == "allow":
        subprocess.run(["sh", "-c", given["command"]], check=True)
    return said

number = begin_qwen()
"""
ENDS = """
say(json.dumps(told))
end(number)
until("never")
"""


@pytest.fixture
def file(rig: Rig) -> Path:
    return rig.root / "made"


@pytest.fixture
def qwen(rig: Rig, scripted: Make, tmp_path: Path, file: Path) -> Callable[[str], None]:
    """Puts an agent into the rig that runs hooks as Qwen Code does."""
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)

    def put(body: str) -> None:
        def make(text: str) -> AgentSpec:
            return scripted(text, env={"FILE": str(file), "FIFO": str(tmp_path / "fifo")})

        rig.agent = packaged(make, tmp_path, QWEN + body, "@qwen-code/qwen-code")

    return put


async def turn(rig: Rig, *answers: str) -> list[Call]:
    """A turn with these answers, and the calls that cards asked about; there are no others."""
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        for number, answer in enumerate(answers, 1):
            ticket = await rig.ticket(number)
            await rig.answer(ticket, answer, "use make" if answer == "tell" else None)
    return [*map(asked_in, rig.opened)]


def asked_in(ticket: Ticket) -> Call:
    assert isinstance(ticket.asks, Call)
    return ticket.asks


def told(rig: Rig) -> Any:
    return json.loads(rig.said())


async def test_a_call_of_a_sub_agent_in_the_background_is_asked_about_once_and_runs(
    rig: Rig, qwen: Callable[[str], None], file: Path
) -> None:
    qwen("hire()\ntold = [ask(), use()]\n" + ENDS)
    async with rig.fleet:
        hired, inner = await turn(rig, "once", "once")
        assert (hired.tool, inner.tool) == ("agent", "shell")
        assert inner.input["command"] == f"touch {file}"
        first, then = told(rig)
        assert first["decision"] == {"behavior": "allow"}
        assert then["permissionDecision"] == "allow"
        assert file.exists()
        assert rig.notices("error") == []


async def test_what_is_denied_is_not_let_by_either_hook_and_its_model_hears_why(
    rig: Rig, qwen: Callable[[str], None], file: Path
) -> None:
    qwen("hire()\ntold = [ask(), use()]\n" + ENDS)
    async with rig.fleet:
        await turn(rig, "once", "tell")
        first, then = told(rig)
        why = "The person denied this and says: use make"
        assert first["decision"] == {"behavior": "deny", "message": why}
        assert then["permissionDecision"] == "deny"
        assert not file.exists()


async def test_one_yes_lets_one_call_run_and_no_other(
    rig: Rig, qwen: Callable[[str], None]
) -> None:
    more = 'told = [ask(), use(dict(GIVEN, command="touch other"), "other"), use(), use()]\n'
    qwen("hire()\n" + more + ENDS)
    async with rig.fleet:
        _, inner, other, again = await turn(rig, "once", "once", "deny", "deny")
        assert other.input["command"] == "touch other"
        assert again.input == inner.input
        decisions = [it["permissionDecision"] for it in told(rig)[1:]]
        assert decisions == ["deny", "allow", "deny"]


async def test_about_a_sub_agent_in_front_it_asks_by_a_request_as_about_its_own_calls(
    rig: Rig, qwen: Callable[[str], None]
) -> None:
    qwen('hire("in_progress")\ntold = [ask(), hook("PermissionRequest")]\n' + ENDS)
    async with rig.fleet:
        assert len(await turn(rig, "once")) == 1
        assert told(rig) == ["", ""]


async def test_a_card_that_outlives_the_turn_is_answered_once(
    rig: Rig, qwen: Callable[[str], None], file: Path, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "fifo")
    asking = """
import threading
def work():
    told = [ask(), use()]
    open(os.environ["FIFO"], "w").write(json.dumps(told))
working = threading.Thread(target=work)
hire()
working.start()
open(os.environ["FIFO"]).read()
end(number)
working.join()
until("never")
"""
    qwen(asking)
    async with rig.fleet:
        await rig.open()
        async with asyncio.timeout(BOUND):
            task = asyncio.ensure_future(rig.fleet.prompt(rig.chat, "hello"))
            await rig.answer(await rig.ticket(), "once")
            card = await rig.ticket(2)
            await asyncio.to_thread((tmp_path / "fifo").write_text, "end it")
            await task
            await rig.answer(card, "once")
            answers = json.loads(await asyncio.to_thread((tmp_path / "fifo").read_text))
        assert answers[1]["permissionDecision"] == "allow"
        assert len(rig.opened) == 2
        assert file.exists()
