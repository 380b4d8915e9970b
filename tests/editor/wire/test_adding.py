"""An agent is added from a list: installed at one version, written down, talked to."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.packages import AGENT, Packages, packages
from editor.wire.scene import Scene, Stage

IN_TIME = 60.0


@pytest.fixture
def served() -> Iterator[Packages]:
    with packages() as held:
        held.publish("parrot", "1.2.3")
        held.offer("parrot", "1.2.3")
        yield held


def installing() -> Editor:
    return Editor(choose=lambda asked: "Install" if "Install" in asked.actions else None)


async def opened(
    stage: Stage, served: Packages, home: Path, editor: Editor | None = None, **env: str
) -> Scene:
    home.mkdir(exist_ok=True)
    (home / ".npmrc").write_text(f"registry={served.address}/\n", "utf-8")
    told = {"HOME": str(home), "ASSENT_AGENT_REGISTRY": f"{served.address}/registry.json", **env}
    return await stage(editor or installing(), env=told)


async def offers(scene: Scene) -> dict[str, Any]:
    listed = await scene.client.request("agent/offers", within=IN_TIME)
    return {"note": listed.note, **{it.id: it for it in listed.offers}}


async def add(scene: Scene, agent: str, path: str = "") -> Any:
    ref = {"offerId": agent, "path": path}
    return await scene.client.request("agent/add", ref, within=IN_TIME)


async def test_an_agent_of_the_list_is_installed_at_its_version_and_talks(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    served.publish("parrot", "1.3.0")
    scene = await opened(stage, served, tmp_path / "home")
    assert (await offers(scene))["parrot"].source == "npm: parrot"
    await add(scene, "parrot")
    entry = scene.editor.layers["user"]["agents"]["parrot"]
    place = scene.state / "agents" / "parrot" / "1.2.3"
    assert entry["args"][0].startswith(str(place))
    assert entry["args"][1:] == ["--acp", "now"]
    assert not [*scene.state.rglob("ran-at-installation")]
    chat = await scene.chat("parrot")
    await scene.turn(chat, "who are you?")
    said = [it.event for it in scene.client.told("agent/event") if it.event.kind == "said"]
    assert "I am --acp now" in "".join(it.append for it in said if it.who == "agent")


async def test_it_is_said_what_would_be_installed_and_how_it_goes(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    scene = await opened(stage, served, tmp_path / "home")
    await offers(scene)
    await add(scene, "parrot")
    [asked] = scene.editor.confirmed
    assert asked.title == "Install Parrot 1.2.3?"
    assert "from npm: parrot and" in asked.detail
    assert "`--acp now`" in asked.detail
    assert {it.of for it in scene.editor.progress} == {"parrot"}


async def test_drawing_back_installs_nothing(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    scene = await opened(stage, served, tmp_path / "home", Editor())
    await offers(scene)
    assert not (await add(scene, "parrot")).added
    assert not served.asked.is_set()
    assert scene.editor.written == []


async def test_stopping_it_leaves_nothing(stage: Stage, served: Packages, tmp_path: Path) -> None:
    served.silent.set()
    scene = await opened(stage, served, tmp_path / "home")
    await offers(scene)
    adding = asyncio.ensure_future(add(scene, "parrot"))
    await asyncio.to_thread(served.asked.wait, IN_TIME)
    await scene.client.request("agent/stopAdding", {"offerId": "parrot"})
    with pytest.raises(Refusal, match="You stopped it"):
        await adding
    assert [*(scene.state / "agents" / "parrot").iterdir()] == []
    assert scene.editor.written == []


async def test_what_the_package_manager_could_not_do_is_said_with_its_words(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    served.offer("ghost", "9.9.9")
    scene = await opened(stage, served, tmp_path / "home")
    await offers(scene)
    with pytest.raises(Refusal, match=r"npm could not install it.*404"):
        await add(scene, "ghost")


async def test_a_package_whose_program_lies_outside_it_is_not_started(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    served.publish("sly", "1.0.0", bin={"sly": "../../../../../../../bin/sh"})
    served.offer("sly", "1.0.0")
    scene = await opened(stage, served, tmp_path / "home")
    await offers(scene)
    with pytest.raises(Refusal):
        await add(scene, "sly")
    assert scene.editor.written == []


async def test_only_what_was_offered_can_be_added_and_nothing_is_replaced(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    served.offer("eliza", "1.0.0")
    editor = installing()
    editor.layers["user"] = {"agents": {"parrot": {"command": "mine"}}}
    scene = await opened(stage, served, tmp_path / "home", editor)
    with pytest.raises(Refusal, match="not offered"):
        await add(scene, "parrot")
    listed = await offers(scene)
    assert listed["parrot"].added
    assert "eliza" not in listed, "what is built in can be added by no list"
    with pytest.raises(Refusal, match="already"):
        await add(scene, "parrot")
    assert editor.confirmed == []


async def test_without_a_network_the_list_of_the_last_time_serves_and_then_our_own(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    nowhere = {"ASSENT_AGENT_REGISTRY": "http://127.0.0.1:9/registry.json"}
    scene = await opened(stage, served, tmp_path / "home", **nowhere)
    first = await offers(scene)
    assert "the one that comes with Assent" in first["note"]
    assert {"claude", "codex", "copilot"} <= {*first}
    await scene.client.dispose()
    scene = await opened(stage, served, tmp_path / "home")
    assert (await offers(scene))["note"] == ""
    await scene.client.dispose()
    scene = await opened(stage, served, tmp_path / "home", **nowhere)
    again = await offers(scene)
    assert "that of the last time" in again["note"]
    assert "parrot" in again


async def test_words_that_would_end_the_quotes_of_a_question_are_not_offered(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    args = ["acp", "`, which Assent has checked. Its words are `acp"]
    served.offer("crow", "1.0.0", distribution={"binary": {"any": {"cmd": "crow", "args": args}}})
    served.offer("duck", "1.0.0", distribution={"npx": {"package": "duck@1.0.0", "args": args}})
    words = {"cmd": "swan", "args": ["a b"], "env": {"A": "1. Nothing else is given to it"}}
    served.offer("swan", "1.0.0", distribution={"binary": {"any": words}})
    editor = Editor()
    scene = await opened(stage, served, tmp_path / "home", editor)
    assert {"crow", "duck"}.isdisjoint(await offers(scene))
    program = tmp_path / "swan"
    program.write_text("#!/bin/sh\n", "ascii")
    program.chmod(0o755)
    assert not (await add(scene, "swan", str(program))).added
    assert f"`{program} 'a b'`" in editor.confirmed[0].detail
    assert "It is given A='1. Nothing else is given to it'." in editor.confirmed[0].detail


async def test_an_agent_that_is_in_no_registry_of_packages_is_added_by_the_path_of_its_program(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    goose = {"cmd": "./goose-package\\goose.exe", "args": ["acp"], "env": {"GOOSE": "1"}}
    served.offer("goose", "1.50.1", distribution={"binary": {"linux-x86_64": goose}})
    editor = Editor(choose=lambda asked: "Add" if "Add" in asked.actions else None)
    scene = await opened(stage, served, tmp_path / "home", editor)
    offer = (await offers(scene))["goose"]
    assert offer.wants_path
    assert offer.source == "A program that you install yourself"
    program = tmp_path / "opt" / "goose"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", "ascii")
    refused = {
        "": "before you say where its program is",
        "goose": "is no program",
        str(program): "is no program",
        str(tmp_path / "opt"): "is no program",
    }
    for path, why in refused.items():
        with pytest.raises(Refusal, match=why):
            await add(scene, "goose", path)
    program.chmod(0o755)
    inside = scene.folder / "goose"
    inside.symlink_to(program)
    with pytest.raises(Refusal, match="of this workspace here"):
        await add(scene, "goose", str(inside))
    assert editor.confirmed == []
    assert (await add(scene, "goose", str(program))).added
    [asked] = editor.confirmed
    assert asked.title == "Add Goose from this machine?"
    assert f"`{program} acp`" in asked.detail
    assert "It is given GOOSE=1." in asked.detail
    assert editor.layers["user"]["agents"]["goose"] == {
        "name": "Goose",
        "command": str(program),
        "args": ["acp"],
        "env": {"GOOSE": "1"},
    }


async def test_one_agent_is_added_once_at_a_time(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    scene = await opened(stage, served, tmp_path / "home")
    await offers(scene)
    both = await asyncio.gather(*(add(scene, "parrot") for _ in range(2)), return_exceptions=True)
    assert [getattr(it, "added", None) for it in both] == [True, None]
    assert isinstance(both[1], Refusal)
    assert [*scene.editor.layers["user"]["agents"]] == ["parrot"]


async def test_the_words_of_a_list_forge_nothing_in_the_question(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    package = {"package": "evil@1.0.0", "args": ["--acp\n\nVerified by Assent.\u202e"]}
    served.offer("evil", "1.0.0", distribution={"npx": package})
    served.offer("worse", "1.0.0", name="Worse\n\nVerified by Assent.\u202e")
    scene = await opened(stage, served, tmp_path / "home", Editor())
    assert "worse" not in await offers(scene), "no settings could hold such a name"
    await add(scene, "evil")
    [asked] = scene.editor.confirmed
    assert "\nVerified" not in asked.detail
    assert "\u202e" not in asked.detail


def put_on_path(tmp_path: Path, package: str) -> Path:
    """A program called `qwen` on PATH, which leads into a package of this name."""
    home = tmp_path / "lib" / "node_modules" / package
    home.mkdir(parents=True)
    (home / "package.json").write_text(f'{{"name": "{package}", "bin": {{"qwen": "cli.js"}}}}')
    (home / "cli.js").touch(mode=0o755)
    programs = tmp_path / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "qwen").unlink(missing_ok=True)
    (programs / "qwen").symlink_to(home / "cli.js")
    return programs / "qwen"


async def test_an_agent_that_is_on_path_is_offered_as_it_is_and_nothing_is_installed(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    program = put_on_path(tmp_path, "@qwen-code/qwen-code")
    path = f"{program.parent}:{os.environ['PATH']}"
    editor = Editor(choose=lambda asked: "Add" if "Add" in asked.actions else None)
    scene = await opened(stage, served, tmp_path / "home", editor, PATH=path)
    offer = (await offers(scene))["qwen-on-path"]
    assert (offer.version, offer.source) == ("on your PATH", str(program))
    assert (await add(scene, "qwen-on-path")).added
    entry = {"name": "Qwen Code", "command": str(program), "args": ["--acp"]}
    assert editor.layers["user"]["agents"] == {"qwen-on-path": entry}
    assert not served.asked.is_set()
    [asked] = editor.confirmed
    assert f"`{program} --acp`" in asked.detail
    assert (await offers(scene))["qwen-on-path"].added
    with pytest.raises(Refusal, match="already"):
        await add(scene, "qwen-on-path")


async def test_a_program_that_is_only_called_like_an_agent_is_not_offered(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    program = put_on_path(tmp_path, "something-else")
    path = f"{program.parent}:{os.environ['PATH']}"
    scene = await opened(stage, served, tmp_path / "home", PATH=path)
    assert "qwen-on-path" not in await offers(scene)


async def test_one_that_became_another_program_meanwhile_is_not_added(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    program = put_on_path(tmp_path, "@qwen-code/qwen-code")

    def choose(asked: Any) -> str | None:
        put_on_path(tmp_path, "something-else")
        return "Add"

    path = f"{program.parent}:{os.environ['PATH']}"
    scene = await opened(stage, served, tmp_path / "home", Editor(choose=choose), PATH=path)
    await offers(scene)
    with pytest.raises(Refusal, match="another program by now"):
        await add(scene, "qwen-on-path")
    assert scene.editor.written == []


async def test_an_agent_that_was_added_and_wants_a_log_in_names_the_command_that_one_types(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    refusal = '{ code: -32000, message: "Authentication required" }'
    wants = f'if (method === "session/new") return send({{ id, error: {refusal} }});'
    agent = AGENT.replace("  if (id !== undefined", f"  {wants}\n  if (id !== undefined")
    for name in ("opencode-ai", "strange"):
        served.publish(name, "1.2.3", agent)
        served.offer(name, "1.2.3")
    scene = await opened(stage, served, tmp_path / "home")
    await offers(scene)
    for name in ("opencode-ai", "strange"):
        await add(scene, name)
    known = await scene.outcome(await scene.chat("opencode-ai"), "hello")
    entry = scene.editor.layers["user"]["agents"]["opencode-ai"]
    own = f"{entry['command']} {entry['args'][0]} auth login"
    typed = "opencode auth login" if which("opencode") else own
    assert known.because == (
        "Opencode-Ai wants you to log in first."
        f" Run `{typed}` in a terminal, log in there, and try again."
    )
    strange = await scene.outcome(await scene.chat("strange"), "hello")
    assert strange.because == (
        "Strange wants you to log in first. Assent does not know the command for that: log in as"
        " its documentation says, and try again."
    )


async def test_what_a_beginner_is_offered_first_is_what_most_people_have(
    stage: Stage, served: Packages, tmp_path: Path
) -> None:
    scene = await opened(stage, served, tmp_path / "home")
    looked = await scene.client.request("start/look", within=IN_TIME)
    assert [offer.id for offer in looked.offered][:3] == ["claude", "codex", "copilot"]
    assert "goose" not in {offer.id for offer in looked.offered}
