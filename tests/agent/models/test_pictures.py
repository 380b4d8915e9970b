"""What a model is shown of pictures and documents: in its host's own form, or a line instead."""

import base64
from typing import Any

import pytest
from attrs import evolve

from agent.models.scene import Scene, asking, texts
from assent.agent.models.attachments import Attachment, document, picture
from assent.agent.models.conversation import Answered, Result, Said, Turn, Wanted
from assent.agent.models.events import Text
from assent.agent.models.shown_media import ShownMedia
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from models.script import status, text
from models.server import ModelServer
from pictures import GIF, PDF, png
from replies import replied

PNG = png()
DATA = base64.b64encode(PNG).decode()
URL = f"data:image/png;base64,{DATA}"
PDF_DATA = base64.b64encode(PDF).decode()


@pytest.fixture(autouse=True)
def seeing(server: ModelServer) -> None:
    """An Ollama whose model takes pictures; other hosts say nothing of that."""
    server.shown = {**server.shown, "capabilities": ["tools", "vision"]}


def shot(name: str = "", raw: bytes = PNG) -> Attachment:
    found = picture(raw, name)
    assert found is not None
    return found


SHOWN = Said(text="What is this?", attached=(shot(),))
READ = (
    Said(text="Look."),
    replied("", Wanted(id="1", name="read_file", arguments='{"path": "a.png"}')),
    Answered(
        results=(Result(call="1", name="read_file", text="a.png.", attached=(shot("a.png"),)),)
    ),
)


async def sent(scene: Scene, *turns: Turn, **model: Any) -> list[dict[str, Any]]:
    """The messages as they are sent, without what stands around them."""
    scene.server.reply(text("So."))
    assert texts(await scene.events(asking(*turns), **model)) == "So."
    body = scene.server.requests[-1].body
    told = body.get("messages", body.get("input"))
    return [it for it in told if it.get("role") != "system"]


ANTHROPIC = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}
CHAT = {"type": "image_url", "image_url": {"url": URL}}


async def test_a_picture_of_the_person_goes_along_in_the_hosts_own_form(scene: Scene) -> None:
    (message,) = await sent(scene, SHOWN)
    for part in message["content"] if isinstance(message["content"], list) else []:
        part.pop("cache_control", None)
    words = "What is this?"
    expected = {
        "anthropic": {"content": [ANTHROPIC, {"type": "text", "text": words}]},
        "openai": {"content": [{"type": "text", "text": words}, CHAT]},
        "responses": {
            "content": [
                {"type": "input_text", "text": words},
                {"type": "input_image", "image_url": URL},
            ]
        },
        "ollama": {"content": words, "images": [DATA]},
    }
    assert message == {"role": "user", **expected[scene.dialect]}


async def test_a_picture_that_a_call_gave_goes_along_with_its_result(scene: Scene) -> None:
    *_, last = await sent(scene, *READ)
    given = "[Your calls before this came to what is shown here: a.png (a PNG image, 30 × 20).]"
    match scene.dialect:
        case "anthropic":
            (result,) = last["content"]
            result.pop("cache_control", None)
            assert result["content"] == [{"type": "text", "text": "a.png."}, ANTHROPIC]
        case "openai":
            words = {"type": "text", "text": given}
            assert last == {"role": "user", "content": [words, CHAT]}
        case "responses":
            picture = {"type": "input_image", "image_url": URL}
            words = {"type": "input_text", "text": given}
            assert last == {"role": "user", "content": [words, picture]}
        case _:
            assert last == {"role": "user", "content": given, "images": [DATA]}


@pytest.mark.parametrize(
    ("dialect", "model", "url"),
    [
        (Dialect.ANTHROPIC, "claude-opus-5", ""),
        (Dialect.OPENAI, "gpt-5.6", ""),
        (Dialect.OPENAI, "gpt-4o", ""),
        (Dialect.OPENAI, "anthropic/claude-opus-5", "https://openrouter.ai/api/v1"),
    ],
)
async def test_documents_go_where_a_host_has_a_form_for_them(
    dialect: Dialect, model: str, url: str
) -> None:
    host = host_of(Model(id="m", name="m", dialect=dialect, model=model, url=url), None)
    assert {"application/pdf", "image/gif", "image/png"} <= await ShownMedia(host=host).kinds()


@pytest.mark.parametrize(
    ("dialect", "model", "url", "kinds"),
    [
        (Dialect.OPENAI, "deepseek-chat", "https://api.deepseek.com", set()),
        (Dialect.OPENAI, "gpt-oss-120b", "https://api.groq.com/openai/v1", set()),
        (Dialect.OPENAI, "o3-mini", "", set()),
        (
            Dialect.OPENAI,
            "gemini-3-flash",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            {"image/png", "image/jpeg", "image/webp"},
        ),
        (
            Dialect.OPENAI,
            "nobody-knows-it",
            "http://127.0.0.1:1/v1",
            {"image/png", "image/jpeg", "image/webp", "image/gif"},
        ),
    ],
)
async def test_what_a_model_takes_is_known_by_its_name_and_its_host(
    dialect: Dialect, model: str, url: str, kinds: set[str]
) -> None:
    host = host_of(Model(id="m", name="m", dialect=dialect, model=model, url=url), None)
    assert await ShownMedia(host=host).kinds() == kinds


