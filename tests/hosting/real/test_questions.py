"""A real agent asks the person what its model wants to know, with one card."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from editor.wire.scene import Stage
from hosting.real.hosted import opened
from hosting.real.known import KNOWN
from hosting.real.model import Model
from hosting.real.script import script

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

GIVEN: Final[dict[str, Any]] = {
    "questions": [
        {
            "question": "Which database?",
            "header": "Database",
            "multiSelect": False,
            "options": [
                {"label": "Redis", "description": "in memory"},
                {"label": "Postgres", "description": "on the disk"},
            ],
        }
    ]
}


async def test_claude_code_asks_by_a_form_and_its_model_hears_the_answer(
    stage: Stage, model: Model, home: Path
) -> None:
    it = await opened(stage, model, KNOWN["claude"], home)
    turn = it.scene.say(it.chat, script(("AskUserQuestion", GIVEN)))
    shown = await it.scene.card()
    card, body = shown.card, shown.card.body
    assert "".join(span.text for span in card.title) == "Claude Code asks you something"
    labels = ["".join(span.text for span in choice.label) for choice in body.fields[0].choices]
    assert labels == ["Redis: in memory", "Postgres: on the disk"]
    values = {body.fields[0].name: "Postgres", body.fields[1].name: ""}
    await it.scene.answer(shown, "answer", values=values)
    assert (await turn).reason == "done"
    assert r"\"Which database?\"=\"Postgres\"" in json.dumps(model.asked[-1])
    assert [row["body"]["tool"] for row in it.rows() if row["kind"] == "asked"] == ["form"]
    assert it.notices("error") == []
