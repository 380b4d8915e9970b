"""Claude Code keeps plans and a memory of its own: both are written as files of the workspace."""

import re
from pathlib import Path

import pytest

from editor.wire.scene import Stage
from hosting.real.hosted import opened
from hosting.real.known import KNOWN
from hosting.real.model import Model

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]


async def test_claude_writes_its_plan_and_memory_unasked_and_its_settings_asked(
    stage: Stage, model: Model, home: Path
) -> None:
    it = await opened(stage, model, KNOWN["claude"], home, "acceptEdits")
    project = re.sub("[^A-Za-z0-9]", "-", str(it.scene.folder))
    plan = home / ".claude" / "plans" / "calm.md"
    memory = home / ".claude" / "projects" / project / "memory" / "MEMORY.md"
    settings = home / ".claude" / "settings.json"
    async with it.person("deny"):
        rows = await it.use("Write", {"file_path": str(plan), "content": "x\n"})
        await it.use("Write", {"file_path": str(memory), "content": "x\n"})
        assert it.cards == []
        await it.use("Write", {"file_path": str(settings), "content": "{}\n"})
    assert (plan.read_text("utf-8"), memory.read_text("utf-8")) == ("x\n", "x\n")
    assert len(it.cards) == 1
    assert not settings.exists()
    reasons = [row["body"]["because"] for row in rows if row["kind"] == "decided"]
    assert "The agent keeps ~/.claude/plans/calm.md for itself." in reasons
