"""The editor's own models, as our own agent works with them: asked through the editor."""

import base64
from typing import Any

import pytest

from assent.editor.protocol.editor_models import (
    CallPart,
    EditorModel,
    EditorModels,
    ModelAnswered,
    TextPart,
)
from editor.wire.client import Refusal
from editor.wire.editor import Editor, Played
from editor.wire.scene import Scene, Stage
from pictures import png

requirement = pytest.mark.requirement
GPT = EditorModel(id="g1", name="GPT-4.1", vendor="copilot", family="gpt-4.1", window=64_000)
OTHER = EditorModel(id="o1", name="Own", vendor="acme", family="nobody-knows", window=8_000)
NONE = {"OLLAMA_HOST": "http://127.0.0.1:1"}


def says(text: str) -> list[Any]:
    return [TextPart(kind="text", text=text)]


def editor_with(*replies: Played) -> Editor:
    models = EditorModels(models=[GPT, OTHER], shows_pictures=True)
    return Editor(models=models, replies=list(replies))


async def begin(stage: Stage, *replies: Played) -> tuple[Scene, str]:
    scene = await stage(editor=editor_with(*replies), env=NONE)
    return scene, await scene.chat("assent")


@requirement("M-04")
async def test_one_is_offered_asked_and_its_calls_are_made_while_it_speaks(stage: Stage) -> None:
    read = CallPart(kind="call", id="x", name="read_file", input='{"path": "README.md"}')
    scene, chat = await begin(
        stage, Played.whole(says("I "), [*says("look."), read]), Played.whole(says("It is small."))
    )
    assert (await scene.turn(chat, "What is in it?")).reason == "done"
    assert scene.heard(chat) == "I look.It is small."
    first, second = scene.editor.asked_models
    assert (first.model_id, first.messages[0].role) == ("g1", "user")
    assert "You are the agent of Assent" in str(first.messages[0].parts)
    assert [it.name for it in first.tools][:2] == ["read_file", "write_file"]
    *_, made, result = second.messages
    assert [(it.role, [part.kind for part in it.parts]) for it in (made, result)] == [
        ("assistant", ["text", "call"]),
        ("user", ["result"]),
    ]
    assert "A small workspace." in str(result.parts)
    infos = (await scene.client.request("agent/list", {})).agents
    own = next(it for it in infos if it.id == "assent")
    assert [it.name for it in own.models] == [
        "GPT-4.1 (copilot, in the editor)",
        "Own (acme, in the editor)",
    ]


@pytest.mark.parametrize(
    ("trouble", "sentence"),
    [
        ("noPermission", "Assent may not use it; send again and allow it where the editor asks"),
        ("notFound", "the editor does not have it any more; choose another one"),
        ("blocked", "it is blocked: quota"),
    ],
)
async def test_a_no_of_the_editor_is_said_in_a_sentence_and_asked_once(
    stage: Stage, trouble: str, sentence: str
) -> None:
    answered = ModelAnswered(pieces=0, trouble=trouble, because="quota")  # type: ignore[arg-type]
    scene, chat = await begin(stage, Played([], answered))
    ended = await scene.turn(chat, "Hello?")
    assert ended.reason == "error"
    assert ended.because.startswith("copilot in the editor refused the request: ")
    assert sentence in ended.because
    assert len(scene.editor.asked_models) == 1


async def test_a_reply_of_which_a_piece_is_missing_is_no_whole_one_and_is_gone_on_with(
    stage: Stage,
) -> None:
    lost = Played([says("Half of")], ModelAnswered(pieces=2))
    scene, chat = await begin(stage, lost, Played.whole(says(" it.")))
    turn = scene.say(chat, "Hello?")
    await scene.client.expect("agent/event", lambda it: it.event.kind == "waiting", timeout=20)
    await scene.client.request("agent/tryNow", {"chatId": chat})
    assert (await turn).reason == "done"
    assert scene.heard(chat) == "Half of it."
    assert "The connection broke off after this" in str(scene.editor.asked_models[1].messages)


async def test_stop_cancels_the_question_to_the_editor(stage: Stage) -> None:
    scene, chat = await begin(stage, Played([says("I never")], None))
    turn = scene.say(chat, "Hello?")
    await scene.client.expect("agent/event", lambda it: it.event.kind == "said", timeout=20)
    await scene.client.request("agent/stop", {"chatId": chat})
    assert (await turn).reason == "stopped"
    await scene.client.expect("$/cancelRequest", timeout=20)


async def test_pictures_go_to_models_that_are_known_to_take_them_and_to_no_others(
    stage: Stage,
) -> None:
    data = base64.b64encode(png()).decode()
    scene, chat = await begin(stage, Played.whole(says("Grey.")))
    wanted = {"chatId": chat, "text": "What is it?", "images": [data]}
    assert (await scene.client.request("agent/prompt", wanted)).reason == "done"
    parts = scene.editor.asked_models[0].messages[-1].parts
    assert [it.kind for it in parts] == ["text", "picture"]
    other = {"agentId": "assent", "model": "editor/acme/o1"}
    blind = (await scene.client.request("agent/newChat", other)).chat_id
    with pytest.raises(Refusal, match="nobody-knows on acme in the editor takes no such pictures"):
        await scene.client.request("agent/prompt", {**wanted, "chatId": blind})


async def test_a_model_that_comes_later_is_offered_once_the_editor_says_so(stage: Stage) -> None:
    scene = await stage(editor=Editor(), env=NONE)
    with pytest.raises(Refusal, match="No model is set up"):
        await scene.client.request("agent/newChat", {"agentId": "assent"})
    scene.editor.models = EditorModels(models=[GPT])
    await scene.client.request("model/changed", {})
    assert (await scene.client.request("agent/newChat", {"agentId": "assent"})).chat_id


async def test_an_editor_that_knows_nothing_of_models_has_none(stage: Stage) -> None:
    scene = await stage(editor=Editor(refuses=frozenset({"model/list"})), env=NONE)
    with pytest.raises(Refusal, match="No model is set up"):
        await scene.client.request("agent/newChat", {"agentId": "assent"})


async def test_what_is_told_of_no_reply_that_is_heard_does_nothing(stage: Stage) -> None:
    scene, chat = await begin(stage, Played.whole(says("Hello.")))
    await scene.client.request("model/said", {"askId": "nobody's", "parts": []})
    assert (await scene.turn(chat, "Hello?")).reason == "done"
    assert scene.heard(chat) == "Hello."
