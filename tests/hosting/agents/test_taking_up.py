"""A chat goes on where its agent was started anew, and nothing is wider for it."""

import asyncio
import os
import signal
from collections.abc import Callable

import pytest

from assent.gate.call.lifecycle import State
from assent.gate.journal.agent_events import OptionsTold
from assent.gate.journal.events import CallMoved, Said
from assent.hosting.connection.chat import Talk
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.call_ids import ToldCallIds
from hosting.eliza.rig import BOUND, Rig

Make = Callable[..., AgentSpec]

LIVES = """
BEGIN, HAS = {}, ()
MODES = {"currentModeId": "turbo", "availableModes": [{"id": "default"}, {"id": "turbo"}]}

def note(what):
    with open("NOTES", "a") as notes:
        notes.write(what + "\\n")

is_first = not os.path.exists("NOTES")
note("started %d" % os.getpid())
send(id=until("initialize")["id"], result={"protocolVersion": 1, "agentCapabilities": CAN})

def first():
    send(id=until("session/new")["id"], result={"sessionId": "s", **BEGIN})
    number = until("session/prompt")["id"]
    for mode in HAS:
        update(sessionUpdate="current_mode_update", currentModeId=mode)
    say("I am here")
    end(number)
    until("session/prompt")
    ask(1, {"toolCallId": "old", "rawInput": {"command": "true"}})
    # Until its process is ended.
    until("never")

def later(method):
    asked = until(method)
    note(json.dumps(asked["params"]))
    return asked["id"]

def talk():
    mode = hear()
    while mode.get("method") == "session/set_mode":
        note("mode " + mode["params"]["modeId"])
        send(id=mode["id"], result={})
        mode = hear()
    say("still here")
    end(mode["id"])
    until("never")
"""
RESUMES = '{"sessionCapabilities": {"resume": {}}, "loadSession": True}'
LOADS = '{"loadSession": True}'
REPLAY = """
    update(sessionUpdate="user_message_chunk", content={"type": "text", "text": "hello"})
    update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "I am here"})
    update(sessionUpdate="tool_call", toolCallId="old", title="T", rawInput={"command": "true"},
           status="completed")
    update(sessionUpdate="current_mode_update", currentModeId="turbo")
"""


def living(scripted: Make, rig: Rig, can: str, later: str, begins: str = "") -> AgentSpec:
    """An agent that dies in its second turn, with a question open, and then lives on."""
    notes = str(rig.root.parent / "notes")
    body = f"CAN = {can}\n{LIVES}\n{begins}\nif is_first:\n    first()\n{later}\n".replace(
        '"NOTES"', f'"{notes}"'
    )
    return scripted(body)


def notes_of(rig: Rig) -> list[str]:
    return (rig.root.parent / "notes").read_text("utf-8").splitlines()


async def die_and_go_on(rig: Rig) -> list[str]:
    """Two turns of which the second ends the agent with a question open, and a third."""
    await rig.open()
    await rig.say("hello")
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "die"))
        await rig.ticket(1)
        os.kill(int(notes_of(rig)[0].split()[1]), signal.SIGKILL)
    assert turn.result()[0] == "error"
    assert await rig.say("go on") == ("done", "")
    return notes_of(rig)


@pytest.mark.parametrize(
    ("can", "method", "told"),
    [(RESUMES, "session/resume", ""), (LOADS, "session/load", REPLAY)],
)
async def test_a_chat_goes_on_after_its_agent_was_started_anew(
    rig: Rig, scripted: Make, can: str, method: str, told: str
) -> None:
    then = f"""
if not is_first:
    number = later("{method}")
{told}
    send(id=number, result={{"modes": MODES}})
    talk()
"""
    rig.agent = living(scripted, rig, can, then)
    noted = await die_and_go_on(rig)
    assert [it.split()[0] for it in noted[:2]] == ["started", "started"]
    assert '"sessionId": "s"' in noted[2]
    # It came back in a mode in which it asks less, and was put into the one that asks.
    assert noted[3] == "mode default"
    assert rig.notices("info") == ["Odd was started anew and goes on with this chat."]
    # What is told again stands in the chat once, and raises nothing.
    words = [it.text for it in rig.happened if isinstance(it, Said)]
    assert words == ["hello", "I am here", "die", "go on", "still here"]
    assert [it for it in rig.notices("error") if "without asking" in it] == []
    options = [it for it in rig.happened if isinstance(it, OptionsTold)]
    assert options[-1].settings[0].now == "default"


