"""The alarm about calls that ran and were not let: by what a call does, not what it is called."""

import asyncio
import json
from collections.abc import Callable

import pytest

from assent.gate.call.calls import CallId
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.toolcall import Asking
from assent.hosting.permission.toolcalls import ToolCalls
from assent.hosting.recipes.recipe import GENERAL, Recipe
from assent.hosting.recipes.recipes import RECIPES
from hosting.eliza.rig import BOUND, Rig
from tables import each_row

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

RECIPE = {recipe.id: recipe for recipe in (*RECIPES, GENERAL)}


def unasked_after(
    recipe: Recipe, *told: dict[str, object], allowed: dict[str, object] | None = None
) -> list[str]:
    """The ids of the calls that raise an alarm, after one call was allowed and over."""
    raised: list[str] = []
    calls = ToolCalls(
        recipe=recipe,
        alarm=lambda tool: raised.append(tool.id),
        printed=lambda *_: None,
        pictured=lambda *_: None,
    )
    if allowed is not None:
        request = calls.asked({"toolCallId": "allowed", "rawInput": allowed["rawInput"]})
        assert request is not None
        request.asking = Asking.ALLOWED
        request.tool.begin(CallId("c"), lambda: False)
        calls.take_update({"toolCallId": "allowed", "status": "completed", **allowed}, new=False)
    for number, patch in enumerate(told):
        name = {"toolCallId": f"t{number}"}
        calls.take_update({**name, "status": "pending", **patch}, new=True)
        calls.take_update({**name, "status": "completed"}, new=False)
    return raised


LOOKS: dict[str, object] = {
    "kind": "read",
    "title": "Reading shell output",
    "rawInput": {"shellId": "waits", "delay": 0},
}
SHELL = {"rawInput": {"command": "sleep 1", "mode": "async", "shellId": "waits"}}
STARTED = {
    "rawInput": {"agent_type": "task", "prompt": "p"},
    "content": [
        {"type": "content", "content": {"type": "text", "text": "Started, agent_id: 7db1-2."}}
    ],
}
"""As Copilot 1.0.102 tells of them."""


async def test_an_agent_that_looks_at_what_an_allowed_call_came_to_raises_no_alarm() -> None:
    copilot = RECIPE["copilot"]
    assert unasked_after(copilot, LOOKS, allowed=SHELL) == []
    agent = {**LOOKS, "rawInput": {"agent_id": "7db1-2", "since_turn": 0.0}}
    assert unasked_after(copilot, agent, allowed=STARTED) == []


async def test_an_agent_that_looks_at_anything_else_or_does_more_raises_the_alarm() -> None:
    copilot = RECIPE["copilot"]
    diff = [{"type": "diff", "path": "T", "oldText": None, "newText": "x"}]
    others: dict[str, dict[str, object]] = {
        "a shell that nobody allowed": {**LOOKS, "rawInput": {"shellId": "other", "delay": 0}},
        "what is typed into it": {
            **LOOKS,
            "rawInput": {"shellId": "waits", "delay": 0, "input": "rm x"},
        },
        "its end": {**LOOKS, "rawInput": {"shellId": "waits"}},
        "an agent that nobody allowed": {
            **LOOKS,
            "rawInput": {"agent_id": "waits", "since_turn": 0},
        },
        "a change beside it": {**LOOKS, "content": diff},
        "a place beside it": {**LOOKS, "locations": [{"path": "T"}]},
    }
    for name, told in others.items():
        assert unasked_after(copilot, told, allowed=SHELL) == ["t0"], name
    for part in ("7db1", "7db", "1-2"):
        agent = {**LOOKS, "rawInput": {"agent_id": part, "since_turn": 0}}
        assert unasked_after(copilot, agent, allowed=STARTED) == ["t0"], part
    assert unasked_after(copilot, LOOKS) == ["t0"], "nothing was allowed"
    assert unasked_after(GENERAL, LOOKS, allowed=SHELL) == ["t0"], "another agent"


@each_row("agent", ["gemini", "", "claude"])
async def test_a_call_that_failed_before_it_was_asked_for_counts_where_its_agent_says_it_ran(
    agent: str,
) -> None:
    """Gemini says that a call goes on, looks whether it can be done, and only then asks."""
    raised: list[str] = []
    calls = ToolCalls(
        recipe=RECIPE[agent],
        alarm=lambda tool: raised.append(tool.id),
        printed=lambda *_: None,
        pictured=lambda *_: None,
    )
    for end in ("failed", "completed"):
        begun = {"toolCallId": end, "kind": "edit", "title": "x", "locations": [{"path": "none"}]}
        calls.take_update({**begun, "status": "in_progress"}, new=True)
        calls.take_update({"toolCallId": end, "status": end}, new=False)
    assert raised == (["completed"] if agent == "gemini" else ["failed", "completed"])


LOOKED = """
number = begin()
update(sessionUpdate="tool_call", toolCallId="t", title="t", **%r)
update(sessionUpdate="tool_call_update", toolCallId="t", status=%r)
end(number)
until("never")
"""
READS = {
    "kind": "read",
    "status": "in_progress",
    "rawInput": {"file_path": "none", "offset": 0},
    "locations": [{"path": "none", "line": 0}],
}
"""As Vibe 3.0.3 tells of what it reads without asking."""
FAILING = {
    "a file of the workspace": (READS, "failed", 0),
    "a file that it read": (READS, "completed", 1),
    "a file elsewhere": (
        {**READS, "rawInput": {"file_path": "/etc/none"}, "locations": []},
        "failed",
        1,
    ),
    "a change": ({**READS, "kind": "edit"}, "failed", 1),
    "a command": ({**READS, "rawInput": {"command": "make"}}, "failed", 1),
}


@pytest.mark.parametrize(("told", "status", "count"), FAILING.values(), ids=FAILING)
async def test_a_read_that_the_policy_lets_and_that_failed_is_only_written_down(
    rig: Rig, scripted: Make, told: dict[str, object], status: str, count: int
) -> None:
    rig.agent = scripted(LOOKED % (told, status))
    await rig.open()
    await rig.say("hello")
    assert len(rig.notices("error")) == count
    rows = [json.loads(row["body"]) for row in await rig.journal.rows() if row["kind"] == "noted"]
    assert [row["what"] for row in rows] == ["ungated"]


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
