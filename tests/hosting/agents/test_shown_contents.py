"""What an agent shows beside plain text: pictures within bounds, files and links as text."""

import asyncio
import base64
import struct
from collections.abc import Callable
from typing import Any

import pytest

from assent.gate.call.errors import AgentFailed
from assent.gate.journal.agent_events import Beside, Image, Pictured, Sounded
from assent.gate.journal.events import Said, TurnBegan, TurnEnded
from assent.gate.text.sounds import MAX_SOUND_BYTES, Sound
from assent.hosting.connection.shown_contents import pieces_of, shown_in, text_of_block
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.toolcall import ToolCall
from hosting.eliza.rig import BOUND, Rig
from pictures import GIF, MOVING
from pictures import png as whole
from sounds import wav
from tables import each_row

Make = Callable[..., AgentSpec]
NO_PICTURES = r"^Odd cannot read pictures\. Your message was not sent\.$"


def png(width: int, height: int, more: bytes = b"") -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + more


def jpeg(width: int, height: int) -> bytes:
    start = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc0\0\x0b\x08"
    return start + struct.pack(">HH", height, width) + b"\x01\x01\x11\0"


def webp(kind: bytes, size: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + kind + b"\0\0\0\0" + size


def image(raw: bytes, **more: Any) -> dict[str, Any]:
    data = base64.b64encode(raw).decode()
    return {"type": "image", "mimeType": "text/html", "data": data, **more}


def gif(screen: tuple[int, int], frame: tuple[int, int]) -> bytes:
    """As large as its screen says, or as its first frame, which those who draw it go by."""
    first = b"," + struct.pack("<HHHH", 0, 0, *frame) + b"\0\x02\0"
    return b"GIF89a" + struct.pack("<HH", *screen) + b"\0\0\0" + first + b";"


def audio(raw: bytes) -> dict[str, Any]:
    return {"type": "audio", "mimeType": "text/html", "data": base64.b64encode(raw).decode()}


@each_row(
    ("raw", "mime"),
    [
        (png(30, 20), "image/png"),
        (gif((30, 20), (1, 1)), "image/gif"),
        (gif((1, 1), (30, 20)), "image/gif"),
        (jpeg(30, 20), "image/jpeg"),
        (webp(b"VP8X", b"\0\0\0\0" + b"\x1d\0\0\x13\0\0"), "image/webp"),
        (webp(b"VP8 ", b"\0\0\0\0\0\0" + struct.pack("<HH", 30, 20)), "image/webp"),
        (webp(b"VP8L", b"\x2f" + (29 | 19 << 14).to_bytes(4, "little")), "image/webp"),
    ],
)
def test_a_picture_is_known_by_its_bytes(raw: bytes, mime: str) -> None:
    shown = text_of_block(image(raw))
    assert isinstance(shown, Image)
    assert (shown.mime, shown.width, shown.height) == (mime, 30, 20)
    assert base64.b64decode(shown.data) == raw


@each_row(
    "block",
    [
        image(b"<svg xmlns='http://www.w3.org/2000/svg'/>", mimeType="image/svg+xml"),
        image(png(30_000, 30_000)),
        image(png(8_192, 8_192)),
        image(png(0, 5)),
        image(gif((1, 1), (30_000, 30_000))),
        image(gif((1, 1), (0, 0))),
        image(b"GIF89a" + struct.pack("<HH", 30, 20)),
        image(png(1, 1, b"x" * (1 << 20))),
        image(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0"),
        image(b"\xff\xd8\xff"),
        image(b"\xff\xd8\xff\xda\0\x02xx"),
        image(webp(b"ABCD", b"")),
        {"type": "image", "data": "no base64!"},
        {"type": "image", "data": 5},
        {"type": "image", "uri": "https://example.org/a.png"},
    ],
)
def test_what_is_no_picture_within_bounds_is_a_line_that_says_so(block: dict[str, Any]) -> None:
    shown = text_of_block(block)
    assert isinstance(shown, str)
    assert shown.startswith("[a picture that is not shown")


@each_row(
    ("raw", "mime"),
    [
        (wav(0.1), "audio/wav"),
        (b"ID3\x04" + bytes(9), "audio/mpeg"),
        (b"\xff\xfb\x90\x00", "audio/mpeg"),
        (b"OggS" + bytes(9), "audio/ogg"),
        (b"fLaC" + bytes(9), "audio/flac"),
    ],
)
def test_a_sound_is_known_by_its_bytes(raw: bytes, mime: str) -> None:
    shown = text_of_block(audio(raw))
    assert isinstance(shown, Sound)
    assert (shown.mime, base64.b64decode(shown.data)) == (mime, raw)


@each_row(
    "block",
    [
        audio(b"<html><script>alert(1)</script>"),
        audio(b"RIFF\0\0\0\0WEBPVP8 "),
        audio(b"\xff\xf1\x50\x80"),
        audio(b"fLaC" + bytes(MAX_SOUND_BYTES)),
        {"type": "audio", "data": "no base64!"},
        {"type": "audio", "data": 5},
        {"type": "audio"},
    ],
    ids=["a page", "a picture", "AAC", "too large", "no base64", "no text", "nothing"],
)
def test_what_is_no_sound_within_bounds_is_a_line_that_says_so(block: dict[str, Any]) -> None:
    shown = text_of_block(block)
    assert isinstance(shown, str)
    assert shown.startswith("[a sound that is not played")


@each_row(
    ("raw", "moves"),
    [
        (MOVING, True),
        (GIF, False),
        (whole(), False),
        (whole()[:33] + b"\0\0\0\x08acTL" + bytes(12) + whole()[33:], True),
        (webp(b"VP8X", b"\x02\0\0\0" + b"\x1d\0\0\x13\0\0"), True),
        (webp(b"VP8X", b"\x10\0\0\0" + b"\x1d\0\0\x13\0\0"), False),
        (jpeg(30, 20), False),
        (MOVING[:40], False),
    ],
    ids=["GIF", "still GIF", "PNG", "APNG", "WebP", "still WebP", "JPEG", "cut off"],
)
def test_a_picture_says_whether_it_moves(raw: bytes, moves: bool) -> None:
    shown = text_of_block(image(raw))
    assert isinstance(shown, Image)
    assert shown.moves is moves


def test_files_and_links_are_text() -> None:
    link = {"type": "resource_link", "name": "plan", "uri": "javascript:alert(1)"}
    assert text_of_block(link) == "[plan: javascript:alert(1)]"
    file = {"type": "resource", "resource": {"uri": "file:///a", "text": "whole"}}
    assert text_of_block(file) == "whole"
    blob = {"type": "resource", "resource": {"uri": "file:///a", "blob": "AAAA"}}
    assert text_of_block(blob) == "[a file: file:///a]"
    assert text_of_block(7) == "[something that is not text]"
    content = [{"type": "content", "content": it} for it in (link, image(png(1, 1)), "x")]
    pieces = pieces_of([*content, "y", {"type": "diff"}])
    assert [it for it in pieces if isinstance(it, str)] == ["[plan: javascript:alert(1)]"]
    assert [it.mime for it in shown_in(content)] == ["image/png"]


def seen(told: Said | Pictured | Sounded) -> str:
    match told:
        case Said():
            return told.text
        case Pictured():
            return told.image.mime
        case Sounded():
            return told.sound.mime


async def test_pictures_and_sounds_that_are_said_or_that_calls_give_are_told_once_and_in_order(
    rig: Rig, scripted: Make
) -> None:
    one, two = (base64.b64encode(png(side, 1)).decode() for side in (1, 2))
    rig.agent = scripted(
        f"""
        number = begin()
        say("before")
        update(sessionUpdate="agent_message_chunk", content={{"type": "image", "data": "{one}"}})
        update(sessionUpdate="agent_message_chunk", content={{"type": "audio", "data": "ZkxhQw=="}})
        say("behind")
        ask(1, {{"toolCallId": "t", "rawInput": {{"command": "true"}}}})
        answer_to(1)
        shown = [{{"type": "content", "content": it}} for it in (
            {{"type": "image", "data": "{two}"}}, {{"type": "audio", "data": "T2dnUw=="}})]
        for status in ("in_progress", "in_progress", "completed"):
            update(sessionUpdate="tool_call_update", toolCallId="t", status=status, content=shown)
        end(number)
        until("never")
        """
    )
    await rig.open()
    _, call = await rig.turn("hello", "once")
    told = [it for it in rig.happened if isinstance(it, Said | Pictured | Sounded)]
    assert sorted(map(seen, told[-2:])) == ["audio/ogg", "image/png"]
    assert list(map(seen, told[:-2])) == ["hello", "before", "image/png", "audio/flac", "behind"]
    calls = [it.call for it in told if not isinstance(it, Said)]
    assert calls == [None, None, call.id, call.id]


async def test_an_agent_cannot_fill_the_chat_with_pictures(rig: Rig, scripted: Make) -> None:
    data = base64.b64encode(png(1, 1)).decode()
    rig.agent = scripted(
        f"""
        number = begin()
        for _ in range(100):
            update(sessionUpdate="agent_message_chunk",
                   content={{"type": "image", "data": "{data}"}})
        end(number)
        until("never")
        """
    )
    await rig.open()
    await rig.say("hello")
    assert sum(isinstance(it, Pictured) for it in rig.happened) == 20
    assert rig.notices("info") == ["Odd shows more pictures and sounds than are shown here."]


async def test_pictures_of_the_person_go_to_an_agent_that_takes_them(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted(
        """
        send(id=until("initialize")["id"], result={
            "protocolVersion": 1,
            "agentCapabilities": {"promptCapabilities": {"image": True}}})
        send(id=until("session/new")["id"], result={"sessionId": "s"})
        for _ in range(2):
            prompt = until("session/prompt")
            say(json.dumps([it["type"] for it in prompt["params"]["prompt"]]))
            end(prompt["id"])
        until("never")
        """
    )
    await rig.open()
    shown = text_of_block(image(png(7, 1)))
    assert isinstance(shown, Image)
    assert await rig.fleet.prompt(rig.chat, "look", Beside(images=(shown,))) == ("done", "")
    assert await rig.say("and now") == ("done", "")
    assert rig.said() == '["text", "image"]["text"]'
    own = [it for it in rig.happened if isinstance(it, Pictured)]
    assert [(it.image.width, it.is_own) for it in own] == [(7, True)]


async def test_pictures_are_not_sent_to_an_agent_that_does_not_take_them(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted('number = begin()\nsay("went on")\nend(number)\nuntil("never")\n')
    await rig.open()
    shown = text_of_block(image(png(7, 1)))
    assert isinstance(shown, Image)
    with pytest.raises(AgentFailed, match=NO_PICTURES):
        await rig.fleet.prompt(rig.chat, "look", Beside(images=(shown,)))
    assert not [each for each in rig.happened if isinstance(each, (Said, TurnBegan))]
    assert await rig.say("without it") == ("done", "")


async def test_pictures_for_an_agent_that_still_starts_end_the_turn_where_it_takes_none(
    rig: Rig, scripted: Make
) -> None:
    rig.agent = scripted('number = begin()\nsay("went on")\nend(number)\nuntil("never")\n')
    shown = text_of_block(image(png(7, 1)))
    assert isinstance(shown, Image)
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.open())
        await asyncio.sleep(0)
        with pytest.raises(AgentFailed, match=NO_PICTURES):
            await rig.fleet.prompt(rig.chat, "look", Beside(images=(shown,)))
    (ended,) = (each for each in rig.happened if isinstance(each, TurnEnded))
    assert ended.reason == "error"
    assert await rig.say("without it") == ("done", "")


async def test_what_a_call_shows_is_looked_at_once_and_not_at_each_word_about_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[object] = []

    def counted(content: object) -> list[Any]:
        looked.append(content)
        return pieces_of(content)

    monkeypatch.setattr("assent.hosting.connection.shown_contents.pieces_of", counted)
    call = ToolCall(id="c1")
    call.lay_over({"content": [{"content": audio(b"fLaC")}, {"content": {"text": "done"}}]})
    assert call.more_output() == "done"
    assert [it.mime for it in call.more_shown()] == ["audio/flac"]
    for _ in range(3):
        call.lay_over({"title": "a title"})
        assert call.more_output() == ""
        assert call.more_shown() == []
    assert len(looked) == 1