async def test_what_was_asked_before_is_refused_and_a_late_answer_to_it_lets_nothing_run(
    rig: Rig, scripted: Make
) -> None:
    then = """
if not is_first:
    send(id=later("session/resume"), result=None)
    talk()
"""
    rig.agent = living(scripted, rig, RESUMES, then)
    await die_and_go_on(rig)
    ticket = await rig.ticket(1)
    assert (await rig.answer(ticket, "once")).kind != "applied"
    states = [it.state for it in rig.happened if isinstance(it, CallMoved)]
    assert State.RUNNING not in states
    assert states[-1] is State.REFUSED


@pytest.mark.parametrize(
    ("can", "method"), [(RESUMES, "session/resume"), (LOADS, "session/load"), ("{}", "")]
)
async def test_an_agent_that_knows_the_chat_no_more_says_so_and_begins_anew(
    rig: Rig, scripted: Make, can: str, method: str
) -> None:
    refused = f'    send(id=later("{method}"), error={{"code": 1, "message": "gone"}})'
    then = f"""
if not is_first:
{refused if method else "    pass"}
    send(id=later("session/new"), result={{"sessionId": "s"}})
    talk()
"""
    rig.agent = living(scripted, rig, can, then)
    await die_and_go_on(rig)
    assert rig.said().endswith("still here")
    assert rig.notices("info") == ["Odd was started anew and does not know what was said before."]


@pytest.mark.parametrize(
    ("can", "method", "told"),
    [(RESUMES, "session/resume", ""), (LOADS, "session/load", REPLAY)],
)
async def test_a_loose_mode_is_not_forgotten_where_the_agent_says_nothing_of_it_when_it_goes_on(
    rig: Rig, scripted: Make, can: str, method: str, told: str
) -> None:
    then = f"""
if not is_first:
    number = later("{method}")
{told}
    send(id=number, result=None)
    mode = hear()
    note("mode " + mode["params"]["modeId"])
    send(id=mode["id"], error={{"code": 1, "message": "not now"}})
    talk()
"""
    begins = 'BEGIN, HAS = {"modes": dict(MODES, currentModeId="default")}, ("turbo",)'
    rig.agent = living(scripted, rig, can, then, begins)
    assert (await die_and_go_on(rig))[3] == "mode default"
    loose = [it.loose for it in rig.happened if isinstance(it, OptionsTold)][-1]
    assert loose == "Odd is in its own mode “turbo”, so it may ask less."


async def test_a_loose_mode_that_is_told_again_stands_where_the_answer_names_none(
    rig: Rig, scripted: Make
) -> None:
    then = f"""
if not is_first:
    number = later("session/load")
{REPLAY}
    send(id=number, result={{}})
    talk()
"""
    rig.agent = living(scripted, rig, LOADS, then)
    await die_and_go_on(rig)
    loose = [it.loose for it in rig.happened if isinstance(it, OptionsTold)][-1]
    assert loose == "Odd is in its own mode “turbo”, so it may ask less."


@pytest.mark.parametrize("known", [True, False])
async def test_a_call_of_before_that_nobody_saw_is_told_and_does_not_run(
    rig: Rig, scripted: Make, *, known: bool
) -> None:
    then = f"""
if True:
    number = later("session/load")
{REPLAY}
    send(id=number, result={{}})
    talk()
"""
    rig.agent = living(scripted, rig, LOADS, then, "is_first = False")
    seen = ToldCallIds()
    if known:
        seen.tell("old", again=False)
    # As a chat comes back that was kept by a server which is gone.
    talk = Talk(chat=rig.chat, spec=rig.agent, cwd=str(rig.root), session_id="s", seen=seen)
    rig.fleet.take_up(talk)
    assert notes_of_missing(rig), "its agent is not started before somebody writes"
    assert await rig.say("go on") == ("done", "")
    assert rig.notices("info") == ["Odd was started anew and goes on with this chat."]
    told = [it for it in rig.notices("error") if "has not seen" in it]
    assert len(told) == (0 if known else 1)
    assert [it for it in rig.happened if isinstance(it, CallMoved)] == []
    words = [it.text for it in rig.happened if isinstance(it, Said)]
    assert words == ["go on", "still here"]


def notes_of_missing(rig: Rig) -> bool:
    return not (rig.root.parent / "notes").exists()
