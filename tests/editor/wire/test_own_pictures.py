"""A picture that a person pasted reaches our own agent's model, or nothing does."""

import base64
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.own import DIALECTS, OwnStage, model, own
from models.script import call, text
from pictures import png

__all__ = ["model", "own"]

requirement = pytest.mark.requirement
DATA = base64.b64encode(png()).decode()


def pictures(it: Any) -> list[Any]:
    """The pictures that replicas are told of."""
    events = [told.event for told in it.scene.client.told("agent/event")]
    return [event.picture for event in events if event.kind == "picture"]


@requirement("M-04")
@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_pasted_picture_and_one_that_is_read_reach_the_model(
    own: OwnStage, dialect: str
) -> None:
    it = await own(dialect)
    it.model.shown = {"capabilities": ["tools", "vision"]}
    (it.scene.folder / "b.png").write_bytes(png(shade=9))
    it.model.reply(call("read_file", {"path": "b.png"}))
    it.model.reply(text("They differ."))
    wanted = {"chatId": it.chat, "text": "Is it like b.png?", "images": [DATA]}
    ended = await it.scene.client.request("agent/prompt", wanted)
    assert ended.reason == "done"
    assert DATA in str(it.model.requests[0].body)
    assert base64.b64encode(png(shade=9)).decode() in str(it.model.requests[1].body)
    assert [shown.is_own for shown in pictures(it)] == [True, False]


async def test_a_model_that_takes_no_pictures_is_sent_nothing(own: OwnStage) -> None:
    it = await own("ollama")
    wanted = {"chatId": it.chat, "text": "What is it?", "images": [DATA]}
    with pytest.raises(Refusal, match="tiny on Ollama takes no such pictures, so nothing was sent"):
        await it.scene.client.request("agent/prompt", wanted)
    assert it.model.requests == []
