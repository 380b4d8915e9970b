"""All that the README and her own help have Eliza ask for: no alarm is raised that is false."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.hosting.eliza.verbs import HELP
from editor.wire.scene import IN_TIME, Scene, Stage

README = Path(__file__).resolve().parents[3] / "README.md"

EXAMPLES = {
    "read PATH": "read README.md",
    "write PATH TEXT": "write made.txt one\\ntwo",
    "run COMMAND": "run touch made",
    "slow COMMAND": "slow ls",
    "fetch URL": "fetch http://127.0.0.1:9/x",
    "list tools from SERVER": "list tools from toolbox",
    'use tool SERVER::TOOL with {"a": 1}': 'use tool toolbox::shout with {"text": "hello"}',
    "two calls": "two calls",
    "many N": "many 3",
    "spoof COMMAND": "spoof touch spoofed",
    "cheat COMMAND": "cheat touch cheated",
}
"""By what her help names."""


def in_the_readme() -> list[str]:
    """What a person is told to type in the first five minutes."""
    part = README.read_text("utf-8").partition("## First five minutes")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE)


def alarms(scene: Scene, chat: str) -> list[str]:
    events = [told.event for told in scene.client.told("agent/event") if told.chat_id == chat]
    return [it.notice.text for it in events if it.kind == "notice" and it.notice.level == "error"]


async def answered(scene: Scene, chat: str, text: str, option: str) -> None:
    """A turn in which each card is answered in the same way."""
    turn, seen = scene.say(chat, text), set[str]()

    def next_card() -> Any:
        cards = scene.client.told("tool/approvalRequest")
        return next((card for card in cards if card.approval_id not in seen), None)

    while not turn.done():
        there: Callable[[], bool] = lambda: turn.done() or next_card() is not None  # noqa: E731
        await scene.client.until(there, within=IN_TIME)
        if (card := next_card()) is not None:
            seen.add(card.approval_id)
            await scene.answer(card, option)


def test_each_thing_that_her_help_names_is_tried() -> None:
    named = re.findall(r"^- `(.+?)` (?!\()", HELP, re.MULTILINE)
    assert sorted(named) == sorted(EXAMPLES)
    assert len(in_the_readme()) >= 8


@pytest.mark.parametrize("option", ["once", "deny"])
async def test_nothing_that_eliza_asks_for_raises_an_alarm_and_what_she_does_unasked_does(
    stage: Stage, option: str
) -> None:
    scene = await stage()
    chat = await scene.chat()
    for text in (*in_the_readme(), *EXAMPLES.values()):
        before = len(alarms(scene, chat))
        await answered(scene, chat, text, option)
        assert len(alarms(scene, chat)[before:]) == text.startswith("cheat"), text
    assert (scene.folder / "notes.txt").exists() == (option == "once")
    assert (scene.folder / "cheated").exists()
