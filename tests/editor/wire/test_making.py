"""Pictures and speech are made for our own agent: writes of new files, with their words shown."""

import base64
import os
import wave
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.own import Own, OwnStage, model, own
from models.script import call, text
from models.server import Making
from pictures import png

__all__ = ["model", "own"]

requirement = pytest.mark.requirement
PNG = png()
MP3 = b"ID3\x04" + bytes(60)
LARGE = 32 * 1024 * 1024

WANTED: dict[str, dict[str, Any]] = {
    "generate_image": {"prompt": "a red kite", "path": "art/kite.png"},
    "speak": {"text": "a red kite", "path": "art/kite.mp3"},
}
KINDS = {"generate_image": "image", "speak": "speech"}
PLACES = {"generate_image": "/images/generations", "speak": "/audio/speech"}
TOOLS = pytest.mark.parametrize("tool", WANTED)


def answered(data: bytes) -> object:
    return {"data": [{"b64_json": base64.b64encode(data).decode()}]}


MADE: dict[str, object] = {"generate_image": answered(PNG), "speak": MP3}
BYTES = {"generate_image": PNG, "speak": MP3}


async def begun(
    own: OwnStage,
    tool: str,
    mode: str | None = None,
    *,
    given: Any = None,
    below: str = "",
    set_up: Any = None,
    **user: Any,
) -> Own:
    """A chat in which the model wants this once, with somebody who makes it."""
    it = await own(mode=mode, **user)
    chatting = {"provider": "openai", "model": "tiny", "url": it.model.url_for("openai")}
    at = chatting["url"] + below
    maker = {**chatting, "url": at, "model": "maker", "kinds": [KINDS[tool]], **(set_up or {})}
    await it.scene.change_settings(user={**user, "models": [maker, chatting]})
    it.model.made = MADE[tool]
    it.model.reply(call(tool, {**WANTED[tool], **(given or {})}))
    it.model.reply(text("So."))
    return it


def sent(it: Own) -> list[Any]:
    places = tuple(PLACES.values())
    return [one.body for one in it.model.others if one.path.endswith(places)]


def told(it: Own) -> str:
    """What the model is told of its call."""
    return it.model.requests[1].last


def made(it: Own, tool: str) -> Path:
    return it.scene.folder / WANTED[tool]["path"]


def shown(card: Any) -> str:
    return "".join(span.text for span in card.card.title)


@requirement("N-11")
@TOOLS
async def test_the_words_and_the_host_stand_on_the_one_card_and_the_file_is_written(
    own: OwnStage, tool: str
) -> None:
    it = await begun(own, tool)
    turn = it.say()
    card = await it.scene.card()
    assert shown(card) == f"Create {WANTED[tool]['path']}"
    assert "a red kite" in str(card.card.body)
    assert it.model.url_for("openai") in str(card.card.body)
    assert [row.name for row in card.card.touches] == ["File", "Network"]
    assert card.card.level == "medium"
    assert not sent(it)
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert made(it, tool).read_bytes() == BYTES[tool]
    (body,) = sent(it)
    assert body["model"] == "maker"
    assert "a red kite" in body.values()
    assert f"Created {WANTED[tool]['path']}" in told(it)
    assert len(it.scene.rows("asked")) == 1
    (row,) = it.scene.rows("decided")
    assert row["body"]["input"]["host"] == it.model.url_for("openai")
    assert row["body"]["outcome"] == "allowed"
    assert row["body"]["hosts"] == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("mode", "rules", "why"),
    [
        ("plan", {}, "Plan mode does not let agents"),
        ("auto", {"deny": ["write(./art/**)"]}, "write(./art/**)"),
        ("auto", {"deny": ["fetch(domain:127.0.0.1)"]}, "fetch(domain:127.0.0.1)"),
        ("default", {"deny": ["fetch(domain:127.0.0.1)"]}, "fetch(domain:127.0.0.1)"),
        ("auto", {"deny": ["effect(network)"]}, "effect(network)"),
    ],
    ids=["plan", "its file", "its host", "its host, by default", "the network"],
)
@TOOLS
async def test_nothing_is_asked_sent_or_written_where_the_mode_or_a_rule_denies_it(
    own: OwnStage, tool: str, mode: str, rules: Any, why: str
) -> None:
    it = await begun(own, tool, mode, rules=rules)
    await it.turn()
    assert why in told(it)
    assert not sent(it)
    assert not made(it, tool).exists()
    assert not it.scene.rows("asked")


