"""What makes the gate is the gate's own, over a real server: what it and its editor report."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args
from urllib.parse import unquote, urlsplit

import pytest

from assent.editor.protocol.editor import EditorPlace
from assent.editor.window.settings.premises_survey import NAMES
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage

# What a process reports of itself is another thing in the process of the tests.
pytestmark = pytest.mark.process

_LOOSE = {"mode": "auto", "rules": {"allow": ["shell(*)", "read(/**)", "write(/**)"]}}

KINDS = set(get_args(EditorPlace.model_fields["kind"].annotation))
"""What the client may report, as the wire has it; its own test wants all of them from it."""

_PRINT = """
import json, os, pathlib
from assent.gate.settings.paths import state_path
from assent.gate.settings.premises import premises_of_machine
found = premises_of_machine(state_path(), pathlib.Path.home(), [])
print(json.dumps([[premise.path, os.path.isdir(premise.path)] for premise in found]))
"""


def an_editor(folder: Path) -> Editor:
    """An editor under a name that nobody has heard of, by whose person nothing is asked."""
    data = folder / "kept by a fork"
    user = data / "User"
    user.mkdir(parents=True)
    places = {
        "data": [data],
        "settings": [user / "settings.json"],
        "secrets": [user / "globalStorage" / "state.vscdb"],
        "extension": [folder / "of the fork" / "assent-0.1.0"],
        "extensions": [folder / "of the fork"],
        "program": [folder / "the fork"],
    }
    assert set(places) == KINDS == set(NAMES), "or a kind of place is not tried here"
    editor = Editor(
        layers={"user": dict(_LOOSE)},
        files={"user": user / "settings.json"},
        places=[
            EditorPlace(uri=path.as_uri(), kind=kind)  # type: ignore[arg-type]
            for kind, paths in places.items()
            for path in paths
        ],
        choose=lambda confirm: confirm.actions[0],
    )
    editor.save()
    return editor


def of_process(scene: Scene) -> list[str]:
    """A file at each place that a process like the server's reports."""
    told = subprocess.run(
        [sys.executable, "-P", "-c", _PRINT],
        env={**os.environ, "ASSENT_STATE_DIR": str(scene.state)},
        check=True,
        capture_output=True,
    )
    return [f"{path}/made" if folder else path for path, folder in json.loads(told.stdout)]


def of_editor(editor: Editor) -> list[str]:
    """Each place that an editor reports, and a file in it."""
    paths = [unquote(urlsplit(place.uri).path) for place in editor.places]
    return [*paths, *(f"{path}/made" for path in paths), *map(str, editor.files.values())]


def explained(scene: Scene, settings: Path, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the command line says of calls."""
    where = ["--workspace", str(scene.folder), "--settings", str(settings)]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "assent", "explain", "--jsonl", *where],
        input="\n".join(map(json.dumps, asked)),
        env={**os.environ, "ASSENT_STATE_DIR": str(scene.state)},
        check=True,
        capture_output=True,
        text=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


async def verdicts(scene: Scene, path: str) -> dict[str, str]:
    """What would be said of changes of a file."""
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "write": ("write", {"path": path, "content": "x"}),
        "redirect": ("shell", {"command": f"echo x > '{path}'"}),
        "move": ("shell", {"command": f"mv '{path}' away"}),
    }
    found = {}
    for name, (tool, given) in asked.items():
        params = {"tool": tool, "input": given, "agent": "eliza"}
        found[name] = (await scene.client.request("policy/explain", params)).verdict
    return found


async def test_no_file_that_the_editor_or_the_process_reports_is_changed_unasked(
    stage: Stage, tmp_path: Path
) -> None:
    editor = an_editor(tmp_path)
    scene = await stage(editor)
    beside = await verdicts(scene, str(tmp_path / "notes.txt"))
    assert set(beside.values()) == {"allow"}
    for path in (*of_process(scene), *of_editor(editor)):
        assert "allow" not in (await verdicts(scene, path)).values(), path


async def test_an_agent_that_is_bypassed_in_one_workspace_does_not_widen_another(
    stage: Stage, tmp_path: Path
) -> None:
    editor = an_editor(tmp_path)
    editor.layers["user"] = {}
    editor.save()
    scene = await stage(editor)
    await scene.client.request("agent/bypass", {"agentId": "eliza", "on": True})
    chat = await scene.chat()
    await scene.turn(chat, "run touch made")
    assert (scene.folder / "made").exists()
    before = editor.files["user"].read_bytes()
    turn = scene.say(chat, f"run echo '{{}}' > '{editor.files['user']}'")
    ticket = await scene.card()
    assert "the editor's settings" in ticket.card.because.text
    await scene.answer(ticket, "deny")
    await turn
    assert editor.files["user"].read_bytes() == before
    turn = scene.say(chat, f"run cp a.txt '{scene.state / 'attestations'}'")
    ticket = await scene.card()
    assert "Assent's own state" in ticket.card.because.text
    await scene.answer(ticket, "deny")
    await turn


async def test_what_makes_a_gate_is_not_read_unasked(stage: Stage, tmp_path: Path) -> None:
    editor = an_editor(tmp_path)
    editor.refuses = frozenset({"secret/get"})
    scene = await stage(editor)
    data = tmp_path / "kept by a fork"
    own = (scene.state / "attestations.key", scene.state / "journal.db", scene.state)
    host = data / "agent-host" / "local-endpoint" / "entries" / "0123abcd.json"
    shown = scene.state / "browser" / "mine" / "page.png"
    for path, verdict in (
        *((it, "ask") for it in (*own, host)),
        *((it, "allow") for it in (shown, data / "User" / "notes.json")),
    ):
        params = {"tool": "read", "input": {"path": str(path)}}
        assert (await scene.client.request("policy/explain", params)).verdict == verdict, path


async def test_what_the_process_knows_counts_where_the_editor_reports_nothing(
    stage: Stage,
) -> None:
    scene = await stage(Editor(refuses=frozenset({"settings/inspect"})))
    for path in of_process(scene):
        assert "allow" not in (await verdicts(scene, path)).values(), path


async def test_explaining_on_the_command_line_says_the_same_of_them(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await stage(an_editor(tmp_path))
    settings = tmp_path / "loose.json"
    rules = {f"assent.{key}": value for key, value in _LOOSE.items()}
    settings.write_text(json.dumps(rules), encoding="utf-8")
    paths = of_process(scene)
    asked = [
        {"id": at, "tool": "write", "input": {"path": path, "content": "x"}}
        for at, path in enumerate(paths)
    ]
    asked.append(
        {"id": "beside", "tool": "write", "input": {"path": str(tmp_path / "x"), "content": "x"}}
    )
    told = {it["id"]: it["verdict"] for it in explained(scene, settings, asked)}
    assert told.pop("beside") == "allow"
    for at, path in enumerate(paths):
        here = (await verdicts(scene, path))["write"]
        assert here == told[at], path
