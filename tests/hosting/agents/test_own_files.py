"""What each agent keeps for itself, by its recipe: words, and nothing that runs or is settings."""

import hashlib
import json
from pathlib import Path

import pytest

from assent.gate.disk.places import Places
from assent.hosting.recipes.recipes import RECIPES
from tables import each_row

FOLDER = "/code/my.app"
HASH = hashlib.sha256(FOLDER.encode()).hexdigest()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path.resolve() / "home"
    (home / ".gemini").mkdir(parents=True)
    projects = {"projects": {FOLDER: "my-app", "/code/odd": "../../.ssh"}}
    (home / ".gemini" / "projects.json").write_text(json.dumps(projects), "utf-8")
    return home


def is_own(home: Path, agent: str, path: str, folder: str = FOLDER) -> bool:
    (recipe,) = [recipe for recipe in RECIPES if recipe.id == agent]
    own_files = recipe.own_files(str(home), folder)
    places = Places(roots=(FOLDER,), home=str(home), own_files=own_files)
    return places.locate(path, FOLDER).is_agents_own


@each_row(
    ("agent", "path"),
    [
        ("claude", "~/.claude/plans/calm.md"),
        ("claude", "~/.claude/projects/-code-my-app/memory/MEMORY.md"),
        ("qwen", "~/.qwen/plans/1.md"),
        ("qwen", "~/.qwen/projects/-code-my-app/memory/MEMORY.md"),
        ("qwen", f"~/.qwen/tmp/{HASH}/tool-results/1/out.txt"),
        ("gemini", "~/.gemini/tmp/my-app/plans/a.md"),
        ("gemini", "~/.gemini/tmp/my-app/1-2/plans/a.md"),
        ("gemini", "~/.gemini/tmp/my-app/memory/MEMORY.md"),
        ("gemini", "~/.gemini/tmp/my-app/tool-outputs/session-1/a.txt"),
        ("copilot", "~/.copilot/session-state/1-2/plan.md"),
        ("opencode", "~/.local/share/opencode/plans/1-calm.md"),
    ],
)
def test_its_plans_its_memory_and_its_scratch_files_are_its_own(
    agent: str, path: str, home: Path
) -> None:
    assert is_own(home, agent, path)


@each_row(
    ("agent", "path"),
    [
        ("qwen", "~/.qwen/settings.json"),
        ("qwen", "~/.qwen/QWEN.md"),
        ("qwen", "~/.qwen/memories/MEMORY.md"),
        ("qwen", "~/.qwen/projects/-code-other/memory/MEMORY.md"),
        ("qwen", "~/.qwen/tmp/other/tool-results/out.txt"),
        ("qwen", "~/.claude/plans/calm.md"),
        ("gemini", "~/.gemini/GEMINI.md"),
        ("gemini", "~/.gemini/projects.json"),
        ("gemini", "~/.gemini/tmp/other/plans/a.md"),
        ("gemini", "~/.gemini/tmp/my-app/memory/skills/a/SKILL.md"),
        ("gemini", "~/.gemini/tmp/my-app/chats/a.json"),
        ("copilot", "~/.copilot/config.json"),
        ("copilot", "~/.copilot/session-state/1/plan.sh"),
        ("opencode", "~/.local/share/opencode/auth.json"),
        ("codex", "~/.codex/AGENTS.md"),
    ],
)
def test_what_runs_is_settings_or_another_projects_is_not(
    agent: str, path: str, home: Path
) -> None:
    assert not is_own(home, agent, path)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"projects": []}', '{"projects": {"/x": 3}}'])
def test_where_an_agents_list_of_projects_says_nothing_it_has_no_files(
    text: str, home: Path
) -> None:
    (home / ".gemini" / "projects.json").write_text(text, "utf-8")
    assert not is_own(home, "gemini", "~/.gemini/tmp/my-app/plans/a.md")


def test_a_name_that_leads_elsewhere_is_no_project(home: Path) -> None:
    assert not is_own(home, "gemini", "~/.ssh/plans/a.md", "/code/odd")
