"""Hooks before the tools of the catalogue: they see each call as it is judged, and change it."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from editor.wire.own import OwnStage, model, own
from editor.wire.test_collections import DOCS, put
from editor.wire.test_making import MADE
from editor.wire.test_nodes import ISSUE, helpful
from editor.wire.test_workflows import flow, graph_file, runs, shell, task_file
from models.script import call, text

__all__ = ["model", "own"]

pytestmark = pytest.mark.requirement("C-08")

CALLS: Final[dict[str, tuple[dict[str, Any], str, dict[str, Any]]]] = {
    "list_nodes": ({"words": "bug"}, "catalogue", {"words": "bug"}),
    "get_node": ({"name": "helpful:create_issue"}, "catalogue", {"name": "helpful:create_issue"}),
    "run_node": (ISSUE, "mcp", {"server": "helpful", "tool": "create_issue"}),
    "list_workflows": ({}, "catalogue", {}),
    "get_workflow": ({"name": "making"}, "catalogue", {"name": "making"}),
    "run_workflow": ({"name": "making"}, "run", {"name": "workflow:making"}),
    "list_collections": ({}, "catalogue", {}),
    "search_collections": ({"words": "kettle"}, "read", {"words": "kettle"}),
    "query_collection": (
        {"name": "docs", "question": "kettle"},
        "read",
        {"name": "docs", "question": "kettle"},
    ),
    "generate_image": ({"prompt": "a cat", "path": "cat.png"}, "write", {"path": "cat.png"}),
    "speak": ({"text": "hello", "path": "said.mp3"}, "write", {"path": "said.mp3"}),
}
"""What each is given, and what a hook is told of: the tool that rules know, and its input."""


def name_of(path: Path) -> str:
    return path.name


def hook(folder: Path, script: str) -> list[dict[str, Any]]:
    path = folder / "hook.py"
    path.write_text(f"import json, sys\ntold = json.load(sys.stdin)\n{script}\n")
    return [{"event": "PreToolUse", "command": f"{sys.executable} {path}", "name": "check"}]


@pytest.mark.parametrize("tool", CALLS)
async def test_a_hook_is_told_of_each_tool_as_the_call_that_is_judged_and_denies_it(
    own: OwnStage, tmp_path: Path, tool: str
) -> None:
    heard = tmp_path / "heard"
    script = f"open({str(heard)!r}, 'a').write(json.dumps(told) + '\\n'); sys.exit(2)"
    user = {**helpful(), "collections": DOCS, "hooks": hook(tmp_path, script)}
    it = await own(mode="auto", **user)
    chatting = {"provider": "openai", "model": "tiny", "url": it.model.url_for("openai")}
    makers = [{**chatting, "model": it_, "kinds": [it_]} for it_ in ("image", "speech")]
    await it.scene.change_settings(user={**user, "models": [*makers, chatting]})
    graph_file(it.scene.folder, "making", {"one": shell("touch made")})
    put(it.scene.folder, {"docs/tea.md": "The kettle whistles."})
    it.model.made = MADE.get(tool)
    arguments, kind, input_ = CALLS[tool]
    it.model.reply(call(tool, arguments))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    (told,) = map(json.loads, heard.read_text().splitlines())
    assert (told["event"], told["tool"]) == ("PreToolUse", kind)
    assert input_.items() <= told["input"].items()
    assert it.scene.rows("decided")[-1]["body"]["outcome"] == "refused"
    assert not any((it.scene.folder / name).exists() for name in ("made", "cat.png", "said.mp3"))


async def test_a_step_that_a_hook_rewrites_is_ruled_on_anew_and_runs_as_that(
    own: OwnStage, tmp_path: Path
) -> None:
    script = (
        "given = told['input'].get('command')\n"
        "if given == 'touch one': print(json.dumps({'input': {'command': 'touch other'}}))\n"
        "if given == 'touch two': print(json.dumps({'input': {'command': 'touch denied'}}))"
    )
    rules = {"deny": ["shell(touch denied)"]}
    it = await own(mode="auto", hooks=hook(tmp_path, script), rules=rules)
    graph_file(it.scene.folder, "making", {"one": shell("touch one"), "two": shell("touch two")})
    assert (await runs(it, "making")).reason == "done"
    assert flow(it) == {"one": "done", "two": "refused"}
    assert {"one", "two", "other", "denied"} & {*map(name_of, it.scene.folder.iterdir())} == {
        "other"
    }


async def test_a_step_that_a_hook_rewrote_is_not_taken_for_itself_by_a_run_from_a_later_one(
    own: OwnStage, tmp_path: Path
) -> None:
    script = (
        "if told['input'].get('command') == 'echo one':\n"
        "    print(json.dumps({'input': {'command': 'echo other'}}))"
    )
    it = await own(mode="auto", hooks=hook(tmp_path, script))
    steps = {
        "tell": shell("echo one"),
        "plain": shell("echo two"),
        "check": shell("cat go; echo '${tell}' > told", after=["plain"]),
    }
    graph_file(it.scene.folder, "telling", steps)
    assert (await runs(it, "telling")).reason == "done"
    assert "other" in (it.scene.folder / "told").read_text()
    (tmp_path / "hook.py").write_text("")
    assert (await runs(it, "telling", from_step="check")).reason == "done"
    assert (flow(it)["tell"], flow(it)["plain"]) == ("done", "kept")
    assert "one" in (it.scene.folder / "told").read_text()


async def test_what_a_person_allowed_on_the_workflows_card_is_not_what_a_hook_makes_of_it(
    own: OwnStage, tmp_path: Path
) -> None:
    script = (
        "if told['input'].get('command') == 'touch one':\n"
        "    print(json.dumps({'input': {'command': 'touch other'}}))"
    )
    it = await own(hooks=hook(tmp_path, script))
    graph_file(it.scene.folder, "making", {"one": shell("touch one")})
    turn = runs(it, "making")
    await it.scene.answer(await it.scene.card(), "once")
    card = await it.scene.card()
    assert "touch other" in "".join(span.text for span in card.card.title)
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert flow(it) == {"one": "refused"}


async def test_a_hook_makes_no_other_words_of_a_task_that_is_bound_to_its_file(
    own: OwnStage, tmp_path: Path
) -> None:
    script = "told['input']['command'] = 'touch other'; print(json.dumps({'input': told['input']}))"
    it = await own(mode="auto", hooks=hook(tmp_path, script))
    task_file(it.scene.folder, make="touch made")
    assert (await runs(it, "npm:make")).reason == "done"
    assert it.scene.rows("decided")[-1]["body"]["outcome"] == "refused"
    assert not (it.scene.folder / "other").exists()


async def test_a_path_that_a_hook_writes_into_a_call_is_held_against_the_rules(
    own: OwnStage, tmp_path: Path
) -> None:
    script = "told['input']['path'] = 'art/cat.png'; print(json.dumps({'input': told['input']}))"
    rules = {"deny": ["write(./art/**)"]}
    user = {"hooks": hook(tmp_path, script), "rules": rules}
    it = await own(mode="auto", **user)
    chatting = {"provider": "openai", "model": "tiny", "url": it.model.url_for("openai")}
    models = [{**chatting, "model": "image", "kinds": ["image"]}, chatting]
    await it.scene.change_settings(user={**user, "models": models})
    it.model.made = MADE["generate_image"]
    it.model.reply(call("generate_image", {"prompt": "a cat", "path": "cat.png"}))
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    decided = it.scene.rows("decided")[-1]["body"]
    assert (decided["outcome"], decided["rule"]) == ("refused", "write(./art/**)")
    assert not [one for one in it.model.others if one.path.endswith("/images/generations")]
