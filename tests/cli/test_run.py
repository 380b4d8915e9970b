"""`assent run`: our own agent without an editor, as a script starts it, with a fake model alone."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from attrs import define, field

from editor.wire.forked import forked
from host.demo import scripted_model
from host.sample import make_sample
from models.script import call, hold, text
from models.server import ModelServer

TESTS = "python3 -m unittest -v"
SECRET = "sk-never-told"  # noqa: S105 -- it opens nothing
RULE = "shell(python3 -m unittest:*)"
READ = call("read_file", {"path": "till.py"})
EDITS = [{"old": "sum(prices) - discount", "new": "sum(prices) * (100 - discount) // 100"}]
EDIT = call("edit_file", {"path": "till.py", "edits": EDITS})


def run_of(command: str) -> dict[str, Any]:
    return call("run_command", {"command": command})


@define
class Ended:
    """How a run ended, and what it told."""

    code: int
    out: str
    errors: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What it told, where it told it as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


@define
class Place:
    """A machine with a workspace, a settings file beside it, and a model."""

    folder: Path
    server: ModelServer
    env: dict[str, str] = field(factory=dict)
    is_new: bool = False
    """Whether it must be a Python of its own, whose variables the system knows as well."""

    def __attrs_post_init__(self) -> None:
        (self.folder / "home").mkdir()
        make_sample(self.root)
        self.env = {
            "HOME": str(self.folder / "home"),
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "ASSENT_STATE_DIR": str(self.folder / "state"),
            "LANG": "C.UTF-8",
            "MY_KEY": SECRET,
            "OLLAMA_HOST": "127.0.0.1:1",
        }
        self.set({"allow": [RULE]})

    @property
    def root(self) -> Path:
        return self.folder / "workspace"

    @property
    def settings(self) -> Path:
        return self.folder / "settings.json"

    def set(self, rules: dict[str, list[str]], **more: Any) -> None:
        """Write the person's settings."""
        model = {"provider": "openai", "model": "tiny", "key": "MY_KEY"}
        model["url"] = self.server.url_for("openai")
        told = {"assent.rules": rules, "assent.models": [model], **more}
        self.settings.write_text(json.dumps(told))

    async def begin(self, *words: str, program: str = "assent") -> asyncio.subprocess.Process:
        """Begin a run."""
        with nullcontext() if self.is_new else forked():
            return await asyncio.create_subprocess_exec(
                str(Path(sys.executable).parent / program) if program == "assent" else program,
                *words,
                cwd=self.root,
                env=self.env,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )

    async def run(self, *words: str, given: str = "") -> Ended:
        """Run it to its end."""
        process = await self.begin("run", "--settings", str(self.settings), *words)
        return await ended(process, given)

    def journal(self) -> str:
        return (self.folder / "state" / "journal.db").read_bytes().decode("latin-1")


async def ended(process: asyncio.subprocess.Process, given: str = "") -> Ended:
    async with asyncio.timeout(60):
        out, errors = await process.communicate(given.encode())
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), errors.decode())


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with ModelServer() as server:
        yield Place(tmp_path, server)
    assert server.faults == []


def program(place: Place, name: str, body: str) -> Path:
    """A program that answers, beside the workspace."""
    path = place.folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


async def test_a_script_lets_the_failing_test_be_fixed(place: Place) -> None:
    for step in (READ, run_of(TESTS), EDIT, run_of(TESTS), text("All tests pass.")):
        place.server.reply(step)
    script = place.folder / "ci.sh"
    script.write_text(
        "set -eu\n"
        f'assent run --mode acceptEdits --settings "{place.settings}" "Fix the failing test."\n'
        f"{TESTS}\n"
    )
    found = await ended(await place.begin(str(script), program="/bin/sh"))
    assert found.code == 0, found
    assert "All tests pass." in found.out
    assert "discount) // 100" in (place.root / "till.py").read_text()
    asked = [it.last for it in place.server.requests]
    assert "FAILED (failures=1)" in asked[2]
    assert "OK" in asked[4]
    assert "decided" in place.journal()
    assert place.server.requests[0].headers["authorization"] == f"Bearer {SECRET}"


