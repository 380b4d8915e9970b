"""Where any part of the wall cannot be made as it was meant, the program is not started."""

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from assent.gate.sandbox import bubblewrap
from assent.gate.sandbox.bubblewrap import OWN, boxed, words
from assent.gate.sandbox.filters import program
from assent.gate.sandbox.profile import Profile, ProfileUnfit
from gate.sandbox.conftest import PROTECTED, SECRET, WITHIN_S, Ground

BOXES: Final = 32
STARTED: Final = "started"
NO_FILTER: Final = 987_654
"""Stands for the descriptor of the filter."""
SOURCES: Final = frozenset({"--ro-bind", "--bind", "--overlay-src", "--overlay", "--chdir"})
"""Words of bubblewrap behind which stands what must be there."""


@pytest.mark.parametrize("trial", [True, False], ids=["trial", "live"])
def test_a_step_of_the_wall_that_fails_starts_nothing(ground: Ground, trial: bool) -> None:
    whole = words(ground.profile(trial=trial), NO_FILTER)
    wrong, broken = [], 0
    for number, word in enumerate(whole):
        if word in SOURCES and whole[number + 1] != str(NO_FILTER):
            arguments, broken = [*whole], broken + 1
            arguments[number + 1] += "-gone"
            if STARTED in started(ground, arguments):
                wrong.append(f"{word} {whole[number + 1]}")
    assert wrong == []
    assert broken >= 6
    assert STARTED in started(ground, whole)
    assert STARTED not in started(ground, whole, with_filter=False)


def started(ground: Ground, arguments: list[str], *, with_filter: bool = True) -> str:
    """Start bubblewrap with these words; what a program in the box printed."""
    known = program(platform.machine())
    assert known is not None
    reading, writing = os.pipe()
    os.write(writing, known if with_filter else b"no filter")
    os.close(writing)
    descriptor = str(reading)
    line = [descriptor if word == str(NO_FILTER) else word for word in arguments]
    ended = subprocess.run(
        [str(OWN), *line, "--", "/bin/sh", "-c", f"echo {STARTED}; cat ~/.ssh/id"],
        pass_fds=(reading,),
        env={},
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
        cwd=ground.top,
    )
    os.close(reading)
    return ended.stdout


@pytest.mark.parametrize("path", ["home/.ssh", "workspace/.env", "workspace/.git/hooks"])
@pytest.mark.parametrize("trial", [True, False], ids=["trial", "live"])
def test_a_link_that_comes_into_the_place_of_a_path_changes_nothing_elsewhere(
    ground: Ground, path: str, trial: bool
) -> None:
    target = ground.top / "outside/target"
    target.mkdir()
    profile = ground.profile(trial=trial)
    real = ground.top / path
    shutil.move(real, ground.top / "moved")
    real.symlink_to(target / "deep")
    run_in(profile, "mkdir -p ~/.ssh .git/hooks; echo x > .env; echo x > .git/hooks/x")
    assert [*target.iterdir()] == []
    found = sorted(path.name for path in (ground.top / "outside").iterdir())
    assert found == ["target", "victim"]


@pytest.mark.parametrize("name", [*PROTECTED, ".git"])
def test_a_link_in_the_place_of_a_protected_name_lets_no_live_box_be_made(
    ground: Ground, name: str
) -> None:
    place = ground.workspace / name
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.symlink_to(ground.top / "outside")
    with pytest.raises(ProfileUnfit, match="is a link"):
        ground.profile(trial=False)


def test_our_own_bubblewrap_is_run_only_as_it_was_built(
    ground: Ground, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "own" / "bwrap"
    other.parent.mkdir()
    shutil.copy(OWN, other)
    shutil.copy(OWN.with_suffix(".sha256"), other.with_suffix(".sha256"))
    monkeypatch.setattr(bubblewrap, "OWN", other)
    with boxed(str(other), ground.profile(trial=True), b"", ["true"]) as ready:
        assert Path(ready.program).read_bytes() == OWN.read_bytes()
        with pytest.raises(OSError, match="not permitted"):
            Path(ready.program).write_bytes(b"another")
    with other.open("ab") as file:
        file.write(b"x")
    with (
        pytest.raises(ProfileUnfit, match="another digest"),
        boxed(str(other), ground.profile(trial=True), b"", ["true"]),
    ):
        pass


def test_many_boxes_run_at_once(ground: Ground) -> None:
    known = program(platform.machine())
    assert known is not None
    running = []
    for _ in range(BOXES):
        with boxed(str(OWN), ground.profile(trial=True), known, waiting()) as ready:
            running.append(
                subprocess.Popen(
                    ready.words,
                    executable=ready.program,
                    pass_fds=ready.inherited,
                    env={},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
    for box in running:
        assert box.stdout is not None
        assert box.stdout.readline() == "up\n"
    for number, box in enumerate(running):
        said, _ = box.communicate(f"{number}\n", timeout=WITHIN_S)
        assert said == f"{number}\n"
    assert sorted(path.name for path in ground.workspace.iterdir()) == [".env", ".git", "src"]


def waiting() -> list[str]:
    """A command that says that it runs, and ends when it is told something."""
    return ["/bin/sh", "-c", "echo up; read line; echo $line > made; cat made"]


def run_in(profile: Profile, script: str) -> str:
    """Run a script in a box that was worked out before; what it printed."""
    known = program(platform.machine())
    assert known is not None
    with boxed(str(OWN), profile, known, ["/bin/sh", "-c", f"{script}; cat ~/.ssh/id"]) as ready:
        ended = subprocess.run(
            ready.words,
            executable=ready.program,
            pass_fds=ready.inherited,
            env={},
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            check=False,
        )
    assert SECRET not in ended.stdout
    return ended.stdout
