"""A real server, a real proxy, and a model that is played."""

import os

import pytest

from agent.proxies.proxy import fetched
from editor.wire.conftest import stage, start, state_dir
from editor.wire.own import model
from hosting.real.fetch import Absent

__all__ = ["model", "stage", "start", "state_dir"]


@pytest.fixture(autouse=True)
def _is_fetched() -> None:
    try:
        fetched()
    except Absent as absent:
        if os.environ.get("ASSENT_NO_SKIPS"):
            pytest.fail(str(absent))
        pytest.skip(str(absent))