async def test_the_demonstration_comes_to_its_end(place: Place) -> None:
    model = scripted_model(place.folder / "story.json")
    place.settings.write_text(json.dumps({"assent.rules": {"allow": [RULE]}, **model}))
    found = await place.run("--mode", "acceptEdits", "Fix the failing test")
    assert found.code == 0, found
    assert "All tests pass." in found.out
    assert "discount) // 100" in (place.root / "till.py").read_text()


async def test_a_call_that_is_denied_is_told_and_ends_it_with_3(place: Place) -> None:
    place.server.reply(run_of("make deploy"))
    place.server.reply(text("I could not deploy."))
    found = await place.run("--mode", "acceptEdits", "Deploy it.")
    assert found.code == 3, found
    assert "Denied: Run make deploy" in found.errors
    why = "Nobody is here to be asked, so it was not run. Accept edits mode asks before agents run"
    assert why in found.errors
    assert "1 call was denied." in found.errors
    assert found.out == "I could not deploy.\n"
    assert why in place.server.requests[1].last
    assert why in place.journal()
    assert "make deploy" in place.journal()


async def test_without_a_mode_an_edit_is_asked_about_whatever_the_workspace_says(
    place: Place,
) -> None:
    (place.root / ".vscode").mkdir()
    wishes = {"assent.mode": "auto", "assent.rules": {"allow": ["write(**)", "shell(*)"]}}
    (place.root / ".vscode" / "settings.json").write_text(json.dumps(wishes))
    before = (place.root / "till.py").read_text()
    place.set({}, **{"assent.mode": "auto"})
    place.server.reply(READ, EDIT, run_of("touch made"))
    place.server.reply(text("Nothing done."))
    assert (await place.run("Fix it.")).code == 3
    assert (place.root / "till.py").read_text() == before
    assert not (place.root / "made").exists()


async def test_the_workspace_tightens_what_the_command_line_says(place: Place) -> None:
    (place.root / ".vscode").mkdir()
    denied = {"assent.rules": {"deny": ["write(till.py)"]}}
    (place.root / ".vscode" / "settings.json").write_text(json.dumps(denied))
    place.server.reply(EDIT)
    place.server.reply(text("It is denied."))
    assert (await place.run("--mode", "auto", "Fix it.")).code == 3


YES = 'cat > "$0.seen"; exit 0'


async def test_a_program_is_given_the_card_and_allows_once_by_ending_with_0(place: Place) -> None:
    asker = program(place, "asker", YES)
    place.server.reply(run_of("echo one > one"))
    place.server.reply(text("Done."))
    found = await place.run("--ask", str(asker), "Do it.")
    assert found.code == 0, found
    assert (place.root / "one").read_text() == "one\n"
    shown = json.loads(Path(f"{asker}.seen").read_text())
    assert "echo one > one" in json.dumps(shown["card"])
    assert len(shown["digest"]) == 64
    assert str(asker) in place.journal()


@pytest.mark.parametrize("body", ["exit 1", "kill -9 $$", "echo allow; exit 7"])
async def test_whatever_else_a_program_does_denies(place: Place, body: str) -> None:
    asker = program(place, "asker", body)
    place.server.reply(run_of("echo one > one"))
    place.server.reply(text("Not done."))
    found = await place.run("--ask", str(asker), "Do it.")
    assert found.code == 3, found
    assert not (place.root / "one").exists()
    assert "The person refused this" in place.server.requests[1].last


async def test_neither_settings_nor_program_may_come_from_the_workspace(place: Place) -> None:
    inner = place.root / "settings.json"
    inner.write_text(place.settings.read_text())
    asker = program(place, "workspace/asker", "exit 0")
    link = place.folder / "link.json"
    link.symlink_to(inner)
    outward = place.root / "outward.json"
    outward.symlink_to(place.settings)
    (place.root / "way").symlink_to(place.folder / "home")
    twin = place.folder / "twin.json"
    twin.hardlink_to(inner)
    for words in (
        ["--settings", str(twin)],
        ["--settings", "way/../settings.json"],
        ["--settings", str(inner)],
        ["--settings", str(link)],
        ["--settings", str(outward)],
        ["--ask", str(asker)],
        ["--ask", "asker"],
        ["--settings", str(place.folder / "none.json")],
    ):
        found = await place.run(*words, "Do it.")
        assert found.code == 2, found
        assert found.errors.startswith("assent: ")
    assert place.server.requests == []


