"""A call that its hook was allowed and that is then shown to be another raises an alarm."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.gate.call.calls import Call
from assent.gate.call.modes import Mode
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.toolcall import Asking
from assent.hosting.permission.toolcalls import ToolCalls
from assent.hosting.recipes.recipes import RECIPES
from hosting.eliza.hooked import packaged
from hosting.eliza.rig import BOUND, PATIENCE, Rig

Make = Callable[..., AgentSpec]

BEGIN = """
number = begin_hooked()
LINE = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
def hook(tool, given):
    code, printed, _ = run_hook(LINE, {"hook_event_name": "PreToolUse", "session_id": "s",
        "tool_name": tool, "tool_input": given, "tool_use_id": "t"})
    return json.loads(printed)["hookSpecificOutput"]["permissionDecision"]
def diff(path, old, new):
    return [{"type": "diff", "path": path, "oldText": old, "newText": new}]
"""
END = """
end(number)
until("never")
"""
SHELL = 'hook("Bash", {"command": "make"})\n'
READ = 'hook("Read", {"file_path": "a"})\n'
SEARCH = 'hook("Grep", {"pattern": "x", "path": "src"})\n'
EDIT = 'hook("Edit", {"file_path": "a", "old_string": "old", "new_string": "new"})\n'
FETCH = 'hook("WebFetch", {"url": "http://a.example", "prompt": "p"})\n'
SERVED = 'hook("mcp__db__get", {"id": 1})\n'
WRITE = 'hook("Write", {"file_path": "new", "content": "first\\nsecond\\n"})\n'
WATCH = 'hook("Monitor", {"command": "make", "description": "look"})\n'
HIRE = 'hook("spawn_agent", {"message": "look", "options": [{"level": 1}]})\n'
PLAN = 'hook("ExitPlanMode", {})\n'
TABBED = 'hook("Edit", {"file_path": "tabbed", "old_string": "\\tx", "new_string": "\\t\\ty"})\n'
MAKE = 'hook("Edit", {"file_path": "new", "old_string": "", "new_string": "first\\n"})\n'
BROKEN = 'hook("Edit", {"file_path": "broken", "old_string": "a\\nb", "new_string": "1\\n2"})\n'
UNFIT = 'hook("Edit", {"file_path": "a", "old_string": "none", "new_string": "new"})\n'
WROTE = 'open(os.environ["FOLDER"] + "/new", "w").write("first\\nsecond\\n")\n'


def shows(**told: object) -> str:
    """The call goes on, and is shown as this."""
    return f'update(sessionUpdate="tool_call_update", toolCallId="t", **{told!r})\n'


def diff(path: str, old: str | None, new: str) -> list[dict[str, object]]:
    return [{"type": "diff", "path": path, "oldText": old, "newText": new}]


def served(**given: object) -> str:
    """The call is over, and is shown as Codex shows one of a server's tool."""
    whole = {"server": "db", "tool": "get", "arguments": {"id": 1}, **given}
    return shows(_meta={"is_mcp_tool_call": True}, rawInput=whole, status="completed")


