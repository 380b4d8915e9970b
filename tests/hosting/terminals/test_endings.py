"""Real agents whose hook ends without an answer: what each does then, as its contract says."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage
from hosting.real.conftest import home, model
from hosting.real.fetch import Absent, fetched
from hosting.real.model import Model
from hosting.real.script import script
from hosting.terminals.real import BOUND, REAL, Session

__all__ = ["home", "model"]

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

SOON = 4
"""In seconds: after which an agent of these tests gives up on its hook."""

KILLED = {"claude": True, "codex": False, "copilot": True, "gemini": False, "opencode": True}
KILLED["qwen"] = False
"""Whether each refuses where its hook is killed with the shell over it."""
LATE = {"claude": True, "codex": False, "copilot": False, "gemini": False, "qwen": False}
"""Whether each refuses where its hook takes too long; opencode waits for as long as it takes."""


def hooks_of(session: Session) -> dict[int, list[str]]:
    """What runs as the hook of a session, by its number: the words of each."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            if any(f"{session.state}/connected/hook" in word for word in words):
                found[int(folder.name)] = words
    return found


async def kill_all(session: Session) -> None:
    """Kill the hook and the shells over it, as one would who means it."""
    for _ in range(3):
        for number in hooks_of(session):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)


async def kill_hook(session: Session) -> None:
    """Kill the hook alone."""
    for number, words in hooks_of(session).items():
        if words[1:2] == ["-I"]:
            os.kill(number, signal.SIGKILL)


async def wait(_: Session) -> None:
    """Let its agent give up on it."""


async def asked_in(
    stage: Stage, session: Session, mode: str, then: Callable[[Session], Awaitable[None]]
) -> tuple[Scene, bool]:
    """Have it change what is asked about in every mode, and end its hook so; whether it ran."""
    connect = (
        "from assent.hosting.terminals import launcher, terminals; "
        "from assent.cli.main import main; "
    )
    seconds = SOON if then is wait else 3_600
    # Read before it is set, so that this fails where the name is another.
    limit = f"terminals.HOOK_TIMEOUT_S; terminals.HOOK_TIMEOUT_S = {seconds}; "
    words = limit + f"main(['connect', '{session.real.id}', '--yes'])"
    told = await session.run(sys.executable, "-c", connect + words)
    assert "asks Assent before each call" in told, told
    hooks = session.folder / ".git" / "hooks"
    hooks.mkdir(parents=True)
    it = await stage(
        Editor(layers={"user": {"mode": mode}}, choose=lambda _: "Turn on Auto"),
        folder=session.folder,
    )
    uses = session.real.uses(session.folder, session.model)
    tool, given = uses["shell"]
    asked = {
        name: value.replace(str(session.folder / "made"), str(hooks / "made"))
        if isinstance(value, str)
        else value
        for name, value in given.items()
    }
    prompt = script(uses["read"], (tool, asked))
    program = str(fetched(session.real.id) / session.real.program)
    start = session.real.words(prompt, "yes")
    running = asyncio.ensure_future(session.run(program, *start))
    card = await it.client.expect("tool/approvalRequest", timeout=BOUND)
    if mode == "auto":
        events = it.client.told
        await it.client.until(
            lambda: any(told.event.kind == "mode" for told in events("agent/event"))
        )
    assert not (hooks / "made").exists()
    await then(session)
    session.said = await running
    await it.client.expect(
        "tool/approvalSettled",
        lambda settled: settled.approval_id == card.approval_id,
        timeout=BOUND,
    )
    return it, (hooks / "made").exists()


@pytest.fixture(params=REAL)
def session(request: pytest.FixtureRequest, home: Path, model: Model, state_dir: Path) -> Session:
    real = REAL[request.param]
    try:
        fetched(real.id)
    except Absent as absence:
        pytest.skip(str(absence))
    folder = home / "workspace"
    folder.mkdir()
    (folder / "a.txt").write_text("hello\n", "utf-8")
    return Session(real=real, home=home, folder=folder, state=state_dir, model=model)


@pytest.mark.parametrize("mode", ["default", "auto"])
async def test_a_hook_that_is_killed_with_its_shell_refuses_where_its_agent_knows_how(
    stage: Stage, session: Session, mode: str
) -> None:
    _, has_run = await asked_in(stage, session, mode, kill_all)
    assert has_run is not KILLED[session.real.id], session.said


async def test_a_hook_that_is_killed_alone_refuses(stage: Stage, session: Session) -> None:
    _, has_run = await asked_in(stage, session, "default", kill_hook)
    assert not has_run, session.said


@pytest.mark.parametrize("mode", ["default", "auto"])
async def test_a_hook_that_takes_too_long_refuses_where_its_agent_knows_how(
    stage: Stage, session: Session, mode: str
) -> None:
    if session.real.id not in LATE:
        pytest.skip("it waits for as long as it takes")
    _, has_run = await asked_in(stage, session, mode, wait)
    assert has_run is not LATE[session.real.id], session.said
