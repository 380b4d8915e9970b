"""Servers that a repository's files name: none is started before a person took those files."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.editor.window.servers.server_texts import texts_in
from catalogue.mcp.served import ROGUE, setting
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.test_workspace_skills import is_wish, plant, wishes
from models.script import call, text
from tables import each_row

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


def repository(folder: Path, **servers: Any) -> Path:
    """A repository with servers in the file that VS Code reads."""
    return plant(folder, {".vscode/mcp.json": json.dumps({"servers": servers})})


INPUTS = [
    {"type": "promptString", "id": "key", "description": "The key", "password": True},
    {"type": "pickString", "id": "stage", "options": ["staging", "production"]},
    {"type": "command", "id": "runs", "command": "workbench.action.quit"},
    {"type": "promptString", "id": "twice"},
    {"type": "promptString", "id": "twice"},
]


def rows_of(card: Any, file: int = 0) -> dict[str, str]:
    """What the card says of a file, in names and values."""
    return {
        "".join(span.text for span in row.name): "".join(span.text for span in row.value)
        for row in card.card.body.files[file].rows
    }


def tells(kind: str = "plain", **more: Any) -> dict[str, Any]:
    """A server that tells what it was given."""
    return {"command": sys.executable, "args": [ROGUE, kind], **more}


async def told(it: Own, name: str, **given: Any) -> str:
    """What the model is told of a call of a tool."""
    it.model.reply(call("run_node", {"name": name, "arguments": given}))
    it.model.reply(text("So."))
    assert (await it.turn("Run it.")).reason == "done"
    return it.model.requests[-1].last


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
        ({"command": "sh", "env": {"A": "${secret:KEY}"}}, "A in its `env` names a secret"),
        ({"command": "sh", "args": ["${env:HOME}"]}, "names the variable HOME"),
        ({"command": "sh", "args": ["${input:none}"]}, "what it asks you for is not understood"),
        ({"command": "sh", "args": ["${input:runs}"]}, "made by a command of the editor"),
        ({"command": "sh", "args": ["${input:twice}"]}, "what it asks you for is not understood"),
        ({"command": "${input:key}"}, "stands on this card, and is not asked for"),
        ({"url": "https://${input:key}/mcp"}, "stands on this card, and is not asked for"),
        ({"command": "sh", "args": ["${input:key}${env:HOME}"]}, "names the variable HOME"),
        ({"command": "sh", "envFile": "none.env"}, "its `envFile` cannot be read"),
        ({"command": "sh", "envFile": "/etc/hostname"}, "is not a file of this workspace"),
        ({"command": "sh", "envFile": "link.env"}, "is not a file of this workspace"),
        ({"command": "sh", "envFile": "leads.env"}, "it sets NODE_OPTIONS, which decides what"),
        ({"command": "sh", "envFile": "twice.env"}, "A stands twice in it"),
        ({"command": "sh", "envFile": "odd.env"}, "its line 2 is not understood"),
        ({"command": "sh", "envFile": "denied.env"}, "a rule of yours denies reading its"),
        ({"url": "https://example.com/mcp", "envFile": ".env"}, "its `envFile` is not understood"),
        ({"command": "sh", "cwd": "."}, "it says `cwd`, which is not understood here"),
        ({"command": "no-such-program"}, "there is no program `no-such-program`"),
        ({"command": "./sh"}, "cannot be run; change .vscode/mcp.json"),
        ({"url": "http://example.com/mcp"}, "how it is started could not be understood"),
    ],
)
async def test_one_that_needs_what_only_the_person_may_give_is_left_out_and_that_is_shown(
    own: OwnStage, tmp_path: Path, server: dict[str, Any], why: str
) -> None:
    servers = {"bad": server, "good": {"url": "https://example.com/mcp"}}
    files = {
        ".vscode/mcp.json": json.dumps({"inputs": INPUTS, "servers": servers}),
        "leads.env": "A=b\nNODE_OPTIONS=--require ./x.js\n",
        "twice.env": "A=b\nA=c\n",
        "odd.env": "A=b\nwhat is this\n",
        "denied.env": "A=b\n",
    }
    folder = plant(tmp_path / "workspace", files)
    (folder / "link.env").symlink_to(folder / "denied.env")
    it = await own(rules={"deny": ["read(./denied.env)"]})
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


async def test_comments_and_trailing_commas_are_read_and_what_stands_twice_is_not(
    own: OwnStage, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    written = """{
      // Those of the team.
      "servers": {
        /* https://example.com */
        "good": { "url": "https://example.com/mcp", },
      },
    }"""
    twice = """{"mcpServers": {"a": {"url": "https://a.example/mcp"}, "a": {"command": "sh"}}}"""
    # As some editors save it, with a mark of its encoding before the text.
    plant(folder, {".vscode/mcp.json": f"\ufeff{written}", ".mcp.json": twice})
    it = await own()
    wish = await it.scene.card(is_wish)
    assert len(wish.card.body.files) == 1
    assert rows_of(wish) == {"Reaches good (as workspace-good)": "https://example.com/mcp"}


async def test_what_a_file_asks_for_is_said_by_the_person_once_and_for_just_that_server(
    own: OwnStage, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    env = {"TOLD": "${input:key}/${input:stage}"}
    whole = {"inputs": INPUTS, "servers": {"db": tells(env=env)}}
    plant(folder, {".vscode/mcp.json": json.dumps(whole)})
    it = await own(mode="auto")
    editor = it.scene.editor
    editor.says = {"key": "open sesame", "stage": "staging"}
    wish = await it.scene.card(is_wish)
    shown = rows_of(wish)["Starts db (as workspace-db)"]
    assert shown.endswith(", with the variables TOLD, and asks you for key, stage")
    # Nobody is asked before the person took the files.
    await looks_for_tools(it)
    assert editor.asked_inputs == []
    await grant(it, wish)
    # What was typed unseen is told to nobody; what was chosen is no secret.
    assert '"env": "⟨secret⟩/staging"' in await told(it, "workspace-db:t0")
    assert '"length": 19' in await told(it, "workspace-db:t0", count=1)
    key, stage = editor.asked_inputs
    assert (key.server, key.input, key.says, key.hidden) == ("workspace-db", "key", "The key", True)
    assert (stage.options, stage.hidden, stage.is_kept) == (["staging", "production"], False, False)
    # The person says it anew where they start the server anew.
    editor.says = {"key": "open barley!"}
    await it.scene.client.request("source/restart", {"name": "workspace-db"})
    assert [it.is_kept for it in editor.asked_inputs[2:]] == [True, True]
    assert '"length": 20' in await told(it, "workspace-db:t0", count=1)
    # To another program nothing of it is given: the person is asked again.
    whole["servers"] = {"db": tells("helpful", env=env)}
    plant(folder, {".vscode/mcp.json": json.dumps(whole)})
    await looks_for_tools(it)
    await grant(it)
    editor.says = {}
    asked = len(editor.asked_inputs)
    assert "you did not say what key is" in "\n".join(await looks_for_tools(it))
    assert len(editor.asked_inputs) == asked + 1
    # Who drew back is asked again only where they start it anew.
    await looks_for_tools(it)
    assert len(editor.asked_inputs) == asked + 1
    editor.says = {"key": "open sesame", "stage": "staging"}
    await it.scene.client.request("source/restart", {"name": "workspace-db"})
    assert '"length": 19' in await told(it, "workspace-db:create_issue", count=1)


@each_row(
    "other",
    [
        {"env": {"KEY": "${input:key}", "API": "https://two.example"}},
        {"env": {"KEY": "${input:key}x", "API": "https://one.example"}},
        {"envFile": "other.env"},
    ],
)
def test_what_was_said_is_not_kept_for_the_same_program_told_to_use_it_elsewhere(
    tmp_path: Path, other: dict[str, Any]
) -> None:
    env = {"KEY": "${input:key}", "API": "https://one.example"}
    plant(tmp_path, {"an.env": "A=b\n", "other.env": "A=c\n"})

    def kept(**more: Any) -> str:
        servers = {"db": tells(**{"env": env, "envFile": "an.env", **more})}
        plant(tmp_path, {".vscode/mcp.json": json.dumps({"inputs": INPUTS, "servers": servers})})
        (text,) = texts_in(str(tmp_path), (str(tmp_path),), lambda _: True)
        return text.entries[0].inputs[0].secret

    assert kept() == kept()
    assert kept(**other) != kept()


async def test_a_file_of_variables_is_shown_by_its_names_bound_and_its_values_are_secrets(
    own: OwnStage, tmp_path: Path
) -> None:
    folder = tmp_path / "workspace"
    server = tells(envFile="${workspaceFolder}/.env", env={"STAGE": "1"})
    plant(folder, {".env": "# Ours.\nTOLD='open sesame'\nexport STAGE=2\n"})
    repository(folder, db=server)
    it = await own(mode="auto")
    wish = await it.scene.card(is_wish)
    shown = rows_of(wish)["Starts db (as workspace-db)"]
    assert shown.endswith(", with the variables STAGE, with the variables of .env (TOLD, STAGE)")
    assert "sesame" not in wish.model_dump_json()
    await grant(it, wish)
    assert '"env": "⟨secret⟩"' in await told(it, "workspace-db:t0")
    assert '"length": 11' in await told(it, "workspace-db:t0", count=1)
    # What stands there now is what was agreed to, or nothing is started.
    (folder / ".env").write_text("TOLD='open barley'\n")
    assert not any("t0" in line for line in await looks_for_tools(it))
    await it.scene.client.until(lambda: len(wishes(it)) == 2)


async def test_where_none_can_be_started_the_person_is_told_why(
    own: OwnStage, tmp_path: Path
) -> None:
    repository(tmp_path / "workspace", db={"command": "sh", "cwd": "."})
    it = await own()
    await it.scene.client.until(lambda: it.scene.notices(it.chat))
    (notice,) = it.scene.notices(it.chat)
    assert "can be started here: Leaves out db: it says `cwd`, which" in notice
    assert wishes(it) == []
