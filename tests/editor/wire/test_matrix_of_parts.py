"""What each mode says of the tools of the catalogue, in a part of the work as in all of it."""

from typing import Any, Final

import pytest

from assent.agent.tools.registry import BELT
from editor.wire.own import OwnStage, model, own
from editor.wire.test_collections import DOCS, put
from editor.wire.test_making import BYTES, MADE
from editor.wire.test_nodes import ISSUE, helpful
from editor.wire.test_workflows import graph_file, shell
from models.script import call, text

__all__ = ["model", "own"]

pytestmark = [
    pytest.mark.requirement("N-06"),
    pytest.mark.requirement("N-08"),
    pytest.mark.requirement("N-09"),
    pytest.mark.requirement("N-10"),
    pytest.mark.requirement("N-11"),
]

_EVERYWHERE: Final = {"plan": "ran", "default": "ran", "auto": "ran"}
_BY_MODE: Final = {"plan": "refused", "default": "asked", "auto": "ran"}

TOOLS: Final[dict[str, tuple[dict[str, Any], dict[str, str], str]]] = {
    "list_nodes": ({"words": "report a bug"}, _EVERYWHERE, "helpful:create_issue"),
    "get_node": ({"name": "helpful:create_issue"}, _EVERYWHERE, '"owner"'),
    "run_node": (ISSUE, _BY_MODE, '"given"'),
    "list_workflows": ({"words": ""}, _EVERYWHERE, "making"),
    "get_workflow": ({"name": "making"}, _EVERYWHERE, "touch made"),
    "run_workflow": ({"name": "making"}, _BY_MODE, "made it"),
    "list_collections": ({}, _EVERYWHERE, "docs (./docs/**/*.md)"),
    "search_collections": ({"words": "kettle"}, _EVERYWHERE, "The kettle whistles."),
    "query_collection": (
        {"name": "docs", "question": "what whistles?"},
        _EVERYWHERE,
        "The kettle whistles.",
    ),
    "generate_image": ({"prompt": "a cat", "path": "cat.png"}, _BY_MODE, "Created cat.png"),
    "speak": ({"text": "hello", "path": "said.mp3"}, _BY_MODE, "Created said.mp3"),
}
"""What each is given, what becomes of it by mode, and what it tells where it ran."""


@pytest.mark.parametrize(
    "is_part",
    [pytest.param(False, id="whole", marks=pytest.mark.long), pytest.param(True, id="part")],
)
@pytest.mark.parametrize("mode", _BY_MODE)
@pytest.mark.parametrize("tool", TOOLS)
async def test_each_mode_says_the_same_of_a_tool_in_a_part_of_the_work(
    own: OwnStage, tool: str, mode: str, is_part: bool
) -> None:
    arguments, ends, tells = TOOLS[tool]
    user = {**helpful(), "collections": DOCS}
    it = await own(mode=None if mode == "default" else mode, **user)
    chatting = {"provider": "openai", "model": "tiny", "url": it.model.url_for("openai")}
    makers = [{**chatting, "model": kind, "kinds": [kind]} for kind in ("image", "speech")]
    await it.scene.change_settings(user={**user, "models": [*makers, chatting]})
    it.model.made = MADE.get(tool)
    put(it.scene.folder, {"docs/tea.md": "The kettle whistles."})
    graph_file(it.scene.folder, "making", {"one": shell("touch made && echo made it")})
    if is_part:
        it.model.reply(call("run_subtask", {"name": "part", "prompt": "do the part"}))
    it.model.reply(call(tool, arguments))
    it.model.reply(text("So."))
    if is_part:
        it.model.reply(text("The part is done."))
    turn = it.say()
    if ends[mode] == "asked":
        card = await it.scene.card()
        assert bool(card.card.says) == is_part
        await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert (tells in it.model.requests[1 + is_part].last) == (ends[mode] == "ran")
    if ends[mode] != "asked":
        assert it.scene.client.told("tool/approvalRequest") == []
    last = it.scene.rows("decided")[-1]["body"]
    if tool in BYTES:
        assert (it.scene.folder / arguments["path"]).exists() == (ends[mode] == "ran")
    assert (last["outcome"] == "allowed") == (ends[mode] == "ran")


def test_each_tool_of_the_catalogue_is_in_the_matrix() -> None:
    names = [it.name for it in BELT]
    assert set(TOOLS) == {*names[names.index("list_nodes") :]}
