"""Calls that are not any more, or never were, what the person was shown."""

import asyncio
import json
from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.gate.approvals.tickets import ReceiptKind, Ticket
from assent.gate.call.calls import Call, ChatId
from assent.gate.call.errors import AgentFailed
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.freshness import changed_since
from assent.gate.disk.places import Places
from assent.gate.passage import Ended
from assent.gate.rules.book import Book
from assent.gate.ruling.hook_verdicts import HookWord
from assent.gate.tasks.called_tasks import with_task_digests
from assent.hosting.connection.shapes import PermissionOption
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.permission import are_distinct, cancelled
from assent.hosting.permission.toolcall import Asking, ToolCall
from assent.hosting.permission.toolcalls import ToolCalls
from assent.hosting.recipes.recipes import RECIPES
from gate.rules.books import deny
from hosting.eliza.rig import BOUND, PATIENCE, Rig

Make = Callable[..., AgentSpec]

ONE_QUESTION = """
number = begin()
ask(1, %s)
say(json.dumps(answer_to(1)["result"]["outcome"]))
end(number)
until("never")
"""

EDIT = """{"toolCallId": "t", "kind": "edit",
 "content": [{"type": "diff", "path": "a", "oldText": "old", "newText": "new"}]}"""


@pytest.mark.parametrize("what", ["content", "link"])
async def test_an_edit_is_not_run_once_its_file_is_another(
    rig: Rig, scripted: Make, what: str
) -> None:
    rig.agent = scripted(ONE_QUESTION % EDIT)
    (rig.root / "b").write_text("old")
    (rig.root / "a").symlink_to("b")
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        ticket = await rig.ticket()
        if what == "content":
            (rig.root / "b").write_text("old and more")
        else:
            (rig.root / "c").write_text("old")
            (rig.root / "a").unlink()
            (rig.root / "a").symlink_to("c")
        await rig.answer(ticket, "once")
    assert isinstance(ticket.asks, Call)
    assert rig.said() == '{"outcome": "selected", "optionId": "no"}'
    assert rig.states(ticket.asks)[-1] is State.FAILED
    assert any("has changed since it was asked" in text for text in rig.notices("warning"))


REWORDING = """
number = begin()
ask(1, {"toolCallId": "t", "rawInput": {"command": "ls"}})
for command in json.loads(until("test/go")["params"]["commands"]):
    update(sessionUpdate="tool_call_update", toolCallId="t", rawInput={"command": command})
say(json.dumps(answer_to(1)["result"]["outcome"].get("optionId")))
update(sessionUpdate="tool_call_update", toolCallId="t", status="failed")
end(number)
until("never")
"""


AMONG_OTHERS = """
number = begin()
for other in range(2, 40):
    ask(other, {"toolCallId": f"other {other}", "rawInput": {"command": "ls"}})
ask(1, {"toolCallId": "t", "rawInput": {"command": "ls"}})
update(sessionUpdate="tool_call_update", toolCallId="t", rawInput={"command": "rm x"})
say(json.dumps(answer_to(1)["result"]["outcome"].get("optionId")))
update(sessionUpdate="tool_call_update", toolCallId="t", status="failed")
end(number)
until("never")
"""


def reword(rig: Rig, *commands: str) -> None:
    """Have the agent say that its call is another, once for each command."""
    rig.fleet._hosts._newest["odd"].peer.tell("test/go", {"commands": json.dumps(commands)})


