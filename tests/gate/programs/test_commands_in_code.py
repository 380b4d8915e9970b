"""What the server starts by a name is no program of the workspace: shells, hooks, agents, rg."""

import asyncio
import os
from pathlib import Path

import pytest

from assent.gate.call.errors import AgentFailed
from assent.gate.disk.executables import Executables, path_in
from assent.gate.hooks.hook_thread import run_hook
from assent.gate.processes.shell_environment import program_of
from assent.hosting.connection.process import start
from assent.hosting.connection.spec import AgentSpec
from gate.processes.stand import BOUND
from gate.programs.paths import DROPPED, LAID, SYSTEM, Ground

NAMES = ("python3", "ls", "rg", "env", "sh", "bash")
SCRIPTS = "scripts for an interpreter of the workspace"
KINDS = {kind: lay for kind, lay in (LAID | DROPPED).items() if kind != SCRIPTS}


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground.at(tmp_path)


def programs(ground: Ground, kind: str, names: tuple[str, ...] = NAMES) -> Executables:
    path = f"{(LAID | DROPPED)[kind](ground, names)}:{SYSTEM}"
    return Executables(roots=(str(ground.root),), path=path_in({"PATH": path}))


@pytest.mark.parametrize("kind", KINDS)
def test_the_search_goes_on_behind_what_the_workspace_has(kind: str, ground: Ground) -> None:
    found = programs(ground, kind)
    for name in ("ls", "rg", "env"):
        assert found.find(name) in {f"/usr/bin/{name}", f"/bin/{name}"}
    assert found.find("not-there") is None
    assert found.find("") is None
    assert found.find("../bin/ls") is None


@pytest.mark.parametrize("kind", KINDS)
def test_no_shell_of_the_workspace_reads_commands(kind: str, ground: Ground) -> None:
    assert program_of("bash", programs(ground, kind)) in {"/bin/bash", "/usr/bin/bash"}
    odd = ground.plant(ground.root / "bin", ["odd"])
    assert program_of("odd", Executables(roots=(str(ground.root),), path=odd)) is None


@pytest.mark.parametrize("kind", KINDS)
async def test_a_hook_finds_no_program_of_the_workspace(
    kind: str, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = programs(ground, kind)
    monkeypatch.setenv("PATH", f"{found.path}:.:")
    monkeypatch.chdir(ground.root)
    command = 'cd "$ASSENT_ROOT"; ls >/dev/null; env python3 --version; sh -c ls >/dev/null'
    if kind in {"links into the workspace", "links through the workspace"} or "change" in kind:
        # What leads there is skipped one by one where we look, and by no shell.
        command = 'cd "$ASSENT_ROOT"; echo "$PATH"'
    ended = await run_hook(command, b"", {"ASSENT_ROOT": str(ground.root)}, BOUND, found)
    assert ended.output
    assert not ground.was_run


@pytest.mark.parametrize("kind", KINDS)
async def test_an_agent_is_a_program_outside_the_workspace(
    kind: str, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = programs(ground, kind)
    monkeypatch.setenv("PATH", f"{found.path}:.:")
    code = "import os; print(os.environ['PATH'], flush=True)"
    spec = AgentSpec(id="odd", name="Odd", command="python3", args=("-c", code))
    process = await start(spec, str(ground.root), found.roots)
    async with asyncio.timeout(BOUND):
        path = (await process.reader.readline()).decode().strip()
    await process.end(BOUND)
    assert path == found.outside()
    assert not ground.was_run


async def test_an_agent_that_only_the_workspace_has_is_not_started(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = programs(ground, "node_modules/.bin", ("odd-agent",))
    monkeypatch.setenv("PATH", found.path)
    spec = AgentSpec(id="odd", name="Odd", command="odd-agent")
    with pytest.raises(AgentFailed, match="no program `odd-agent` outside of this workspace"):
        await start(spec, str(ground.root), found.roots)
    wished = AgentSpec(id="odd", name="Odd", command="odd-agent", env={"PATH": found.path})
    monkeypatch.setenv("PATH", SYSTEM)
    with pytest.raises(AgentFailed, match="outside of this workspace"):
        await start(wished, str(ground.root), found.roots)


async def test_an_agent_that_is_a_script_gets_no_interpreter_of_the_workspace(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = programs(ground, SCRIPTS, ("odd-agent",))
    monkeypatch.setenv("PATH", found.path)
    spec = AgentSpec(id="odd", name="Odd", command="odd-agent")
    process = await start(spec, str(ground.root), found.roots)
    async with asyncio.timeout(BOUND):
        assert await process.reader.read() == b""
    await process.end(BOUND)
    assert not ground.was_run


def test_a_workspace_that_is_the_whole_machine_hides_no_program(ground: Ground) -> None:
    assert Executables(roots=("/",), path=SYSTEM).find("ls") in {"/usr/bin/ls", "/bin/ls"}
    assert Executables(roots=("/",), path=SYSTEM).outside() == SYSTEM


def test_empty_entries_for_libraries_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.gate.processes.shell_environment import variables  # noqa: PLC0415

    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib::lib:")
    assert variables(os.environ, {})["LD_LIBRARY_PATH"] == "/opt/lib"
