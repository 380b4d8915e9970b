"""Agents at a terminal where a person sits, in the mode in which they ask nothing themselves."""

from collections.abc import Callable
from pathlib import Path

import pytest

from editor.wire.scene import Stage
from hosting.real.conftest import home, model
from hosting.real.fetch import Absent, fetched
from hosting.real.known import KNOWN
from hosting.real.model import Model
from hosting.real.script import script
from hosting.terminals.real import BOUND, REAL, Real, Session
from hosting.terminals.screen import at_terminal

__all__ = ["home", "model"]

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

STARTED: dict[str, Callable[[str], tuple[str, ...]]] = {
    "claude": lambda prompt: ("--permission-mode", "bypassPermissions", prompt),
    "qwen": lambda prompt: ("--approval-mode", "yolo", "-i", prompt),
}


@pytest.fixture(params=STARTED)
async def session(
    request: pytest.FixtureRequest, home: Path, model: Model, state_dir: Path
) -> Session:
    return await connected(REAL[request.param], home, model, state_dir)


async def connected(real: Real, home: Path, model: Model, state: Path) -> Session:
    """A folder in which an agent that asks Assent may be started."""
    try:
        fetched(real.id)
    except Absent as absence:
        pytest.skip(str(absence))
    folder = home / "workspace"
    folder.mkdir()
    made = Session(real=real, home=home, folder=folder, state=state, model=model)
    await made.assent("connect", real.id, "--yes")
    return made


def words(session: Session) -> tuple[str, ...]:
    """What it is started with, to make one file."""
    prompt = script(session.real.uses(session.folder, session.model)["shell"])
    return STARTED[session.real.id](prompt)


async def test_a_card_in_the_window_decides_what_runs_in_the_terminal(
    stage: Stage, session: Session
) -> None:
    it = await stage(folder=session.folder)
    async with at_terminal(session, *words(session)) as screen:
        card = await it.client.expect("tool/approvalRequest", timeout=BOUND)
        assert not session.made()
        await it.answer(card, "once")
        await screen.shows("Done.")
    assert session.made() == {"made"}


async def test_what_is_denied_in_the_window_does_not_run_in_the_terminal(
    stage: Stage, session: Session
) -> None:
    it = await stage(folder=session.folder)
    async with at_terminal(session, *words(session)) as screen:
        card = await it.client.expect("tool/approvalRequest", timeout=BOUND)
        await it.answer(card, "tell", feedback="use make instead")
        await screen.shows("Done.")
    assert session.made() == set()


async def test_escape_at_the_terminal_takes_the_card_back(stage: Stage, session: Session) -> None:
    it = await stage(folder=session.folder)
    async with at_terminal(session, *words(session)) as screen:
        card = await it.client.expect("tool/approvalRequest", timeout=BOUND)
        screen.press("\x1b")
        await it.client.expect(
            "tool/approvalSettled",
            lambda told: told.approval_id == card.approval_id,
            timeout=BOUND,
        )
    assert session.made() == set()


async def test_where_no_window_is_open_the_terminal_asks_with_our_reason(
    stage: Stage, session: Session
) -> None:
    it = await stage(folder=session.folder)
    await it.client.dispose()
    async with at_terminal(session, *words(session)) as screen:
        await screen.shows("Doyouwanttoproceed?", "Defaultmode")
        assert not session.made()
        screen.press("\r")
        await screen.shows("Done.")
    assert session.made() == {"made"}
    assert it.rows("decided")[-1]["body"]["outcome"] == "withdrawn"


async def test_codex_asks_no_second_time_in_the_terminal_what_a_card_has_answered(
    stage: Stage, home: Path, model: Model, state_dir: Path
) -> None:
    session = await connected(REAL["codex"], home, model, state_dir)
    trusted = f'[projects."{session.folder}"]\ntrust_level = "trusted"\n'
    with (home / ".codex" / "config.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n{trusted}")
    it = await stage(folder=session.folder)
    # It asks to be let out of its box, which Codex asks the person about.
    prompt = script(KNOWN["codex"].uses(session.folder, model)["shell"])
    async with at_terminal(session, "-a", "on-request", "-s", "read-only", prompt) as screen:
        card = await it.client.expect("tool/approvalRequest", timeout=BOUND)
        assert not session.made()
        await it.answer(card, "once")
        await screen.shows("Done.")
    assert session.made() == {"made"}
    assert len(it.rows("asked")) == 1
