"""Real agents in a repository that turns their hooks off, with an administrator's word and without.

The folder of the machine's settings is one of the test's own, by a mount that only they see.
"""

import shutil
from pathlib import Path
from typing import Final

import pytest

from assent.hosting.terminals.terminals import TERMINALS
from hosting.real.conftest import home, model
from hosting.real.fetch import Absent, fetched
from hosting.real.model import Model
from hosting.terminals.real import REAL, Session

__all__ = ["home", "model"]

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

OFF: Final = {
    "claude": '{"disableAllHooks": true, "env": {"CLAUDE_CODE_SIMPLE": "1"}}',
    "codex": "[features]\nhooks = false\n",
    "qwen": '{"disableAllHooks": true}',
    "gemini": '{"hooksConfig": {"enabled": false}}',
}
ASTRAY: Final = "".join(
    f"{it.anchor.unless}=/nowhere\n"
    for it in TERMINALS.values()
    if it.anchor is not None and it.anchor.unless
)
"""Variables by which a repository's own file may try to have another read."""


def turn_off(session: Session) -> None:
    """Have the repository do all that it can."""
    for name, *_ in TERMINALS[session.real.id].off:
        (session.folder / name).parent.mkdir(exist_ok=True)
        (session.folder / name).write_text(OFF[session.real.id], "utf-8")
        (session.folder / name).with_name(".env").write_text(ASTRAY, "utf-8")
    (session.folder / ".env").write_text(ASTRAY, "utf-8")


@pytest.fixture(params=[it.id for it in TERMINALS.values() if it.anchor is not None])
async def session(
    request: pytest.FixtureRequest, home: Path, model: Model, state_dir: Path, tmp_path: Path
) -> Session:
    try:
        fetched(request.param)
    except Absent as absence:
        pytest.skip(str(absence))
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("bubblewrap is not installed")
    folder = home / "workspace"
    folder.mkdir()
    made = Session(real=REAL[request.param], home=home, folder=folder, state=state_dir, model=model)
    await made.assent("connect", request.param, "--yes")
    for file in home.glob(".codex/config.toml"):
        trusts = f'\n[projects."{folder}"]\ntrust_level = "trusted"\n'
        file.write_text(file.read_text("utf-8") + trusts, "utf-8")
    etc = tmp_path / "etc"
    shutil.copytree("/etc", etc, symlinks=True, ignore_dangling_symlinks=True)
    mounts = "--bind / / --dev /dev --proc /proc --bind".split()
    made.within = (bwrap, *mounts, str(etc), "/etc")
    turn_off(made)
    return made


async def test_a_repository_turns_hooks_off_where_nobody_holds_them(session: Session) -> None:
    told = await session.assent("connect")
    assert "may turn its hooks off: nothing asks Assent here" in told
    await session.do("shell")
    assert "made" in session.made(), session.said


async def test_none_does_where_an_administrator_wrote_what_connect_shows(
    session: Session, tmp_path: Path
) -> None:
    anchor = TERMINALS[session.real.id].anchor
    assert anchor is not None
    file = tmp_path / anchor.file.relative_to("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(anchor.text + "\n", "utf-8")
    told = await session.assent("connect")
    assert "connected, its hook has not run yet, and no repository turns its hooks off" in told
    assert "may turn its hooks off" not in told
    await session.do("shell")
    assert "made" not in session.made(), session.said
