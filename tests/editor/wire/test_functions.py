"""A person's own functions, run by our own agent: each is the call `mcp(functions:NAME)`."""

import base64
from pathlib import Path
from typing import Any

import pytest

from editor.wire.own import OwnStage, model, own
from editor.wire.test_workflows import flow, graph_file, runs, shell
from models.script import call, text
from pictures import png

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

SHOUT = {"name": "functions:shout", "arguments": {"word": "hi"}}
FILE = '''
def shout(word: str) -> str:
    """Writes a word in capitals."""
    return word.upper() * 2
'''


def given(folder: Path) -> dict[str, Any]:
    folder.mkdir(exist_ok=True)
    (folder / "mine.py").write_text(FILE)
    return {"nodes": [f"{folder}/*.py"]}


@requirement("N-08")
@pytest.mark.parametrize(
    ("mode", "ends"), [("plan", "denied"), ("default", "asked"), ("auto", "ran")]
)
async def test_each_mode_says_of_a_function_what_it_says_of_what_is_external(
    own: OwnStage, tmp_path: Path, mode: str, ends: str
) -> None:
    it = await own(mode=None if mode == "default" else mode, **given(tmp_path / "nodes"))
    it.model.reply(call("list_nodes", {"words": "capitals"}))
    it.model.reply(call("run_node", SHOUT))
    it.model.reply(text("So."))
    turn = it.say()
    if ends == "asked":
        card = await it.scene.card()
        assert "".join(span.text for span in card.card.title).startswith("Use shout of")
        await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert "functions:shout — Writes a word in capitals." in it.model.requests[1].last
    assert ("HIHI" in it.model.requests[2].last) == (ends == "ran")


async def test_a_rule_that_denies_a_function_denies_it_in_auto(
    own: OwnStage, tmp_path: Path
) -> None:
    deny = {"rules": {"deny": ["mcp(functions:sh*)"]}}
    it = await own(mode="auto", **given(tmp_path / "nodes"), **deny)
    it.model.reply(call("run_node", SHOUT))
    it.model.reply(text("So not."))
    assert (await it.turn()).reason == "done"
    assert "HIHI" not in it.model.requests[1].last


async def test_a_file_that_changed_since_a_function_was_allowed_asks_again_in_auto(
    own: OwnStage, tmp_path: Path
) -> None:
    it = await own(mode="auto", **given(tmp_path / "nodes"))
    for _ in range(2):
        it.model.reply(call("run_node", SHOUT))
        it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert "HIHI" in it.model.requests[1].last
    (tmp_path / "nodes" / "mine.py").write_text(FILE.replace("* 2", "* 30"))
    turn = it.say()
    card = await it.scene.card()
    assert "changed" in str(card.card)
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    # What runs is what stands there now.
    assert "HI" * 30 in it.model.requests[3].last


async def test_paths_that_are_not_whole_offer_no_node(own: OwnStage, tmp_path: Path) -> None:
    it = await own(mode="auto", nodes=["nodes/*.py"], nodetool="python3")
    it.model.reply(text("So."))
    assert (await it.turn()).reason == "done"
    assert "list_nodes" not in str(it.model.requests[0].body.get("tools"))


@requirement("N-08")
@pytest.mark.parametrize("pattern", ["nodes/*.py", "*.py"], ids=["folder", "workspace"])
@pytest.mark.parametrize("name", ["new.py", "helper.txt"])
async def test_whatever_lies_where_functions_stand_is_changed_by_no_agent_unasked(
    own: OwnStage, tmp_path: Path, pattern: str, name: str
) -> None:
    it = await own(mode="auto")
    (it.scene.folder / "nodes").mkdir()
    await it.scene.change_settings(user={"nodes": [f"{it.scene.folder}/{pattern}"]})
    path = f"{pattern.rpartition('/')[0] or '.'}/{name}"
    it.model.reply(call("write_file", {"path": path, "content": "open('/tmp/x', 'w')"}))
    it.model.reply(text("So not."))
    turn = it.say()
    card = await it.scene.card()
    assert "are asked about in every mode" in card.card.because.text
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / path).exists()


PAINTS = """
import base64

def paint() -> bytes:
    '''Paints a dot.'''
    return base64.b64decode("{}")
"""


async def test_a_picture_that_a_function_gives_is_no_value_for_the_next_step(
    own: OwnStage, tmp_path: Path
) -> None:
    nodes = given(tmp_path / "nodes")
    (tmp_path / "nodes" / "mine.py").write_text(PAINTS.format(base64.b64encode(png()).decode()))
    it = await own(mode="auto", **nodes)
    steps = {"paints": {"run": "functions:paint"}, "says": shell("echo ${paints}")}
    graph_file(it.scene.folder, "dot", steps)
    assert (await runs(it, "dot")).reason == "done"
    assert "`paints` is made of bytes" in it.model.requests[1].last
    assert flow(it) == {"paints": "done", "says": "failed"}
