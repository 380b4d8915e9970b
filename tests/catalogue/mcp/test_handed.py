"""Agents of other people use a person's servers through us: asked once, run here, or not at all."""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from attrs import evolve

import assent
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.nodes.pins import Pins
from assent.gate.approvals.tickets import ReceiptKind, Ticket
from assent.gate.call.calls import AgentId, Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.journal.events import AgentMoved, CallMoved
from assent.gate.settings.tool_servers import ServerEntry
from assent.hosting.hooks.gate_hook import MAX_SERVER_MESSAGE_BYTES
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.recipes.recipe import GENERAL
from assent.hosting.recipes.recipes import RECIPES
from assent.hosting.servers.served_calls import MAX_ARGUMENTS_BYTES
from assent.hosting.servers.session_servers import SessionServers
from catalogue.mcp.handed import Make, hooked, using
from catalogue.mcp.served import entry
from gate.rules.books import allow, book, deny
from gate.ruling.samples import reading
from hosting.eliza.fixtures import scripted
from hosting.eliza.rig import BOUND, Rig

__all__ = ["scripted"]

pytestmark = pytest.mark.long

Open = Callable[..., Servers]
Begin = Callable[..., Rig]

RAN = '"tool": "create_issue"'
SERVER = Path(assent.__file__).parents[1]
TOOL = {
    "name": "create_issue",
    "description": "Does a thing.",
    "inputSchema": {"type": "object"},
}


def ended(rig: Rig) -> int:
    """How often its agent ended by itself."""
    told = [it for it in rig.happened if isinstance(it, AgentMoved)]
    return [it.state for it in told].count("failed")


def moves(rig: Rig) -> list[CallMoved]:
    """How its calls went on."""
    return [it for it in rig.happened if isinstance(it, CallMoved)]


async def soon(there: Callable[[], bool]) -> None:
    """Wait for what nobody tells of."""
    async with asyncio.timeout(BOUND):
        while not there():  # noqa: ASYNC110 -- nothing tells of it
            await asyncio.sleep(0)


def is_waited_for(rig: Rig) -> bool:
    """Whether a call of a server's tool waits for the answer to what its agent asked for."""
    session = rig.fleet._talks[rig.chat].session
    return session is not None and any(it.is_used for it in session.questions._in_flight)


def was_reworded(rig: Rig, first: Ticket) -> bool:
    """Whether the card is about another call by now, or is none any more."""
    ticket = next(iter(rig.gate.room.tickets), None)
    return ticket is None or ticket.digest != first.digest


@pytest.fixture
async def begin(servers: Open, tmp_path: Path) -> AsyncIterator[Begin]:
    """A fleet whose agents are handed these servers."""
    made: list[Rig] = []

    def start(*entries: ServerEntry, free: bool = False) -> Rig:
        root = tmp_path / "workspace"
        root.mkdir(exist_ok=True)
        nodes = Catalogue(source=servers(*entries), pins=Pins(tmp_path / "nodes.json"))
        rig = Rig(root=root, nodes=nodes, sockets=tmp_path / "state" / "sockets")
        if free:
            rig.bypassed = frozenset(map(AgentId, ("odd",)))
        made.append(rig)
        return rig

    yield start
    for rig in made:
        rig.journal.close()
        assert rig.gate.room.tickets == ()


async def test_what_a_server_offers_is_listed_and_a_call_is_asked_about_once_and_run(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("helpful"))
    async with rig.fleet:
        rig.agent = using(
            scripted,
            """
            it = handed()["helpful"]
            say(it.ask("initialize", protocolVersion="2025-06-18")["protocolVersion"] + " ")
            tools = it.ask("tools/list")["tools"]
            say(",".join(tool["name"] for tool in tools) + " ")
            assert set(tools[0]) == {"name", "description", "inputSchema"}
            say(it.use("create_issue", {"title": "t", "owner": "acme"}))
            """,
        )
        await rig.open()
        end, call = await rig.turn("go", "once")
    assert end[0] == "done"
    assert rig.said().startswith("2025-06-18 create_issue,delete_file,merge_pull_request ")
    assert RAN in rig.said()
    assert (call.tool, call.input["server"], call.input["tool"]) == (
        *("mcp", "helpful"),
        "create_issue",
    )
    assert list(call.input["arguments"]) == ["owner", "title"]
    assert call.described is not None
    assert "Then more." in call.described.now
    assert len(rig.opened) == 1
    assert rig.states(call)[-2:] == [State.RUNNING, State.SUCCEEDED]
    assert RAN in rig.output(call)
    assert rig.notices("error") == []


