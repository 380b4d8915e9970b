"""What an agent's variables name is had when it is started, and is nowhere else."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage

SECRET: Final = "s3cr3t-of-the-person"  # noqa: S105 -- of the tests' own

AGENT: Final = """
import json, os, sys

with open(os.environ["TELLS"], "w") as file:
    json.dump(dict(os.environ), file)
if "DIES" in os.environ:
    sys.exit("I was given " + os.environ["WORD"])
for line in sys.stdin:
    asked = json.loads(line)
    answers = {
        "initialize": {"protocolVersion": 1, "agentCapabilities": {}},
        "session/new": {"sessionId": "s"},
        "session/prompt": {"stopReason": "end_turn"},
    }
    if asked.get("method") in answers:
        told = {"jsonrpc": "2.0", "id": asked["id"], "result": answers[asked["method"]]}
        print(json.dumps(told), flush=True)
"""


def entry(tmp_path: Path, name: str, **env: str) -> dict[str, Any]:
    """An agent that writes down what it was given, in a file of its name."""
    program = tmp_path / "agent.py"
    program.write_text(AGENT, "utf-8")
    given = {"TELLS": str(tmp_path / name), **env}
    return {"name": name.title(), "command": sys.executable, "args": [str(program)], "env": given}


def given_to(tmp_path: Path, name: str) -> dict[str, str]:
    """The variables that an agent was started with."""
    found: dict[str, str] = json.loads((tmp_path / name).read_text("utf-8"))
    return found


def opened(layer: str = "user", **entries: dict[str, Any]) -> Editor:
    """An editor with these agents."""
    return Editor(layers={layer: {"agents": entries}}, types=SECRET)


def told_in(scene: Scene) -> str:
    """All that the server said to the editor, and all that it keeps on the disk."""
    heard = [repr(it) for it in scene.client.told("agent/event")]
    cards = [repr(it) for it in scene.client.told("tool/approvalRequest")]
    kept = [it.read_bytes().decode("latin-1") for it in scene.state.rglob("*") if it.is_file()]
    return "\n".join([*heard, *cards, *kept, scene.client.log])


async def test_a_secret_is_asked_for_once_and_given_to_the_agent_that_names_it(
    stage: Stage, tmp_path: Path
) -> None:
    editor = opened(
        one=entry(tmp_path, "one", WORD="Bearer ${secret:TOKEN}", PLAIN="${HOME}"),
        other=entry(tmp_path, "other"),
    )
    scene = await stage(editor=editor)
    for name in ("one", "other"):
        chat = await scene.chat(name)
        assert (await scene.outcome(chat, "hello")).reason == "done"
    assert given_to(tmp_path, "one")["WORD"] == f"Bearer {SECRET}"
    assert given_to(tmp_path, "one")["PLAIN"] == "${HOME}"
    assert SECRET not in json.dumps(given_to(tmp_path, "other"))
    await scene.outcome(await scene.chat("one"), "hello")
    assert [(it.name, it.agent) for it in editor.asked] == [("TOKEN", "One")]
    assert SECRET not in told_in(scene)


async def test_no_agent_is_given_the_key_of_a_model(stage: Stage, tmp_path: Path) -> None:
    editor = opened(one=entry(tmp_path, "one", WORD="${secret:OPENAI_API_KEY}"))
    editor.secrets["modelKey.OPENAI_API_KEY"] = "the key of a model"
    scene = await stage(editor=editor)
    await scene.outcome(await scene.chat("one"), "hello")
    assert [it.name for it in editor.asked] == ["OPENAI_API_KEY"]
    assert given_to(tmp_path, "one")["WORD"] == SECRET


async def test_without_its_secret_an_agent_is_not_started(stage: Stage, tmp_path: Path) -> None:
    editor = opened(one=entry(tmp_path, "one", WORD="${secret:TOKEN}"))
    editor.types = None
    scene = await stage(editor=editor)
    ended = await scene.outcome(await scene.chat("one"), "hello")
    assert ended.reason == "error"
    assert "the secret TOKEN, which is not kept" in ended.because
    assert not (tmp_path / "one").exists()


async def test_a_variable_of_the_editors_own_environment_is_handed_on_by_its_name(
    stage: Stage, tmp_path: Path
) -> None:
    editor = opened(
        one=entry(tmp_path, "one", WORD="${env:GIVEN}"),
        other=entry(tmp_path, "other", WORD="${env:NOT_SET_ANYWHERE}"),
    )
    scene = await stage(editor=editor, env={"GIVEN": SECRET})
    await scene.outcome(await scene.chat("one"), "hello")
    assert given_to(tmp_path, "one")["WORD"] == SECRET
    assert "GIVEN" not in given_to(tmp_path, "one")
    ended = await scene.outcome(await scene.chat("other"), "hello")
    assert "the variable NOT_SET_ANYWHERE, which is not set" in ended.because
    assert SECRET not in told_in(scene)


@pytest.mark.parametrize("layer", ["workspace", "folder"])
@pytest.mark.parametrize("reference", ["${secret:TOKEN}", "x ${env:HOME}"])
async def test_a_workspace_names_no_secret_and_no_variable_of_the_persons(
    stage: Stage, tmp_path: Path, layer: str, reference: str
) -> None:
    editor = opened(layer, one=entry(tmp_path, "one", TOKEN=reference))
    editor.choose = lambda asked: asked.actions[0]
    scene = await stage(editor=editor)
    told = [it.event for it in scene.client.told("agent/event")]
    banners = [text for it in told if it.kind == "workspace" for text in it.banners]
    assert any("which only your own settings may" in text for text in banners)
    agents = [it.id for told in told if told.kind == "agents" for it in told.agents]
    assert "one" not in agents
    assert scene.client.told("tool/approvalRequest") == []
    assert editor.asked == []


async def test_the_last_words_of_an_agent_are_shown_without_its_secret(
    stage: Stage, tmp_path: Path
) -> None:
    editor = opened(one=entry(tmp_path, "one", WORD="${secret:TOKEN}", DIES="1"))
    scene = await stage(editor=editor)
    ended = await scene.outcome(await scene.chat("one"), "hello")
    assert "I was given ⟨secret⟩" in ended.because
    assert SECRET not in told_in(scene)


TELLS: Final = """
import json, os, sys

