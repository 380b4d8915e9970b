"""Commands of the agent outlive a turn where the person lets them, and end with a stop."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Table, calling, saying
from assent.agent.models.conversation import Said as Prompt
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.journal.events import CallPrinted
from assent.gate.processes.shell import ShellState
from gate.admit.scene import within
from gate.processes.stand import BOUND, gone
from gate.processes.test_families import WAYS_OUT

LASTS = "echo begun; sleep 600 & echo $! > pid; wait"


def run(command: str, **more: object) -> tuple[str, str]:
    return "run_command", json.dumps({"command": command, **more})


@asynccontextmanager
async def pipe(path: Path) -> AsyncGenerator[asyncio.StreamReader]:
    """What is written into a pipe of this name."""
    os.mkfifo(path)
    reader = asyncio.StreamReader()
    # Held open for writing as well, it has no end that comes before its first line.
    both = os.fdopen(os.open(path, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), both
    )
    try:
        yield reader
    finally:
        transport.close()


async def begun(table: Table, call: Call) -> None:
    """Wait until a command has printed its first word."""
    async with asyncio.timeout(5):
        while "begun" not in table.printed(call.id):
            await table.more()


async def test_what_a_command_prints_is_told_and_goes_to_the_model(table: Table) -> None:
    table.mode = Mode.AUTO
    table.model.will(calling(run("echo out; exit 3")), saying("Done."))
    await table.says()
    (call,) = table.calls
    assert table.printed(call.id).startswith("out\n")
    assert table.printed(call.id).count("out") == 1
    assert table.results[0].text.startswith("out\n")
    assert table.results[0].failed
    assert table.steps(call)[-1] is State.FAILED


@pytest.mark.requirement("T-08")
async def test_a_stop_ends_a_command_with_what_it_started(table: Table) -> None:
    table.mode = Mode.AUTO
    table.model.will(calling(run(LASTS)))
    turn = table.prompt()
    async with asyncio.timeout(5):
        while not table.calls:
            await table.more()
    await begun(table, table.calls[0])
    await within(table.assistants.stop(CHAT))
    assert (await within(turn))[0] == "stopped"
    assert table.steps(table.calls[0])[-1] is State.KILLED
    shell = table.assistants.shell_registry(CHAT).of_call(table.calls[0].id)
    assert shell is not None
    await within(shell.ended())
    assert shell.state is ShellState.KILLED
    assert not is_alive(table.root / "pid")


@pytest.mark.requirement("T-08", "C-05")
@pytest.mark.parametrize("way", WAYS_OUT.values(), ids=WAYS_OUT)
@pytest.mark.parametrize("leaves", [True, False])
async def test_a_stop_ends_what_nobody_let_go_on_and_waits_for_its_end(
    table: Table, way: str, leaves: bool
) -> None:
    table.mode = Mode.AUTO
    # On a busy machine the call may be over before anything is printed, and is told no more.
    (table.root / "way.sh").write_text(f"exec > told\n{way}")
    # The command itself is over at once, or is still waited for.
    table.model.will(calling(run("bash way.sh & disown" if leaves else "bash way.sh")))
    async with pipe(table.root / "told") as told, asyncio.timeout(BOUND):
        turn = table.prompt()
        pid = int(await told.readline())
        if leaves:
            await table.model.asked()
    assert psutil.pid_exists(pid)
    await within(table.assistants.stop(CHAT))
    assert (await within(turn))[0] == "stopped"
    await gone(pid)
    (shell,) = table.assistants.shell_registry(CHAT).shells
    assert shell.state is ShellState.KILLED


@pytest.mark.requirement("C-05")
async def test_a_stop_spares_what_its_call_let_go_on_and_what_a_person_did(table: Table) -> None:
    table.mode = Mode.AUTO
    table.model.will(calling(run(LASTS, background=True)), saying("It runs."))
    assert (await table.says())[0] == "done"
    table.model.will(calling(run("(sleep 600 & echo begun) & disown")), saying("So does that."))
    assert (await table.says())[0] == "done"
    # It went to the background by itself, and the person wants it to stay there.
    table.assistants.background(CHAT, table.calls[1].id)
    await within(table.assistants.stop(CHAT))
    shells = table.assistants.shell_registry(CHAT).shells
    assert [shell.state for shell in shells] == [ShellState.RUNNING] * 2
    await within(table.assistants.close(CHAT))
    assert [shell.state for shell in shells] == [ShellState.KILLED] * 2


async def test_a_command_in_the_background_outlives_its_turn_and_a_stop_but_not_its_chat(
    table: Table,
) -> None:
    table.model.will(calling(run(LASTS)), saying("It runs."))
    turn = table.prompt()
    await table.answer(await table.card(), "background")
    assert (await within(turn))[0] == "done"
    (call,) = table.calls
    await begun(table, call)
    assert table.steps(call)[-1] is State.BACKGROUNDED
    await within(table.assistants.stop(CHAT))
    shell = table.assistants.shell_registry(CHAT).of_call(call.id)
    assert shell is not None
    assert shell.state is ShellState.RUNNING
    await within(table.assistants.close(CHAT))
    assert shell.state is ShellState.KILLED
    assert not is_alive(table.root / "pid")


async def test_a_running_command_can_be_let_go_on(table: Table) -> None:
    table.mode = Mode.AUTO
    table.model.will(calling(run(LASTS)))
    turn = table.prompt()
    reply = asyncio.ensure_future(table.model.asked())
    async with asyncio.timeout(5):
        while not table.calls:
            await table.more()
    (call,) = table.calls
    await begun(table, call)
    table.assistants.background(CHAT, call.id)
    (await within(reply)).end()
    assert (await within(turn))[0] == "done"
    assert table.steps(call)[-1] is State.BACKGROUNDED
    assert table.shells[-1].in_background
    await within(table.assistants.kill(CHAT, call.id))
    assert not is_alive(table.root / "pid")


async def test_a_running_command_can_be_killed_and_the_model_is_told(table: Table) -> None:
    table.mode = Mode.AUTO
    table.model.will(calling(run(LASTS)), saying("I see."))
    turn = table.prompt()
    async with asyncio.timeout(5):
        while not table.calls:
            await table.more()
    await begun(table, table.calls[0])
    await within(table.assistants.kill(CHAT, table.calls[0].id))
    assert (await within(turn))[0] == "done"
    assert "The person killed it." in table.results[0].text
    assert table.steps(table.calls[0])[-1] is State.KILLED
    assert not is_alive(table.root / "pid")


async def test_what_a_command_prints_is_gathered(table: Table) -> None:
    table.mode = Mode.AUTO
    table.model.will(calling(run("for i in $(seq 2000); do echo $i; done")), saying("Done."))
    await table.says()
    told = [it for it in table.happened if isinstance(it, CallPrinted)]
    assert len(told) < 100


def is_alive(file: Path) -> bool:
    """Whether the process still runs whose id stands there."""
    try:
        os.kill(int(file.read_text()), 0)
    except ProcessLookupError:
        return False
    return True


async def test_the_model_is_told_when_a_command_ends_in_the_background(
    table: Table, probes: Probes
) -> None:
    table.mode = Mode.AUTO
    os.mkfifo(table.root / "pipe")
    table.model.will(calling(run("read line < pipe; exit 3", background=True)))
    turn = table.prompt()
    second = await table.model.asked()
    shell = table.assistants.shell_registry(CHAT).of_call(table.calls[0].id)
    assert shell is not None
    (table.root / "pipe").write_text("go\n")
    await within(shell.ended())
    table.model.will(saying("I see."))
    second.call(*probe("a")).end("calls")
    await within(turn)
    told = table.model.requests[-1].turns[-1]
    assert isinstance(told, Prompt)
    assert "which ran in the background, is over. It exited with code 3." in told.text
    table.model.will(saying("Yes?"))
    await table.says("And?")
    assert str(table.turns).count("is over") == 1
