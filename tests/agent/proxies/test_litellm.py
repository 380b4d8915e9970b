"""Our own agent's model behind LiteLLM, in each dialect and with either host behind it."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from agent.proxies.proxy import proxied
from editor.wire.editor import Editor
from editor.wire.scene import Stage
from models.script import Step, call, text, think
from models.server import ModelServer
from pictures import png

pytestmark = pytest.mark.agents

TURNS = 20
DATA = base64.b64encode(png()).decode()

DIALECTS = {
    "chat completions": ("openai", "/v1", {}),
    "Responses": ("openai", "/v1", {"path": "/responses"}),
    "messages": ("anthropic", "", {}),
}
BEHIND = {"OpenAI": ("openai/tiny", "/v1"), "Anthropic": ("anthropic/claude-sonnet-4-5", "")}

SEALED_BACK = {
    ("chat completions", "OpenAI"): False,
    ("chat completions", "Anthropic"): True,
    ("Responses", "OpenAI"): True,
    ("Responses", "Anthropic"): False,
    ("messages", "OpenAI"): True,
    ("messages", "Anthropic"): True,
}
"""Where LiteLLM passes on what signs a thought, so that it can go back."""


def steps(turn: int) -> tuple[list[Step], list[Step]]:
    """What the model says in a turn: it thinks and calls, and thinks and ends."""
    calls = [call("read_file", {"path": it}) for it in ("a.txt", "b.png")]
    first = [think(f"Thought {turn}.", seal=f"seal{turn}."), text(f"Reading {turn}. "), *calls]
    return first, [think(f"Then {turn}.", seal=f"last{turn}."), text(f"Done {turn}.", pieces=3)]


@pytest.mark.timeout(600)
@pytest.mark.requirement("M-04")
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_session_of_twenty_turns_with_tools_thoughts_and_pictures(
    stage: Stage, model: ModelServer, tmp_path: Path, dialect: str, behind: str
) -> None:
    provider, below, more = DIALECTS[dialect]
    name, path = BEHIND[behind]
    async with proxied(name, model.url + path, tmp_path) as proxy:
        given: dict[str, Any] = {"provider": provider, "model": "tiny", "url": proxy + below}
        layers = {"user": {"models": [{**given, "effort": "low", **more}]}}
        editor = Editor(layers=layers, choose=lambda confirm: confirm.actions[0])
        scene = await stage(editor=editor, env={"OLLAMA_HOST": model.url})
        chat = await scene.chat("assent", "auto")
        (scene.folder / "a.txt").write_text("one\n")
        (scene.folder / "b.png").write_bytes(png(shade=9))
        for turn in range(TURNS):
            for reply in steps(turn):
                model.reply(*reply)
            images = [DATA] if turn % 5 == 0 else []
            wanted = {"chatId": chat, "text": f"Turn {turn}.", "images": images}
            ended = await scene.client.request("agent/prompt", wanted, within=60)
            assert (ended.reason, ended.because) == ("done", "")
            last = json.dumps(model.requests[-1].body)
            for words in (f"Turn {turn}.", f"Reading {turn}.", "1\\tone", "It is shown to you"):
                assert words in last, words
        assert len(model.requests) == 2 * TURNS
        assert "broke off" not in last
        assert DATA in last
        assert base64.b64encode(png(shade=9)).decode() in last
        sealed = all(f"seal{turn}." in last for turn in range(TURNS))
        assert sealed is SEALED_BACK[dialect, behind]
        assert all(f"Done {turn}." in scene.heard(chat) for turn in range(TURNS))
        assert scene.notices(chat) == []
