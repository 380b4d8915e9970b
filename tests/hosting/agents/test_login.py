"""The ways to log in that an agent tells of, read within bounds, and what a person is advised."""

import json
from pathlib import Path
from typing import Any

import pytest

from assent.hosting.connection.shapes import Greeting
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.connection.wording import log_in_first
from assent.hosting.install.log_in_command import log_in_command
from assent.hosting.install.login import ways_in
from assent.hosting.recipes.recipes import RECIPES, recipe_for
from tables import each_row


def kinds(*methods: Any) -> list[tuple[str, str]]:
    greeting = Greeting.model_validate({"protocolVersion": 1, "authMethods": list(methods)})
    return [(it.id, it.kind) for it in ways_in(greeting)]


def by(*names: str, **more: Any) -> dict[str, Any]:
    return {"id": "a", "type": "env_var", "vars": [{"name": it, **more} for it in names]}


def test_each_of_the_three_kinds_is_a_way() -> None:
    methods = [{"id": "a"}, {**by("API_KEY"), "id": "b"}, {"id": "c", "type": "terminal"}]
    assert kinds(*methods) == [("a", "agent"), ("b", "env_var"), ("c", "terminal")]


@each_row(
    "unfit",
    [
        {},
        {"id": 5},
        {"id": ""},
        {"id": "x" * 129},
        {"id": "a", "type": "unheard of"},
        {"id": "a", "type": ["agent"]},
        {"id": "a", "type": "env_var"},
        by(),
        by("A B"),
        by("A", "A"),
        by(*(f"A{at}" for at in range(9))),
        *(
            by(it)
            for it in ("PATH", "LD_PRELOAD", "NODE_OPTIONS", "PYTHONPATH", "BASH_ENV", "home")
        ),
        {"id": "a", "type": "terminal", "args": "--login"},
        {"id": "a", "type": "terminal", "args": [1]},
        {"id": "a", "type": "terminal", "args": ["x" * 201]},
        {"id": "a", "type": "terminal", "args": ["a\0b"]},
        {"id": "a", "type": "terminal", "env": {"A": "b"}},
    ],
)
def test_what_is_not_wholly_known_is_no_way(unfit: Any) -> None:
    assert kinds(unfit) == []


def test_of_ways_with_one_id_the_first_counts_and_there_are_no_more_than_are_read() -> None:
    assert kinds({"id": "a"}, {"id": "a", "type": "terminal"}) == [("a", "agent")]
    assert len(kinds(*({"id": f"a{at}"} for at in range(20)))) == 8


def test_what_an_agent_can_do_without_is_not_asked_for() -> None:
    both = by("API_KEY")["vars"] + by("BASE_URL", optional=True)["vars"]
    greeting = Greeting.model_validate(
        {"protocolVersion": 1, "authMethods": [{"id": "a", "type": "env_var", "vars": both}]}
    )
    [way] = ways_in(greeting)
    assert way.variables == ("API_KEY",)


COMMANDS = {
    "claude": ("claude auth login", "{} --cli auth login"),
    "codex": ("codex login", "{} login"),
    "copilot": ("copilot login", "{} login"),
    "qwen": ("qwen", "{}"),
    "opencode": ("opencode auth login", "{} auth login"),
    "gemini": ("gemini", "{}"),
}
"""What a person types, by the recipe: where the program is on their PATH, and where it is not."""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of a person's PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    program(folder / "node")
    return folder


def program(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def installed(folder: Path, package: str) -> Path:
    """The script of a package, as *Add an Agent* installs it."""
    script = program(folder / "node_modules" / package / "main.js")
    about = {"name": package, "bin": "main.js"}
    (script.parent / "package.json").write_text(json.dumps(about), "utf-8")
    return script


def test_each_recipe_knows_a_command() -> None:
    assert set(COMMANDS) == {recipe.id for recipe in RECIPES}


@each_row("recipe", RECIPES, ids=[recipe.id for recipe in RECIPES])
def test_what_a_person_types_is_the_usual_command_or_the_agents_own_by_its_path(
    recipe: Any, path: Path, tmp_path: Path
) -> None:
    for package in recipe.packages:
        script = installed(tmp_path / "a b", package)
        node, args = str(path / "node"), (str(script), "--acp", "now")
        usual, own = COMMANDS[recipe.id]
        assert recipe_for(node, args) is recipe
        assert log_in_command(recipe, node, args, ()) == own.format(f"{node} '{script}'")
        # As it is started by the link on PATH, under another name.
        (tmp_path / "other").unlink(missing_ok=True)
        (tmp_path / "other").symlink_to(script)
        other = str(tmp_path / "other")
        assert log_in_command(recipe, other, ("--acp",), ()) == own.format(other)
        there = program(path / usual.split()[0])
        assert log_in_command(recipe, node, args, ()) == usual
        # One in the workspace is nobody's program.
        assert log_in_command(recipe, node, args, (str(path),)) == own.format(f"{node} '{script}'")
        there.unlink()


UNKNOWN = "Assent does not know the command for that: log in as its documentation says"
SPEC = AgentSpec(id="one", name="One", command="/usr/bin/node", args=("/x/one.js",))


@each_row(
    ("methods", "command", "sentence"),
    [
        (
            [],
            "codex login",
            ". Run `codex login` in a terminal, log in there, and try again.",
        ),
        (
            [{"name": "By hand", "type": "unheard of"}],
            "qwen",
            " (“By hand”). Run `qwen` in a terminal, log in there, and try again.",
        ),
        (
            [],
            "",
            f". {UNKNOWN}, and try again.",
        ),
        (
            [{"id": "a", "name": "Browser"}],
            "codex login",
            ", in one of its own ways: “Browser”.",
        ),
    ],
)
def test_the_advice_names_the_command_and_never_the_program_that_is_started(
    methods: list[Any], command: str, sentence: str
) -> None:
    greeting = Greeting.model_validate({"protocolVersion": 1, "authMethods": methods})
    first = "One wants you to log in first"
    assert log_in_first(SPEC, greeting, command) == first + sentence
