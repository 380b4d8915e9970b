"""The alarm about calls that ran and were not let: by what a call does, not what it is called."""

from collections.abc import Callable

import pytest

from assent.acp.spec import AgentSpec
from assent.lifecycle import State
from eliza.rig import Rig

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
