"""Servers as people write them into `.mcp.json`: with variables, and relative commands."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.editor.window.servers.server_texts import ServerText, texts_in
from assent.editor.window.servers.workspace_servers import OfferedServers
from catalogue.mcp.served import ROGUE
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.test_workspace_servers import (
    grant,
    looks_for_tools,
    rows_of,
    tells,
    told,
)
from editor.wire.test_workspace_skills import asked, is_wish, plant, said, wishes
from models.script import call, text
from tables import each_row

__all__ = ["model", "own"]

TOKEN = "ghp-planted-by-a-test"  # noqa: S105 -- it opens nothing
AS_WRITTEN = ".mcp.json"


def written(folder: Path, **servers: Any) -> Path:
    """A repository with servers in the file that most programs read."""
    return plant(folder, {AS_WRITTEN: json.dumps({"mcpServers": servers})})


def read(folder: Path, **servers: Any) -> ServerText:
    """What is read of it, without anybody's environment."""
    (server_text,) = texts_in(str(written(folder, **servers)), (str(folder),), lambda _: True)
    return server_text


def digest(folder: Path, **servers: Any) -> str:
    """What a grant of it is bound to."""
    return OfferedServers(str(folder), (read(folder, **servers),)).wish.digest


def program(path: Path, content: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(0o755)
    return path


def script(path: Path, kind: str = "plain", more: str = "") -> Path:
    """A server that is a script of its own."""
    rogue = f"import sys; sys.argv[1:] = [{kind!r}]; exec(open({ROGUE!r}).read())"
    return program(path, f"#!{sys.executable}\n{rogue}\n{more}\n")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with the programs by which servers are started, and a folder for a repository."""
    for name in ("npx", "uvx", "docker", "node"):
        program(tmp_path / "bin" / name)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


SIX: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "npx with a variable": (
        {"command": "npx", "args": ["-y", "@acme/github"], "env": {"GH": "${TOKEN}"}},
        [
            ("Starts it (as workspace-it)", "{bin}/npx -y @acme/github, with the variables GH"),
            ("Gives your variable TOKEN to workspace-it", "as GH"),
        ],
    ),
    "a default": (
        {"command": "npx", "args": ["x"], "env": {"LEVEL": "${LOG_LEVEL:-info}"}},
        [
            ("Starts it (as workspace-it)", "{bin}/npx x, with the variables LEVEL"),
            (
                "Gives your variable LOG_LEVEL to workspace-it",
                "as LEVEL, or “info” where it is not set",
            ),
        ],
    ),
    "an address with a token": (
        {
            "type": "http",
            "url": "https://mcp.example.com/mcp",
            "headers": {"Authorization": "Bearer ${TOKEN}"},
        },
        [
            (
                "Reaches it (as workspace-it)",
                "https://mcp.example.com/mcp, with the headers Authorization",
            ),
            ("Sends your variable TOKEN to https://mcp.example.com/mcp", "as Authorization"),
        ],
    ),
    "a relative command": (
        {"command": "./server.py"},
        [("Starts it (as workspace-it)", "{ws}/server.py")],
    ),
    "plain uvx": (
        {"command": "uvx", "args": ["x"]},
        [("Starts it (as workspace-it)", "{bin}/uvx x")],
    ),
    "plain docker": (
        {"command": "docker", "args": ["run", "-i", "--rm", "-e", "A=b", "acme/mcp"]},
        [("Starts it (as workspace-it)", "{bin}/docker run -i --rm -e A=b acme/mcp")],
    ),
}
"""Ordinary entries, and what a card says of each."""


@pytest.mark.parametrize(("server", "rows"), SIX.values(), ids=SIX)
def test_each_of_six_ordinary_entries_can_be_granted(
    installed: Path, server: dict[str, Any], rows: list[tuple[str, str]]
) -> None:
    program(installed / "server.py")
    server_text = read(installed, it=server)
    assert [entry.name for entry in server_text.entries] == ["workspace-it"]
    places = {"bin": f"{installed.parent}/bin", "ws": str(installed)}
    assert server_text.rows == tuple((name, value.format(**places)) for name, value in rows)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "in the url": (
        {"url": "https://mcp.example.com/${TOKEN}"},
        "its url names the variable TOKEN, and only a value of `env` or `headers` may",
    ),
    "as the host": (
        {"url": "${HOST:-https://mcp.example.com}/mcp"},
        "its url names the variable HOST, and only",
    ),
    "in an argument": (
        {"command": "npx", "args": ["x", "--key=${TOKEN}"]},
        "its argument 2 names the variable TOKEN, and only",
    ),
    "in another spelling": (
        {"command": "npx", "args": ["${env:TOKEN}"]},
        "its argument 1 names the variable TOKEN, and only",
    ),
    "as the command": ({"command": "${SHELL}"}, "its command names the variable SHELL, and only"),
    "in PATH": (
        {"command": "npx", "env": {"PATH": "./bin:${PATH}"}},
        "PATH in its `env` names a variable, and PATH decides which program is started",
    ),
    "a default with another variable": (
        {"command": "npx", "env": {"A": "${B:-${AWS_SECRET_ACCESS_KEY}}"}},
        "A in its `env` has a `${` that is not understood here",
    ),
    "one in another": ({"command": "npx", "env": {"A": "${B${C}}"}}, "A in its `env` has a `${`"),
    "put together": ({"command": "npx", "env": {"A": "$${B}{C}"}}, "A in its `env` has a `${`"),
    "not closed": ({"command": "npx", "env": {"A": "${TOKEN"}}, "A in its `env` has a `${`"),
    "not closed in a header": (
        {"url": "https://mcp.example.com", "headers": {"A": "Bearer ${TOKEN"}},
        "A in its `headers` has a `${` that is not understood here",
    ),
    "in a header's name": (
        {"url": "https://mcp.example.com", "headers": {"${TOKEN": "a"}},
        "a name in its `headers` has `${` in it, which only a value may have",
    ),
    "what is no text": ({"command": "npx", "env": {"A": ["${B}"]}}, "could not be understood"),
    "in a variable's name": (
        {"command": "npx", "env": {"${TOKEN}": "a"}},
        "a name in its `env` has `${` in it, which only a value may have",
    ),
    "no name": ({"command": "npx", "env": {"A": "${}"}}, "A in its `env` has a `${`"),
    "no name but a default": ({"command": "npx", "env": {"A": "${:-x}"}}, "A in its `env`"),
    "another sign": ({"command": "npx", "env": {"A": "${TOKEN-x}"}}, "A in its `env` has a `${`"),
    "a secret": (
        {"command": "npx", "env": {"A": "${secret:KEY}"}},
        "A in its `env` names a secret, which only your own settings may",
    ),
    "a command outside": ({"command": "../x/server"}, "`../x/server` leads out of this workspace"),
    "a command outside by way of inside": (
        {"command": "./a/../../x/server"},
        "`./a/../../x/server` leads out of this workspace",
    ),
    "a command that is not there": ({"command": "./none"}, "cannot be run; change .mcp.json."),
    "a folder": ({"command": "./folder"}, "/folder` is no file that can be read, or is too"),
    "an argument that is huge": (
        {"command": "npx", "args": ["./huge"]},
        "/huge` is no file that can be read, or is too",
    ),
    "a command that is huge": (
        {"command": "./huge"},
        "/huge` is no file that can be read, or is too",
    ),
}


@each_row(("server", "why"), REFUSED.values(), ids=REFUSED)
def test_what_would_decide_where_it_goes_or_is_not_understood_is_left_out_with_its_place(
    installed: Path, server: dict[str, Any], why: str
) -> None:
    (installed / "folder").mkdir(exist_ok=True)
    with program(installed / "huge").open("r+b") as huge:
        huge.truncate(65 * 1024 * 1024)
    server_text = read(installed, it=server, more=server)
    assert server_text.entries == ()
    assert [name for name, _ in server_text.rows] == ["Leaves out it", "Leaves out more"]
    assert why in server_text.rows[0][1]


def test_a_default_hides_no_variable_that_is_named_behind_it(installed: Path) -> None:
    default = "x” where it is not set\n" + 200 * "x"
    env = {"A": f"${{HARMLESS:-{default}}}", "B": "${AWS_SECRET_ACCESS_KEY}"}
    _, first, second = read(installed, it={"command": "npx", "env": env}).rows
    assert first[1].count("”") == 1
    assert (first[0], len(first[1]) < 130) == ("Gives your variable HARMLESS to workspace-it", True)
    assert second == ("Gives your variable AWS_SECRET_ACCESS_KEY to workspace-it", "as B")


def test_a_dollar_without_braces_is_no_variable(installed: Path) -> None:
    server_text = read(installed, it={"command": "npx", "env": {"A": "$TOKEN", "B": "$(id)"}})
    assert server_text.entries[0].env == {"A": "$TOKEN", "B": "$(id)"}
    assert "variables" not in server_text.runs["workspace-it"]
    assert len(server_text.rows) == 1


CHANGES: dict[str, dict[str, Any]] = {
    "another variable": {"headers": {"Authorization": "Bearer ${OTHER}"}},
    "one variable more": {"headers": {"Authorization": "Bearer ${TOKEN}", "A": "${OTHER}"}},
    "another header": {"headers": {"X-Key": "Bearer ${TOKEN}"}},
    "another address": {"url": "https://mcp.example.org/mcp"},
    "a default": {"headers": {"Authorization": "Bearer ${TOKEN:-x}"}},
}


@each_row("change", CHANGES.values(), ids=CHANGES)
def test_a_grant_does_not_cover_another_variable_or_another_address(
    installed: Path, change: dict[str, Any]
) -> None:
    server = {
        "url": "https://mcp.example.com/mcp",
        "headers": {"Authorization": "Bearer ${TOKEN}"},
    }
    granted = digest(installed, it=server)
    assert digest(installed, it=server) == granted
    assert digest(installed, it=server | change) != granted


def test_the_names_of_the_variables_are_part_of_what_is_granted(installed: Path) -> None:
    server_text = read(installed, it={"command": "npx", "env": {"A": "${B}${C:-x}", "D": "e"}})
    assert server_text.runs["workspace-it"]["variables"] == {"A": ["B", "C"]}
    folder = read(installed, it={"command": "./sub/server", "args": ["./sub", "../up", "sub"]})
    assert folder.entries == ()
    program(installed / "sub" / "server")
    (entry,) = read(
        installed, it={"command": "sub/server", "args": ["./sub", "../up", ".", ".x"]}
    ).entries
    assert (entry.command, entry.args) == (
        f"{installed}/sub/server",
        (f"{installed}/sub", f"{installed.parent}/up", str(installed), ".x"),
    )


def test_a_link_out_of_the_workspace_is_shown_and_bound_with_what_it_leads_to(
    installed: Path,
) -> None:
    first, second = (program(installed.parent / name, "#!/bin/sh\n:\n") for name in ("a", "b"))
    link = installed / "server"
    link.symlink_to(first)
    server = {"command": "./server"}
    granted = digest(installed, it=server)
    rows = dict(read(installed, it=server).rows)
    assert rows["Follows links out of this workspace"] == f"{link} leads to {first}"
    # It leads to a file of the same content elsewhere, and then to other content in its place.
    link.unlink()
    link.symlink_to(second)
    assert digest(installed, it=server) != granted
    link.unlink()
    link.symlink_to(first)
    assert digest(installed, it=server) == granted
    first.write_text("#!/bin/sh\nid\n")
    assert digest(installed, it=server) != granted


def test_a_folder_that_is_a_link_out_of_the_workspace_is_shown_as_one(installed: Path) -> None:
    elsewhere = program(installed.parent / "elsewhere" / "server")
    (installed / "tools").symlink_to(elsewhere.parent)
    rows = dict(read(installed, it={"command": "./tools/server"}).rows)
    shown = f"{installed}/tools/server leads to {elsewhere}"
    assert rows["Follows links out of this workspace"] == shown


def test_servers_that_are_handed_too_much_together_are_left_out(installed: Path) -> None:
    for number in range(5):
        with program(installed / f"large{number}").open("r+b") as large:
            large.truncate(60 * 1024 * 1024)
    servers = {
        f"a{number}": {"command": "npx", "args": [f"./large{number}"]} for number in range(5)
    }
    server_text = read(installed, **servers)
    assert [entry.name for entry in server_text.entries] == [
        f"workspace-a{number}" for number in range(4)
    ]
    assert server_text.rows[-1] == (
        "Leaves out a4",
        "the servers are handed more than 256 MB here",
    )


@each_row(
    "server",
    [
        {"command": "npx", "args": ["./data"]},
        {"command": "npx", "args": ["--root=${workspaceFolder}/data"]},
        {"command": "npx", "env": {"ROOT": "${workspaceFolder}/data"}},
    ],
)
def test_a_folder_that_is_handed_on_is_bound_by_where_it_leads(
    installed: Path, server: dict[str, Any]
) -> None:
    data = installed / "data"
    data.unlink(missing_ok=True)
    first, second = (installed.parent / name for name in ("one", "two"))
    for folder in (first, second):
        folder.mkdir(exist_ok=True)
    data.symlink_to(first)
    granted = digest(installed, it=server)
    shown = f"{data} leads to {first}"
    assert dict(read(installed, it=server).rows)["Follows links out of this workspace"] == shown
    data.unlink()
    data.symlink_to(second)
    assert digest(installed, it=server) != granted


@each_row(
    "server",
    [
        {"command": "node", "args": ["-r${workspaceFolder}/x.js"]},
        {"command": "node", "args": ["--import", "file://${workspaceFolder}/x.js"]},
        {"command": "node", "env": {"NODE_OPTIONS": "--require ${workspaceFolder}/x.js"}},
    ],
)
def test_a_file_that_is_named_within_a_word_is_bound(
    installed: Path, server: dict[str, Any]
) -> None:
    program(installed.parent / "bin" / "node")
    code = installed / "x.js"
    code.write_text("1\n", "ascii")
    granted = digest(installed, it=server)
    code.write_text("2\n", "ascii")
    assert digest(installed, it=server) != granted


def test_what_a_script_is_run_by_is_bound_where_it_lies_in_the_workspace(installed: Path) -> None:
    inner = program(installed / "inner")
    middle = program(installed / "middle", f"#!{inner}\n")
    program(installed / "server", f"#!/usr/bin/env -S {middle} -x\n")
    server = {"command": "./server"}
    granted = digest(installed, it=server)
    inner.write_text("#!/bin/bash\n")
    assert digest(installed, it=server) != granted


async def test_a_variable_is_named_on_the_card_and_reaches_the_server_after_the_grant_alone(
    own: OwnStage, tmp_path: Path
) -> None:
    """A harmless name hides nothing: the card says which variable goes where."""
    written(tmp_path / "workspace", weather=tells(env={"TOLD": "${AWS_SECRET_ACCESS_KEY}"}))
    variables = {"AWS_SECRET_ACCESS_KEY": TOKEN, "OTHER": "never-named"}
    it = await own(mode="auto", variables=variables)
    wish = await it.scene.card(is_wish)
    row = "Gives your variable AWS_SECRET_ACCESS_KEY to workspace-weather"
    assert rows_of(wish)[row] == "as TOLD"
    assert not any("t0" in line for line in await looks_for_tools(it))
    await grant(it, wish)
    # Nothing of the value comes back, and it is the whole value that was given.
    assert '"env": "⟨secret⟩"' in await told(it, "workspace-weather:t0")
    assert f'"length": {len(TOKEN)}' in await told(it, "workspace-weather:t0", count=1)
    assert TOKEN not in str(it.scene.rows())
    assert TOKEN not in it.scene.client.told("tool/approvalRequest")[0].model_dump_json()
    assert all(TOKEN not in asked(it, number) for number in range(len(it.model.requests)))


async def test_another_variable_asks_again_and_nothing_of_it_is_given_before(
    own: OwnStage, tmp_path: Path
) -> None:
    written(tmp_path / "workspace", db=tells(env={"TOLD": "${ONE_KEY}"}))
    it = await own(mode="auto", variables={"ONE_KEY": TOKEN, "OTHER_KEY": f"other-{TOKEN}"})
    await grant(it)
    assert f'"length": {len(TOKEN)}' in await told(it, "workspace-db:t0", count=1)
    written(tmp_path / "workspace", db=tells(env={"TOLD": "${OTHER_KEY}"}))
    assert not any("t0" in line for line in await looks_for_tools(it))
    await it.scene.client.until(lambda: len(wishes(it)) == 2)


@pytest.mark.parametrize(
    ("variables", "length"), [({}, 4), ({"LEVEL_OF": ""}, 4), ({"LEVEL_OF": "verbose"}, 7)]
)
async def test_a_default_counts_where_the_variable_is_not_set_or_empty(
    own: OwnStage, tmp_path: Path, variables: dict[str, str], length: int
) -> None:
    written(tmp_path / "workspace", db=tells(env={"TOLD": "${LEVEL_OF:-info}"}))
    it = await own(mode="auto", variables=variables)
    await grant(it)
    assert f'"length": {length}' in await told(it, "workspace-db:t0", count=1)


async def test_a_value_is_taken_to_the_letter(own: OwnStage, tmp_path: Path) -> None:
    value = "${OTHER_KEY}${input:key}${env:HOME}"
    written(tmp_path / "workspace", db=tells(env={"TOLD": "${ONE_KEY}"}))
    it = await own(mode="auto", variables={"ONE_KEY": value, "OTHER_KEY": "no"})
    await grant(it)
    assert f'"length": {len(value)}' in await told(it, "workspace-db:t0", count=1)


async def test_a_server_whose_variable_is_not_set_is_not_started_and_that_variable_is_named(
    own: OwnStage, tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    code = f"open({str(mark)!r}, 'w').close()"
    bad = {"command": sys.executable, "args": ["-c", code], "env": {"A": "${NOBODY_SET_THIS}"}}
    written(tmp_path / "workspace", bad=bad, good=tells("helpful"))
    it = await own()
    await grant(it)
    lines = "\n".join(await looks_for_tools(it))
    assert (
        "workspace-bad was not started: the variable NOBODY_SET_THIS is not set where the editor"
        " was started, and .mcp.json names it in `env` without a default."
    ) in lines
    assert "workspace-good:create_issue" in lines
    assert not mark.exists()
    states = (await it.scene.client.request("source/list", {})).servers
    (state,) = [state for state in states if state.name == "workspace-bad"]
    assert (state.state, "NOBODY_SET_THIS" in state.says) == ("unfit", True)


async def test_a_relative_command_is_started_from_the_workspace_and_asked_about_once_it_changed(
    own: OwnStage, tmp_path: Path
) -> None:
    server = script(tmp_path / "workspace" / "tools" / "server.py", "helpful")
    written(tmp_path / "workspace", ours={"command": "./tools/server.py"})
    it = await own(mode="auto")
    await grant(it)
    assert any("workspace-ours:create_issue" in line for line in await looks_for_tools(it))
    # Whoever changes it without being asked would be asked about that in every mode.
    it.model.reply(call("write_file", {"path": "tools/server.py", "content": "import os\n"}))
    it.model.reply(text("So."))
    turn = it.say()
    card = await it.scene.card(lambda told: told.chat_id == it.chat)
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    script(server, "helpful", "# and more")
    assert not any("create_issue" in line for line in await looks_for_tools(it))
    await it.scene.client.until(lambda: len(wishes(it)) == 2)


async def test_the_model_is_told_the_names_of_the_servers_in_a_line_once_they_are_granted(
    own: OwnStage, tmp_path: Path
) -> None:
    written(tmp_path / "workspace", db=tells("helpful"))
    it = await own(mcpServers={"mine": tells("plain")})
    wish = await it.scene.card(is_wish)
    line = "[MCP servers, whose tools list_nodes finds: {}.]"
    assert line.format("mine") in await said(it, "Go on.")
    await grant(it, wish)
    assert line.format("workspace-db, mine") in await said(it, "Go on.")
    (tmp_path / "workspace" / AS_WRITTEN).unlink()
    before = asked(it).count(line.format("mine"))
    assert (await said(it, "Go on.")).count(line.format("mine")) == before + 1


def no_servers(it: Own) -> bool:
    return "MCP servers" not in asked(it)


async def test_where_there_are_no_servers_no_line_tells_of_them(own: OwnStage) -> None:
    it = await own()
    await said(it, "Go on.")
    assert no_servers(it)
