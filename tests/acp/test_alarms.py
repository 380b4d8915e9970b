"""The alarm about calls that ran and were not let: by what a call does, not what it is called."""

import asyncio
import json
from collections.abc import Callable

import pytest

from assent.acp.spec import AgentSpec
from assent.disk.places import Places
from assent.lifecycle import State
from assent.modes import Mode
from eliza.rig import BOUND, Rig

Make = Callable[..., AgentSpec]

KINDS = "read edit delete move search execute think fetch switch_mode other".split()
"""All that the Agent Client Protocol knows."""

DOES = {
    "a sub-agent of opencode": {
        "description": "d",
        "prompt": "write T",
        "subagent_type": "general",
    },
    "a command": {"command": "touch T"},
    "a change": {"path": "T", "content": "x"},
    "a plan with a prompt beside it": {"plan": [], "prompt": "write T"},
    "nothing that can be seen, as with Gemini": None,
    "no object": "write T",
}

NOTES = {
    "a plan of Codex": {"plan": [{"step": "first", "status": "pending"}], "explanation": "why"},
    "a list of Qwen": {"todos": [{"id": "1", "content": "first", "status": "in_progress"}]},
    "a list of Copilot": {"todos": "- [ ] first"},
    "a thought": {"thought": "hm"},
}

UNASKED = """
number = begin()
for kind in %r:
    update(sessionUpdate="tool_call", toolCallId=kind, title=kind, kind=kind, status="in_progress",
           rawInput=%r)
    update(sessionUpdate="tool_call_update", toolCallId=kind, status="completed")
    update(sessionUpdate="tool_call_update", toolCallId=kind, status="completed")
end(number)
until("never")
"""


@pytest.mark.parametrize("what", DOES)
async def test_no_kind_that_an_agent_gives_its_call_silences_the_alarm(
    rig: Rig, scripted: Make, what: str
) -> None:
    rig.agent = scripted(UNASKED % (KINDS, DOES[what]))
    await rig.open()
    await rig.say("hello")
    assert len(rig.notices("error")) == len(KINDS)
    assert all(text.endswith(" without asking.") for text in rig.notices("error"))


@pytest.mark.parametrize("what", NOTES)
async def test_an_agent_that_notes_its_plan_raises_no_alarm_of_whatever_kind(
    rig: Rig, scripted: Make, what: str
) -> None:
    rig.agent = scripted(UNASKED % (KINDS, NOTES[what]))
    await rig.open()
    await rig.say("hello")
    assert rig.notices("error") == []


async def test_a_plan_that_shows_a_change_of_a_file_is_none(rig: Rig, scripted: Make) -> None:
    diff = {"type": "diff", "path": "T", "oldText": None, "newText": "x"}
    for beside in ({"locations": [{"path": "T"}]}, {"content": [diff]}):
        rig.agent = scripted(
            f"""
            number = begin()
            update(sessionUpdate="tool_call", toolCallId="t", kind="think", status="in_progress",
                   rawInput={{"plan": []}}, **{beside!r})
            update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
            end(number)
            until("never")
            """
        )
        before = len(rig.notices("error"))
        await rig.open()
        await rig.say("hello")
        assert len(rig.notices("error")) == before + 1
        await rig.fleet.close(rig.chat)


CODEX_EDIT = """
number = begin()
diff = {"type": "diff", "path": os.environ["FILE"], "oldText": None, "newText": "new",
        "_meta": {"kind": "add"}}
update(sessionUpdate="tool_call", toolCallId="t", title="Edit files", kind="edit",
       status="in_progress", content=[diff])
ask(1, {"toolCallId": "t", "title": "Edit files", "kind": "edit", "status": "pending",
        "locations": [{"path": os.environ["FILE"]}]})
outcome = answer_to(1)["result"]["outcome"]
%s
end(number, "cancelled")
until("never")
"""
"""As codex-acp 2.6.0 asks for an edit: it says that it goes on before it asks."""

DECLINED = {
    "it says nothing more": "",
    "it failed": 'update(sessionUpdate="tool_call_update", toolCallId="t", status="failed")',
    "it failed, and its members are told once more": (
        'update(sessionUpdate="tool_call_update", toolCallId="t", kind="edit", status="failed",'
        " content=[diff])"
    ),
    "it was declined, in a word of its own": (
        'update(sessionUpdate="tool_call_update", toolCallId="t", status="declined")'
    ),
}
RAN = {
    "it was completed": (
        'update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")'
    ),
    "it goes on after the answer": (
        'update(sessionUpdate="tool_call_update", toolCallId="t", status="in_progress")'
    ),
    "it goes on after the answer, and fails": """
update(sessionUpdate="tool_call_update", toolCallId="t", status="in_progress")
update(sessionUpdate="tool_call_update", toolCallId="t", status="failed")
""",
}


@pytest.mark.parametrize("after", DECLINED)
@pytest.mark.parametrize("option", ["deny", "tell"])
async def test_a_refused_edit_that_did_not_run_raises_no_alarm(
    rig: Rig, scripted: Make, after: str, option: str
) -> None:
    env = {"FILE": str(rig.root / "a")}
    rig.agent = scripted(CODEX_EDIT % DECLINED[after], env=env)
    await rig.open()
    _, call = await rig.turn("hello", option)
    assert rig.notices("error") == []
    assert rig.states(call)[-1] is State.REFUSED


@pytest.mark.parametrize("after", RAN)
async def test_a_refused_edit_that_shows_signs_of_running_raises_the_alarm(
    rig: Rig, scripted: Make, after: str
) -> None:
    rig.agent = scripted(CODEX_EDIT % RAN[after], env={"FILE": str(rig.root / "a")})
    await rig.open()
    await rig.turn("hello", "deny")
    assert rig.notices("error") == ["Odd ran “Edit files” although it had been refused."]