async def test_a_call_that_becomes_another_while_many_come_before_it_is_shown_as_it_is_by_then(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(AMONG_OTHERS)
    await rig.open()
    async with asyncio.timeout(BOUND):
        turn = asyncio.ensure_future(rig.fleet.prompt(rig.chat, "hello"))

        def changed() -> list[Ticket]:
            calls = [it for it in rig.opened if isinstance(it.asks, Call)]
            return [it for it in calls if it.asks.input == {"command": "rm x"}]

        await rig.until(changed)
        await rig.answer(changed()[-1], "once")
        await rig.until(rig.said)
        turn.cancel()
        await asyncio.gather(turn, return_exceptions=True)
    assert rig.said() == '"yes"'


async def test_a_call_that_becomes_another_while_it_is_asked_about_is_asked_about_anew(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(REWORDING)
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        first = await rig.ticket(1)
        reword(rig, "rm x")
        second = await rig.ticket(2)
        receipt = await rig.answer(first, "once")
        assert (receipt.kind, receipt.current) == (ReceiptKind.STALE, second)
        assert (second.id, second.revision) == (first.id, first.revision + 1)
        assert second.ruling.because.startswith("The agent has changed this call")
        assert isinstance(second.asks, Call)
        assert second.asks.input == {"command": "rm x"}
        assert (await rig.answer(second, "once")).kind is ReceiptKind.APPLIED
    assert rig.said() == '"yes"'
    rows = await rig.journal.rows()
    asked = [json.loads(row["body"])["input"] for row in rows if row["kind"] == "asked"]
    assert asked == [{"command": "ls"}, {"command": "rm x"}]
    decided = [row for row in rows if row["kind"] == "decided"]
    assert [row["digest"] for row in decided] == [second.digest]


@pytest.mark.parametrize("command", ["make test", "python3 a.py"])
@pytest.mark.parametrize("is_changed", [False, True])
async def test_what_a_changed_call_would_run_is_bound_as_well(
    rig: Rig, scripted: Make, command: str, *, is_changed: bool
) -> None:
    places = Places(roots=(str(rig.root),), home=str(rig.root.parent / "home"))
    rig.gate = evolve(
        rig.gate,
        with_file_digests=lambda call: with_task_digests(call, places),
        why_stale=lambda call: changed_since(call, places),
    )
    rig.fleet = rig.new_fleet(PATIENCE)
    rig.agent = scripted(REWORDING)
    (rig.root / "Makefile").write_text("test:\n\techo tested\n", "utf-8")
    (rig.root / "a.py").write_text("print(1)\n", "utf-8")
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.ticket()
        reword(rig, command)
        again = await rig.ticket(2)
        if is_changed:
            (rig.root / "Makefile").write_text("test:\n\trm x\n", "utf-8")
            (rig.root / "a.py").write_text("print(2)\n", "utf-8")
        await rig.answer(again, "once")
        await turn
    assert rig.said() == ('"no"' if is_changed else '"yes"')


async def test_a_call_that_becomes_one_that_is_denied_is_denied(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(REWORDING)
    rig.book = Book.of([deny("shell(rm:*)")], (str(rig.root),), str(rig.root))
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.ticket()
        reword(rig, "rm x")
    assert rig.said() == '"no"'
    assert rig.closed[0][1].rule == "shell(rm:*)"


async def test_a_call_that_is_told_again_as_it_is_stays_on_its_card(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(REWORDING)
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        ticket = await rig.ticket()
        reword(rig, "ls", "ls")
        await rig.answer(ticket, "once")
    assert rig.said() == '"yes"'
    assert len(rig.opened) == 1


async def test_a_call_that_never_comes_to_rest_is_refused(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(REWORDING)
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.ticket()
        reword(rig, *[f"rm {number}" for number in range(100)])
    assert rig.said() == '"no"'
    assert len(rig.opened) < 30
    assert "again and again" in rig.closed[0][1].because


@pytest.mark.parametrize("verdict", [Verdict.DENY, Verdict.ASK, None])
async def test_hooks_hear_what_a_call_has_become(
    rig: Rig, scripted: Make, verdict: Verdict | None
) -> None:
    heard: list[object] = []

    class Hooks:
        async def before(self, call: Call) -> HookWord:
            heard.append(call.input["command"])
            says = verdict if call.input["command"] == "rm x" else None
            return HookWord(verdict=says, because="The hook says so.")

        async def after(self, call: Call, ended: Ended) -> str:
            return ""

    rig.gate = evolve(rig.gate, hooks=Hooks())
    rig.fleet = rig.new_fleet(PATIENCE)
    rig.agent = scripted(REWORDING)
    async with asyncio.timeout(BOUND), rig.fleet, asyncio.TaskGroup() as group:
        await rig.open()
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.ticket()
        reword(rig, "rm x")
        await rig.answer(await rig.ticket(2), "once")
        await turn
    assert heard == ["ls", "rm x"]
    assert rig.said() == ('"no"' if verdict is Verdict.DENY else '"yes"')


@pytest.mark.parametrize(("later", "alarms"), [("rm x", 1), ("ls", 0)])
async def test_an_allowed_call_that_becomes_another_raises_the_alarm_once(
    rig: Rig, scripted: Make, later: str, alarms: int
) -> None:
    rig.agent = scripted(
        f"""
        number = begin()
        ask(1, {{"toolCallId": "t", "rawInput": {{"command": "ls"}}}})
        answer_to(1)
        for status in ("in_progress", "completed"):
            update(sessionUpdate="tool_call_update", toolCallId="t", status=status,
                   rawInput={{"command": {later!r}}})
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.turn("hello", "once")
    told = [text for text in rig.notices("error") if "otherwise than it had been allowed" in text]
    assert len(told) == alarms


async def test_an_edit_that_does_what_was_shown_raises_no_alarm(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        number = begin()
        raw = {"path": os.environ["FILE"], "content": "new"}
        ask(1, {"toolCallId": "t", "kind": "edit", "rawInput": raw,
                "content": [{"type": "diff", "path": raw["path"], "newText": "new"}]})
        answer_to(1)
        open(raw["path"], "w").write("new")
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed", rawInput=raw)
        end(number)
        until("never")
        """,
        env={"FILE": str(rig.root / "a")},
    )
    await rig.open()
    _, call = await rig.turn("hello", "once")
    assert rig.states(call)[-1] is State.SUCCEEDED
    assert rig.notices("error") == []


async def test_options_that_share_an_id_are_answered_with_none_of_them(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        same = {"optionId": "yes", "name": "No", "kind": "reject_once"}
        ask(1, {"toolCallId": "t", "rawInput": {"command": "ls"}}, (ONCE, same))
        say(answer_to(1)["result"]["outcome"]["outcome"])
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert rig.said() == "cancelled"
    assert rig.opened == []
    assert len(rig.notices("warning")) == 1


def test_options_are_distinct_by_their_ids() -> None:
    one, other = (PermissionOption(optionId=name, kind="allow_once") for name in "ab")
    assert are_distinct([one, other])
    assert not are_distinct([one, one])


def test_a_reason_that_is_no_text_can_be_sent() -> None:
    because = cancelled("/tmp/\udcff")["_meta"]["assent"]["because"]
    # Compared in letters that a report of a failure can carry.
    assert ascii(because) == ascii("/tmp/\\udcff")


async def test_a_session_under_the_id_of_another_is_refused_and_what_is_open_is_settled(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "ls"}})
        send(id=until("session/new")["id"], result={"sessionId": "s"})
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.ticket()
        with pytest.raises(AgentFailed, match="under the id of another"):
            await rig.fleet.open(ChatId("chat-2"), rig.agent, str(rig.root))
        await rig.fleet.end_all()
        await turn
    assert len(rig.closed) == 1


async def test_two_requests_for_one_call_are_refused_and_allowed_each_for_itself(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "ls"}})
        answer_to(1)
        ask(2, {"toolCallId": "t", "rawInput": {"command": "rm x"}})
        answer_to(2)
        update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
        end(number)
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.answer(await rig.ticket(1), "once")
        await rig.answer(await rig.ticket(2), "deny")
    assert len(rig.notices("error")) == 1


async def test_stopping_refuses_a_second_question_of_a_call_that_runs(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        number = begin()
        ask(1, {"toolCallId": "t", "rawInput": {"command": "ls"}})
        answer_to(1)
        ask(2, {"toolCallId": "t", "rawInput": {"command": "ls -l"}})
        say(answer_to(2)["result"]["outcome"]["outcome"])
        end(number, "cancelled")
        until("never")
        """
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        first = await rig.ticket(1)
        await rig.answer(first, "once")
        await rig.ticket(2)
        await rig.fleet.stop(rig.chat)
    assert isinstance(first.asks, Call)
    assert rig.said() == "cancelled"
    assert rig.states(first.asks)[-1] is State.KILLED


async def test_what_many_calls_hold_is_let_go_and_what_is_asked_for_is_kept() -> None:
    alarms: list[ToolCall] = []
    calls = ToolCalls(
        alarm=alarms.append, printed=lambda *_: None, pictured=lambda *_: None, most_kept=1_000
    )
    asked = calls.asked({"toolCallId": "asked", "rawInput": {"command": "x" * 2_000}})
    assert asked is not None
    flood = []
    for number in range(20):
        patch = {"toolCallId": str(number), "status": "pending", "rawInput": "y" * 900}
        calls.take_update(patch, new=True)
        flood.append(calls.asked({"toolCallId": str(number)}) if number == 0 else None)
    assert asked.tool.whole["rawInput"] == {"command": "x" * 2_000}
    assert asked.asking is Asking.OPEN
    calls.take_update({"toolCallId": "7", "status": "completed"}, new=False)
    assert [tool.whole for tool in alarms] == [{"toolCallId": "7", "status": "completed"}]


_TOLD = st.tuples(
    st.sampled_from(["told", "new", "asked", "over", "hooked", "nameless"]),
    st.sampled_from("abcdef"),
    st.integers(0, 600),
)


@settings(deadline=None)
@given(st.lists(_TOLD, max_size=60))
async def test_where_too_much_is_held_all_that_nobody_needs_is_let_go(
    messages: list[tuple[str, str, int]],
) -> None:
    (claude,) = (it for it in RECIPES if it.id == "claude")
    calls = ToolCalls(
        alarm=lambda _: None, printed=lambda *_: None, pictured=lambda *_: None, most_kept=1_000
    )
    for how, name, size in messages:
        patch = {"toolCallId": name, "rawInput": {"command": "x" * size}}
        if how == "asked":
            calls.asked(patch)
        elif how in {"hooked", "nameless"}:
            call = name if how == "hooked" else ""
            calls.hooked(
                Hooked(session="s", tool="Bash", call=call, input=patch["rawInput"]), claude
            )
        else:
            status = {"status": "completed"} if how == "over" else {}
            calls.take_update(patch | status, new=how == "new")
        tools = calls._calls.values()
        if sum(it.weight for it in tools) > 1_000:
            assert not [it for it in tools if it.weight and (it.ended.done() or not it.requests)]


async def test_of_thousands_of_calls_those_that_are_over_are_let_go_first() -> None:
    alarms: list[ToolCall] = []
    calls = ToolCalls(alarm=alarms.append, printed=lambda *_: None, pictured=lambda *_: None)
    asked = calls.asked({"toolCallId": "asked"})
    assert asked is not None
    asked.asking = Asking.ALLOWED
    for number in range(3_000):
        calls.take_update({"toolCallId": str(number), "status": "failed"}, new=True)
        assert len(calls._calls) < 1_200
    assert calls._calls["asked"] is asked.tool
    assert not asked.tool.ended.done()
