"""The hook that the gate gives an agent: whatever becomes of it, nothing runs without a ruling."""

import asyncio
import json
import os
import shutil
import signal
import stat
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.calls import AgentId, Call, ChatId, Effect
from assent.gate.call.errors import AgentFailed
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.journal.events import GateSeen
from assent.gate.rules.book import Book
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.settings.premises import premises_of_machine
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.calls import Reader
from gate.rules.books import allow
from hosting.eliza.hooked import ODD, packaged
from hosting.eliza.rig import BOUND, PATIENCE, Rig

Make = Callable[..., AgentSpec]

ONE = """
number = begin_hooked()
say(use(os.environ["FILE"]))
end(number)
until("never")
"""


@pytest.fixture
def file(rig: Rig) -> Path:
    return rig.root / "made"


@pytest.fixture
def agent(rig: Rig, scripted: Make, tmp_path: Path, file: Path) -> Callable[[str], None]:
    """Puts an agent that runs hooks into the rig, whose fleet has a place for them."""
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)

    def put(body: str) -> None:
        def make(text: str) -> AgentSpec:
            return scripted(text, env={"FILE": str(file)})

        rig.agent = packaged(make, tmp_path, body)

    return put


@pytest.fixture
async def hosted(rig: Rig, agent: Callable[[str], None]) -> AsyncIterator[Rig]:
    agent(ONE)
    async with rig.fleet:
        yield rig


def seen(rig: Rig) -> list[tuple[str, int, int]]:
    return [(it.gate, it.passed, it.tools) for it in rig.happened if isinstance(it, GateSeen)]


async def test_a_call_that_a_hook_brings_is_asked_about_and_runs_once_it_is_allowed(
    hosted: Rig, file: Path
) -> None:
    await hosted.open()
    _, call = await hosted.turn("hello", "once")
    assert (call.tool, call.effect) == ("shell", Effect.EXECUTE)
    assert call.input["command"] == f"touch {file}"
    assert hosted.said() == "ran"
    assert file.exists()
    assert hosted.states(call)[-1] is State.SUCCEEDED
    assert hosted.notices("error") == []
    assert seen(hosted)[-1] == ("verified", 1, 1)


async def test_what_is_denied_does_not_run_and_the_model_is_told_why(
    hosted: Rig, file: Path
) -> None:
    await hosted.open()
    _, call = await hosted.turn("hello", "tell", "use make instead")
    assert hosted.said() == "denied: The person denied this and says: use make instead"
    assert not file.exists()
    assert hosted.states(call)[-1] is State.REFUSED
    # It was told already, so it is not told once more as the next prompt.
    assert len([it for it in hosted.happened if getattr(it, "who", "") == "user"]) == 1


async def test_its_decision_is_in_the_journal_before_it_runs(hosted: Rig, file: Path) -> None:
    await hosted.open()
    await hosted.turn("hello", "once")
    rows = await hosted.journal.rows()
    assert [row["kind"] for row in rows] == ["asked", "decided", "ended"]


async def test_what_a_rule_allows_runs_without_a_card(hosted: Rig, file: Path) -> None:
    hosted.facts = Places(roots=(str(hosted.root),), home=str(hosted.root.parent))
    hosted.book = Book.of([allow("shell(touch:*)")], (str(hosted.root),), str(hosted.root))
    await hosted.open()
    await hosted.say("hello")
    assert hosted.said() == "ran"
    assert hosted.opened == []


async def test_a_hook_whose_agent_gave_up_leaves_no_card_behind(
    rig: Rig, agent: Callable[[str], None], file: Path
) -> None:
    agent(
        """
        number = begin_hooked()
        line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
        hook = subprocess.Popen(["sh", "-c", "exec " + line.partition(" || ")[0]],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hook.stdin.write(json.dumps({"hook_event_name": "PreToolUse", "session_id": "s",
                                     "tool_name": "Bash", "tool_input": {"command": "make"},
                                     "tool_use_id": "t", "cwd": HERE}))
        hook.stdin.close()
        until("session/cancel")
        hook.terminate()
        say(repr((hook.wait(), hook.stdout.read())))
        end(number)
        until("never")
        """.replace("\n        ", "\n")
    )
    async with rig.fleet:
        await rig.open()
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
            ticket = await rig.ticket()
            rig.fleet._talks[rig.chat].host.peer.tell("session/cancel", {"sessionId": "s"})  # type: ignore[union-attr]
            await rig.until(lambda: rig.closed)
        assert turn.result() == ("done", "")
        assert rig.said() == f"({-signal.SIGTERM}, '')"
        assert rig.closed[0][0].id == ticket.id