@pytest.mark.parametrize("scene", ["ollama"], indirect=True)
@pytest.mark.parametrize("capable", [["tools", "vision"], ["tools"], None])
async def test_ollama_says_itself_whether_a_model_takes_pictures(
    scene: Scene, capable: list[str] | None
) -> None:
    scene.server.shown = {"capabilities": capable}
    (message,) = await sent(scene, SHOWN, window=8_192)
    if capable == ["tools"]:
        line = (
            "[a PNG image, 30 × 20: it is not shown to you, since you take nothing of that kind.]"
        )
        assert message == {"role": "user", "content": f"What is this?\n\n{line}"}
    else:
        assert message["images"] == [DATA]


@pytest.mark.parametrize("scene", ["anthropic"], indirect=True)
async def test_a_document_is_sent_by_its_name(scene: Scene) -> None:
    plan = Said(text="Read it.", attached=(document(PDF, "plan.pdf"),))
    scene.server.reply(text("So."))
    await scene.events(asking(plan), name="claude-opus-5")
    (message,) = scene.server.requests[-1].body["messages"]
    source = {"type": "base64", "media_type": "application/pdf", "data": PDF_DATA}
    assert message["content"][0] == {"type": "document", "source": source, "title": "plan.pdf"}


REFUSALS = [
    "This model does not support image input.",
    "messages[0]: unknown variant `image_url`, expected `text`",
    "tiny is not a multimodal model",
    "No endpoints found that support image input",
    "Input should be a valid string: content should be a valid string",
    "image input is not supported - hint: you may need to provide the mmproj",
]


@pytest.mark.parametrize("words", REFUSALS)
async def test_a_host_that_takes_no_pictures_is_asked_again_without_and_shown_none_from_then_on(
    scene: Scene, words: str
) -> None:
    provider = scene.provider()
    assert "image/png" in await provider.takes()
    scene.server.reply(status(400, words))
    scene.server.reply(text("I cannot see it."))
    said = [it async for it in provider.stream(asking(SHOWN)) if isinstance(it, Text)]
    assert "".join(it.text for it in said) == "I cannot see it."
    first, second = scene.server.requests
    assert DATA in str(first.body)
    assert DATA not in str(second.body)
    assert "it is not shown to you" in second.last
    assert await provider.takes() == frozenset()


async def test_a_picture_that_is_refused_is_left_out_alone_and_the_next_is_shown(
    scene: Scene,
) -> None:
    provider = scene.provider()
    before = Said(text="First.", attached=(shot(raw=png(shade=1)),))
    scene.server.reply(text("I see."))
    scene.server.reply(status(400, "messages.2: Could not process image"))
    scene.server.reply(text("Not that one."))
    turns = (before, replied("I see."), SHOWN)
    for request in (asking(before), asking(*turns)):
        assert [it async for it in provider.stream(request) if isinstance(it, Text)]
    kept = base64.b64encode(png(shade=1)).decode()
    last = str(scene.server.requests[-1].body)
    assert kept in last
    assert DATA not in last
    assert "its host refused it: messages.2: Could not process image.]" in last
    assert "image/png" in await provider.takes()


async def test_a_refusal_that_speaks_of_no_picture_leaves_them_alone(scene: Scene) -> None:
    scene.server.reply(status(400, "temperature: must be 1"))
    failed = await scene.refused(asking(SHOWN))
    assert "temperature" in str(failed)
    assert len(scene.server.requests) == 1


async def test_a_host_is_not_asked_for_ever(scene: Scene) -> None:
    for _ in range(3):
        scene.server.reply(status(400, "this image is no good"))
    assert "no good" in str(await scene.refused(asking(SHOWN, replied("So."), SHOWN)))
    assert len(scene.server.requests) == 2, "once with them, once without"


@pytest.mark.parametrize("raw", [b"", b"<svg/>", b"\x89PNG\r\n\x1a\n", png()[:20], png(9_000, 1)])
def test_what_is_no_picture_or_drawn_too_large_is_none(raw: bytes) -> None:
    assert picture(raw) is None


def test_a_picture_and_a_document_are_counted() -> None:
    assert shot().tokens == 85
    assert shot(raw=png(1_500, 1_000)).tokens == 2_000
    assert shot(raw=png(4_000, 4_000)).tokens == 5_000
    assert shot(raw=GIF).mime == "image/gif"
    assert document(PDF, "plan.pdf").tokens == 5_000
    assert evolve(shot("a.png"), name="b.png").label == "b.png (a PNG image, 30 × 20)"


@pytest.mark.parametrize(("said", "size", "pages"), [(30, 330, 3), (2_000, 22_000, 100)])
def test_a_document_counts_as_no_more_pages_than_it_can_have(
    said: int, size: int, pages: int
) -> None:
    raw = b"%PDF-" + b"/Type/Page " * said
    assert len(raw) == size + 5
    assert document(raw, "bomb.pdf").tokens == pages * 2_500