OTHERS = {
    "another tool of a server": SERVED + served(tool="drop"),
    "a tool of another server": SERVED + served(server="other"),
    "a tool of a server, given something else": SERVED + served(arguments={"id": 2}),
    "another command": SHELL + shows(rawInput={"command": "make install"}, status="in_progress"),
    "another command, piece by piece": SHELL
    + shows(rawInput={"command": "make install"})
    + shows(status="completed"),
    "another command, of whose end nothing is told": SHELL
    + shows(rawInput={"command": "make install"}),
    "a command in another folder": SHELL
    + shows(rawInput={"command": "make", "cwd": "/"}, status="in_progress"),
    "a change where it was a command": SHELL
    + shows(content=diff("a", "old", "new"), status="completed"),
    "another path": READ + shows(rawInput={"file_path": "b"}, status="completed"),
    "another place": READ + shows(locations=[{"path": "b"}], status="completed"),
    "a place elsewhere than it searched": SEARCH
    + shows(locations=[{"path": "b"}], status="completed"),
    "a removal where it was read": READ + shows(kind="delete", status="completed"),
    "a content where it was read": READ
    + shows(rawInput={"file_path": "a", "content": "evil"}, status="completed"),
    "a command where it was a path": READ
    + shows(rawInput={"command": "make"}, status="in_progress"),
    "a change of another file": EDIT + shows(content=diff("b", "old", "new"), status="completed"),
    "another change": EDIT + shows(content=diff("a", "old", "evil"), status="completed"),
    "another change of what was there": EDIT
    + shows(content=diff("a", "rest", "new"), status="completed"),
    "another address": FETCH
    + shows(rawInput={"url": "http://b.example", "prompt": "p"}, status="completed"),
    "another content": WRITE
    + shows(rawInput={"file_path": "new", "content": "evil"}, status="completed"),
    "another content by a name that nobody knows": WRITE
    + shows(rawInput={"file_path": "new", "data": "evil"}, status="completed"),
    "less than it was allowed to write": WRITE
    + shows(content=diff("new", None, "first\n"), status="completed"),
    "another text to put in": EDIT
    + shows(rawInput={"file_path": "a", "new_string": "evil"}, status="completed"),
    "another text to take out": EDIT
    + shows(rawInput={"file_path": "a", "old_string": "rest"}, status="completed"),
    "a change in each place where it was one": EDIT.replace('"new"', '"new", "replace_all": False')
    + shows(rawInput={"file_path": "a", "replace_all": True}, status="completed"),
    "a command where it was a change": EDIT
    + shows(rawInput={"command": "make"}, status="completed"),
    "another command of a tool that nobody knows": WATCH
    + shows(rawInput={"command": "make install"}, status="completed"),
    "a command that nobody was shown": PLAN
    + shows(rawInput={"command": "make"}, status="completed"),
    "a command that leaves its box": SHELL
    + shows(rawInput={"command": "make", "sandbox": False}, status="completed"),
    "another argument": HIRE + shows(rawInput={"message": "write"}, status="completed"),
    "another argument further down": HIRE
    + shows(rawInput={"options": [{"level": 2}]}, status="completed"),
    "a file that nobody was shown": HIRE
    + shows(rawInput={"message": "look", "file_path": "a"}, status="completed"),
    "an address that nobody was shown": HIRE
    + shows(rawInput={"message": "look", "at": "http://a.example"}, status="completed"),
    "a change that nobody was shown": HIRE
    + shows(content=diff("a", "old", "new"), status="completed"),
    "another change than the one that did not fit": UNFIT
    + shows(content=diff("a", "none", "evil"), status="completed"),
    "another change of a line with tabs": TABBED
    + shows(content=diff("tabbed", "if:\n  x", "if:\n      y"), status="completed"),
    "another text in a new file": MAKE
    + shows(content=diff("new", None, "first\n\n\n"), status="completed"),
    "more than the change that did not fit": BROKEN
    + shows(content=diff("broken", "a\nb\nc", "1\n2\nd"), status="completed"),
    "what nobody can read": SHELL + shows(rawInput={"command": ["make", 7]}, status="completed"),
}
SAME = {
    "the same tool of a server, named beside its arguments": SERVED + served(),
    "the same command": SHELL + shows(rawInput={"command": "make"}, status="completed"),
    "the same command with its folder": SHELL
    + shows(rawInput={"command": "make", "cwd": "."}, status="completed"),
    "nothing of its input": SHELL + shows(rawInput={}, status="completed"),
    "the places that it looks at": SHELL + shows(locations=[{"path": "a"}], status="completed"),
    "the beginning of a command": SHELL
    + shows(rawInput={"command": "ma"})
    + shows(rawInput={"command": "make"}, status="completed"),
    "the same path": READ + shows(locations=[{"path": "a", "line": 3}], status="completed"),
    "what it found": SEARCH + shows(locations=[{"path": "src/x"}], status="completed"),
    "the change with what stands around it": EDIT
    + 'open(os.environ["FOLDER"] + "/a", "w").write("one\\nnew\\ntwo\\n")\n'
    + shows(content=diff("a", "one\nold\n", "one\nnew\n"), status="completed"),
    "the change with its tabs as two spaces": TABBED
    + shows(content=diff("tabbed", "if:\n  x", "if:\n    y"), status="completed"),
    "a new file without the end of its last line": MAKE
    + shows(content=diff("new", None, "first"), status="completed"),
    "the change that did not fit with what stands around it": BROKEN
    + shows(content=diff("broken", "a\nb\nc", "1\n2\nc"), status="completed"),
    "the same address": FETCH
    + shows(rawInput={"url": "http://a.example", "prompt": "p"}, status="completed"),
    "what came of it in place of its change": WRITE
    + WROTE
    + shows(
        rawInput={"file_path": "new", "content": "first\nsecond\n"},
        content=[{"type": "content", "content": {"type": "text", "text": "Wrote it."}}],
        locations=[{"path": "new", "line": 1}],
        status="completed",
    ),
    "the whole file, as it was to be written": WRITE
    + WROTE
    + shows(content=diff("new", None, "first\r\nsecond\r\n"), status="completed"),
    "what its agent fills in": EDIT
    + shows(
        rawInput={"file_path": "a", "old_string": "old", "replace_all": False},
        status="completed",
    ),
    "what its agent fills in for a command": WATCH
    + shows(rawInput={"command": "make", "timeout_ms": 9, "persistent": False}, status="completed"),
    "what its agent knows of it": PLAN
    + shows(rawInput={"plan": "first this"}, title="Exited Plan Mode", status="completed"),
    "other names for its arguments": HIRE
    + shows(
        rawInput={"prompt": "look", "model": "", "threads": ["t"], "status": "inProgress"},
        status="completed",
    ),
    "more of an argument": HIRE
    + shows(rawInput={"options": [{"level": 1, "deep": True}], "message": ""}, status="completed"),
    "the change that did not fit": UNFIT
    + shows(
        rawInput={"file_path": "a", "old_string": "none", "new_string": "new"},
        content=diff("a", "none", "new"),
        status="failed",
    ),
}