@pytest.mark.parametrize(
    ("mode", "rules", "given"),
    [
        ("auto", {"ask": ["fetch(domain:127.0.0.1)"]}, {}),
        ("auto", {"ask": ["write(./art/**)"]}, {}),
        ("default", {"allow": ["write(./art/**)"]}, {}),
        ("default", {"allow": ["fetch(domain:127.0.0.1)"]}, {}),
        ("acceptEdits", {}, {}),
    ],
    ids=["its host", "its file", "a host unasked", "a file unasked", "edits alone"],
)
@TOOLS
async def test_one_card_asks_where_the_file_or_the_host_is_asked_about(
    own: OwnStage, tool: str, mode: str, rules: Any, given: Any
) -> None:
    it = await begun(own, tool, mode, rules=rules, given=given)
    turn = it.say()
    await it.scene.answer(await it.scene.card(), "deny")
    await turn
    assert len(it.scene.rows("asked")) == 1
    assert not sent(it)
    assert not made(it, tool).exists()


@pytest.mark.parametrize(
    ("mode", "rules"),
    [
        ("auto", {}),
        ("default", {"allow": ["write(./art/**)", "fetch(domain:127.0.0.1)"]}),
    ],
    ids=["auto", "both allowed"],
)
@TOOLS
async def test_nobody_is_asked_where_both_may_be(
    own: OwnStage, tool: str, mode: str, rules: Any
) -> None:
    it = await begun(own, tool, mode, rules=rules)
    await it.turn()
    assert made(it, tool).read_bytes() == BYTES[tool]
    assert not it.scene.rows("asked")


async def test_a_protected_place_is_asked_about_in_auto(own: OwnStage) -> None:
    it = await begun(own, "generate_image", "auto", given={"path": ".vscode/kite.png"})
    turn = it.say()
    card = await it.scene.card()
    assert card.card.level == "high"
    await it.scene.answer(card, "deny")
    await turn
    assert not sent(it)


@pytest.mark.parametrize(
    ("tool", "answer", "why"),
    [
        ("generate_image", answered(b"GIF89a no PNG"), "is no PNG"),
        ("generate_image", answered(PNG + b"0" * LARGE), "larger than 32 MiB"),
        ("generate_image", {"data": [{"b64_json": "0" * (2 * LARGE)}]}, "No picture was made"),
        ("generate_image", {"data": []}, "there is no picture in it"),
        ("generate_image", {"data": {"b64_json": 1}}, "No picture was made"),
        ("generate_image", [], "No picture was made"),
        ("generate_image", b"\xff no JSON", "No picture was made"),
        ("generate_image", {"data": [{"b64_json": "?"}]}, "its picture is no base64"),
        ("generate_image", {"data": [{"b64_json": "iVBOR"}]}, "its picture is no base64"),
        ("speak", b"RIFF....WAVE", "is no MP3"),
        ("speak", b"", "is no MP3"),
        ("speak", {"error": "no"}, "is no MP3"),
        ("speak", MP3 + bytes(LARGE), "larger than 32 MiB"),
    ],
    ids=[
        *("another form", "too large", "far too large", "none", "another shape", "another JSON"),
        *("no JSON", "no base64", "cut base64"),
        *("another sound", "silence", "JSON for sound", "too large a sound"),
    ],
)
async def test_what_is_no_such_thing_is_not_written(
    own: OwnStage, tool: str, answer: object, why: str
) -> None:
    it = await begun(own, tool, "auto")
    it.model.made = answer
    await it.turn()
    assert why in told(it)
    assert not (it.scene.folder / "art").exists()
    assert it.scene.record(it.chat, state="failed") is not None


@TOOLS
async def test_an_answer_that_is_cut_off_is_not_written(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool, "auto")
    it.model.making = Making.CUT
    await it.turn()
    assert "was" in told(it)
    assert not made(it, tool).exists()


@TOOLS
async def test_stop_ends_the_request_and_nothing_is_written(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool, "auto")
    it.model.making = Making.NEVER
    turn = it.say()
    await it.model.held("making")
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    await it.model.gone.wait()
    assert not made(it, tool).exists()


@TOOLS
async def test_a_file_that_was_made_meanwhile_stays_as_it_is(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool)
    turn = it.say()
    card = await it.scene.card()
    made(it, tool).parent.mkdir()
    made(it, tool).write_bytes(b"mine")
    await it.scene.answer(card, "once")
    await turn
    assert made(it, tool).read_bytes() == b"mine"
    assert "somebody else has made it meanwhile" in told(it)


