"""A server that is forked for a test is as one that is started anew, but for the time it takes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import psutil
import pytest

from editor.wire import forked as starting
from editor.wire.client import BESIDE, STANDS_WITHIN, Client
from editor.wire.forked import forked

pytestmark = pytest.mark.skipif(not starting._IS_HERE, reason="elsewhere nothing is forked")

LOOK = """
import gc, json, locale, os, random, signal, sys, threading, time
streams = sys.stdin, sys.stdout, sys.stderr
members = "line_buffering", "write_through", "encoding", "errors", "name", "mode", "closed"
print(json.dumps({
    "variables": dict(os.environ),
    "arguments": [sys.argv, sys.orig_argv, sys.path, sys.executable, str(sys.flags)],
    "main": [__name__, sys.modules["__main__"].__dict__ is globals()],
    "folder": os.getcwd(),
    "parent": os.getppid(),
    "groups": [os.getsid(0) == os.getpid(), os.getpgid(0) == os.getpid()],
    "open": sorted(os.listdir("/proc/self/fd")),
    "streams": [[getattr(it, name) for name in members] + [it.seekable()] for it in streams],
    "signals": [str(signal.getsignal(it)) for it in sorted(signal.valid_signals())],
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "threads": [threading.main_thread().native_id == os.getpid(), threading.active_count()],
    "name": open("/proc/self/comm").read(),
    "program": os.readlink("/proc/self/exe"),
    "mask": os.umask(0),
    "locale": [locale.setlocale(locale.LC_ALL), sys.getfilesystemencoding(), time.tzname],
    "collects": gc.isenabled(),
}))
"""
ENDS = {
    "sys.exit(0)": 0,
    "sys.exit(7)": 7,
    "sys.exit('in words')": 1,
    "1 / 0": 1,
    "os._exit(3)": 3,
    "os.kill(os.getpid(), 15)": -15,
    "os.kill(os.getpid(), 9)": -9,
    "os.abort()": -6,
    "signal.signal(2, signal.default_int_handler); signal.raise_signal(2)": -2,
    "atexit.register(print, 'at the end')": 0,
    "threading.Thread(target=lambda: print('beside')).start()": 0,
    "signal.pthread_kill(threading.main_thread().ident, 15)": -15,
}


@pytest.fixture(scope="module", autouse=True)
def _nursery() -> Iterator[None]:
    """One that has loaded everything."""
    for _ in range(2):
        assert ran(forked(), "").returncode == 0
    nursery = starting._nursery(surroundings())
    assert nursery is not None
    assert nursery.stands(within=STANDS_WITHIN)
    return


def surroundings(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": BESIDE, **more}


def ran(
    how: AbstractContextManager[None], program: str, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """A program, and how it ended."""
    options = {"env": surroundings(), "start_new_session": True, **options}
    with how:
        return subprocess.run(
            [sys.executable, "-c", program], capture_output=True, check=False, text=True, **options
        )


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of each child that was forked."""
    numbers: list[int] = []
    real = starting._Nursery.fork

    def fork(self: Any, *args: Any) -> int:
        numbers.append(real(self, *args))
        return numbers[-1]

    monkeypatch.setattr(starting._Nursery, "fork", fork)
    return numbers


@pytest.mark.parametrize("new_session", [True, False])
def test_it_finds_itself_where_a_new_one_would(
    forks: list[int], tmp_path: Path, *, new_session: bool
) -> None:
    given = {"cwd": tmp_path, "env": surroundings(A="ü\udcff"), "start_new_session": new_session}
    found, wanted = ran(forked(), LOOK, **given), ran(nullcontext(), LOOK, **given)
    assert len([it for it in forks if it > 0]) == 1
    assert found.stderr == wanted.stderr == ""
    assert json.loads(found.stdout) == json.loads(wanted.stdout)


@pytest.mark.parametrize(("program", "code"), ENDS.items())
def test_it_ends_as_a_new_one_does(forks: list[int], program: str, code: int) -> None:
    program = f"import atexit, os, signal, sys, threading\nprint('begun', flush=True)\n{program}"
    found, wanted = ran(forked(), program), ran(nullcontext(), program)
    assert len([it for it in forks if it > 0]) == 1
    assert found.returncode == wanted.returncode == code
    assert (found.stdout, found.stderr) == (wanted.stdout, wanted.stderr)


def test_no_two_draw_the_same(forks: list[int]) -> None:
    program = (
        "import random, uuid, secrets; print(random.random(), uuid.uuid4(), secrets.token_hex())"
    )
    drawn = {it for _ in range(3) for it in ran(forked(), program).stdout.split()}
    assert len(drawn) == 9
    assert len(forks) == 3


def test_what_is_handed_on_has_the_same_number(forks: list[int]) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as told:
        done = ran(forked(), f"import os; os.write({writing}, b'here')", pass_fds=(writing,))
        os.close(writing)
        assert told.read() == "here"
    assert done.returncode == 0
    assert forks[0] > 0


def unlike(tmp_path: Path) -> Mapping[str, dict[str, Any]]:
    """Starts of which a fork is not the same."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "json.py").write_text("raise SystemExit('another')\n")
    return {
        "a folder in which modules lie": {"cwd": other},
        "a way to start that is seen for the first time": {"env": surroundings(TZ="Asia/Tokyo")},
        "variables that were read while loading": {
            "env": surroundings(PYDANTIC_DISABLE_PLUGINS="__all__")
        },
        "something to be done before": {"preexec_fn": os.getpid},
        "descriptors that are left open": {"close_fds": False},
    }


@pytest.mark.parametrize("which", range(5))
def test_where_a_fork_would_differ_it_is_a_new_python(
    forks: list[int], tmp_path: Path, which: int
) -> None:
    why, given = list(unlike(tmp_path).items())[which]
    found = ran(forked(), "import json; print(json.loads('1'))", **given)
    wanted = ran(nullcontext(), "import json; print(json.loads('1'))", **given)
    assert [it for it in forks if it > 0] == [], why
    assert (found.returncode, found.stdout) == (wanted.returncode, wanted.stdout)


def test_outside_nothing_is_forked(forks: list[int]) -> None:
    ran(forked(), "")
    ran(nullcontext(), "")
    assert len(forks) == 1


def test_a_nursery_that_is_gone_is_done_without() -> None:
    nursery = starting._Nursery(frozenset())
    nursery._process.kill()
    nursery._process.wait()
    assert not nursery.stands(within=STANDS_WITHIN)
    nursery.close()


async def test_a_server_is_forked_and_answers_as_a_new_one(
    forks: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = []
    for number, how in enumerate((forked, nullcontext)):
        monkeypatch.setattr("editor.wire.client.forked", how)
        env = {"PYTHONPATH": BESIDE, "ASSENT_STATE_DIR": str(tmp_path / str(number))}
        client = await Client.start(env=env, cwd=tmp_path)
        answers.append(await client.open())
        listed = await client.request("agent/list", within=STANDS_WITHIN)
        answers[-1] = (answers[-1], [agent.id for agent in listed.agents])
        assert psutil.Process(client.process.pid).ppid() == os.getpid()
        assert await client.leave() == 0
        await client.dispose()
        assert client.faults == []
    assert len([it for it in forks if it > 0]) == 1
    assert answers[0] == answers[1]
