"""A real server, a real agent, and a model that is played."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from editor.wire.conftest import stage, start, state_dir
from hosting.real.fetch import CACHE
from hosting.real.model import Model, played

__all__ = ["home", "model", "stage", "start", "state_dir"]


@pytest.fixture
def home() -> Iterator[Path]:
    """A home for an agent: not below `/tmp`, which Codex hides from itself."""
    homes = CACHE / "homes"
    homes.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=homes, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def model() -> Iterator[Model]:
    """A model on loopback that does what prompts say."""
    with played() as model:
        yield model