async def test_a_file_beside_the_workspace_may_be_named_from_there(place: Place) -> None:
    asker = program(place, "asker", "exit 0")
    for ask in ("../asker", str(asker)):
        place.server.reply(run_of("true"))
        place.server.reply(text("Done."))
        found = await place.run("--settings", "../settings.json", "--ask", ask, "Do it.")
        assert found.code == 0, found


async def test_the_settings_of_the_run_are_not_its_own_to_change(place: Place) -> None:
    place.server.reply(run_of(f"echo '{{}}' > {place.settings}"))
    place.server.reply(text("It was refused."))
    before = place.settings.read_text()
    assert (await place.run("--mode", "auto", "Do it.")).code == 3
    assert place.settings.read_text() == before


async def test_standard_input_answers_only_the_question_that_it_names(place: Place) -> None:
    place.server.reply(run_of("echo one > one"))
    place.server.reply(run_of("echo two > two"))
    place.server.reply(text("Done."))
    words = ["run", "--settings", str(place.settings), "--ask", "stdin", "Do it."]
    process = await place.begin(*words)
    assert process.stdin is not None
    assert process.stderr is not None
    # Typed before anything was asked: it answers the first question, and is no yes.
    process.stdin.write(b"yes\n")
    told, yes = "", ""
    async with asyncio.timeout(60):
        while told.count("Type `") < 2:
            told += (await process.stderr.readline()).decode()
        yes = told.rpartition("Type `")[2].partition("`")[0]
        process.stdin.write(f"{yes}\n".encode())
        await process.stdin.drain()
    found = await ended(process)
    assert found.code == 3, found
    assert "echo one > one" in told
    assert not (place.root / "one").exists()
    assert (place.root / "two").exists()


async def test_a_closed_input_is_nobody_and_what_is_asked_is_shown_whole(place: Place) -> None:
    place.server.reply(READ, EDIT)
    place.server.reply(text("Not done."))
    found = await place.run("--ask", "stdin", "Fix it.")
    assert found.code == 3, found
    assert "-    return sum(prices) - discount" in found.errors
    assert "+    return sum(prices) * (100 - discount) // 100" in found.errors
    assert "Nobody is here to be asked" in found.errors


async def test_what_happens_is_told_as_lines_of_json(place: Place) -> None:
    for _ in range(2):
        # The second finds the journal of the first.
        place.server.reply(READ, run_of("make deploy"))
        place.server.reply(text("Done."))
        found = await place.run("--json", "Look.")
    kinds = [it["type"] for it in found.lines]
    assert {"agent/event", "tool/approvalRequest", "tool/approvalSettled", "end"} == set(kinds)
    events = [it["event"] for it in found.lines if it["type"] == "agent/event"]
    calls = [it["call"] for it in events if it["kind"] == "call"]
    told = {it["call"]["toolCallId"]: (it["call"]["tool"], it["call"]["input"]) for it in calls}
    read, deploy = {"path": "till.py"}, {"command": "make deploy"}
    assert told == {"call_0": ("read", read), "call_1": ("shell", deploy)}
    ends = {it["call"]["toolCallId"]: (it["success"], it["path"]) for it in calls}
    assert ends == {"call_0": (True, str(place.root / "till.py")), "call_1": (False, "")}
    last = found.lines[-1]
    assert (last["reason"], last["denied"], last["exit"]) == ("done", 1, 3)
    assert found.errors == ""


