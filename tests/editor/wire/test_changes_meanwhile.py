"""No command that only reads runs while a trial changes a workspace, or since one did."""

from pathlib import Path
from typing import Any

import pytest

from assent.editor.window.agents.own.command_trials import CommandTrials
from assent.gate.disk.places import Places


@pytest.fixture
def trials(tmp_path: Path) -> CommandTrials:
    nobody: Any = None
    places = Places(roots=(str(tmp_path),), home=str(tmp_path))
    return CommandTrials(nobody, lambda: places, tmp_path, nobody)


def test_it_runs_while_nothing_changes(trials: CommandTrials) -> None:
    with trials.outside(trials.state) as is_unchanged:
        assert is_unchanged


def test_it_does_not_run_once_something_changed_since_it_was_ruled_on(
    trials: CommandTrials,
) -> None:
    before = trials.state
    with trials.applying():
        meanwhile = trials.state
        for state in (before, meanwhile):
            with trials.outside(state) as is_unchanged:
                assert not is_unchanged
    for state in (before, meanwhile):
        with trials.outside(state) as is_unchanged:
            assert not is_unchanged
    with trials.outside(trials.state) as is_unchanged:
        assert is_unchanged


async def test_a_trial_waits_until_such_commands_have_ended(
    trials: CommandTrials, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.editor.window.agents.own.command_trials._POLL_INTERVAL_S", 0)
    with trials.outside(trials.state):
        assert not await trials.is_quiet()
    assert await trials.is_quiet()