word, where = os.environ["WORD"], os.environ["WHERE"]

def send(**body):
    print(json.dumps({"jsonrpc": "2.0", **body}), flush=True)

def update(**members):
    send(method="session/update", params={"sessionId": "s", "update": members})

def say(kind, text):
    update(sessionUpdate=kind, content={"type": "text", "text": text})

def tell_on():
    say("agent_message_chunk", "I have " + word)
    say("agent_thought_chunk", "I think of " + word)
    update(sessionUpdate="plan", entries=[{"content": "use " + word}])
    update(sessionUpdate="session_info_update", title=word)
    update(sessionUpdate="available_commands_update",
           availableCommands=[{"name": "go", "description": word}])
    update(sessionUpdate="current_mode_update", currentModeId=word)
    update(sessionUpdate="nobody knows", text=word)
    send(method="nobody/knows", params={"text": word})

ANSWERS = {
    "initialize": {"protocolVersion": 1, "agentCapabilities": {},
                   "authMethods": [{"id": "it", "name": "with " + word}]},
    "session/new": {"sessionId": "s", "modes": {
        "currentModeId": "default",
        "availableModes": [{"id": "default"}, {"id": "free", "name": "Free " + word}]}},
    "session/prompt": {"stopReason": "end_turn"},
}
for line in sys.stdin:
    asked = json.loads(line)
    method = asked.get("method")
    if method == "session/prompt":
        tell_on()
    if method == where:
        print("no message " + "-" * 450 + " " + word, flush=True)
        error = {"code": int(os.environ["CODE"]), "message": "no: " + word, "data": {"it": word}}
        send(id=asked["id"], error=error)
    elif method in ANSWERS:
        send(id=asked["id"], result=ANSWERS[method])
"""


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("initialize", "1"),
        ("session/new", "1"),
        ("session/new", "-32000"),
        ("session/prompt", "1"),
        ("nowhere", "1"),
    ],
)
async def test_whatever_an_agent_says_is_shown_without_its_secret(
    stage: Stage, tmp_path: Path, where: str, code: str
) -> None:
    given = entry(tmp_path, "one", WORD="Bearer ${secret:TOKEN}", WHERE=where, CODE=code)
    (tmp_path / "agent.py").write_text(TELLS, "utf-8")
    scene = await stage(editor=opened(one=given))
    ended = await scene.outcome(await scene.chat("one"), "hello")
    told = told_in(scene)
    assert SECRET not in told
    assert "⟨secret⟩" in (told if where == "nowhere" else ended.because)


async def test_an_error_about_a_setting_is_shown_without_the_secret(
    stage: Stage, tmp_path: Path
) -> None:
    given = entry(tmp_path, "one", WORD="${secret:TOKEN}", WHERE="session/set_mode", CODE="1")
    (tmp_path / "agent.py").write_text(TELLS, "utf-8")
    editor = opened(one=given)
    editor.choose = lambda asked: asked.actions[0]
    scene = await stage(editor=editor)
    chat = await scene.chat("one")
    await scene.outcome(chat, "hello")
    wanted = {"chatId": chat, "optionId": "mode", "value": "free"}
    with pytest.raises(Exception, match="no: ⟨secret⟩"):
        await scene.client.request("agent/setOption", wanted)
    assert SECRET not in told_in(scene)
