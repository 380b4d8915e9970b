"""Rules that a person agreed to in another browser or profile, which seals with another key."""

import json
from pathlib import Path
from typing import Any

import pytest

from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage
from editor.wire.test_rules import always, an_editor, opened

WHY = "Each browser and each profile seals your answers with its own key."
ALL = "An answer under another key allows all of this"


async def agreed_elsewhere(stage: Stage, tmp_path: Path) -> Editor:
    """A window of another browser, in which a person always allows two commands."""
    editor = an_editor(tmp_path, "Always allow")
    editor.layers["workspace"] = {"rules": {"deny": ["shell(rm:*)"]}}
    scene = await opened(stage, editor)
    chat = await scene.chat()
    for command in ("run touch made", "run mkdir folder"):
        turn = scene.say(chat, command)
        await always(scene, await scene.card())
        await turn
    await scene.client.dispose()
    return editor


async def with_another_key(stage: Stage, tmp_path: Path, layers: dict[str, Any]) -> Scene:
    """A window of this browser on the same workspace; its person agrees to what they press."""
    editor = an_editor(tmp_path, "Allow this")
    editor.layers = layers
    return await opened(stage, editor)


async def question_of(scene: Scene) -> Any:
    return await scene.card(lambda told: told.chat_id is None)


def value_of(question: Any) -> Any:
    return json.loads("".join(span.text for span in question.card.body.value))


@pytest.mark.requirement("T-04")
async def test_rules_of_another_browser_are_asked_about_with_why_and_one_answer_takes_all_over(
    stage: Stage, tmp_path: Path
) -> None:
    before = await agreed_elsewhere(stage, tmp_path)
    scene = await with_another_key(stage, tmp_path, before.layers)
    question = await question_of(scene)
    assert WHY in question.card.consequence
    assert ALL in question.card.consequence
    assert value_of(question) == ["shell(mkdir:*)", "shell(touch:*)"]
    chat = await scene.chat()
    await scene.turn(chat, "run rm README.md")
    assert (scene.folder / "README.md").exists()
    turn = scene.say(chat, "run touch asked")
    await scene.answer(await scene.card(lambda told: told.chat_id == chat), "deny")
    await turn
    assert (await scene.answer(question, "grant")).outcome == "allowed"
    assert ALL in scene.editor.confirmed[-1].detail
    await scene.turn(chat, "run touch third")
    await scene.turn(chat, "run mkdir fourth")
    assert (scene.folder / "third").exists()
    assert (scene.folder / "fourth").exists()


async def test_a_rule_that_no_answer_allows_is_named_as_new(stage: Stage, tmp_path: Path) -> None:
    before = await agreed_elsewhere(stage, tmp_path)
    before.layers["workspace"]["rules"]["allow"].append("shell(curl:*)")
    scene = await with_another_key(stage, tmp_path, before.layers)
    question = await question_of(scene)
    assert ALL not in question.card.consequence
    assert "allows the rest but not this: `shell(curl:*)`" in question.card.consequence
    assert value_of(question) == ["shell(curl:*)", "shell(mkdir:*)", "shell(touch:*)"]


async def test_rules_that_nobody_agreed_to_are_asked_about_as_ever(
    stage: Stage, tmp_path: Path
) -> None:
    before = await agreed_elsewhere(stage, tmp_path)
    before.layers["workspace"]["rules"]["allow"] = ["shell(curl:*)"]
    scene = await with_another_key(stage, tmp_path, before.layers)
    assert WHY not in (await question_of(scene)).card.consequence


async def test_rules_that_changed_while_their_card_waited_are_not_taken_over(
    stage: Stage, tmp_path: Path
) -> None:
    before = await agreed_elsewhere(stage, tmp_path)
    scene = await with_another_key(stage, tmp_path, before.layers)
    question = await question_of(scene)
    grown = {"allow": ["shell(touch:*)", "shell(mkdir:*)", "shell(curl:*)"]}
    await scene.change_settings(workspace={"rules": grown})
    assert (await scene.answer(question, "grant")).kind != "applied"
    chat = await scene.chat()
    turn = scene.say(chat, "run touch third")
    await scene.answer(await scene.card(lambda told: told.chat_id == chat), "deny")
    await turn
    assert not (scene.folder / "third").exists()


LAYERS = {
    "workspace": {"rules": {"allow": ["shell(touch:*)"]}},
    "folder": {"rules": {"allow": ["shell(mkdir:*)"], "deny": ["shell(rm:*)"]}},
}


async def test_one_answer_covers_the_rules_of_the_workspace_and_of_its_folders(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await with_another_key(stage, tmp_path, LAYERS)
    question = await question_of(scene)
    assert value_of(question) == ["shell(mkdir:*)", "shell(touch:*)"]
    await scene.answer(question, "grant")
    chat = await scene.chat()
    await scene.turn(chat, "run touch third")
    await scene.turn(chat, "run mkdir fourth")
    assert (scene.folder / "third").exists()
    assert (scene.folder / "fourth").exists()
    assert len(scene.client.told("tool/approvalRequest")) == 1


async def test_one_answer_keeps_asking_about_all_of_them_and_lasts(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await with_another_key(stage, tmp_path, LAYERS)
    await scene.answer(await question_of(scene), "keep")
    await scene.tell_of_change()
    chat = await scene.chat()
    for command in ("run touch third", "run mkdir fourth"):
        turn = scene.say(chat, command)
        await scene.answer(await scene.card(), "deny")
        await turn
    assert {told.chat_id for told in scene.client.told("tool/approvalRequest")} == {None, chat}
    assert len(scene.client.told("tool/approvalRequest")) == 3
