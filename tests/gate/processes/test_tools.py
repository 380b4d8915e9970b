"""The tools that run commands, as the model calls them and as their calls are judged."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from agent.tools.typing_nothing import nothing_typed
from assent.agent.tools.arguments import ArgumentsWrong, arguments_in, arguments_of
from assent.agent.tools.kill_shell import KILL_SHELL
from assent.agent.tools.registry import call_for
from assent.agent.tools.run_command import RUN_COMMAND
from assent.agent.tools.schema import schema_of
from assent.agent.tools.shell_output import SHELL_OUTPUT
from assent.agent.tools.tool import Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.lifecycle import State
from assent.gate.disk.places import Places
from assent.gate.text.shortening import shortened
from gate.processes.stand import BOUND, Hour, Stand
from tables import each_row


@pytest.fixture
def bench(stand: Stand) -> Bench:
    return bench_at(stand)


def bench_at(stand: Stand) -> Bench:
    async def nobody(*_: object) -> Any:
        raise AssertionError("nobody is asked")

    root = stand.folder / "workspace"
    (root / "sub").mkdir(parents=True)
    return Bench(
        cwd=str(root),
        places=lambda: Places(roots=(str(root),), home=str(stand.folder)),
        buffers=nothing_typed(),
        may_read=lambda _: True,
        shell_registry=stand.shell_registry,
        printed=stand._print,
        planned=lambda _: None,
        ask=nobody,
        subtask=nobody,
    )


def call_of(tool: Tool[Any], text: str, bench: Bench) -> Call:
    aim = tool.aim(arguments_of(tool, text), bench)
    return call_for(
        aim, bench, chat=ChatId("c"), agent=AgentId("a"), id=CallId(f"{tool.name}-{text}")
    )


async def use(tool: Tool[Any], text: str, bench: Bench) -> Done:
    call = call_of(tool, text, bench)
    async with asyncio.timeout(BOUND):
        return await tool.do(arguments_in(tool, call.input), call, bench)


@pytest.mark.requirement("T-15")
async def test_what_a_command_prints_comes_with_its_code(bench: Bench) -> None:
    done = await use(RUN_COMMAND, '{"command": "pwd; exit 3"}', bench)
    assert done.text == f"{bench.cwd}\n\nIt exited with code 3."
    assert (done.failed, done.state, done.shown) == (True, None, "")
    done = await use(RUN_COMMAND, '{"command": "true"}', bench)
    assert (done.text, done.failed) == ("It exited with code 0.", False)
    assert done.shown == "It printed nothing."


def test_a_command_is_judged_as_it_runs(bench: Bench) -> None:
    text = (
        '{"command": "ls", "cwd": "sub", "env": {"A": "b"}, "timeout_seconds": 5,'
        ' "background": true, "description": "look"}'
    )
    call = call_of(RUN_COMMAND, text, bench)
    assert (call.tool, call.effect, call.detachable) == ("shell", Effect.EXECUTE, True)
    assert (call.cwd, call.folder) == (f"{bench.cwd}/sub", "sub")
    given = {"command": "ls", "cwd": "sub", "env": {"A": "b"}}
    assert call.input == {**given, "timeout_seconds": 5, "background": True}
    assert RUN_COMMAND.aim(arguments_of(RUN_COMMAND, text), bench).says == "look"
    plainly = call_of(RUN_COMMAND, '{"command": "ls"}', bench)
    assert plainly.input == {"command": "ls"}
    assert (plainly.cwd, plainly.folder) == (bench.cwd, ".")


def test_what_is_said_of_a_command_makes_no_other_call_of_it(bench: Bench) -> None:
    one, other = (
        call_of(RUN_COMMAND, f'{{"command": "ls", "description": "{it}"}}', bench) for it in "ab"
    )
    assert one.likeness == other.likeness


def test_the_folder_is_where_a_link_leads(bench: Bench) -> None:
    (Path(bench.cwd) / "link").symlink_to("sub")
    assert call_of(RUN_COMMAND, '{"command": "ls", "cwd": "link"}', bench).cwd.endswith("/sub")
    with pytest.raises(CallUnreadable, match="there is no folder nowhere"):
        call_of(RUN_COMMAND, '{"command": "ls", "cwd": "nowhere"}', bench)


async def test_without_bash_a_command_is_judged_and_run_as_another_shells(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assent.agent.tools import run_command  # noqa: PLC0415

    monkeypatch.setattr(run_command, "interpreter", lambda *_: "sh")
    assert call_of(RUN_COMMAND, '{"command": "ls"}', bench).input == {
        "command": "ls",
        "shell": "sh",
    }
    done = await use(RUN_COMMAND, '{"command": "echo ${0##*/}"}', bench)
    assert done.text.startswith("sh\n")


@each_row(
    ("text", "told"),
    [
        ("{}", "`command`: it is missing"),
        ('{"command": " \\n"}', "it is blank"),
        ('{"command": "a\\u0000b"}', "zero byte"),
        ('{"command": "\\ud800"}', "half a character"),
        ('{"command": "ls", "env": {"A B": "c"}}', "letters, digits and underscores"),
        ('{"command": "ls", "env": {"A": 1}}', "expected a text"),
        ('{"command": "ls", "timeout_seconds": 0}', "at least 1"),
        ('{"command": "ls", "shell": "zsh"}', "no such argument"),
    ],
)
def test_wrong_arguments_are_told_and_never_become_a_call(text: str, told: str) -> None:
    with pytest.raises(ArgumentsWrong, match=told):
        arguments_of(RUN_COMMAND, text)


def test_models_are_told_of_the_arguments() -> None:
    for tool in (RUN_COMMAND, SHELL_OUTPUT, KILL_SHELL):
        schema = schema_of(tool.arguments)
        assert schema["properties"].keys() == tool.arguments.model_fields.keys()


@pytest.mark.requirement("C-04", "C-05")
async def test_a_command_starts_in_the_background_is_read_and_ended(
    bench: Bench, stand: Stand
) -> None:
    command = '{"command": "echo ready; read -t 600 < <(sleep 600)", "background": true}'
    done = await use(RUN_COMMAND, command, bench)
    assert done.state is State.BACKGROUNDED
    assert "It runs in the background, as shell 1" in done.text
    await stand.until(lambda: stand.shown)
    read = await use(SHELL_OUTPUT, '{"shell": "1"}', bench)
    assert read.text.startswith("ready\n\nIt runs in the background")
    assert read.text.endswith("What comes next is there, since 6.")
    ended = await use(KILL_SHELL, '{"shell": "1"}', bench)
    told = "Shell 1 runs no more. The agent ended it. It was ended with everything that it started."
    assert ended.text == told
    again = await use(KILL_SHELL, '{"shell": "1"}', bench)
    assert (again.text, again.failed) == (told, False)
    read = await use(SHELL_OUTPUT, '{"shell": "1", "since": 2}', bench)
    assert read.text.startswith("ady\n\nThe agent ended it.")


@pytest.mark.parametrize("tool", [SHELL_OUTPUT, KILL_SHELL], ids=lambda it: it.name)
async def test_looking_after_a_shell_touches_the_chat_alone(tool: Tool[Any], bench: Bench) -> None:
    call = call_of(tool, '{"shell": "7"}', bench)
    assert (call.tool, call.effect) == ("other", Effect.CHAT)
    assert call.action in {"shellOutput", "killShell"}
    with pytest.raises(ToolFailed, match=r"There is no shell 7. There is none."):
        await use(tool, '{"shell": "7"}', bench)
    await use(RUN_COMMAND, '{"command": "true"}', bench)
    with pytest.raises(ToolFailed, match=r"There is no shell 7. There are: 1."):
        await use(tool, '{"shell": "7"}', bench)


@pytest.mark.requirement("C-04")
async def test_a_person_lets_a_command_start_in_the_background(bench: Bench) -> None:
    bench = evolve(bench, backgrounded=True)
    done = await use(RUN_COMMAND, '{"command": "sleep 600"}', bench)
    assert done.state is State.BACKGROUNDED


@pytest.mark.requirement("C-04")
async def test_a_person_moves_a_command_to_the_background(bench: Bench, stand: Stand) -> None:
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        command = '{"command": "echo begun; read -t 600 < <(sleep 600)", "timeout_seconds": 300}'
        using = group.create_task(use(RUN_COMMAND, command, bench))
        await stand.until(lambda: "begun" in stand.shown)
        bench.shell_registry.shells[0].to_background()
    done = using.result()
    assert done.state is State.BACKGROUNDED
    assert done.text.startswith("begun\n\nIt runs in the background, as shell 1")


@pytest.mark.requirement("C-04")
async def test_a_person_kills_a_command_and_the_model_is_told_who(
    bench: Bench, stand: Stand
) -> None:
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        command = '{"command": "echo begun; read -t 600 < <(sleep 600)"}'
        using = group.create_task(use(RUN_COMMAND, command, bench))
        await stand.until(lambda: "begun" in stand.shown)
        await bench.shell_registry.shells[0].kill()
    done = using.result()
    assert (done.state, done.failed) == (State.KILLED, True)
    assert "begun\n\nThe person killed it." in done.text


async def test_a_command_that_is_stopped_is_ended(bench: Bench, stand: Stand) -> None:
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        command = '{"command": "echo begun; read -t 600 < <(sleep 600)"}'
        using = group.create_task(use(RUN_COMMAND, command, bench))
        await stand.until(lambda: "begun" in stand.shown)
        using.cancel()
    (shell,) = bench.shell_registry.shells
    async with asyncio.timeout(BOUND):
        await shell.ended()
    assert shell.because == "It was stopped."


@pytest.mark.parametrize(
    ("given", "seconds"), [("", 600), (', "timeout_seconds": 1', 1)], ids=["usual", "given"]
)
async def test_a_command_that_takes_too_long_says_so(
    given: str, seconds: float, still: Stand, hour: Hour
) -> None:
    bench = bench_at(still)
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        using = group.create_task(use(RUN_COMMAND, f'{{"command": "sleep 600"{given}}}', bench))
        await hour.until(seconds)
        hour.comes(seconds)
    done = using.result()
    assert (done.failed, done.state) == (True, None)
    told = "600 seconds" if seconds == 600 else "1 second"
    assert done.text.startswith(f"It took longer than {told}.")


@pytest.mark.parametrize(
    ("given", "limits"),
    [("", []), (', "timeout_seconds": 50', [50])],
    ids=["none", "given"],
)
async def test_in_the_background_there_is_no_limit_but_a_given_one(
    given: str, limits: list[float], still: Stand, hour: Hour
) -> None:
    command = f'{{"command": "sleep 600", "background": true{given}}}'
    await use(RUN_COMMAND, command, bench_at(still))
    assert hour.ahead == limits


async def test_much_output_is_told_by_its_beginning_and_its_end(bench: Bench) -> None:
    done = await use(RUN_COMMAND, '{"command": "seq 100000"}', bench)
    assert len(done.text) < 29_000
    head, note, tail = done.text.partition("[… ")
    assert head.startswith("1\n2\n3\n")
    assert tail.endswith("99999\n100000\n\nIt exited with code 0.")
    since = int(tail.partition("since ")[2].split()[0])
    read = await use(SHELL_OUTPUT, f'{{"shell": "1", "since": {since}}}', bench)
    last = int(head.split()[-1])
    assert read.text.startswith(f"{last + 1}\n{last + 2}\n")
    assert "There is more, since " in read.text
    assert note


@pytest.mark.requirement("C-05")
async def test_what_a_command_left_running_is_told(bench: Bench) -> None:
    done = await use(RUN_COMMAND, '{"command": "sleep 600 & echo started"}', bench)
    assert done.state is State.BACKGROUNDED
    assert "It exited with code 0. What it started still runs in the background" in done.text


async def test_what_cannot_be_started_is_told(bench: Bench, tmp_path: Path) -> None:
    call = call_of(RUN_COMMAND, '{"command": "ls", "cwd": "sub"}', bench)
    Path(call.cwd).rmdir()
    with pytest.raises(ToolFailed, match=r"cannot be run in .*/sub any more"):
        await RUN_COMMAND.do(arguments_in(RUN_COMMAND, call.input), call, bench)


def test_a_text_is_shortened_in_its_middle_by_whole_lines() -> None:
    text = "".join(f"line {number}\n" for number in range(10_000))
    short = shortened(text, 1_000, "the rest is elsewhere")
    head, _, tail = short.partition("\n[… ")
    assert len(short) <= 1_100
    assert text.startswith(f"{head}\n")
    note, _, tail = tail.partition(" …]\n")
    assert text.endswith(tail)
    lines = 10_000 - len(head.splitlines()) - len(tail.splitlines())
    assert note == (
        f"{lines:,} lines, {len(text) - len(head) - 1 - len(tail):,} characters left out;"
        " the rest is elsewhere"
    )


@each_row("text", ["", "x" * 1_000, "a\n" * 500])
def test_what_is_short_stays_as_it_is(text: str) -> None:
    assert shortened(text, 1_000) == text


def test_one_long_line_is_shortened_too() -> None:
    short = shortened("x" * 100_000)
    assert len(short) < 30_100
    assert "70,000 characters left out" in short
