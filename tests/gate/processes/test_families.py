"""The end of whole families: nobody who comes of a command outlives it, however they try."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

import assent
from assent.gate.processes.family import MARK, Family
from assent.gate.processes.process import Leash
from assent.gate.processes.shell import ShellFailed, ShellState
from gate.processes.stand import BOUND, Hour, Stand, gone

DEAF = "trap '' TERM HUP INT; echo $BASHPID; while :; do sleep 600; done"

WAYS_OUT = {
    "a child": "sleep 600 & echo $!; wait",
    "one that is deaf to asking": DEAF,
    "one in a session of its own": f'setsid bash -c "{DEAF}" & wait',
    "one that was fathered by a child that has left": f'(setsid bash -c "{DEAF}" &) ; sleep 600',
    "one without our variables": (
        f'(env -i PATH="$PATH" setsid bash -c "{DEAF}" &) ; exec sleep 600'
    ),
    "one that nobody can hang up on": "nohup bash -c 'echo $$; sleep 600' 2>&1 & wait",
    "one whose command has long ended": f'env -i setsid bash -c "{DEAF}" & disown',
    "one that is stopped": "sleep 600 & kill -STOP $!; echo $!; wait",
    "a co-process": "coproc sleep 600; echo $!; wait",
}


@pytest.mark.requirement("C-05")
@pytest.mark.parametrize("way", WAYS_OUT.values(), ids=WAYS_OUT)
async def test_nobody_outlives_the_end_of_a_chat(stand: Stand, way: str) -> None:
    await stand.start(way)
    (pid,) = await stand.numbers(1)
    assert psutil.pid_exists(pid)
    (shell,) = stand.shell_registry.shells
    await stand.shell_registry.end()
    await gone(pid)
    assert shell.state is ShellState.KILLED
    assert stand.shell_registry.shells == ()


async def test_a_family_that_moves_on_while_it_is_killed_is_killed(stand: Stand) -> None:
    # Each starts one other and leaves, so that nobody who is found is there for long.
    (stand.folder / "on").write_text(
        "trap '' TERM; echo $$ >> on.log; [ $1 -lt 2000 ] && setsid bash on $(($1 + 1)) &\n"
    )
    shell = await stand.start("bash on 1; echo 1; sleep 600")
    await stand.numbers(1)
    async with asyncio.timeout(BOUND):
        await shell.kill()
    log = stand.folder / "on.log"
    pids = log.read_text().split()
    await gone(int(pids[-1]))
    assert log.read_text().split() == pids


async def test_who_kills_the_keeper_is_found_by_the_mark(stand: Stand) -> None:
    os.mkfifo(stand.folder / "later")
    shell = await stand.start(
        f'echo $$; setsid bash -c "{DEAF}" & read < later; kill -KILL $PPID; sleep 600'
    )
    pids = await stand.numbers(2)
    await asyncio.to_thread((stand.folder / "later").write_text, "now\n")
    async with asyncio.timeout(BOUND):
        await shell.ended()
    for pid in pids:
        await gone(pid)


async def test_who_kills_the_keeper_at_once_is_found_too(stand: Stand) -> None:
    # Whether it could say before that the command has begun is a matter of luck.
    await _tried(stand, "echo $$ > told; kill -KILL $PPID; sleep 600")
    for shell in stand.shell_registry.shells:
        async with asyncio.timeout(BOUND):
            await shell.ended()
    await gone(int((stand.folder / "told").read_text()))


@pytest.mark.parametrize("first", ["", "read < later; "], ids=["at once", "later"])
async def test_who_stops_the_keeper_is_ended_without_it(
    first: str, still: Stand, hour: Hour
) -> None:
    for name in ("later", "told"):
        os.mkfifo(still.folder / name)
    command = f"{first}kill -STOP $PPID; (env -i sleep 600 & echo $! > told); sleep 600"
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        starting = group.create_task(_tried(still, command))
        if first:
            await starting
            await asyncio.to_thread((still.folder / "later").write_text, "now\n")
        pid = int(await asyncio.to_thread((still.folder / "told").read_text))
        (shell,) = still.shell_registry.shells
        shell.end("It is time.")
        await hour.until(1.5)
        hour.comes(1.5)
        await shell.ended()
    await gone(pid)


async def _tried(stand: Stand, command: str) -> None:
    # The keeper may have been stopped before it could say that the command has begun.
    with contextlib.suppress(ShellFailed):
        await stand.start(command)


SERVER = """
import asyncio, sys
from assent.gate.call.calls import CallId, ChatId
from assent.gate.disk.executables import Executables
from assent.gate.processes.shell_registry import ShellRegistry

