"""`assent run` in a repository that names servers: none is started unless the command line says."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from catalogue.mcp.served import ROGUE
from cli.test_run import Place, place
from models.script import call, text

__all__ = ["place"]

TOKEN = "ghp-planted-by-a-test"  # noqa: S105 -- it opens nothing
OFF = "The files of this folder name MCP servers (.mcp.json), and none of them is started;"
LOOK = call("list_nodes", {"words": "issue"})


def repository(place: Place, **more: Any) -> Path:
    """A repository with a server that is a script and leaves a mark; the mark."""
    mark = place.folder / "started"
    server = place.root / "server.py"
    server.write_text(
        f"#!{sys.executable}\nimport os, sys\n"
        f"open({str(mark)!r}, 'w').write(os.environ.get('TOLD', ''))\n"
        f"sys.argv[1:] = ['helpful']\nexec(open({ROGUE!r}).read())\n"
    )
    server.chmod(0o755)
    ours = {"command": "./server.py", "env": {"TOLD": "${SOME_TOKEN}"}}
    written = json.dumps({"mcpServers": {"ours": ours, **more}})
    (place.root / ".mcp.json").write_text(written)
    place.env["SOME_TOKEN"] = TOKEN
    return mark


async def test_without_a_word_of_the_command_line_none_is_started_and_one_line_says_so(
    place: Place,
) -> None:
    mark = repository(place)
    place.server.reply(LOOK)
    place.server.reply(text("There is none."))
    ended = await place.run("--mode", "auto", "Look.")
    assert ended.code == 0, ended
    lines = [line for line in ended.errors.splitlines() if "MCP" in line]
    assert lines == [f"assent: {OFF} --allow-servers starts them."]
    assert not mark.exists()
    assert "workspace-ours" not in str([request.body for request in place.server.requests])


async def test_with_it_they_are_started_and_each_call_is_ruled_on_as_ever(place: Place) -> None:
    mark = repository(place, bad={"command": "sh", "args": ["${SOME_TOKEN}"]})
    place.server.reply(LOOK)
    place.server.reply(call("run_node", {"name": "workspace-ours:create_issue", "arguments": {}}))
    place.server.reply(text("It was denied."))
    ended = await place.run("--allow-servers", "Report it.")
    assert ended.code == 3, ended
    assert mark.read_text() == TOKEN
    assert "workspace-ours:create_issue" in place.server.requests[1].last
    assert "Denied: " in ended.errors
    assert f"Starts ours (as workspace-ours): {place.root}/server.py" in ended.errors
    assert "Gives your variable SOME_TOKEN to workspace-ours: as TOLD" in ended.errors
    assert "Leaves out bad: its argument 1 names the variable SOME_TOKEN" in ended.errors
    assert "The command line has --allow-servers" in place.journal()
    shown = (ended.out, ended.errors, place.journal(), *(it.last for it in place.server.requests))
    assert not any(TOKEN in some for some in shown)


async def test_what_changes_in_the_run_is_not_what_the_command_line_allowed(place: Place) -> None:
    mark = repository(place)
    before = (place.root / "server.py").read_text()
    place.server.reply(call("write_file", {"path": "server.py", "content": f"{before}# more\n"}))
    place.server.reply(LOOK)
    place.server.reply(text("There is none."))
    await place.run("--mode", "auto", "--allow-servers", "Look.")
    assert "# more" in (place.root / "server.py").read_text()
    assert os.access(place.root / "server.py", os.X_OK)
    assert not mark.exists()


@pytest.mark.parametrize("word", ["--allow-servers", "--json"])
async def test_a_repository_without_servers_is_told_nothing_of_them(
    place: Place, word: str
) -> None:
    place.server.reply(text("Good day."))
    ended = await place.run(word, "Good day.")
    assert ended.code == 0, ended
    assert "server" not in ended.errors
