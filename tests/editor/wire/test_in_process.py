"""A server in the tests' own process: what it is lent comes back, and what it leaves is noticed."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assent.gate.settings import environment
from editor.wire import in_process
from editor.wire.client import Client
from editor.wire.scene import Stage
from editor.wire.side import Start


def waiting() -> "subprocess.Popen[bytes]":
    """A process that ends with its input."""
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


async def ended(client: Client) -> list[str]:
    """What a server left behind that was to end now."""
    await client.dispose()
    left, client.faults = client.faults, []
    return left


async def test_a_server_runs_here_unless_its_test_says_otherwise(client: Client) -> None:
    assert client.is_in_process
    for name in ("pid", "kill", "send_signal", "terminate"):
        with pytest.raises(AttributeError, match="marked `process`"):
            getattr(client.process, name)
    with pytest.raises(AttributeError, match="marked `process`"):
        client.family()


@pytest.mark.process
async def test_a_test_that_is_marked_has_a_process(client: Client) -> None:
    assert not client.is_in_process
    assert client.process.pid != os.getpid()


async def test_a_second_server_beside_the_first_has_a_process(client: Client, start: Start) -> None:
    second = await start()
    await second.open()
    assert client.is_in_process
    assert not second.is_in_process
    await client.leave()
    third = await start()
    assert third.is_in_process


async def test_variables_and_folder_are_lent_until_the_end(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    before, folder = dict(os.environ), Path.cwd()
    scene = await stage(env={"GIVEN": "to the server", "HOME": "/nowhere"})
    assert (os.environ["HOME"], Path.cwd()) == ("/nowhere", scene.folder)
    assert environment.STARTED_WITHOUT.items() >= {("OPENAI_API_KEY", "planted")}
    assert environment.variable("GIVEN") == "to the server"
    assert not {"OPENAI_API_KEY", "GIVEN"} & os.environ.keys()
    # What a test sets meanwhile stays.
    monkeypatch.setenv("SET_MEANWHILE", "1")
    assert await scene.client.leave() == 0
    assert dict(os.environ) == {**before, "SET_MEANWHILE": "1"}
    assert Path.cwd() == folder
    assert environment.STARTED_WITHOUT == {}


async def test_what_is_left_behind_is_a_fault(
    client: Client, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_process, "JOIN_S", 0.1)
    over = threading.Event()
    thread = threading.Thread(target=over.wait, name="left alone")
    thread.start()
    child = waiting()
    with (state_dir / "kept").open("w", encoding="utf-8"):
        left = await ended(client)
    over.set()
    thread.join()
    child.communicate()
    assert sorted(it.removeprefix("the server left ").split()[1] for it in left) == [
        "open",
        "process",
        "thread",
    ]
    assert "the server left the thread left alone" in left


async def test_a_server_that_does_not_end_is_a_fault(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_late(_: Client) -> int:
        raise TimeoutError

    with monkeypatch.context() as patched:
        patched.setattr(Client, "ended", too_late)
        left = await ended(client)
    assert left[0] == "the server did not end when its stream did"
    assert in_process.is_free(), "the next test has a server here again"