@TOOLS
async def test_a_host_that_nobody_was_asked_about_is_sent_nothing(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool)
    turn = it.say()
    card = await it.scene.card()
    models = it.scene.editor.layers["user"]["models"]
    other = {**models[0], "model": "another"}
    await it.scene.change_settings(user={"models": [other, models[1]]})
    await it.scene.answer(card, "once")
    await turn
    assert "since this was judged" in told(it)
    assert not sent(it)


@TOOLS
async def test_a_host_is_ruled_on_by_its_name_whatever_its_path_looks_like(
    own: OwnStage, tool: str
) -> None:
    rules = {"deny": ["fetch(domain:127.0.0.1)"]}
    it = await begun(own, tool, "auto", below="/@acme", rules=rules)
    await it.turn()
    assert "fetch(domain:127.0.0.1)" in told(it)
    assert not sent(it)


@TOOLS
async def test_the_card_names_the_model_that_is_asked_and_where(own: OwnStage, tool: str) -> None:
    path = f"/of/acme{PLACES[tool]}"
    it = await begun(own, tool, set_up={"body": {"model": "another"}, "path": path})
    turn = it.say()
    card = await it.scene.card()
    assert "another" in str(card.card.body)
    assert f"{it.model.url_for('openai')}{path}" in str(card.card.body)
    assert "maker" not in str(card.card.body)
    await it.scene.answer(card, "once")
    await turn
    (body,) = sent(it)
    assert body["model"] == "another"
    (row,) = it.scene.rows("decided")
    assert row["body"]["input"]["model"] == "another"


@pytest.mark.parametrize("other", [{"body": {"model": "another"}}, {"path": "/another"}])
@TOOLS
async def test_nothing_is_sent_where_what_is_added_is_another_since_it_was_judged(
    own: OwnStage, tool: str, other: Any
) -> None:
    it = await begun(own, tool)
    turn = it.say()
    card = await it.scene.card()
    maker, chatting = it.scene.editor.layers["user"]["models"]
    await it.scene.change_settings(user={"models": [{**maker, **other}, chatting]})
    await it.scene.answer(card, "once")
    await turn
    assert "since this was judged" in told(it)
    assert not [one for one in it.model.others if one.body is not None]


@TOOLS
async def test_the_words_are_those_of_the_card_whatever_is_added(own: OwnStage, tool: str) -> None:
    added = {"prompt": "a blue whale", "input": "a blue whale"}
    it = await begun(own, tool, "auto", set_up={"body": added})
    await it.turn()
    (body,) = sent(it)
    assert body["prompt" if tool == "generate_image" else "input"] == "a red kite"


@TOOLS
async def test_a_file_that_is_there_is_not_written_over(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool, "auto")
    made(it, tool).parent.mkdir()
    made(it, tool).write_bytes(b"mine")
    await it.turn()
    assert made(it, tool).read_bytes() == b"mine"
    assert "exists already" in told(it)
    assert not sent(it)


@TOOLS
async def test_a_link_out_of_the_workspace_is_judged_by_where_it_leads(
    own: OwnStage, tool: str, tmp_path: Path
) -> None:
    it = await begun(own, tool, "default", rules={"allow": ["write(./art/**)"]})
    outside = tmp_path / "outside"
    outside.mkdir()
    (it.scene.folder / "art").symlink_to(outside)
    turn = it.say()
    card = await it.scene.card()
    assert "outside" in str(card.card.touches)
    await it.scene.answer(card, "deny")
    await turn
    assert not list(outside.iterdir())


@TOOLS
async def test_what_was_made_can_be_taken_back_while_nobody_has_changed_it(
    own: OwnStage, tool: str
) -> None:
    it = await begun(own, tool, "auto")
    await it.turn()
    record = it.scene.record(it.chat, state="succeeded")
    at = {"chatId": it.chat, "callId": record.call_id}
    made(it, tool).write_bytes(b"mine")
    with pytest.raises(Refusal, match="has changed since, so this cannot be undone"):
        await it.scene.client.request("tool/undo", at)
    assert made(it, tool).read_bytes() == b"mine"
    made(it, tool).write_bytes(BYTES[tool])
    await it.scene.client.request("tool/undo", at)
    assert not made(it, tool).exists()
    assert "You undid it." in it.scene.record(it.chat).because
    (row,) = [row["body"] for row in it.scene.rows("noted")]
    assert (row["what"], row["by"]) == ("undone", "user")
    assert row["because"] == f"You undid the changes of {WANTED[tool]['path']}."
    assert row["files"] == [str(made(it, tool))]


