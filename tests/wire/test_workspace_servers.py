"""Servers that a repository's files name: none is started before a person took those files."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from models.script import call, text
from servers.served import ROGUE, setting
from wire.own import Own, OwnStage, model, own
from wire.test_workspace_skills import is_wish, plant, wishes

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


def repository(folder: Path, **servers: Any) -> Path:
    """A repository with servers in the file that VS Code reads."""
    return plant(folder, {".vscode/mcp.json": json.dumps({"servers": servers})})


def starts(mark: Path) -> dict[str, Any]:
    """A server that leaves a mark where it is started."""
    code = f"open({str(mark)!r}, 'w').close(); exec(open({ROGUE!r}).read())"
    return {"type": "stdio", "command": sys.executable, "args": ["-c", code, "helpful"]}


async def looks_for_tools(it: Own) -> list[str]:
    """What the model is told when it looks; nothing where it is offered no such tool."""
    it.model.reply(call("list_nodes", {"words": "report a bug"}))
    it.model.reply(text("So."))
    assert (await it.turn("Look.")).reason == "done"
    return it.model.requests[-1].last.splitlines()


async def grant(it: Own, card: Any = None) -> None:
    card = card or await it.scene.card(is_wish)
    assert (await it.scene.answer(card, "grant")).outcome == "allowed"
    await it.scene.settled(card)


@requirement("N-08")
async def test_none_is_started_before_it_is_taken_and_then_each_call_is_asked_about(
    own: OwnStage, tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    repository(tmp_path / "workspace", Helpful=starts(mark))
    it = await own()
    wish = await it.scene.card(is_wish)
    card = wish.card
    assert "".join(span.text for span in card.title) == (
        "This repository asks to start servers of tools"
    )
    assert (card.level, card.primary) == ("high", "deny")
    assert [option.label for option in card.options] == ["Keep off", "Let them run…"]
    (file,) = card.body.files
    rows = {
        "".join(span.text for span in row.name): "".join(span.text for span in row.value)
        for row in file.rows
    }
    # The program is shown as what it comes to.
    assert rows["Starts Helpful (as workspace-helpful)"].startswith(f"{sys.executable} -c ")
    assert "helpful" not in "\n".join(await looks_for_tools(it))
    assert not mark.exists()
    await grant(it, wish)
    assert any("workspace-helpful:create_issue" in line for line in await looks_for_tools(it))
    assert mark.exists()
    it.model.reply(call("run_node", {"name": "workspace-helpful:create_issue"}))
    it.model.reply(text("So."))
    turn = it.say()
    card = await it.scene.card(lambda told: told.chat_id == it.chat)
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"


async def test_a_file_that_changed_is_another_and_so_is_a_program_that_it_hands_on(
    own: OwnStage, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    script = folder / "server.py"
    plant(folder, {"server.py": Path(ROGUE).read_text()})
    args = ["${workspaceFolder}/server.py", "helpful"]
    repository(folder, helpful={"command": sys.executable, "args": args})
    it = await own()
    await grant(it)
    assert any("create_issue" in line for line in await looks_for_tools(it))
    # What it is handed is another: nothing of it is there until that is taken, too.
    script.write_text(Path(ROGUE).read_text() + "\n# and more\n")
    assert not any("create_issue" in line for line in await looks_for_tools(it))
    await it.scene.client.until(lambda: len(wishes(it)) == 2)


async def test_of_one_name_in_two_files_the_first_is_started_bound_and_shown_and_the_other_left_out(
    own: OwnStage, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    script = folder / "server.py"
    plant(folder, {"server.py": Path(ROGUE).read_text()})
    args = ["${workspaceFolder}/server.py", "helpful"]
    repository(folder, helpful={"command": sys.executable, "args": args})
    later = {"Helpful": setting("plain") | {"env": {}}, "other": setting("plain") | {"env": {}}}
    plant(folder, {".cursor/mcp.json": json.dumps({"mcpServers": later})})
    it = await own()
    wish = await it.scene.card(is_wish)
    first, second = wish.card.body.files
    named = ["".join(span.text for span in it.path) for it in (first, second)]
    assert named == [".vscode/mcp.json", ".cursor/mcp.json"]
    told = {
        "".join(span.text for span in row.name): "".join(span.text for span in row.value)
        for row in second.rows
    }
    assert told["Leaves out Helpful"] == "another server has this name here"
    assert "Starts other (as workspace-other)" in told
    await grant(it, wish)
    assert any("workspace-helpful:create_issue" in line for line in await looks_for_tools(it))
    # What is started is what was bound: another script is another wish.
    script.write_text(Path(ROGUE).read_text() + "\n# and more\n")
    assert not any("create_issue" in line for line in await looks_for_tools(it))
    await it.scene.client.until(lambda: len(wishes(it)) == 2)


async def test_a_rule_about_a_server_of_the_persons_does_not_speak_for_it(
    own: OwnStage, tmp_path: Path
) -> None:
    repository(tmp_path / "workspace", mine=setting("rug") | {"env": {}})
    it = await own(mcpServers={"mine": setting("helpful")}, rules={"allow": ["mcp(mine:*)"]})
    card = (await it.scene.card(is_wish)).card
    assert "as workspace-mine" in str(card.body.files[0])


@pytest.mark.parametrize(
    ("server", "why"),
    [
        ({"command": "sh", "env": {"A": "${secret:KEY}"}}, "names a variable or a secret"),
        ({"command": "sh", "args": ["${env:HOME}"]}, "names a variable or a secret"),
        ({"command": "sh", "args": ["${input:key}"]}, "names a variable or a secret"),
        ({"command": "sh", "envFile": ".env"}, "says more than is understood"),
        ({"command": "sh", "cwd": "."}, "says more than is understood"),
        ({"command": "no-such-program"}, "there is no program `no-such-program`"),
        ({"command": "./sh"}, "its command is named in full or by its name alone"),
        ({"url": "http://example.com/mcp"}, "how it is started could not be understood"),
    ],
)
async def test_one_that_needs_what_only_the_person_may_give_is_left_out_and_that_is_shown(
    own: OwnStage, tmp_path: Path, server: dict[str, Any], why: str
) -> None:
    repository(tmp_path / "workspace", bad=server, good={"url": "https://example.com/mcp"})
    it = await own()
    card = (await it.scene.card(is_wish)).card
    rows = {
        "".join(span.text for span in row.name): "".join(span.text for span in row.value)
        for row in card.body.files[0].rows
    }
    assert why in rows["Leaves out bad"]
    assert rows["Reaches good (as workspace-good)"] == "https://example.com/mcp"


async def test_a_workspace_that_is_not_trusted_and_a_link_out_of_it_ask_for_nothing(
    own: OwnStage, tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    folder = repository(tmp_path / "workspace", helpful=starts(mark))
    it = await own(trusted=False)
    assert wishes(it) == []
    assert "helpful" not in "\n".join(await looks_for_tools(it))
    shutil.move(folder / ".vscode" / "mcp.json", tmp_path / "mcp.json")
    (folder / ".vscode" / "mcp.json").symlink_to(tmp_path / "mcp.json")
    it = await own()
    assert "helpful" not in "\n".join(await looks_for_tools(it))
    assert wishes(it) == []
    assert not mark.exists()
