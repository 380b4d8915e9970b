"""A reading command reads only where its name stands for a program outside the workspace."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve

from agent.tools.typing_nothing import nothing_typed
from assent.agent.tools.arguments import arguments_in, arguments_of
from assent.agent.tools.registry import call_for
from assent.agent.tools.run_command import RUN_COMMAND
from assent.agent.tools.tool import Bench
from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.programs.tables import by_name
from assent.gate.programs.tables.companions import COMPANIONS
from assent.gate.programs.tables.reading_commands import ORDERS
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.programs import BUILTINS
from gate.processes.stand import BOUND, Stand
from gate.programs.paths import DROPPED, LAID, READING, SYSTEM, Ground
from gate.rules.books import allow, book

NAMES = tuple(READING)
TOOLS = ("pytest", "tsc")
"""What an honest environment of a project has."""


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    made = Ground.at(tmp_path)
    subprocess.run(["/usr/bin/git", "init", "-q", made.root], check=True)
    return made


@pytest.fixture
def bench(ground: Ground, stand: Stand) -> Bench:
    async def nobody(*_: object) -> None:
        raise AssertionError("nobody is asked")

    return Bench(
        cwd=str(ground.root),
        places=lambda: places(ground),
        buffers=nothing_typed(),
        may_read=lambda _: True,
        shell_registry=stand.shell_registry,
        printed=lambda _, **__: None,
        planned=lambda _: None,
        ask=nobody,  # type: ignore[arg-type]
        subtask=nobody,  # type: ignore[arg-type]
    )


def places(ground: Ground) -> Places:
    return Places(roots=(str(ground.root),), home=str(ground.machine))


def rule_on(command: str, bench: Bench, policy: Policy | None = None) -> tuple[Call, Ruling]:
    """What is said of a command of our own agent, with the disk and PATH as they are."""
    aim = RUN_COMMAND.aim(arguments_of(RUN_COMMAND, json.dumps({"command": command})), bench)
    call = call_for(aim, bench, chat=ChatId("c"), agent=AgentId("a"), id=CallId(command))
    policy = policy or Policy(mode=Mode.DEFAULT, trusted=True)
    return call, decide(call, policy, bench.places())


async def passes(commands: Sequence[str], ground: Ground, bench: Bench) -> list[str]:
    """The commands that pass; each of them is really run, and none may leave the mark."""
    passed = []
    for command in commands:
        call, ruling = rule_on(command, bench)
        if ruling.verdict is Verdict.ALLOW:
            passed.append(command)
            async with asyncio.timeout(BOUND):
                await RUN_COMMAND.do(arguments_in(RUN_COMMAND, call.input), call, bench)
            assert not ground.was_run, f"{command} ran {ground.mark.read_text()}"
    return passed


@pytest.mark.parametrize("kind", LAID)
async def test_no_program_of_the_workspace_runs_unasked(
    kind: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{LAID[kind](ground, NAMES)}:{SYSTEM}")
    assert await passes([*READING.values()], ground, bench) == []


@pytest.mark.parametrize("kind", LAID)
@pytest.mark.parametrize("name", READING)
def test_one_program_of_the_workspace_is_asked_about_by_its_name(
    name: str, kind: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{LAID[kind](ground, [name])}:{SYSTEM}")
    _, ruling = rule_on(READING[name], bench)
    assert ruling.verdict is Verdict.ASK
    assert ruling.because.startswith(f"`{name}` is ")
    for program, other in READING.items():
        # A script that git has for submodules runs cat.
        named = re.findall(r"\w+", other) + ["cat"] * (program == "git")
        if name not in named:
            assert rule_on(other, bench)[1].verdict is Verdict.ALLOW


@pytest.mark.parametrize("kind", [*LAID, *DROPPED])
async def test_an_honest_path_asks_about_nothing_that_reads(
    kind: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{(LAID | DROPPED)[kind](ground, TOOLS)}:{SYSTEM}")
    assert await passes([*READING.values()], ground, bench) == [*READING.values()]


@pytest.mark.parametrize("kind", DROPPED)
async def test_nothing_is_looked_for_in_the_folder_that_a_command_runs_in(
    kind: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{DROPPED[kind](ground, NAMES)}:{SYSTEM}")
    assert await passes([*READING.values()], ground, bench) == [*READING.values()]


@pytest.mark.parametrize("way", ["a link to the workspace", "a slash more", "dots in it"])
async def test_no_spelling_of_the_workspace_hides_its_programs(
    way: str, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ground.machine / "alias"
    other.symlink_to(ground.root)
    root = {"a link to the workspace": f"{other}", "a slash more": f"{ground.root}/"}
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, NAMES)}:{SYSTEM}")
    spelled = root.get(way, f"{ground.root}/../{ground.root.name}")
    facts = Places(roots=(spelled,), home=str(ground.machine))
    assert facts.program("ls").why is not None
    assert facts.executables.find("ls") == "/usr/bin/ls"
    assert facts.executables.outside() == SYSTEM


def test_the_same_folder_under_another_name_on_the_disk_is_the_workspace(ground: Ground) -> None:
    """As where a disk knows no case: a folder is what it is on the disk, not how it is spelled."""
    ground.plant(ground.root / "bin", ["ls"])
    other = ground.machine / "TILL"
    other.mkdir()
    code = (
        "from assent.gate.disk.places import Places;"
        f"it = Places(roots=({str(ground.root)!r},), home='/', path='{other}/bin:{SYSTEM}');"
        "print(it.program('ls').why, it.executables.find('ls'))"
    )
    jail = ["bwrap", "--dev-bind", "/", "/", "--bind", str(ground.root), str(other)]
    done = subprocess.run(
        [*jail, sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    if "bwrap" in done.stderr:
        pytest.skip("folders cannot be mounted here")
    assert done.stdout == "is bin/ls of this workspace here /usr/bin/ls\n", done.stderr


def test_a_folder_of_another_case_is_another_folder_where_the_disk_says_so(
    ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ground.root.parent / "TILL"
    if other.exists():
        pytest.skip("this disk knows no case")
    ground.plant(other / "bin", ["ls"])
    monkeypatch.setenv("PATH", f"{other}/bin:{SYSTEM}")
    assert rule_on("ls", bench)[1].verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [(Mode.PLAN, Verdict.DENY), (Mode.ASK, Verdict.ASK), (Mode.AUTO, Verdict.ALLOW)],
)
def test_it_is_a_program_as_any_other_in_each_mode(
    mode: Mode,
    verdict: Verdict,
    ground: Ground,
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, NAMES)}:{SYSTEM}")
    for command in READING.values():
        assert rule_on(command, bench, Policy(mode=mode, trusted=True))[1].verdict is verdict


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("shell(python3:*)", "python3 --version"),
        ("shell(python3 --version)", "python3 --version"),
        ("shell(*)", "ls"),
        ("shell(pytest:*)", "pytest -q"),
        ("shell(timeout:*)", "timeout 5 rg words a.txt"),
    ],
)
def test_a_rule_about_the_name_means_the_project_s_program(
    rule: str, command: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["python3", "pytest", "ls", "timeout"]
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, names)}:{SYSTEM}")
    policy = Policy(mode=Mode.DEFAULT, trusted=True, book=book(allow(rule)))
    assert rule_on(command, bench, policy)[1].verdict is Verdict.ALLOW


@pytest.mark.parametrize("name", ["ls", "grep", "timeout", "xargs", "find", "env", "nice"])
@pytest.mark.parametrize(
    "spelled", ["./{}", "bin/{}", "{root}/bin/{}", "~/bin/{}", "bin/../bin/{}"]
)
def test_a_name_is_never_believed_over_its_path(
    spelled: str, name: str, ground: Ground, bench: Bench
) -> None:
    for folder in (ground.root, ground.root / "bin", ground.machine / "bin"):
        ground.plant(folder, [name])
    program = spelled.format(name, root=ground.root)
    for command in (f"{program} cat a.txt", f"echo a.txt | {program} cat", f"{program} a.txt"):
        assert rule_on(command, bench)[1].verdict is Verdict.ASK, command


@pytest.mark.parametrize(
    "command",
    [
        "PATH=$PWD/bin ls",
        "export PATH=bin; ls",
        "PATH=bin:$PATH; ls",
        "declare -x PATH=bin; ls",
        "hash -p bin/ls ls; ls",
        "alias ls=bin/ls; ls",
        "ls() { bin/ls; }; ls",
        "env PATH=bin ls",
        "env -S 'PATH=bin ls'",
        "read PATH < a.txt; ls",
        "printf -v PATH bin; ls",
        "for PATH in bin; do ls; done",
        "enable -f bin/ls ls; ls",
        "cp a.txt .venv/bin/ls; ls",
        "ln -s ../../a.txt .venv/bin/ls && ls",
        "BASH_ENV=bin/ls bash -c ls",
        "command -p -- bin/ls",
        "exec -a ls bin/ls",
    ],
)
def test_what_changes_where_programs_are_found_is_asked_about(
    command: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground.plant(ground.root / "bin", ["ls"])
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, TOOLS)}:{SYSTEM}")
    assert rule_on(command, bench)[1].verdict is Verdict.ASK


def test_a_program_that_the_same_line_may_bring_is_asked_about(
    ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, TOOLS)}:{SYSTEM}")
    written = book(allow("shell(cp:*)"), allow("write(./**)"), roots=(str(ground.root),))
    policy = Policy(mode=Mode.DEFAULT, trusted=True, book=written)
    command = "cp a.txt .venv/bin/cat; cat a.txt"
    _, ruling = rule_on(command, bench, policy)
    assert ruling.because == "Which program `cat` is here is only known when it runs."
    assert rule_on("cp a.txt b.txt; cat a.txt", bench, policy)[1].verdict is Verdict.ALLOW
    monkeypatch.setenv("PATH", SYSTEM)
    assert rule_on(command, bench, policy)[1].verdict is Verdict.ALLOW


def test_what_reads_by_another_program_reads_where_that_lies_outside(
    ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, ['diff'])}:{SYSTEM}")
    assert rule_on("diff3 a.txt a.txt a.txt", bench)[1].because == (
        "`diff3` runs `diff`, which is .venv/bin/diff of this workspace here."
    )
    assert rule_on("cmp a.txt a.txt", bench)[1].verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    ("command", "other"), [("tar -tzf a.tgz", "gzip"), ("tar -tf a.tgz", "xz"), ("dpkg -l", "tar")]
)
def test_a_list_of_an_archive_is_read_where_what_unpacks_it_lies_outside(
    ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch, command: str, other: str
) -> None:
    assert rule_on(command, bench)[1].verdict is Verdict.ALLOW
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, [other])}:{SYSTEM}")
    why = f" runs `{other}`, which is .venv/bin/{other} of this workspace here."
    assert rule_on(command, bench)[1].because.endswith(why)


def test_companions_are_those_of_programs_that_read() -> None:
    rows = by_name()
    reading = {it.split()[0] for row in ORDERS for it in row.names.split(", ")}
    # An archiver reads where it only lists.
    assert all(
        name in reading or rows[name].reads or rows[name].form == "tar" for name in COMPANIONS
    )


def test_the_commands_of_the_shell_itself_are_those_that_bash_has() -> None:
    told = subprocess.run(
        ["/bin/bash", "-c", "compgen -b"], capture_output=True, text=True, check=True
    )
    assert set(told.stdout.split()) == BUILTINS


@pytest.mark.parametrize(
    "command",
    [
        "'time' wc a.txt",
        r"\time wc a.txt",
        "LANG=C time wc a.txt",
        '! "time" -p wc a.txt',
        "'[[' a ]]",
    ],
)
def test_a_keyword_that_is_quoted_is_a_program(
    command: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "[[" if "[[" in command else "time"
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, [name])}:{SYSTEM}")
    subprocess.run(["/bin/bash", "-c", command], cwd=ground.root, check=False)
    assert ground.was_run
    assert rule_on(command, bench)[1].verdict is Verdict.ASK
    monkeypatch.setenv("PATH", SYSTEM)
    assert rule_on("time wc a.txt && [[ a ]]", bench)[1].verdict is Verdict.ALLOW


@pytest.mark.parametrize("name", ["echo", "test", "pwd", "true"])
def test_what_the_shell_does_itself_needs_no_program(
    name: str, ground: Ground, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{LAID['a venv'](ground, [name])}:{SYSTEM}")
    assert rule_on(name, bench)[1].verdict is Verdict.ALLOW
    assert rule_on(f"env {name}", bench)[1].verdict is Verdict.ASK
    call, _ = rule_on(name, bench)
    other = evolve(call, input={**call.input, "shell": "sh"})
    policy = Policy(mode=Mode.DEFAULT, trusted=True)
    assert decide(other, policy, bench.places()).verdict is Verdict.ASK
