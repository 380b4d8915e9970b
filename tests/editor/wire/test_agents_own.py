"""What an agent of other people keeps and tells of itself, at a real server."""

import base64
import sys
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage
from hosting.eliza.odd import maker
from pictures import png

PICTURE = base64.b64encode(png()).decode()

BODY = r"""
ALLOW = {"id": "allow_all", "name": "Allow\u202eall", "type": "boolean", "currentValue": False}

def config(value):
    return [dict(ALLOW, currentValue=value)]

send(id=until("initialize")["id"], result={"protocolVersion": 1, "agentCapabilities": {}})
send(id=until("session/new")["id"], result={"sessionId": "s", "configOptions": config(False)})
update(sessionUpdate="session_info_update", title="<b>Approve</b> " + "all " * 99)
update(sessionUpdate="usage_update", used=10, size=100, cost={"amount": 2, "currency": "EUR"})
update(sessionUpdate="available_commands_update", availableCommands=[
    {"name": "compact", "description": "Make it\u200b short"}, {"name": "hid\u200bden"}])
while True:
    message = hear()
    if message.get("method") == "session/set_config_option":
        send(id=message["id"], result={"configOptions": config(message["params"]["value"])})
"""


async def begin(stage: Stage, tmp_path: Path, editor: Editor) -> tuple[Scene, str]:
    spec = maker(tmp_path)(BODY)
    entry = {"name": "Odd", "command": sys.executable, "args": list(spec.args)}
    editor.layers["user"] = {"agents": {"odd": entry}}
    scene = await stage(editor=editor)
    return scene, await scene.chat("odd")


async def told(scene: Scene, kind: str, **has: Any) -> Any:
    """The last event of a kind, once it says that."""

    def last() -> Any:
        events = [it.event for it in scene.client.told("agent/event") if it.event.kind == kind]
        fits = events and all(getattr(events[-1], it) == has[it] for it in has)
        return events[-1] if fits else None

    await scene.client.until(lambda: last() is not None)
    return last()


async def test_what_an_agent_tells_of_itself_reaches_the_view_as_plain_labels(
    stage: Stage, tmp_path: Path
) -> None:
    scene, _ = await begin(stage, tmp_path, Editor())
    title = (await told(scene, "title")).title
    assert title.startswith("<b>Approve</b> all all")
    assert title.endswith("…")
    assert len(title) == 61
    used = (await told(scene, "used")).usage
    assert (used.read, used.window, used.cost) == (10, 100, "2.00 EUR")
    commands = (await told(scene, "commands")).commands
    assert [(it.name, it.says) for it in commands] == [("compact", "Make itU+200B short")]
    (setting,) = (await told(scene, "settings")).settings
    assert (setting.id, setting.name, setting.now) == ("allow_all", "AllowU+202Eall", "false")


async def test_a_setting_that_lets_an_agent_ask_less_is_asked_about_once_more(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await begin(stage, tmp_path, Editor())
    await told(scene, "settings")
    wanted = {"chatId": chat, "optionId": "allow_all", "value": "true"}
    with pytest.raises(Refusal, match="You drew back, so nothing was changed"):
        await scene.client.request("agent/setOption", wanted)
    assert "at “On” in its own “Allow<U+202E>all”" in scene.editor.confirmed[0].detail
    scene.editor.choose = lambda asked: asked.actions[0]
    await scene.client.request("agent/setOption", wanted)
    now = await told(
        scene, "settings", loose="Odd is at “On” in its own “Allow<U+202E>all”, so it may ask less."
    )
    assert now.settings[0].now == "true"
    # Back again nobody is asked.
    await scene.client.request("agent/setOption", {**wanted, "value": "false"})
    await told(scene, "settings", loose="")
    assert len(scene.editor.confirmed) == 2


async def test_a_setting_that_an_agent_does_not_have_is_refused(
    stage: Stage, tmp_path: Path
) -> None:
    scene, chat = await begin(stage, tmp_path, Editor())
    await told(scene, "settings")
    for option, value in (("made_up", "true"), ("allow_all", "perhaps")):
        wanted = {"chatId": chat, "optionId": option, "value": value}
        with pytest.raises(Refusal, match="has no such setting"):
            await scene.client.request("agent/setOption", wanted)


@pytest.mark.parametrize("data", ["bm8gcGljdHVyZQ==", "", "<svg/>"])
async def test_what_is_no_picture_is_not_sent(stage: Stage, tmp_path: Path, data: str) -> None:
    scene, chat = await begin(stage, tmp_path, Editor())
    wanted = {"chatId": chat, "text": "look", "images": [data]}
    with pytest.raises(Refusal, match="Only pictures that are PNG, JPEG, WebP or GIF"):
        await scene.client.request("agent/prompt", wanted)


async def test_a_message_that_an_agent_was_not_given_is_refused_and_said_nowhere(
    stage: Stage,
) -> None:
    scene = await stage()
    chat = await scene.chat()
    assert (await scene.turn(chat, "hello")).reason == "done"
    said = scene.client.told("agent/event")
    wanted = {"chatId": chat, "text": "What is this?", "images": [PICTURE]}
    with pytest.raises(Refusal, match=r"Eliza cannot read pictures\. Your message was not sent\.$"):
        await scene.client.request("agent/prompt", wanted)
    assert scene.client.told("agent/event") == said
    assert (await scene.turn(chat, "hello")).reason == "done"


async def test_a_message_to_an_agent_that_does_not_start_is_refused_with_the_reason(
    stage: Stage,
) -> None:
    entry = {"name": "Gone", "command": "no-such-program"}
    scene = await stage(editor=Editor(layers={"user": {"agents": {"gone": entry}}}))
    chat = await scene.chat("gone")
    with pytest.raises(Refusal, match="Gone could not be started: there is no program"):
        await scene.turn(chat, "hello")