async def test_a_call_that_was_denied_is_not_run_and_its_model_is_told_why(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = using(scripted, 'say(handed()["helpful"].use("delete_file", {"path": "x"}))')
    async with rig.fleet:
        await rig.open()
        _, call = await rig.turn("go", "tell", "Leave it.")
    assert rig.said() == "The person denied this and says: Leave it."
    assert rig.states(call)[-1] is State.REFUSED
    assert call.input["annotations"] == {"destructiveHint": True}


async def test_a_rule_denies_a_call_without_a_question(begin: Begin, scripted: Make) -> None:
    rig = begin(entry("helpful"), free=True)
    rig.book = book(deny("mcp(helpful:delete_*)"))
    rig.agent = using(scripted, 'say(handed()["helpful"].use("delete_file", {"path": "x"}))')
    async with rig.fleet:
        await rig.open()
        assert (await rig.say("go"))[0] == "done"
    assert "mcp(helpful:delete_*)" in rig.said()
    assert rig.opened == []


ASKED = """
it = handed()["helpful"]
given = {"owner": "acme", "title": "t"}
told = told_by("c1", "mcp__helpful__create_issue", given)
update(sessionUpdate="tool_call", **told)
ask(70, told)
say(answer_to(70)["result"]["outcome"]["optionId"] + " ")
say(it.use("create_issue", USED))
update(sessionUpdate="tool_call_update", toolCallId="c1", status="completed")
"""


async def test_what_its_agent_asked_for_is_run_without_a_second_question(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = using(scripted, ASKED.replace("USED", "given"))
    async with rig.fleet:
        await rig.open()
        _, call = await rig.turn("go", "once")
    assert rig.said().startswith("yes ")
    assert RAN in rig.said()
    assert rig.states(call)[-1] is State.SUCCEEDED
    assert call.described is not None
    assert len(rig.opened) == 1
    assert rig.notices("error") == []


@pytest.mark.parametrize(
    "used", ['{**given, "title": "other"}', '{**given, "more": 1}', "{}"], ids=str
)
async def test_what_was_allowed_lets_no_other_call_run(
    begin: Begin, scripted: Make, used: str
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = using(scripted, ASKED.replace("USED", used))
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.answer(await rig.ticket(1), "once")
        await rig.answer(await rig.ticket(2), "deny")
    assert RAN not in rig.said()


async def test_what_was_allowed_lets_one_call_run_and_not_two(begin: Begin, scripted: Make) -> None:
    rig = begin(entry("helpful"))
    again = 'say(it.use("create_issue", given))\nsay(" " + it.use("create_issue", given))\n'
    rig.agent = using(scripted, ASKED.replace('say(it.use("create_issue", USED))\n', again))
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.answer(await rig.ticket(1), "once")
        await rig.answer(await rig.ticket(2), "deny")
    assert rig.said().count(RAN) == 1


async def test_what_its_agent_was_denied_and_runs_all_the_same_is_not_run(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = using(scripted, ASKED.replace("USED", "given"))
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.answer(await rig.ticket(1), "deny")
        await rig.answer(await rig.ticket(2), "deny")
    assert RAN not in rig.said()


@pytest.mark.parametrize(
    ("name", "given"),
    [("Read", {"path": "README.md"}), ("mcp__helpful__create_issue", {"title": "harmless"})],
)
async def test_what_waits_for_an_answer_is_not_run_once_its_question_is_about_another_call(
    begin: Begin, scripted: Make, tmp_path: Path, name: str, given: dict[str, str]
) -> None:
    asked, go = tmp_path / "asked", tmp_path / "go"
    os.mkfifo(asked)
    os.mkfifo(go)
    rig = begin(entry("helpful"))
    (rig.root / "README.md").write_text("Read me.\n")
    rig.agent = using(
        scripted,
        f"""
        it = handed()["helpful"]
        given = {{"owner": "acme", "title": "t"}}
        told = told_by("c1", "mcp__helpful__create_issue", given)
        update(sessionUpdate="tool_call", **told)
        ask(70, told)
        await_go({str(asked)!r})
        number = it.begin("tools/call", name="create_issue", arguments=given)
        await_go({str(go)!r})
        other = told_by("c1", {name!r}, {given!r})
        update(sessionUpdate="tool_call_update", **{{**other, "kind": "read"}})
        outcome = answer_to(70)["result"]["outcome"]
        say(it.result(number)["content"][0]["text"])
        """,
    )
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        first = await rig.ticket(1)
        await asyncio.to_thread(asked.write_text, "")
        await soon(lambda: is_waited_for(rig))
        await asyncio.to_thread(go.write_text, "")
        await soon(lambda: was_reworded(rig, first))
        for ticket in rig.gate.room.tickets:
            assert (await rig.answer(ticket, "once")).kind is ReceiptKind.APPLIED
    assert RAN not in rig.said()
    assert "It was changed, so it was not run." in rig.said()


HOOKED = """
servers = handed_hooked()
it = servers["helpful"]
given = {"owner": "acme", "title": "t"}
update(sessionUpdate="tool_call", toolCallId="toolu_1", title="x", kind="other",
       status="pending", rawInput=given)
line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
payload = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": "toolu_1",
           "tool_name": "mcp__helpful__create_issue", "tool_input": given}
decision = json.loads(run_hook(line, payload)[1])["hookSpecificOutput"]
say(decision["permissionDecision"] + " ")
say(it.use("create_issue", decision.get("updatedInput", given),
           **{"claudecode/toolUseId": ID}))
update(sessionUpdate="tool_call_update", toolCallId="toolu_1", status="completed")
"""


async def test_what_a_hook_was_allowed_is_run_without_a_second_question(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = hooked(scripted, tmp_path, HOOKED.replace("ID", '"toolu_1"'))
    async with rig.fleet:
        await rig.open()
        _, call = await rig.turn("go", "once")
    assert rig.said().startswith("ask ")
    assert RAN in rig.said()
    assert rig.states(call)[-1] is State.SUCCEEDED
    assert len(rig.opened) == 1
    assert rig.notices("error") == []


async def test_the_answer_to_a_call_of_one_id_lets_none_of_another_run(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = hooked(scripted, tmp_path, HOOKED.replace("ID", '"toolu_2"'))
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.answer(await rig.ticket(1), "once")
        await rig.answer(await rig.ticket(2), "deny")
    assert RAN not in rig.said()


async def test_a_tool_that_changed_since_it_was_allowed_is_asked_about_in_every_mode(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    says = tmp_path / "says"
    says.write_text("Pays.")
    rig = begin(entry("rug", says), free=True)
    rig.agent = using(
        scripted,
        """
        it = handed()["rug"]
        say(it.use("pay"))
        say(it.use("pay"))
        """,
    )
    async with rig.fleet:
        await rig.open()
        _, call = await rig.turn("go", "deny")
    # The first ran unasked, as this mode lets it, and the server changed its words after that.
    assert rig.said().startswith("paid")
    assert rig.said().count("paid") == 1
    assert call.described is not None
    assert "Pays." in str(call.described.before)
    assert "id_rsa" in call.described.now
    assert "changed what it says" in rig.opened[0].ruling.because


async def test_the_hook_of_an_agent_asks_about_a_tool_that_changed(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    says = tmp_path / "says"
    says.write_text(json.dumps([TOOL]))
    rig = begin(entry("from", says, name="helpful"), free=True)
    nodes = rig.nodes
    node = (await nodes.look("helpful:create_issue")).node
    await nodes.run(node, reading("a.txt"), {}, lambda _: None)
    says.write_text(json.dumps([{**TOOL, "description": "Another thing."}]))
    await nodes.source.order("restart", "helpful")
    rig.agent = hooked(scripted, tmp_path, HOOKED.replace("ID", '"toolu_1"'))
    async with rig.fleet:
        await rig.open()
        _, call = await rig.turn("go", "once")
    assert "Does a thing." in str(call.described and call.described.before)
    assert len(rig.opened) == 1
    assert RAN in rig.said()


async def test_a_key_lets_one_program_in_and_then_nobody(begin: Begin, scripted: Make) -> None:
    rig = begin(entry("helpful"), free=True)
    rig.agent = using(
        scripted,
        """
        it = handed()["helpful"]
        it.ask("ping")
        folder, name = ENTRIES["helpful"]["args"][-2:]
        say(repr([found for found in os.listdir(folder) if found.startswith(name)]))
        say(Server(ENTRIES["helpful"]).ask("ping"))
        say(repr(it.ask("ping")))
        """,
    )
    async with rig.fleet:
        await rig.open()
        await rig.say("go")
    assert rig.said() == (
        "[]gone: Assent: this server is not there: the gate's key is not there any more.\n{}"
    )


async def test_a_program_that_does_not_seal_what_it_says_is_turned_away(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    rig = begin(entry("helpful"), free=True)
    rig.agent = using(
        scripted,
        f"""
        send(id=until("initialize")["id"], result={{"protocolVersion": 1}})
        new = until("session/new")
        (entry,) = new["params"]["mcpServers"]
        send(id=new["id"], result={{"sessionId": "s"}})
        PROMPT = until("session/prompt")["id"]
        sys.path.append({str(SERVER)!r})
        from assent.hosting.hooks import gate_hook
        from assent.hosting.servers import tool_pipe
        folder, name = entry["args"][-2:]
        asking = gate_hook.Asking(folder, time.monotonic() + 20)
        seal = tool_pipe.Seal(*asking.opened(name))
        ping = '{{"jsonrpc": "2.0", "id": 1, "method": "ping"}}'
        seal.say(ping)
        say(seal.hear())
        seal._said -= 1
        seal.say(ping)
        say(repr(seal.hear()))
        """,
    )
    async with rig.fleet:
        await rig.open()
        await rig.say("go")
    assert rig.said() == '{"jsonrpc":"2.0","id":1,"result":{}}None'


TAKES_BACK = {
    "it is told so": 'it.send(method="notifications/cancelled", params={"requestId": it.last})',
    "its program ends": "it.process.kill()",
    "its input ends": "it.process.stdin.close()",
}


async def test_a_call_under_the_id_of_one_that_was_cancelled_is_taken_back_with_its_pipe(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    rig = begin(entry("helpful"))
    go, end = tmp_path / "go", tmp_path / "end"
    os.mkfifo(go)
    os.mkfifo(end)
    rig.agent = using(
        scripted,
        f"""
        it = handed()["helpful"]
        call = {{"id": 7, "method": "tools/call",
                "params": {{"name": "create_issue", "arguments": {{"title": "t"}}}}}}
        it.send(**call)
        await_go({str(go)!r})
        it.send(method="notifications/cancelled", params={{"requestId": 7}})
        it.send(**call)
        await_go({str(end)!r})
        it.process.stdin.close()
        until("session/cancel")
        """,
    )
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.ticket(1)
        await asyncio.to_thread(go.write_text, "")
        second = await rig.ticket(2)
        await asyncio.to_thread(end.write_text, "")
        await soon(lambda: rig.gate.room.tickets == ())
        assert (await rig.answer(second, "once")).kind is ReceiptKind.ALREADY_DECIDED
        await rig.fleet.stop(rig.chat)
    assert RAN not in rig.said()


@pytest.mark.parametrize("how", TAKES_BACK.values(), ids=TAKES_BACK)
async def test_a_call_that_nobody_waits_for_any_more_takes_its_card_back(
    begin: Begin, scripted: Make, how: str, tmp_path: Path
) -> None:
    rig = begin(entry("helpful"))
    go = tmp_path / "go"
    os.mkfifo(go)
    rig.agent = using(
        scripted,
        f"""
        it = handed()["helpful"]
        it.begin("tools/call", name="delete_file", arguments={{}})
        await_go({str(go)!r})
        {how}
        until("session/cancel")
        """,
    )
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        ticket = await rig.ticket()
        await asyncio.to_thread(go.write_text, "")
        await rig.until(lambda: rig.closed)
        assert (await rig.answer(ticket, "once")).kind is ReceiptKind.ALREADY_DECIDED
        await rig.fleet.stop(rig.chat)
    assert isinstance(ticket.asks, Call)
    assert rig.states(ticket.asks)[-1] is State.REFUSED


async def test_a_server_asks_the_person_while_an_agent_of_others_uses_it(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("elicits", "page"))
    rig.book = book(allow("mcp(elicits:t0)"))
    rig.agent = using(scripted, 'say(handed()["elicits"].use("t0"))')
    async with rig.fleet:
        await rig.open()
        end, form = await rig.turn("go", "open")
    assert end[0] == "done"
    assert rig.said() == '{"action": "accept"}'
    assert (form.tool, form.input["server"], form.input["tool"]) == ("form", "elicits", "t0")
    assert rig.states(form)[-1] is State.ANSWERED
    assert len(rig.opened) == 1
    assert rig.notices("error") == []


async def test_stop_refuses_what_waits_and_breaks_off_what_runs(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    told.write_text("")
    rig = begin(entry("hangs", told), entry("helpful"))
    rig.book = book(allow("mcp(hangs:t0)"))
    rig.agent = using(
        scripted,
        """
        both = handed()
        first = both["hangs"].begin("tools/call", name="t0")
        second = both["helpful"].begin("tools/call", name="delete_file")
        until("session/cancel")
        say(both["hangs"].result(first)["content"][0]["text"] + " ")
        say(both["helpful"].result(second)["content"][0]["text"])
        """,
    )
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.ticket()
        await rig.until(lambda: any(it.state is State.RUNNING for it in moves(rig)))
        await rig.fleet.stop(rig.chat)
    assert rig.said().startswith("It was stopped. ")
    assert RAN not in rig.said()
    assert [it.state for it in moves(rig)][-2:].count(State.RUNNING) == 0


async def test_an_agent_is_told_that_a_call_waits_while_its_card_is_open(
    begin: Begin, scripted: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.hosting.servers.tool_server._PROGRESS_INTERVAL_S", 0.01)
    rig = begin(entry("helpful"))
    rig.agent = using(
        scripted,
        """
        it = handed()["helpful"]
        it.begin("tools/call", name="delete_file", arguments={}, _meta={"progressToken": "p"})
        said = json.loads(it.process.stdout.readline())["params"]
        said = json.loads(it.process.stdout.readline())["params"]
        say(repr(said))
        until("session/cancel")
        """,
    )
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.ticket()
        await rig.until(rig.said)
        await rig.fleet.stop(rig.chat)
    assert rig.said() == repr(
        {"progressToken": "p", "progress": 2, "message": "Assent waits for it."}
    )


async def test_what_its_agent_tells_of_a_call_that_came_to_us_is_no_alarm_and_one_more_is(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = using(
        scripted,
        """
        it = handed()["helpful"]
        given = {"owner": "acme"}
        name = "mcp__helpful__create_issue"
        update(sessionUpdate="tool_call", **told_by("c1", name, given, "in_progress"))
        say(it.use("create_issue", given))
        update(sessionUpdate="tool_call_update", toolCallId="c1", status="completed")
        update(sessionUpdate="tool_call", **told_by("c2", name, given, "completed"))
        """,
    )
    async with rig.fleet:
        await rig.open()
        await rig.turn("go", "once")
    assert RAN in rig.said()
    assert rig.notices("error") == ["Odd ran “A tool” without asking."]


@pytest.mark.requirement("N-10")
@pytest.mark.parametrize(
    ("mode", "ends"), [(Mode.PLAN, "refused"), (Mode.DEFAULT, "asked"), (Mode.AUTO, "ran")]
)
async def test_each_mode_says_of_it_what_it_says_of_what_is_external_and_the_journal_keeps_that(
    begin: Begin, scripted: Make, mode: Mode, ends: str
) -> None:
    rig = begin(entry("helpful"))
    rig.mode = mode
    rig.agent = using(scripted, 'say(handed()["helpful"].use("create_issue", {"owner": "acme"}))')
    async with rig.fleet:
        await rig.open()
        if ends == "asked":
            await rig.turn("go", "deny")
        else:
            await rig.say("go")
    assert (RAN in rig.said()) == (ends == "ran")
    assert len(rig.opened) == (ends == "asked")
    with sqlite3.connect(rig.root.parent / "journal.db") as database:
        rows = database.execute("select kind, body from entries order by seq").fetchall()
    database.close()
    (decided,) = [json.loads(body) for kind, body in rows if kind == "decided"]
    assert decided["outcome"] == ("allowed" if ends == "ran" else "refused")
    assert decided["tool"] == "mcp"


OWN = Hooked(session="s", tool="apply_patch", input={"patchText": "x"}, call="c")


def test_what_an_agent_calls_its_own_tools_is_no_tool_of_a_server() -> None:
    names = {("apply", "patch"), ("helpful", "create_issue"), ("todo", "x"), ("to", "do_x")}
    handed = SessionServers(nodes=Catalogue(), tools=names)
    (opencode,) = [it for it in RECIPES if it.id == "opencode"]

    def named(tool: str) -> str:
        return handed.plain(evolve(OWN, tool=tool), opencode).tool

    assert named("helpful_create_issue") == "mcp__helpful__create_issue"
    assert named("apply_patch") == "apply_patch"
    assert named("helpful_other") == "helpful_other"
    assert handed.plain(evolve(OWN, tool="helpful_create_issue"), GENERAL).tool[:7] == "helpful"


async def test_nobody_is_handed_a_server_where_none_is_set_up(begin: Begin, scripted: Make) -> None:
    rig = begin()
    rig.agent = using(scripted, "say(repr(handed()))")
    async with rig.fleet:
        await rig.open()
        await rig.say("go")
    assert rig.said() == "{}"


async def test_a_list_that_is_long_comes_in_pages_and_whole(begin: Begin, scripted: Make) -> None:
    rig = begin(entry("many"))
    rig.agent = using(
        scripted,
        """
        it = handed()["many"]
        found, pages, rest = [], 0, {}
        while rest is not None:
            page = it.ask("tools/list", **rest)
            found += [tool["name"] for tool in page["tools"]]
            pages += 1
            rest = {"cursor": page["nextCursor"]} if "nextCursor" in page else None
        say(f"{len(set(found))} of {len(found)} in more than one: {pages > 1} ")
        say(it.ask("tools/list", cursor="x"))
        """,
    )
    async with rig.fleet:
        await rig.open()
        await rig.say("go")
    assert rig.said() == "10000 of 10000 in more than one: True there is no such page"


async def test_a_call_with_arguments_that_are_too_large_is_refused_unasked_and_the_next_is_not(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("helpful"))
    rig.agent = using(
        scripted,
        f"""
        it = handed()["helpful"]
        say(it.use("create_issue", {{"title": "x" * {MAX_ARGUMENTS_BYTES}}}) + " ")
        say(it.use("create_issue", {{"title": "x" * {MAX_ARGUMENTS_BYTES - 50}}}))
        """,
    )
    async with rig.fleet:
        await rig.open()
        await rig.turn("go", "once")
    assert rig.said().startswith(
        f"Its arguments are larger than {MAX_ARGUMENTS_BYTES:,} bytes, so it was not"
    )
    assert RAN in rig.said()
    assert len(rig.opened) == 1


@pytest.mark.parametrize("bound", [("MAX_OPEN_REQUESTS", 2), ("_ROOM", 500)], ids=["many", "large"])
async def test_only_so_much_of_a_chat_is_open_at_once_whichever_servers_it_is_of(
    begin: Begin,
    scripted: Make,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bound: tuple[str, int],
) -> None:
    monkeypatch.setattr(f"assent.hosting.servers.served_calls.{bound[0]}", bound[1])
    rig = begin(entry("helpful"), entry("plain"))
    go = tmp_path / "go"
    os.mkfifo(go)
    rig.agent = using(
        scripted,
        f"""
        both = handed()
        large = {{"title": "x" * 200}}
        first = both["helpful"].begin("tools/call", name="create_issue", arguments=large)
        second = both["plain"].begin("tools/call", name="t0", arguments=large)
        await_go({str(go)!r})
        say(both["helpful"].use("delete_file", large) + " ")
        for server, number in (("helpful", first), ("plain", second)):
            both[server].result(number)
        say(both["helpful"].use("create_issue", large))
        """,
    )
    async with rig.fleet, asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        await rig.open()
        group.create_task(rig.fleet.prompt(rig.chat, "go"))
        await rig.ticket(2)
        await asyncio.to_thread(go.write_text, "")
        await rig.until(rig.said)
        for ticket in [*rig.opened]:
            await rig.answer(ticket, "deny")
        await rig.answer(await rig.ticket(3), "once")
    full = "Too many calls of this chat are open already, so it was not run. Try again later. "
    assert rig.said().startswith(full)
    assert RAN in rig.said()
    assert len(rig.opened) == 3


async def test_a_message_that_is_too_long_ends_its_own_server_and_no_other(
    begin: Begin, scripted: Make
) -> None:
    rig = begin(entry("helpful"), entry("plain"), free=True)
    rig.agent = using(
        scripted,
        f"""
        both = handed()
        large = {{"title": "x" * {MAX_SERVER_MESSAGE_BYTES}}}
        say(both["helpful"].use("create_issue", large) + " ")
        say(repr(both["plain"].ask("ping")))
        """,
    )
    async with rig.fleet:
        await rig.open()
        await rig.say("go")
    assert (
        rig.said()
        == f"gone: Assent: no message has more than {MAX_SERVER_MESSAGE_BYTES:,} bytes.\n {{}}"
    )
    assert rig.opened == []


async def test_a_server_that_is_not_there_says_why(begin: Begin, scripted: Make) -> None:
    rig = begin(ServerEntry(name="gone", command="no-such-program"))
    rig.agent = using(
        scripted,
        'it = handed()["gone"]\nsay(it.ask("tools/list") + " ")\nsay(it.use("t0"))',
    )
    async with rig.fleet:
        await rig.open()
        await rig.say("go")
    assert rig.said().count("there is no program `no-such-program`") == 2
    assert rig.opened == []


async def test_a_session_that_its_agent_goes_on_with_is_handed_its_servers_anew(
    begin: Begin, scripted: Make, tmp_path: Path
) -> None:
    rig = begin(entry("helpful"), free=True)
    rig.agent = using(
        scripted,
        f"""
        mark = {str(tmp_path / "mark")!r}
        can = {{"loadSession": True}}
        send(id=until("initialize")["id"],
             result={{"protocolVersion": 1, "agentCapabilities": can}})
        method = "session/load" if os.path.exists(mark) else "session/new"
        open(mark, "w").close()
        begun = until(method)
        send(id=begun["id"], result={{"sessionId": "s"}})
        (it,) = [Server(entry) for entry in begun["params"]["mcpServers"]]
        PROMPT = until("session/prompt")["id"]
        say(method + it.use("create_issue"))
        """,
    )
    async with rig.fleet:
        await rig.open()
        for times in (1, 2):
            assert (await rig.say("go"))[0] == "done"
            # It ends behind each turn, and is started anew for the next.
            await rig.until(lambda times=times: ended(rig) == times)
    assert rig.said().count(RAN) == 2
    assert "session/load" in rig.said()