@pytest.fixture
def agent(rig: Rig, scripted: Make, tmp_path: Path) -> Callable[[str], None]:
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    rig.mode = Mode.ASK
    (rig.root / "src").mkdir()
    (rig.root / "a").write_text("one\nold\ntwo\n", "utf-8")
    (rig.root / "tabbed").write_text("if:\n\tx\n", "utf-8")
    (rig.root / "broken").write_bytes(b"a\r\nb\r\nc\r\n")

    def put(body: str, package: str = "@agentclientprotocol/claude-agent-acp") -> None:
        def make(text: str) -> AgentSpec:
            return scripted(text, env={"FOLDER": str(rig.root)})

        rig.agent = packaged(make, tmp_path, BEGIN + body + END, package)

    return put


async def allowed(rig: Rig, cards: int = 1) -> list[Call]:
    """A turn in which the person allows each call; these."""
    await rig.open()
    calls = []
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        for number in range(1, cards + 1):
            ticket = await rig.ticket(number)
            assert isinstance(ticket.asks, Call)
            calls.append(ticket.asks)
            await rig.answer(ticket, "once")
    return calls


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
async def test_what_is_shown_to_be_another_call_than_its_hook_was_allowed_raises_an_alarm(
    rig: Rig, agent: Callable[[str], None], body: str
) -> None:
    agent(body)
    async with rig.fleet:
        await allowed(rig)
        (told,) = rig.notices("error")
        assert told.endswith(" otherwise than it had been allowed.")


@pytest.mark.parametrize("body", SAME.values(), ids=SAME)
async def test_what_is_shown_to_be_the_same_call_raises_none(
    rig: Rig, agent: Callable[[str], None], body: str
) -> None:
    agent(body)
    async with rig.fleet:
        await allowed(rig)
        assert rig.notices("error") == []


ASKED = """
number = begin()
ask(1, {"toolCallId": "t", **%r})
answer_to(1)
update(sessionUpdate="tool_call_update", toolCallId="t", status="completed", **%r)
end(number)
until("never")
"""
TO_WRITE = {
    "kind": "edit",
    "rawInput": {"path": "new", "content": "first\n"},
    "content": diff("new", None, "first\n"),
}
TO_CREATE = {"kind": "edit", "title": "Create new", "content": diff("new", None, "first\n")}
TO_RUN = {"kind": "execute", "rawInput": {"command": "make"}}
RESULT = [{"type": "content", "content": {"type": "text", "text": "Wrote 6 bytes."}}]
REQUESTED = {
    "a result in place of its change": (TO_WRITE, {"content": RESULT}, False),
    "a result where nothing but a change was told": (TO_CREATE, {"content": RESULT}, False),
    "the same change": (TO_CREATE, {"content": diff("new", None, "first\n")}, False),
    "another change": (TO_CREATE, {"content": diff("new", None, "evil\n")}, True),
    "a change of another file": (TO_WRITE, {"content": diff("a", None, "first\n")}, True),
    "another content": (TO_WRITE, {"rawInput": {"path": "new", "content": "evil\n"}}, True),
    "another file": (TO_WRITE, {"rawInput": {"path": "a", "content": "first\n"}}, True),
    "a command": (TO_WRITE, {"rawInput": {"command": "make"}}, True),
    "a result beside its command": (TO_RUN, {"content": RESULT}, False),
    "its folder beside its command": (
        TO_RUN,
        {"rawInput": {"command": "make", "cwd": "."}, "content": RESULT},
        False,
    ),
    "another folder": (TO_RUN, {"rawInput": {"command": "make", "cwd": ".."}}, True),
    "another command": (TO_RUN, {"rawInput": {"command": "make install"}}, True),
}


