"""The reader, held against real shells: nothing is run or written that it did not foresee."""

import os
from pathlib import Path
from random import Random

import pytest

from fuzz.bwrapped import SHELLS, run, why_not
from fuzz.generator import command
from fuzz.many import kept, misses
from fuzz.seeds import SEEDS


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    """Commands are run only where they can hurt nothing."""
    because = why_not()
    if because and os.environ.get("ASSENT_NO_SKIPS"):
        pytest.fail(f"This must not be skipped here: {because}")
    if because:
        pytest.skip(because)


def test_the_stubs_tell_what_bash_started(tmp_path: Path) -> None:
    heard = run(["evil 'a b' \"\"", "echo evil", "vile | wick x; exit 3", "evil\n" * 3], tmp_path)
    assert heard[0].runs == [("evil", "a b", "")]
    assert heard[1].runs == []
    assert sorted(heard[2].runs) == [("vile",), ("wick", "x")]
    assert heard[3].runs == [("evil",)] * 3


@pytest.mark.parametrize("shell", SHELLS)
def test_the_files_tell_what_was_written(shell: str, tmp_path: Path) -> None:
    heard = run(["echo >o; > a.txt", "echo a; cat src/b.py", "[[ a > o ]]"], tmp_path, shell)
    assert heard[0].written == {"o", "a.txt"}
    assert not heard[1].written
    assert heard[2].written == (set() if shell == "bash" else {"o"})


@SEEDS
@pytest.mark.parametrize("shell", SHELLS)
def test_no_program_runs_that_the_reader_did_not_foresee(shell: str, seed: int) -> None:
    random = Random(seed)  # noqa: S311 -- a seed must give the same lines again
    found = list(misses([command(random) for _ in range(150)], shell))
    assert not found, f"seed {seed}"


@pytest.mark.parametrize("shell", SHELLS)
def test_what_was_missed_once_is_foreseen_since(shell: str) -> None:
    assert not list(misses(kept(), shell))


def test_a_reader_that_sees_nothing_would_be_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from assent.gate.shell.script import Script  # noqa: PLC0415
    from fuzz import judging  # noqa: PLC0415

    monkeypatch.setattr(judging, "read_script", lambda text, _: Script(text=text))
    assert [text for text, _ in misses(["true", "evil x", "> o"])] == ["evil x", "> o"]