async def main():
    shells = ShellRegistry(chat=ChatId("c"), changed=lambda _: None)
    shell = await shells.start(CallId("1"), sys.argv[1], cwd="/", env={},
        beside=Executables(roots=(), path="/usr/bin:/bin"),
        printed=lambda text, **_: print(text, end="", flush=True))
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.requirement("C-05")
@pytest.mark.parametrize("way", WAYS_OUT.values(), ids=WAYS_OUT)
async def test_nobody_outlives_a_server_that_is_killed(way: str) -> None:
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(SERVER), way, stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    async with asyncio.timeout(BOUND):
        pid = int(await server.stdout.readline())
    keepers = [it for it in psutil.Process(server.pid).children() if "keeper" in it.cmdline()[4]]
    assert len(keepers) == 1
    server.kill()
    await server.wait()
    await gone(pid)
    await gone(keepers[0].pid)


async def test_a_server_that_leaves_in_order_waits_for_nobody(tmp_path: Path) -> None:
    leaving = SERVER.replace("await asyncio.Event().wait()", "")
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", leaving, DEAF, stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(BOUND):
        said, _ = await server.communicate()
        assert await server.wait() == 0
    for pid in map(int, said.split()):
        await gone(pid)


def test_a_keeper_that_hears_nothing_leaves() -> None:
    leash = Leash(folder=os.open("/", os.O_RDONLY))
    keeper = subprocess.Popen(leash.arguments, **leash.terms)
    leash.drop()
    assert keeper.wait(BOUND) == 1


def test_a_keeper_loads_nothing_that_is_slow() -> None:
    told = "import assent.gate.processes.keeper; print(*sys.modules)"
    boot = f"import sys; sys.path.insert(0, sys.argv[1]); {told}"
    root = str(Path(assent.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", boot, root], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "assent.gate.processes.family" in loaded
    slow = "asyncio attr attrs contextlib ctypes dataclasses logging pathlib re subprocess typing"
    assert loaded & set(slow.split()) == set()


def test_a_family_is_found_by_descent_and_by_its_mark() -> None:
    sleep = ["sleep", "600"]
    child = subprocess.Popen(
        ["sh", "-c", "sleep 600 & echo; wait"], start_new_session=True, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"\n"
    marked = subprocess.Popen(sleep, env={**os.environ, MARK: "this"}, start_new_session=True)
    other = subprocess.Popen(sleep, env={**os.environ, MARK: "that"})
    try:
        assert Family(root=None, group=child.pid, mark="this").members() == {marked.pid}
        ours = Family(root=os.getpid(), group=child.pid).members()
        assert {child.pid, marked.pid, other.pid} <= ours
        assert os.getpid() not in ours
        Family(root=child.pid, group=child.pid, mark="this").kill()
        assert marked.wait(BOUND) == -signal.SIGKILL
        assert child.wait(BOUND) == 0
        assert other.poll() is None
    finally:
        child.stdout.close()
        for it in (child, marked, other):
            it.kill()
            it.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no such switch")
def test_a_keeper_is_a_closed_book_to_what_it_keeps() -> None:
    program = (
        "import ctypes\n"
        "from assent.gate.processes import keeper\n"
        "keeper._adopt()\n"
        "adopts = ctypes.c_int()\n"
        "prctl = ctypes.CDLL(None).prctl\n"
        "prctl(37, ctypes.byref(adopts), 0, 0, 0)\n"
        "print(prctl(3, 0, 0, 0, 0), adopts.value)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert told.stdout.split() == [b"0", b"1"]
