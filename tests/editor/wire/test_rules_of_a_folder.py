"""A person's own rules for one folder, offered on a card with what the project's files name."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage
from editor.wire.test_history import listed as records
from editor.wire.test_history import ref
from editor.wire.test_rules import an_editor, listed, opened, option

requirement = pytest.mark.requirement

MAKEFILE = """
test:
	@echo tested
lint:
	@echo linted
deploy:
	@echo deployed
"""


def project(folder: Path) -> Path:
    """A repository with a Makefile."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / "Makefile").write_text(MAKEFILE, "utf-8")
    (folder / "pyproject.toml").write_text("[tool.ruff]\n[tool.mypy]\n", "utf-8")
    return folder


def offered(ticket: Any) -> Any:
    """The answer with the project's commands, if it is offered."""
    return next((it for it in ticket.card.options if it.id == "project"), None)


async def first_card(stage: Stage, tmp_path: Path) -> tuple[Scene, str, Any, Any]:
    """A window on a project, its chat, the card of its first question, and the turn's end."""
    project(tmp_path / "workspace")
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run make test")
    return scene, chat, await scene.card(), turn


@requirement("T-04")
async def test_the_commands_of_a_project_are_allowed_at_its_first_question_for_its_folder_alone(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat, ticket, turn = await first_card(stage, tmp_path)
    words = ("make test", "make lint", "ruff check", "ruff format", "mypy", "git add", "git commit")
    rules = [f"shell({each}:*)" for each in words]
    assert list(offered(ticket).rules) == rules
    assert offered(ticket).scopes == ["here"]
    await scene.answer(ticket, "project", rules=rules[:-1], scope="here")
    await turn
    assert "tested" in scene.printed(chat)

    here = str(scene.folder)
    written = scene.editor.layers["user"]["rules"]
    assert written == {"allow": [{"rule": rule, "in": here} for rule in rules[:-1]]}
    assert "rules" not in scene.editor.layers.get("workspace", {})
    assert [rule.folder for rule in await listed(scene)] == [here] * 6

    await scene.turn(chat, "run make lint")
    assert "linted" in scene.printed(chat)
    assert len(scene.client.told("tool/approvalRequest")) == 1
    turn = scene.say(chat, "run make deploy")
    another = await scene.card(lambda told: told.approval_id != ticket.approval_id)
    assert offered(another) is None, "they have their own rules for it"
    await scene.answer(another, "deny")
    await turn


@requirement("T-04")
async def test_in_another_folder_such_a_rule_allows_nothing(stage: Stage, tmp_path: Path) -> None:
    elsewhere = project(tmp_path / "elsewhere")
    entry = {"rule": "shell(make test:*)", "in": str(elsewhere)}
    project(tmp_path / "workspace")
    scene = await opened(stage, an_editor(tmp_path, user={"rules": {"allow": [entry]}}))
    chat = await scene.chat()
    turn = scene.say(chat, "run make test")
    ticket = await scene.card()
    assert offered(ticket) is not None
    await scene.answer(ticket, "deny")
    await turn


@requirement("S-03")
async def test_a_folder_that_a_link_was_put_in_the_place_of_is_another(
    stage: Stage, tmp_path: Path
) -> None:
    project(tmp_path / "real")
    (tmp_path / "workspace").symlink_to(tmp_path / "real")
    entry = {"rule": "shell(make test:*)", "in": str(tmp_path / "workspace")}
    editor = an_editor(tmp_path, user={"rules": {"allow": [entry]}})
    editor.save()
    scene = await stage(editor, tmp_path / "workspace")
    turn = scene.say(await scene.chat(), "run make test")
    await scene.answer(await scene.card(), "deny")
    await turn


async def test_what_a_card_wrote_for_a_folder_is_taken_back_there_alone(
    stage: Stage, tmp_path: Path
) -> None:
    scene, _, ticket, turn = await first_card(stage, tmp_path)
    rule = option(ticket, "allowAlways").rules[0]
    others = {"rule": rule, "in": "/another"}
    await scene.change_settings(user={"rules": {"allow": [others]}})
    rules = [rule, "shell(make lint:*)", "shell(git add:*)"]
    await scene.answer(ticket, "project", rules=rules, scope="here")
    await turn
    here = [{"rule": each, "in": str(scene.folder)} for each in rules]
    assert scene.editor.layers["user"]["rules"]["allow"] == [others, *here]
    (row,) = [row for row in await records(scene) if row.outcome]
    await scene.client.request("history/revoke", ref(row))
    assert scene.editor.layers["user"]["rules"]["allow"] == [others]


@requirement("S-03")
async def test_a_workspace_cannot_name_a_folder_for_its_rules(stage: Stage, tmp_path: Path) -> None:
    folder = str(tmp_path / "workspace")
    rules = {"allow": [{"rule": "shell(make:*)", "in": folder}]}
    scene = await opened(stage, Editor(layers={"workspace": {"rules": rules}}))
    (row,) = await listed(scene)
    assert row.on is None
    assert "in your own settings, says in which folder" in row.problem