@TOOLS
async def test_nothing_is_undone_that_the_journal_cannot_hold(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool, "auto")
    await it.turn()
    record = it.scene.record(it.chat, state="succeeded")
    for path in it.scene.state.glob("journal.db*"):
        path.unlink()
    (it.scene.state / "journal.db").mkdir()
    with pytest.raises(Refusal, match="journal"):
        await it.scene.client.request("tool/undo", {"chatId": it.chat, "callId": record.call_id})
    assert made(it, tool).read_bytes() == BYTES[tool]


async def test_a_picture_is_shown_to_the_person_where_the_results_of_calls_are(
    own: OwnStage,
) -> None:
    it = await begun(own, "generate_image", "auto")
    await it.turn()
    events = [told.event for told in it.scene.client.told("agent/event")]
    (picture,) = [event.picture for event in events if event.kind == "picture"]
    assert base64.b64decode(picture.data) == PNG
    assert picture.call_id == it.scene.record(it.chat).call_id
    assert picture.uri == made(it, "generate_image").as_uri()


@TOOLS
async def test_the_record_leads_to_the_file(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool, "auto")
    await it.turn()
    page = await it.scene.client.request(
        "agent/turns", {"chatId": it.chat, "before": 1_000, "limit": 50}
    )
    (at,) = [page.first + number for number, item in enumerate(page.items) if item.kind == "call"]
    call_id = it.scene.record(it.chat).call_id
    kept = await it.scene.client.request(
        "tool/record", {"chatId": it.chat, "entry": at, "callId": call_id}
    )
    assert kept.uri == made(it, tool).as_uri()


async def spoken_in(own: OwnStage) -> tuple[Own, dict[str, Any]]:
    """A chat in which something was spoken, and where its record is."""
    it = await begun(own, "speak", "auto")
    await it.turn()
    page = await it.scene.client.request(
        "agent/turns", {"chatId": it.chat, "before": 1_000, "limit": 50}
    )
    (at,) = [page.first + number for number, item in enumerate(page.items) if item.kind == "call"]
    call_id = it.scene.record(it.chat, state="succeeded").call_id
    return it, {"chatId": it.chat, "entry": at, "callId": call_id}


async def test_what_was_spoken_is_played_from_its_file(own: OwnStage) -> None:
    it, ref = await spoken_in(own)
    assert it.scene.record(it.chat).sound == "art/kite.mp3"
    heard = await it.scene.client.request("tool/sound", ref)
    assert (heard.mime, base64.b64decode(heard.data)) == ("audio/mpeg", MP3)
    file = made(it, "speak")
    for wrong, why in (
        (b"<svg/>", "is no WAV, MP3, Ogg or FLAC any more"),
        (b"ID3" + bytes(16 * 1024 * 1024), "too large"),
    ):
        file.write_bytes(wrong)
        with pytest.raises(Refusal, match=why):
            await it.scene.client.request("tool/sound", ref)
    other = file.with_name("other.mp3")
    other.write_bytes(MP3)
    file.unlink()
    file.symlink_to(other)
    with pytest.raises(Refusal, match="leads to another one"):
        await it.scene.client.request("tool/sound", ref)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(Refusal, match="no ordinary file"):
        await it.scene.client.request("tool/sound", ref)
    with pytest.raises(Refusal, match="no such record"):
        await it.scene.client.request("tool/sound", {**ref, "callId": "another"})


async def test_of_what_was_taken_back_nothing_is_played(own: OwnStage) -> None:
    it, ref = await spoken_in(own)
    at = {"chatId": it.chat, "callId": ref["callId"]}
    await it.scene.client.request("tool/undo", at)
    assert it.scene.record(it.chat).sound == ""
    with pytest.raises(Refusal, match="Nothing is known of a sound"):
        await it.scene.client.request("tool/sound", ref)


async def test_of_a_call_that_spoke_nothing_no_file_is_given_away(own: OwnStage) -> None:
    it = await begun(own, "generate_image", "auto")
    await it.turn()
    made(it, "generate_image").write_bytes(MP3)
    record = it.scene.record(it.chat, state="succeeded")
    assert record.sound == ""
    page = await it.scene.client.request(
        "agent/turns", {"chatId": it.chat, "before": 1_000, "limit": 50}
    )
    (at,) = [page.first + number for number, item in enumerate(page.items) if item.kind == "call"]
    ref = {"chatId": it.chat, "entry": at, "callId": record.call_id}
    with pytest.raises(Refusal, match="Nothing is known of a sound"):
        await it.scene.client.request("tool/sound", ref)