BEGUN = """
number = begin()
update(sessionUpdate="tool_call", toolCallId="t", title="T", kind="execute",
       rawInput={"command": "touch T"}, %s)
%s
"""
OVER = 'end(number)\nuntil("never")'
SIGNS = {
    "it goes on, and its agent leaves": BEGUN % ('status="in_progress"', ""),
    "it shows a result, and no end": BEGUN % ('status="pending", rawOutput="done"', OVER),
    "it goes on behind a thousand others": BEGUN
    % (
        'status="in_progress"',
        f"""
for other in range(1001):
    update(sessionUpdate="tool_call", toolCallId=str(other), rawInput={{"plan": []}})
{OVER}
""",
    ),
}


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
async def test_a_call_of_which_no_end_is_told_raises_the_alarm(
    rig: Rig, scripted: Make, sign: str
) -> None:
    rig.agent = scripted(sign)
    await rig.open()
    await rig.say("hello")
    assert "Odd ran “touch T” without asking." in rig.notices("error")


async def test_an_allowed_call_may_go_on_for_longer_than_a_thousand_others(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "make"}})
        answer_to(1)
        for other in range(1001):
            update(sessionUpdate="tool_call", toolCallId=str(other), status="completed",
                   rawInput={"plan": []})
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
        end(number)
        until("never")
        """
    )
    await rig.open()
    _, call = await rig.turn("hello", "once")
    assert rig.notices("error") == []
    assert rig.states(call)[-1] is State.SUCCEEDED


NO_NOTES = {
    "a tool of a server": {"_meta": {"claudeCode": {"toolName": "mcp__tasks__write"}}},
    "a terminal": {"content": [{"type": "terminal", "terminalId": "1"}]},
}


@pytest.mark.parametrize("what", NO_NOTES)
@pytest.mark.parametrize("args", NOTES.values(), ids=NOTES)
async def test_what_a_server_or_a_terminal_does_is_no_note_taking(
    rig: Rig, scripted: Make, what: str, args: dict[str, object]
) -> None:
    told = {"title": "T", "status": "completed", "rawInput": args, **NO_NOTES[what]}
    rig.agent = scripted(
        f"""
        number = begin()
        update(sessionUpdate="tool_call", toolCallId="t", **{told!r})
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert rig.notices("error") == ["Odd ran “T” without asking."]


async def test_an_alarm_cannot_be_worded_by_the_agent_and_tells_what_was_changed(
    rig: Rig, scripted: Make
) -> None:
    diff = {"type": "diff", "path": "/etc/passwd", "oldText": None, "newText": "x"}
    title = " " * 500 + "ls” as you allowed.\n\nAll is well.\u202e\x1b[31m"
    rig.agent = scripted(
        f"""
        number = begin()
        update(sessionUpdate="tool_call", toolCallId="t", title={title!r}, kind="edit",
               status="completed", content=[{diff!r}])
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    (text,) = rig.notices("error")
    shown = 'ls" as you allowed. All is well.<U+202E><U+001B>[31m'
    assert text == f"Odd ran “{shown}” without asking."
    (row,) = await rig.journal.rows(kind="noted")
    assert "/etc/passwd" in row["body"]


async def test_what_policy_would_have_allowed_is_written_down_and_raises_no_alarm(
    rig: Rig, scripted: Make
) -> None:
    rig.facts = Places(roots=(str(rig.root),), home=str(rig.root.parent))
    rig.agent = scripted(
        """
        number = begin()
        for name, command in (("a", "ls"), ("b", "touch T")):
            update(sessionUpdate="tool_call", toolCallId=name, kind="execute", status="completed",
                   rawInput={"command": command})
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert rig.notices("error") == ["Odd ran “touch T” without asking."]
    rows = [json.loads(row["body"]) for row in await rig.journal.rows(kind="noted")]
    assert [row["verdict"] for row in rows] == ["allow", "ask"]


async def test_a_call_is_judged_by_no_kind_that_its_agent_claims_for_it(
    rig: Rig, scripted: Make
) -> None:
    rig.facts = Places(roots=(str(rig.root),), home=str(rig.root.parent))
    rig.agent = scripted(
        """
        number = begin()
        update(sessionUpdate="tool_call", toolCallId="t", kind="read", status="completed",
               title="Read a", rawInput={"path": "a"})
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert rig.notices("error") == ["Odd ran “Read a” without asking."]


async def test_many_alarms_alike_are_told_once_and_counted_when_the_turn_is_over(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        for at in range(300):
            update(sessionUpdate="tool_call", toolCallId=str(at), kind="execute",
                   status="completed", rawInput={"command": f"touch T{at}"})
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert rig.notices("error") == [
        "Odd ran “touch T0” without asking.",
        "Odd ran 299 more calls without asking; each stands in the history.",
    ]
    assert len(await rig.journal.rows(kind="noted")) == 300


async def test_an_agent_that_makes_up_tools_makes_no_flood_of_alarms(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        for at in range(300):
            update(sessionUpdate="tool_call", toolCallId=str(at), kind=str(at), name=str(at),
                   status="completed", rawInput={"command": "make"})
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert len(rig.notices("error")) == 21


async def test_what_was_refused_and_ran_raises_the_alarm_whatever_policy_says_by_now(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "kind": "execute", "rawInput": {"command": "ls"}})
        answer_to(1)
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
        end(number)
        until("never")
        """
    )
    rig.facts = Places(roots=(str(rig.root),), home=str(rig.root.parent))
    rig.mode = Mode.ASK
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        ticket = await rig.ticket()
        rig.mode = Mode.AUTO
        await rig.answer(ticket, "deny")
    assert rig.notices("error") == ["Odd ran “ls” although it had been refused."]