HARM: dict[str, str] = {
    "the server's socket is gone": 'os.unlink(os.path.join(FOLDER, "gate"))',
    "the whole folder is gone": "import shutil; shutil.rmtree(FOLDER)",
    "the key is gone": 'os.unlink(os.path.join(FOLDER, NAME + ".key"))',
    "the key is another": 'open(os.path.join(FOLDER, NAME + ".key"), "wb").write(b"x" * 32)',
    "the key may be read by others": 'os.chmod(os.path.join(FOLDER, NAME + ".key"), 0o644)',
    "the folder may be entered by others": "os.chmod(FOLDER, 0o755)",
    "the folder is a link": 'os.rename(FOLDER, FOLDER + "-"); os.symlink(FOLDER + "-", FOLDER)',
    "the key is a link": """
key = os.path.join(FOLDER, NAME + ".key")
os.rename(key, key + "-"); os.symlink(key + "-", key)
""",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
async def test_nothing_runs_where_the_way_to_the_gate_is_not_as_it_was(
    rig: Rig, agent: Callable[[str], None], file: Path, harm: str
) -> None:
    agent(_harmed(harm))
    async with rig.fleet:
        await rig.open()
        await rig.say("hello")
        assert rig.said().startswith("blocked: Assent could not rule on this call")
        assert not file.exists()
        assert rig.opened == []


def _harmed(harm: str) -> str:
    return f"""
import shlex
number = begin_hooked()
words = shlex.split(HOOKS["PreToolUse"][0]["hooks"][0]["command"])
FOLDER, NAME = words[4], words[5]
{harm}
say(use(os.environ["FILE"]))
end(number)
until("never")
"""


PLANTED = """
import socket
os.unlink(os.path.join(FOLDER, "gate"))
planted = socket.socket(socket.AF_UNIX)
planted.bind(os.path.join(FOLDER, "gate"))
planted.listen()
def answer():
    while True:
        one, _ = planted.accept()
        one.recv(65536)
        one.sendall(SAID + SAID)
        one.close()
threading.Thread(target=answer, daemon=True).start()
"""
ALLOW = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
SAID: dict[str, bytes] = {
    "an allowance": json.dumps(ALLOW).encode() + b"\n",
    "an allowance in our own words": (
        json.dumps({"nonce": "0" * 32, "proof": "0" * 64}).encode()
        + b"\n"
        + json.dumps({"answer": json.dumps(ALLOW), "proof": "0" * 64}).encode()
        + b"\n"
    ),
    "garbage": bytes(range(256)) * 10 + b"\n",
    "nothing": b"",
    "no object": b"[1]\n",
    "numbers": b'{"nonce": 1, "proof": 2}\n',
    "too much": b'{"nonce": "' + b"x" * 1000,
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
async def test_nothing_runs_where_a_planted_socket_answers(
    rig: Rig, agent: Callable[[str], None], file: Path, said: bytes
) -> None:
    agent(_harmed(f"SAID = {said!r}\n{PLANTED}"))
    async with rig.fleet:
        await rig.open()
        await rig.say("hello")
        assert rig.said().startswith("blocked: Assent could not rule on this call")
        assert not file.exists()


CHANGED: dict[str, str] = {
    "the hook's file is deleted": 'line = line.replace("gate_hook.py", "gone.py")',
    "the interpreter is gone": "line = '/nowhere/python' + line[line.index(' '):]",
    "the hook breaks off": """
bad = os.path.join(os.path.dirname(os.environ["FILE"]), "bad.py")
open(bad, "w").write("raise SystemExit(1)")
words[3] = bad
line = shlex.join(words[:8]) + line[line.index(" || "):]
""",
    "the hook is killed": """
bad = os.path.join(os.path.dirname(os.environ["FILE"]), "bad.py")
open(bad, "w").write("import os; os.kill(os.getpid(), 9)")
words[3] = bad
line = shlex.join(words[:8]) + line[line.index(" || "):]
""",
}


@pytest.mark.parametrize("change", CHANGED.values(), ids=CHANGED)
async def test_nothing_runs_where_the_hook_itself_is_broken_in_the_middle_of_a_session(
    rig: Rig, agent: Callable[[str], None], file: Path, change: str
) -> None:
    harm = f"""
line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
{change}
HOOKS["PreToolUse"][0]["hooks"][0]["command"] = line
"""
    agent(_harmed(harm))
    async with rig.fleet:
        await rig.open()
        await rig.say("hello")
        assert rig.said().startswith("blocked: ")
        assert "Assent: the gate did not answer" in rig.said()
        assert not file.exists()


ODD_HERE = {"another session": {"session_id": "other"}, **ODD}


@pytest.mark.parametrize("odd", ODD_HERE.values(), ids=ODD_HERE)
async def test_what_a_hook_is_handed_in_another_form_is_not_run(
    rig: Rig, agent: Callable[[str], None], file: Path, odd: dict[str, Any]
) -> None:
    agent(ONE.replace('use(os.environ["FILE"])', f'use(os.environ["FILE"], **{odd!r})'))
    async with rig.fleet:
        await rig.open()
        await rig.say("hello")
        assert rig.said().startswith("denied: ")
        assert not file.exists()
        assert rig.opened == []


ASKED_TOO = """
number = begin_hooked()
path = os.environ["FILE"]
said = []
given = {"command": f"touch {path}", "description": "list the files"}
line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]
code, printed, _ = run_hook(line, {"hook_event_name": "PreToolUse", "session_id": "s",
    "tool_name": "Bash", "tool_input": given, "tool_use_id": "t"})
said.append(json.loads(printed)["hookSpecificOutput"]["permissionDecision"])
ask(1, {"toolCallId": "t", "kind": "execute", "rawInput": %s})
said.append(answer_to(1)["result"]["outcome"])
update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
say(json.dumps(said))
end(number)
until("never")
"""


async def test_a_call_that_comes_by_its_hook_and_as_a_request_is_one_question(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(ASKED_TOO % "given")
    async with rig.fleet:
        await rig.open()
        await rig.turn("hello", "once")
        assert json.loads(rig.said()) == ["ask", {"outcome": "selected", "optionId": "yes"}]
        assert len(rig.opened) == 1


async def test_a_request_for_something_else_than_its_hook_was_handed_is_another_question(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(ASKED_TOO % '{"command": "make"}')
    async with rig.fleet:
        await rig.open()
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            group.create_task(rig.fleet.prompt(rig.chat, "hello"))
            await rig.answer(await rig.ticket(1), "once")
            second = await rig.ticket(2)
            await rig.answer(second, "deny")
        assert isinstance(second.asks, Call)
        assert second.asks.input["command"] == "make"
        assert json.loads(rig.said())[1] == {"outcome": "selected", "optionId": "no"}


async def test_an_agent_that_does_not_run_its_hook_is_not_verified_and_the_person_is_told(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(
        """
number = begin()
update(sessionUpdate="tool_call", toolCallId="t", kind="execute", status="completed",
       name="Bash", rawInput={"command": "make"})
end(number)
until("never")
"""
    )
    async with rig.fleet:
        await rig.open()
        await rig.say("hello")
        assert seen(rig)[-1] == ("advisory", 0, 1)
        assert rig.notices("warning") == [
            "Odd has not run the hook that Assent gave it, so it asks only when it likes to."
        ]


async def test_stop_refuses_what_a_hook_waits_for(hosted: Rig, file: Path) -> None:
    await hosted.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(hosted.fleet.prompt(hosted.chat, "hello"))
        await hosted.ticket()
        await hosted.fleet.stop(hosted.chat)
    assert turn.result()[0] == "stopped"
    assert not file.exists()


async def test_the_folder_is_private_and_gone_with_the_server(
    rig: Rig, agent: Callable[[str], None], tmp_path: Path
) -> None:
    agent(ONE)
    async with rig.fleet:
        await rig.open()
        (folder,) = (tmp_path / "state" / "sockets").glob("[0-9a-f]*")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(it.stat().st_mode) for it in folder.glob("*.key")} == {0o600}
    assert not folder.exists()


COPILOT = """
def begin_copilot():
    folder = sys.argv[sys.argv.index("--plugin-dir") + 1]
    hooks = json.load(open(os.path.join(folder, "hooks", "hooks.json")))["hooks"]
    number = begin()
    run_hook(hooks["sessionStart"][0]["bash"], {"sessionId": "s", "source": "new"})
    return number, hooks["preToolUse"][0]["bash"]

def ask_hook(line, session="s", **more):
    told = {"sessionId": session, "toolName": "bash", "toolArgs": GIVEN, **more}
    code, printed, _ = run_hook(line, told)
    return json.loads(printed) if code == 0 else code

GIVEN = {"command": "make", "description": "list"}
number, line = begin_copilot()
"""
BEGUN = """
update(sessionUpdate="tool_call", toolCallId="t", kind="execute", status="pending", title="list",
       rawInput=GIVEN)
"""
DONE = """
update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
say(json.dumps(told))
end(number)
until("never")
"""
ORDERS = {
    "told before its hook asks": BEGUN + "told = ask_hook(line)\n" + DONE,
    "told after its hook asked": "told = ask_hook(line)\n" + BEGUN + DONE,
    "of a sub-agent": BEGUN + 'told = ask_hook(line, session="child", parentAgentId="s")\n' + DONE,
    "of a sub-agent's sub-agent": BEGUN
    + 'ask_hook(line, session="child", parentAgentId="s", toolName="list_bash", toolArgs={})\n'
    + 'told = ask_hook(line, session="inner", parentAgentId="child")\n'
    + DONE,
}


async def test_the_session_of_a_sub_agent_is_never_made_a_part_of_another(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    again = 'told = ask_hook(line, session="child", parentAgentId="t")\n'
    body = BEGUN + 'ask_hook(line, session="child", parentAgentId="s", toolArgs={})\n' + again
    rig.agent = packaged(scripted, tmp_path, COPILOT + body + DONE, "@github/copilot")
    async with rig.fleet:
        await rig.open()
        await rig.turn("hello", "deny")
        told = json.loads(rig.said())
        assert told["permissionDecision"] == "deny"
        assert told["permissionDecisionReason"] == "Its session was a part of another one before."


async def test_an_agent_whose_hook_finds_nobody_is_started_anew_for_the_next_chat(
    hosted: Rig, tmp_path: Path, file: Path
) -> None:
    await hosted.open()
    (first,) = (tmp_path / "state" / "sockets").glob("[0-9a-f]*")
    shutil.rmtree(first)
    await hosted.fleet.open(ChatId("another"), hosted.agent, str(hosted.root))
    (second,) = (tmp_path / "state" / "sockets").glob("[0-9a-f]*")
    assert second != first
    await hosted.say("hello")
    assert hosted.said().startswith("blocked: Assent could not rule on this call")
    assert not file.exists()


@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
async def test_a_hook_that_tells_no_id_asks_about_the_call_of_the_same_input(
    rig: Rig, scripted: Make, tmp_path: Path, order: str
) -> None:
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    rig.mode = Mode.ASK
    rig.agent = packaged(scripted, tmp_path, COPILOT + order, "@github/copilot")
    async with rig.fleet:
        await rig.open()
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            turn = group.create_task(rig.fleet.prompt(rig.chat, "hello"))
            number = 0
            while not turn.done():
                number += 1
                await rig.until(lambda number=number: len(rig.opened) >= number or turn.done())
                if len(rig.opened) >= number:
                    await rig.answer(rig.opened[number - 1], "once")
        told = json.loads(rig.said())
        assert told["permissionDecision"] == "allow"
        assert told["modifiedArgs"] == {"command": "make", "description": "list"}
        assert rig.notices("error") == []
        last = rig.opened[-1].asks
        assert isinstance(last, Call)
        assert last.input["command"] == "make"


async def test_one_ruling_lets_no_two_calls_of_the_same_input_run(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    again = BEGUN.replace('"t"', '"u"') + DONE.replace('toolCallId="t"', 'toolCallId="u"')
    body = BEGUN + "told = ask_hook(line)\n" + DONE.partition("say")[0] + again
    rig.agent = packaged(scripted, tmp_path, COPILOT + body, "@github/copilot")
    async with rig.fleet:
        await rig.open()
        await rig.turn("hello", "once")
        assert rig.notices("error") == ["Odd ran “make” without asking."]


async def test_where_nobody_can_be_asked_an_agent_does_not_go_by_a_repositorys_settings(
    rig: Rig, scripted: Make, tmp_path: Path
) -> None:
    rig.sockets = tmp_path / "state" / "sockets"
    rig.fleet = rig.new_fleet(PATIENCE)
    (rig.root / ".github" / "copilot").mkdir(parents=True)
    (rig.root / ".github" / "copilot" / "settings.json").write_text('{"a": 1}', "utf-8")
    rig.agent = packaged(
        scripted, tmp_path, COPILOT + 'end(number)\nuntil("never")\n', "@github/copilot"
    )
    async with rig.fleet:
        with pytest.raises(AgentFailed, match="nobody has let it"):
            await rig.open()
        (told,) = rig.notices("warning")
        assert "configures Odd in `.github/copilot/settings.json`" in told


async def test_what_an_agents_own_terminal_prints_is_shown(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(
        ASKED_TOO.replace(
            'update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")',
            """
for data in ("one\\n", "two\\n"):
    update(sessionUpdate="tool_call_update", toolCallId="t",
           _meta={"terminal_output_delta": {"data": data, "terminal_id": "t"}})
update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
""",
        )
        % "given"
    )
    async with rig.fleet:
        await rig.open()
        _, call = await rig.turn("hello", "once")
        assert rig.output(call) == "one\ntwo\n"


async def test_a_request_that_names_the_folder_beside_the_command_is_the_same_question(
    rig: Rig, agent: Callable[[str], None]
) -> None:
    agent(ASKED_TOO % '{"command": f"touch {path}", "cwd": os.path.dirname(path)}')
    async with rig.fleet:
        await rig.open()
        await rig.turn("hello", "once")
        assert len(rig.opened) == 1


@pytest.mark.parametrize("command", ["cat {}", "cp {} T", "python3 -c 'open(\"{}\")'"])
async def test_what_lies_where_hooks_ask_is_asked_about_in_every_mode(
    rig: Rig, tmp_path: Path, command: str
) -> None:
    state = tmp_path / "state"
    key = state / "sockets" / "ab" / "cd.key"
    key.parent.mkdir(parents=True)
    key.touch()
    roots = (str(rig.root),)
    premises = Premises.of(premises_of_machine(state, tmp_path, roots), roots)
    places = Places(roots=roots, home=str(tmp_path), premises=premises)
    reader = Reader(chat=rig.chat, agent=AgentId("odd"), cwd=roots[0], places=places)
    call = reader.read({"toolCallId": "t", "rawInput": {"command": command.format(key)}})
    ruling = decide(call, Policy(mode=Mode.AUTO, trusted=True), places)
    assert ruling.verdict is Verdict.ASK


SAME_ID = """
number = begin_hooked()
path = os.environ["FILE"]
line = HOOKS["PreToolUse"][0]["hooks"][0]["command"]

def payload(command, tool="Bash"):
    return json.dumps({"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": tool,
        "tool_input": {"command": command}, "tool_use_id": "t", "cwd": HERE})

pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
first = subprocess.Popen(["sh", "-c", line], **pipes)
first.stdin.write(payload(f"touch {path}"))
first.stdin.close()
open(path + ".open").read()
%s
update(sessionUpdate="tool_call_update", toolCallId="t", title="Listing files")
decision = json.loads(first.stdout.read())["hookSpecificOutput"]
if decision["permissionDecision"] == "allow":
    subprocess.run(["sh", "-c", decision["updatedInput"]["command"]], check=True)
update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
say(json.dumps([decision["permissionDecision"], second]))
end(number)
until("never")
"""

BY_HOOK = """
_, printed, _ = run_hook(line, json.loads(payload("ls")))
second = json.loads(printed)["hookSpecificOutput"]["permissionDecision"]
"""
BY_REQUEST = """
ask(1, {"toolCallId": "t", "kind": "execute", "rawInput": {"command": "ls"}})
second = answer_to(1)["result"]["outcome"]["outcome"]
"""


@pytest.mark.parametrize(("again", "refused"), [(BY_HOOK, "deny"), (BY_REQUEST, "cancelled")])
async def test_another_call_by_the_same_id_changes_nothing_of_the_one_that_is_asked_about(
    rig: Rig, agent: Callable[[str], None], file: Path, again: str, refused: str
) -> None:
    rig.facts = Places(roots=(str(rig.root),), home=str(rig.root.parent))
    gate = Path(f"{file}.open")
    os.mkfifo(gate)
    agent(SAME_ID % again)
    async with rig.fleet:
        await rig.open()
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            group.create_task(rig.fleet.prompt(rig.chat, "hello"))
            ticket = await rig.ticket(1)
            await asyncio.to_thread(gate.write_text, "now")
            await rig.until(lambda: bool(rig.notices("warning")))
            assert isinstance(ticket.asks, Call)
            assert ticket.asks.input["command"] == f"touch {file}"
            await rig.answer(ticket, "deny")
        assert json.loads(rig.said()) == ["deny", refused]
        assert len(rig.opened) == 1
        assert not file.exists()