@TOOLS
async def test_a_model_that_makes_is_none_to_chat_with(own: OwnStage, tool: str) -> None:
    it = await begun(own, tool, "auto")
    await it.turn()
    lists = [told.event for told in it.scene.client.told("agent/event")]
    (*_, last) = [event for event in lists if event.kind == "agents"]
    (ours,) = [agent for agent in last.agents if agent.id == "assent"]
    assert [model.name for model in ours.models] == [f"tiny (127.0.0.1:{port(it)})"]


def port(it: Own) -> str:
    return it.model.url.rpartition(":")[2]


async def test_with_nobody_who_makes_them_the_tools_are_not_offered(
    own: OwnStage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    it = await own()
    it.model.reply(text("So."))
    await it.turn()
    offered = {one["function"]["name"] for one in it.model.requests[0].body["tools"]}
    assert not offered & WANTED.keys()


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that speaks as espeak-ng does: it says its text and its words in its sound."""
    folder = tmp_path / "programs"
    folder.mkdir()
    it = folder / "espeak-ng"
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return it


def plays(program: Path, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


async def spoken(own: OwnStage, given: Any = None, mode: str = "auto", **user: Any) -> Own:
    it = await own(mode=mode, **user)
    it.model.reply(call("speak", {"text": "-h; a red kite", "path": "kite.wav", **(given or {})}))
    it.model.reply(text("So."))
    return it


SAYS = (
    r"""printf 'RIFF\377\377\377\377WAVEfmt %20sdata\377\377\377\377' ''; printf '%s|' "$@"; cat"""
)


async def test_a_program_gets_the_text_as_its_input_and_never_as_an_option(
    own: OwnStage, program: Path
) -> None:
    plays(program, SAYS)
    it = await spoken(own, {"voice": "en-us"})
    await it.turn()
    made = (it.scene.folder / "kite.wav").read_bytes()
    assert made.endswith(b"--stdin|--stdout|-b|1|-v|en-us|-h; a red kite")
    assert int.from_bytes(made[4:8], "little") == len(made) - 8
    assert int.from_bytes(made[40:44], "little") == len(made) - 44


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"path": "kite.mp3"}, "writes .wav alone"),
        ({"path": "kite.txt"}, "the name of a sound ends with"),
        ({"voice": "a.b"}, "a voice of espeak-ng is a name"),
        ({"voice": "../en"}, "voice"),
        ({"voice": "-h"}, "voice"),
        ({"text": "a" * 4_097}, "text"),
    ],
)
async def test_what_the_program_does_not_take_is_refused_before_it_runs(
    own: OwnStage, program: Path, given: Any, why: str
) -> None:
    plays(program, f"touch {program.parent}/ran")
    it = await spoken(own, given)
    await it.turn()
    assert why in told(it)
    assert not (program.parent / "ran").exists()


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo no such voice >&2; exit 1", "no such voice"),
        ("echo no sound", "is no WAV"),
        ("head -c 40000000 /dev/zero", "larger than 32 MiB"),
    ],
)
async def test_a_program_that_fails_or_says_no_sound_makes_no_file(
    own: OwnStage, program: Path, script: str, why: str
) -> None:
    plays(program, script)
    it = await spoken(own)
    await it.turn()
    assert why in told(it)
    assert not (it.scene.folder / "kite.wav").exists()


async def test_stop_ends_the_program(own: OwnStage, program: Path) -> None:
    pipe = program.parent / "pipe"
    plays(program, f"mkfifo {pipe}; cat {pipe}")
    it = await spoken(own)
    turn = it.say()
    await it.scene.reaches(it.chat, "running")
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    assert not (it.scene.folder / "kite.wav").exists()


async def test_a_program_in_the_workspace_is_not_believed(
    own: OwnStage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}/workspace:{tmp_path}")
    it = await spoken(own)
    assert it.scene.folder == tmp_path / "workspace"
    plays(it.scene.folder / "espeak-ng", SAYS)
    await it.turn()
    offered = {one["function"]["name"] for one in it.model.requests[0].body["tools"]}
    assert "speak" not in offered
    assert "nothing that speaks is set up" in told(it)


async def test_the_real_program_speaks(own: OwnStage) -> None:
    if not Path("/usr/bin/espeak-ng").exists():
        pytest.skip("espeak-ng is not installed")
    it = await spoken(own, {"text": "A red kite, –x “ä”."})
    await it.turn()
    with wave.open(BytesIO((it.scene.folder / "kite.wav").read_bytes())) as sound:
        assert sound.getnframes() > sound.getframerate() // 2
