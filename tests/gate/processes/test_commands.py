"""Commands that run: what they find around them, what they print, how they end."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define

from assent.gate.disk.executables import Executables, path_in
from assent.gate.processes.shell import ShellFailed, ShellState
from assent.gate.processes.shell_environment import inherited, interpreter, program_of, variables
from assent.gate.processes.walls import Beginning
from assent.gate.values import evolve
from gate.processes.stand import BOUND, Hour, Stand


@pytest.mark.requirement("T-15")
async def test_a_command_runs_in_bash_and_tells_its_code(stand: Stand) -> None:
    shell = await stand.run("echo {a,b}; echo $((2 + 3)) >&2; exit 3")
    assert shell.read(0, 100).text == "a b\n5\n"
    assert (shell.state, shell.code, shell.because) == (ShellState.EXITED, 3, "")
    assert stand.told == [
        ("1", ShellState.RUNNING, False),
        ("1", ShellState.EXITED, False),
    ]


async def test_output_and_errors_come_each_in_its_order(stand: Stand) -> None:
    said = (await stand.says("for i in 1 2 3; do echo o$i; echo e$i >&2; done")).split()
    assert [it for it in said if it[0] == "o"] == ["o1", "o2", "o3"]
    assert [it for it in said if it[0] == "e"] == ["e1", "e2", "e3"]


async def test_a_command_that_looks_like_an_option_is_a_command(stand: Stand) -> None:
    shell = await stand.run("-i")
    assert shell.code == 127
    assert "-i" in shell.read(0, 200).text


async def test_a_command_finds_no_input_and_no_terminal(stand: Stand) -> None:
    assert await stand.says("cat; tty; test -t 1 || echo none") == "not a tty\nnone\n"


async def test_a_command_has_a_session_of_its_own_and_none_of_our_descriptors(
    stand: Stand,
) -> None:
    ours = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(ours, True)
    said = await stand.says("cut -d' ' -f5,6 /proc/$$/stat; echo $$; echo $(ls /proc/$$/fd)")
    os.close(ours)
    session, own, descriptors = said.splitlines()
    assert session.split() == [own, own]
    # The last is the end of the pipe that it reads from `ls`.
    assert descriptors.split()[:3] == ["0", "1", "2"]
    assert len(descriptors.split()) <= 4


async def test_signals_are_as_a_shell_expects_them(stand: Stand) -> None:
    said = await stand.says("grep -E 'Sig(Blk|Ign)' /proc/self/status")
    # 32 and 33 are the C library's own, which nobody else can set, and `make` leaves them ignored.
    theirs = 1 << 31 | 1 << 32
    assert [int(line.split()[1], 16) & ~theirs for line in said.splitlines()] == [0, 0]


async def test_a_broken_pipe_ends_who_writes_into_it(stand: Stand) -> None:
    assert await stand.says("yes | head -n 1; echo ${PIPESTATUS[0]}") == "y\n141\n"


async def test_a_command_gets_the_variables_of_its_call_and_no_secrets(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = ("OPENAI_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL")
    for name in (*secrets, "VSCODE_PID", "ELECTRON_RUN_AS_NODE", "ASSENT_STATE_DIR", "BASH_ENV"):
        monkeypatch.setenv(name, "/secret")
    monkeypatch.setenv("JAVA_HOME", "/java")
    monkeypatch.setenv("LC_TIME", "C")
    said = await stand.says("env", env={"GIVEN": "a b", "TERM": "vt100"})
    found = dict(line.partition("=")[::2] for line in said.splitlines())
    assert "/secret" not in said
    assert found["GIVEN"] == "a b"
    assert found["TERM"] == "vt100"
    assert (found["PAGER"], found["GIT_TERMINAL_PROMPT"]) == ("cat", "0")
    assert (found["JAVA_HOME"], found["LC_TIME"]) == ("/java", "C")
    assert found["PWD"] == str(stand.folder.resolve())


def test_a_path_leads_nowhere_that_depends_on_the_folder() -> None:
    told = variables({"PATH": ".:/bin::bin:/usr/bin:"}, {})
    assert told["PATH"] == "/bin:/usr/bin"


def test_an_agent_gets_fewer_variables_than_a_command() -> None:
    told = {"HOME": "/h", "XDG_RUNTIME_DIR": "/r", "JAVA_HOME": "/j", "A_TOKEN": "t"}
    assert inherited(told) == {"HOME": "/h", "XDG_RUNTIME_DIR": "/r"}
    assert variables(told, {}).keys() >= {"HOME", "XDG_RUNTIME_DIR", "JAVA_HOME"}


def test_bash_of_the_system_comes_before_one_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bash", "odd"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:relative")
    beside = Executables(roots=(), path=path_in(os.environ))
    assert interpreter(beside) == "bash"
    assert program_of("bash", beside) != str(tmp_path / "bash")
    assert program_of("odd", beside) == str(tmp_path / "odd")
    assert program_of("not-there", beside) is None
    inside = Executables(roots=(str(tmp_path),), path=str(tmp_path))
    assert program_of("odd", inside) is None


async def test_without_bash_it_is_said_and_nothing_runs(stand: Stand) -> None:
    with pytest.raises(ShellFailed, match="There is no no-such-shell on this machine"):
        await stand.start("true", interpreter="no-such-shell")
    assert await stand.says("echo ${0##*/}", interpreter="sh") == "sh\n"


async def test_a_folder_that_became_a_link_is_not_entered(stand: Stand) -> None:
    judged, other = stand.folder / "judged", stand.folder / "other"
    judged.mkdir()
    other.mkdir()
    assert await stand.says("pwd", cwd=str(judged)) == f"{judged}\n"
    judged.rmdir()
    judged.symlink_to(other)
    with pytest.raises(ShellFailed, match=r"cannot be run in .*judged any more"):
        await stand.start("pwd", cwd=str(judged))
    with pytest.raises(ShellFailed, match="no such file or directory"):
        await stand.start("pwd", cwd=str(stand.folder / "gone"))
    assert len(stand.shell_registry.shells) == 1


@pytest.mark.parametrize(
    ("command", "sentence"),
    [("echo " + "x" * 140_000, "argument list too long"), ("echo \0", "invalid argument")],
)
async def test_what_cannot_be_started_says_why_and_leaves_nothing(
    stand: Stand, command: str, sentence: str
) -> None:
    with pytest.raises(ShellFailed, match=f"(?i)could not be started: {sentence}"):
        await stand.start(command)
    assert stand.shell_registry.shells == ()
    assert stand.told == []


@pytest.mark.parametrize(("number", "name"), [("SEGV", "SIGSEGV"), ("40", "number 40")])
async def test_a_signal_that_ends_a_command_is_named(number: str, name: str, stand: Stand) -> None:
    shell = await stand.run(f"kill -{number} $$")
    assert (shell.state, shell.code) == (ShellState.EXITED, None)
    assert shell.because == f"A signal ended it: {name}."


@pytest.mark.requirement("C-04")
async def test_a_person_kills_a_command_with_all_that_it_started(stand: Stand) -> None:
    shell = await stand.start("echo $$; sleep 600 | sleep 600")
    await stand.numbers(1)
    async with asyncio.timeout(BOUND):
        await shell.kill()
    assert (shell.state, shell.because) == (ShellState.KILLED, "The person killed it.")
    await shell.kill("Twice is once.")
    assert shell.because == "The person killed it."


@pytest.mark.requirement("C-04", "C-05")
async def test_a_command_goes_to_the_background_while_it_runs(stand: Stand) -> None:
    shell = await stand.start("echo begun; read -t 600 < <(sleep 600)", seconds=500)
    await stand.until(lambda: "begun" in stand.shown)
    shell.to_background()
    async with asyncio.timeout(BOUND):
        await shell.settled()
    assert (shell.state, shell.in_background) == (ShellState.RUNNING, True)
    assert stand.told[-1] == ("1", ShellState.RUNNING, True)
    assert stand.shell_registry.find("1") is stand.shell_registry.of_call(shell.call) is shell


async def test_a_command_that_takes_too_long_is_ended_and_says_so(still: Stand, hour: Hour) -> None:
    shell = await still.start("echo begun; sleep 600", seconds=120)
    hour.comes(120)
    async with asyncio.timeout(BOUND):
        await shell.ended()
    assert (shell.state, shell.code) == (ShellState.EXPIRED, None)
    assert shell.because == "It took longer than 120 seconds."
    assert hour.ahead == []


async def test_a_command_in_the_background_may_take_as_long_as_it_likes(
    still: Stand, hour: Hour
) -> None:
    shell = await still.start("sleep 600", seconds=120)
    shell.to_background()
    assert 120 not in hour.ahead
    shell.limit(77)
    hour.comes(77)
    async with asyncio.timeout(BOUND):
        await shell.ended()
    assert shell.state is ShellState.EXPIRED


@pytest.mark.requirement("C-05")
async def test_what_a_command_leaves_running_goes_to_the_background(
    still: Stand, hour: Hour
) -> None:
    shell = await still.start("sleep 600 & echo $!")
    async with asyncio.timeout(BOUND):
        await hour.until(1 / 30)
        await hour.until(0.3)
        hour.comes(0.3)
        await shell.settled()
    assert (shell.state, shell.code, shell.in_background) == (ShellState.RUNNING, 0, True)
    os.kill(int(shell.read(0, 100).text), 15)
    async with asyncio.timeout(BOUND):
        await shell.ended()
    assert (shell.state, shell.code) == (ShellState.EXITED, 0)


async def test_what_ends_soon_after_its_command_is_waited_for(stand: Stand) -> None:
    shell = await stand.start("echo one; (echo two) & exec > >(cat); echo three")
    async with asyncio.timeout(BOUND):
        await shell.settled()
    assert not shell.in_background
    assert sorted(shell.read(0, 100).text.split()) == ["one", "three", "two"]


async def test_a_start_that_is_cancelled_leaves_nothing(stand: Stand) -> None:
    async with asyncio.TaskGroup() as group:
        starting = group.create_task(stand.start("sleep 600"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        starting.cancel()
    (shell,) = stand.shell_registry.shells
    async with asyncio.timeout(BOUND):
        await shell.ended()
    assert shell.state is ShellState.KILLED


async def test_a_closed_chat_starts_nothing(stand: Stand) -> None:
    await stand.shell_registry.end()
    with pytest.raises(ShellFailed, match="The chat was closed"):
        await stand.start("true")


@define
class _Around:
    """A wall that lets everything through."""

    held: int

    @contextmanager
    def around(self, beginning: Beginning) -> Iterator[Beginning]:
        yield evolve(beginning, inherited=(self.held,))


async def test_what_takes_its_time_to_end_behind_a_wall_is_not_in_the_background(
    stand: Stand,
) -> None:
    held = os.open("/dev/null", os.O_RDONLY)
    shell = await stand.start("sleep 1 & exit", wall=_Around(held))
    os.close(held)
    async with asyncio.timeout(BOUND):
        await shell.ended()
    assert stand.told == [("1", ShellState.RUNNING, False), ("1", ShellState.EXITED, False)]
