"""A real server, a real agent, and a model that is played."""

from collections.abc import Iterator

import pytest

from agents.model import Model, played
from wire.conftest import stage, start, state_dir

__all__ = ["model", "stage", "start", "state_dir"]


@pytest.fixture
def model() -> Iterator[Model]:
    """A model on loopback that does what prompts say."""
    with played() as model:
        yield model