@pytest.mark.parametrize(("asked", "later", "is_another"), REQUESTED.values(), ids=REQUESTED)
async def test_what_was_asked_for_is_held_against_what_was_shown_and_not_against_what_is_left_out(
    rig: Rig,
    scripted: Make,
    asked: dict[str, object],
    later: dict[str, object],
    is_another: bool,
) -> None:
    rig.agent = scripted(ASKED % (asked, later))
    rig.mode = Mode.ASK
    await rig.open()
    await rig.turn("hello", "once")
    texts = [text for text in rig.notices("error") if text.endswith(" than it had been allowed.")]
    assert len(texts) == is_another


async def test_what_hooks_were_handed_is_let_go_of_once_its_call_is_over() -> None:
    (claude,) = (it for it in RECIPES if it.id == "claude")
    calls = ToolCalls(
        alarm=lambda _: None, printed=lambda *_: None, pictured=lambda *_: None, most_kept=10_000
    )
    for number in range(100):
        given = {"file_path": "a", "content": "x" * 2_000}
        request = calls.hooked(
            Hooked(session="s", tool="Write", call=str(number), input=given), claude
        )
        assert request is not None
        assert request.tool.hooked, "what is under way is kept"
        request.asking = Asking.ALLOWED
        calls.take_update({"toolCallId": str(number), "status": "completed"}, new=False)
    held = [it for it in calls._calls.values() if it.hooked or it.given]
    assert len(held) <= 5


ASKS = """
said = [hook("Edit", %s)]
ask(1, {"toolCallId": "t", "kind": "edit", "rawInput": %s, "content": diff("a", "old", %r)})
%s
said.append(answer_to(1)["result"]["outcome"].get("optionId"))
say(json.dumps(said))
"""
GIVEN = '{"file_path": "a", "old_string": "old", "new_string": "new"}'


async def test_a_request_that_shows_another_change_than_its_hook_was_allowed_is_another_question(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(ASKS % (GIVEN, "{}", "evil", ""))
    async with rig.fleet:
        first, second = await allowed(rig, cards=2)
        assert [call.edits[0].new for call in (first, second)] == [
            "one\nnew\ntwo\n",
            "one\nevil\ntwo\n",
        ]


async def test_a_request_for_the_same_change_is_the_same_question(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(ASKS % (GIVEN, GIVEN, "new", ""))
    async with rig.fleet:
        await allowed(rig)
        assert json.loads(rig.said()) == ["ask", "yes"]
        assert len(rig.opened) == 1


MEANWHILE = """
pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
first = subprocess.Popen(["sh", "-c", LINE], **pipes)
first.stdin.write(json.dumps({"hook_event_name": "PreToolUse", "session_id": "s",
    "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t",
    "cwd": HERE}))
first.stdin.close()
until("test/go")
ask(1, {"toolCallId": "t", "kind": "execute", "rawInput": {"command": "make"}})
update(sessionUpdate="tool_call_update", toolCallId="t", rawInput={"command": "make install"})
say("told")
first.stdout.read()
say(json.dumps(answer_to(1)["result"]["outcome"]))
"""


async def test_a_request_that_becomes_another_call_while_its_hook_waits_is_another_question(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(MEANWHILE)
    async with rig.fleet:
        await rig.open()
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            group.create_task(rig.fleet.prompt(rig.chat, "hello"))
            first = await rig.ticket(1)
            rig.fleet._hosts._newest["odd"].peer.tell("test/go", {})
            await rig.until(lambda: rig.said() == "told")
            await rig.answer(first, "once")
            second = await rig.ticket(2)
            assert isinstance(second.asks, Call)
            assert second.asks.input["command"] == "make install"
            await rig.answer(second, "deny")
        assert '"no"' in rig.said()
