"""A real server, a real proxy, and a model that is played."""

import os

import pytest

from agents.fetch import Absent
from hosts.proxy import fetched
from wire.conftest import stage, start, state_dir
from wire.own import model

__all__ = ["model", "stage", "start", "state_dir"]


@pytest.fixture(autouse=True)
def _is_fetched() -> None:
    try:
        fetched()
    except Absent as absent:
        if os.environ.get("ASSENT_NO_SKIPS"):
            pytest.fail(str(absent))
        pytest.skip(str(absent))
