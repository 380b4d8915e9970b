"""Real servers, and agents in terminals that are played."""

from collections.abc import Callable
from pathlib import Path

import pytest

from editor.wire.conftest import stage, start, state_dir
from hosting.terminals.terminal import Terminal

__all__ = ["elsewhere", "stage", "start", "state_dir", "terminal"]

Make = Callable[..., Terminal]


@pytest.fixture
def terminal(state_dir: Path, tmp_path: Path) -> Terminal:
    """A session in the folder that windows open."""
    return Terminal(state=state_dir, folder=tmp_path / "workspace")


@pytest.fixture
def elsewhere(state_dir: Path, tmp_path: Path) -> Terminal:
    """A session in another."""
    return Terminal(state=state_dir, folder=tmp_path / "other")
