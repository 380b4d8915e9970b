"""The folder that the tools of these tests work in."""

from pathlib import Path

import pytest

from agent.tools.workbench import Workbench


@pytest.fixture
def work(tmp_path: Path) -> Workbench:
    root = tmp_path.resolve() / "root"
    root.mkdir()
    return Workbench(root=root)
