"""A model makes a picture for our own agent: a write of a new file, with its words on the card."""

import base64
from typing import Any

import pytest

from models.script import call, text
from wire.own import Own, OwnStage, model, own

__all__ = ["model", "own"]

PNG = b"\x89PNG\r\n\x1a\nand the rest"


def answered(data: bytes) -> object:
    return {"data": [{"b64_json": base64.b64encode(data).decode()}]}


async def begun(own: OwnStage, mode: str | None = None, **user: Any) -> Own:
    it = await own(mode=mode, **user)
    chatting = {"provider": "openai", "model": "tiny", "url": it.model.url_for("openai")}
    painter = {**chatting, "model": "brush", "kinds": ["image"]}
    await it.scene.change_settings(user={**user, "models": [painter, chatting]})
    it.model.painted = answered(PNG)
    it.model.reply(call("generate_image", {"prompt": "a red kite", "path": "art/kite.png"}))
    it.model.reply(text("So."))
    return it


def sent(it: Own) -> list[Any]:
    return [one.body for one in it.model.others if one.path.endswith("/images/generations")]


async def test_the_words_and_the_host_stand_on_the_card_and_the_picture_is_written(
    own: OwnStage,
) -> None:
    it = await begun(own)
    turn = it.say()
    card = await it.scene.card()
    assert "".join(span.text for span in card.card.title) == "Create art/kite.png"
    assert "a red kite" in str(card.card.body)
    assert it.model.url_for("openai") in str(card.card.body)
    assert not sent(it)
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert (it.scene.folder / "art/kite.png").read_bytes() == PNG
    (body,) = sent(it)
    assert (body["model"], body["prompt"]) == ("brush", "a red kite")
    assert "Created art/kite.png" in it.model.requests[1].last


@pytest.mark.parametrize(
    ("mode", "rules"),
    [
        ("plan", {}),
        ("auto", {"deny": ["write(./art/**)"]}),
        ("auto", {"deny": ["fetch(domain:127.0.0.1)"]}),
    ],
)
async def test_nothing_is_sent_or_written_where_the_mode_or_a_rule_denies_it(
    own: OwnStage, mode: str, rules: Any
) -> None:
    it = await begun(own, mode, rules=rules)
    await it.turn()
    assert not sent(it)
    assert not (it.scene.folder / "art").exists()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (answered(b"GIF89a no PNG"), "is no PNG"),
        (answered(b"\x89PNG\r\n\x1a\n" + b"0" * (32 * 1024 * 1024)), "larger than 32 MiB"),
        ({"data": []}, "there is no picture in it"),
        ({"data": [{"b64_json": "?"}]}, "its picture is no base64"),
    ],
    ids=["another form", "too large", "none", "garbled"],
)
async def test_what_is_no_such_picture_is_not_written(
    own: OwnStage, answer: object, why: str
) -> None:
    it = await begun(own, "auto")
    it.model.painted = answer
    await it.turn()
    assert why in it.model.requests[1].last
    assert not (it.scene.folder / "art").exists()


async def test_a_file_that_was_made_meanwhile_stays_as_it_is(own: OwnStage) -> None:
    it = await begun(own)
    turn = it.say()
    card = await it.scene.card()
    (it.scene.folder / "art").mkdir()
    (it.scene.folder / "art/kite.png").write_bytes(b"mine")
    await it.scene.answer(card, "once")
    await turn
    assert (it.scene.folder / "art/kite.png").read_bytes() == b"mine"
    assert "somebody else has made it meanwhile" in it.model.requests[1].last


async def test_without_a_model_for_pictures_the_tool_is_not_offered(own: OwnStage) -> None:
    it = await own()
    it.model.reply(text("So."))
    await it.turn()
    assert "generate_image" not in str(it.model.requests[0].body["tools"])
