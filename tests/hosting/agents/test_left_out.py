"""What is said in a chat of what its agent is kept from."""

from pathlib import Path
from typing import Final

from assent.hosting.recipes.recipe import NO_SETTINGS, OwnSettings
from assent.hosting.recipes.recipes import RECIPES
from assent.hosting.repositories.left_out import left_out_words
from assent.hosting.repositories.repository import left_out_in
from tables import each_row

RECIPE: Final = {recipe.id: recipe for recipe in RECIPES}
SERVERS: Final = """{
  // Mine.
  "mcpServers": {"mine": {"command": "npx", "args": ["mine"]}}
}"""


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def said_of(agent: str, home: Path, **env: str) -> str:
    own = RECIPE[agent].own_settings({"HOME": str(home), **env})
    return left_out_words("It", own, ())


def test_an_agent_that_starts_none_of_a_persons_servers_is_said_to(tmp_path: Path) -> None:
    assert {said_of(agent, tmp_path) for agent in RECIPE} == {""}
    for agent in ("qwen", "gemini"):
        put(tmp_path / f".{agent}/settings.json", '{"mcpServers": {}, "theme": "x"}')
        assert said_of(agent, tmp_path) == ""
        put(tmp_path / f".{agent}/settings.json", SERVERS)
        said = said_of(agent, tmp_path)
        assert said.startswith("It runs here without your own MCP servers")
        elsewhere = str(tmp_path / "elsewhere")
        assert said_of(agent, tmp_path, QWEN_HOME=elsewhere, GEMINI_CLI_HOME=elsewhere) == ""


def test_a_persons_own_sub_agents_do_not_work_in_gemini_and_that_is_said(tmp_path: Path) -> None:
    put(tmp_path / ".gemini/agents/mine.md", "")
    whole = "It runs here without your own MCP servers and sub-agents."
    assert said_of("gemini", tmp_path) == whole


KEPT: Final = {
    "gemini": ["settings.json", "commands/a.toml", "agents/a.md", "skills/a/SKILL.md"],
    "qwen": ["settings.json"],
}


@each_row("agent", KEPT)
def test_the_files_of_a_repository_that_are_not_read_in_a_folder_without_trust_are_named(
    tmp_path: Path, agent: str
) -> None:
    names = [f".{agent}/{name}" for name in KEPT[agent]]
    for name in names:
        put(tmp_path / name, "{}")
    assert sorted(left_out_in(RECIPE[agent].sources, str(tmp_path))) == sorted(names)


def test_both_are_said_of_each_file_once_and_in_order() -> None:
    said = left_out_words("It", OwnSettings(lost="servers"), ["b", "a", "b"])
    assert said == (
        "It runs here without your own MCP servers."
        " Files of this workspace that it does not get whole: `b`, `a`."
    )
    assert left_out_words("It", NO_SETTINGS, ()) == ""
