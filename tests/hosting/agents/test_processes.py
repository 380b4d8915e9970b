"""What becomes of processes: none outlives its agent, and no agent outlives the server."""

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from attrs import evolve

from assent.gate.call.errors import AgentFailed
from assent.hosting.connection.process import AgentProcess, start
from assent.hosting.connection.spec import AgentSpec
from gate.processes.stand import gone
from hosting.eliza.rig import BOUND, Rig

Make = Callable[..., AgentSpec]

BROOD = """
number = begin()
quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
pids = [subprocess.Popen(sleep, **quiet).pid,
        subprocess.Popen(sleep, start_new_session=True, **quiet).pid]
orphan = "import subprocess, sys; print(subprocess.Popen(%r, start_new_session=True," \\
         " stdin=-3, stdout=-3, stderr=-3).pid)" % (sleep,)
pids.append(int(subprocess.run([sys.executable, "-c", orphan], capture_output=True).stdout))
say(json.dumps(pids))
end(number)
until("never")
"""


async def test_children_of_every_sort_end_with_the_agent(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(BROOD)
    await rig.open()
    await rig.say("hello")
    children = [int(word) for word in rig.said().strip("[]").split(",")]
    assert len(children) == 3
    assert all(psutil.pid_exists(pid) for pid in children)
    await rig.fleet.close(rig.chat)
    for pid in children:
        await gone(pid)


async def test_an_agent_that_is_deaf_to_asking_is_ended_by_force(scripted: Make) -> None:
    spec = scripted(
        """
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("deaf", flush=True)
        while True:
            time.sleep(600)
        """
    )
    process = await started(spec)
    await process.reader.readline()
    assert await process.end(0.05) == -signal.SIGKILL


async def test_ending_twice_is_ending_once(scripted: Make) -> None:
    process = await started(scripted("until('never')"))
    first = await process.end(5)
    assert await process.end(5) == first


async def test_the_last_words_are_the_end_of_many(scripted: Make) -> None:
    process = await started(
        scripted("sys.stderr.write('x' * 1_000_000 + '\\nthe end\\n'); sys.stderr.flush()")
    )
    async with asyncio.timeout(BOUND):
        await process.drain_errors()
    await process.end(5)
    assert process.last_words.splitlines()[-1] == "the end"
    assert len(process.last_words) <= 2 * 64 * 1024


async def test_an_agent_sees_none_of_our_descriptors(scripted: Make, tmp_path: Path) -> None:
    secret = os.open(tmp_path / "secret", os.O_CREAT | os.O_RDWR)
    os.set_inheritable(secret, True)
    process = await started(
        scripted(
            f"""
            try:
                os.fstat({secret})
                print("seen")
            except OSError:
                print("unseen")
            print(os.getsid(0) == os.getpid(), flush=True)
            """
        )
    )
    async with asyncio.timeout(BOUND):
        assert await process.reader.readline() == b"unseen\n"
        assert await process.reader.readline() == b"True\n"
    await process.end(5)
    os.close(secret)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"command": "./not-there"}, "there is no file `./not-there`"),
        ({"command": "/dev/null"}, "there is no file `/dev/null`"),
        ({"command": "/etc/passwd"}, "`/etc/passwd` may not be executed"),
        ({"args": ("a\0b",)}, "could not be started"),
        ({"env": {"PATH": "/nowhere"}, "command": "sh"}, "no program `sh` on the PATH"),
    ],
)
async def test_what_cannot_be_started_says_why(
    scripted: Make, changes: dict[str, object], sentence: str
) -> None:
    spec = evolve(scripted(""), **changes)  # type: ignore[arg-type]
    with pytest.raises(AgentFailed, match="could not be started") as failed:
        await started(spec)
    assert sentence in str(failed.value)


async def test_a_folder_that_is_gone_is_named(scripted: Make) -> None:
    with pytest.raises(AgentFailed, match="the folder `/no/such` does not exist"):
        await start(scripted(""), "/no/such", ())


SERVER = """
import asyncio, sys
from assent.hosting.connection.process import start
from assent.hosting.connection.spec import AgentSpec

async def main():
    spec = AgentSpec(id="odd", name="Odd", command=sys.executable, args=(sys.argv[1],))
    process = await start(spec, "/", ())
    print(process.pid, (await process.reader.readline()).decode().strip(), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_an_agent_and_its_child_end_when_the_server_is_killed(
    scripted: Make, tmp_path: Path
) -> None:
    # It takes no notice of the end of its input, as a badly written agent would not.
    spec = scripted(
        """
        sleep = [sys.executable, "-c", "import time; time.sleep(600)"]
        child = subprocess.Popen(sleep)
        # Another has left for a session of its own.
        stray = subprocess.Popen(sleep, start_new_session=True)
        print(child.pid, stray.pid, flush=True)
        while True:
            time.sleep(600)
        """
    )
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(SERVER), spec.args[0], stdout=asyncio.subprocess.PIPE
    )
    assert server.stdout is not None
    async with asyncio.timeout(BOUND):
        pids = [int(word) for word in (await server.stdout.readline()).split()]
    server.kill()
    await server.wait()
    for pid in pids:
        await gone(pid)


async def test_a_running_command_of_eliza_ends_with_her(rig: Rig) -> None:
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        turn = group.create_task(rig.fleet.prompt(rig.chat, "run echo $$; sleep 600"))
        await rig.answer(await rig.ticket(), "once")
        call = rig.opened[0].asks
        await rig.until(lambda: rig.output(call))  # type: ignore[arg-type]
        await rig.fleet.end_all()
    assert turn.result()[0] == "stopped"
    await gone(int(rig.output(call)))  # type: ignore[arg-type]


async def started(spec: AgentSpec) -> AgentProcess:
    return await start(spec, str(Path(spec.args[0]).parent if len(spec.args[0]) > 3 else "/"), ())


async def test_an_agent_starts_in_the_persons_home_whatever_its_workspace(
    rig: Rig, scripted: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = rig.root.parent / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    rig.agent = scripted("number = begin(); say(os.getcwd()); end(number); until('never')")
    await rig.open()
    await rig.say("hello")
    assert rig.said() == str(home)