async def test_no_command_finds_the_key_of_the_model(place: Place) -> None:
    place.set({"allow": ["shell(*)"]})
    place.is_new = True
    place.server.reply(run_of("env; set"))
    place.server.reply(run_of("cat /proc/$PPID/environ"))
    place.server.reply(text("Done."), hold("looked at"))
    words = ["run", "--settings", str(place.settings), "--mode", "auto", "Look for keys."]
    process = await place.begin(*words)
    await place.server.held("looked at")
    # The same process, which has started itself again without its keys.
    with suppress(PermissionError):
        assert SECRET not in Path(f"/proc/{process.pid}/environ").read_bytes().decode()
    place.server.release("looked at")
    assert (await ended(process)).code == 3
    printed = place.server.requests[1].last
    assert "PATH=" in printed
    assert SECRET not in printed
    assert "Nobody is here to be asked" in place.server.requests[2].last
    assert place.server.requests[2].headers["authorization"] == f"Bearer {SECRET}"


async def test_a_stop_ends_what_runs_and_says_so(place: Place) -> None:
    place.set({"allow": ["shell(*)"]})
    place.server.reply(text("I wait."), hold("for ever"))
    words = ["run", "--settings", str(place.settings), "Wait."]
    process = await place.begin(*words)
    await place.server.held("for ever")
    process.send_signal(signal.SIGINT)
    found = await ended(process)
    assert found.code == 130, found
    assert "You stopped it." in found.errors


async def first_line(fifo: Path) -> str:
    """The first line that somebody writes there; nobody waits for ever."""
    held = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    try:
        told = asyncio.Event()
        asyncio.get_running_loop().add_reader(held, told.set)
        async with asyncio.timeout(60):
            await told.wait()
        asyncio.get_running_loop().remove_reader(held)
        return os.read(held, 100).decode()
    finally:
        os.close(held)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_leaves_nobody_of_what_runs(place: Place, number: signal.Signals) -> None:
    place.set({"allow": ["shell(*)"]})
    os.mkfifo(place.root / "told")
    place.server.reply(run_of("setsid sleep 60 < /dev/null & echo $! > told; sleep 60"))
    process = await place.begin("run", "--settings", str(place.settings), "--mode", "auto", "Run.")
    pid = int(await first_line(place.root / "told"))
    process.send_signal(number)
    found = await ended(process)
    assert found.code == 128 + number, found
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


async def test_nothing_runs_where_the_journal_cannot_be_kept(place: Place) -> None:
    (place.folder / "state").write_text("This is no folder.")
    place.set({"allow": ["shell(*)"]})
    place.server.reply(run_of("touch made"))
    place.server.reply(text("Not done."))
    found = await place.run("--mode", "auto", "Do it.")
    assert found.code == 3, found
    assert "journal" in found.errors
    assert not (place.root / "made").exists()


async def test_settings_that_cannot_be_understood_let_nothing_pass(place: Place) -> None:
    (place.root / ".vscode").mkdir()
    (place.root / ".vscode" / "settings.json").write_text("{")
    place.server.reply(READ)
    place.server.reply(text("Not done."))
    assert (await place.run("--mode", "auto", "Do it.")).code == 3


async def test_what_nobody_reads_ends_no_work(place: Place) -> None:
    place.server.reply(text("First."), run_of("echo one > one"))
    place.server.reply(text("Done."))
    place.set({"allow": ["shell(*)"]})
    words = f"assent run --mode auto --settings {place.settings} 'Do it.' | true"
    await ended(await place.begin("-c", words, program="/bin/sh"))
    assert (place.root / "one").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([" "], 2, "Say what is to be done."),
        (["--workspace", "/no/such/folder", "Do it."], 2, "There is no folder"),
        (["--mode", "yolo", "Do it."], 2, "invalid choice"),
        (["--model", "none", "Do it."], 1, "There is no model called none"),
    ],
)
async def test_what_cannot_be_run_is_told(
    place: Place, words: list[str], code: int, said: str
) -> None:
    found = await place.run(*words)
    assert found.code == code, found
    assert said in found.errors
    assert place.server.requests == []


async def test_a_model_needs_no_settings(place: Place) -> None:
    place.settings.write_text("{}")
    place.env.pop("MY_KEY")
    found = await place.run("--model", "openai/gpt-5-mini", "Do it.")
    assert found.code == 1
    assert found.errors.count("OpenAI wants a key: set OPENAI_API_KEY") == 1
