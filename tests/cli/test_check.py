"""`assent check`: every rule in reach, with the file and the line of what is wrong."""

import json
import os
import pathlib

import pytest

from assent.cli import check, explain
from assent.gate.settings.files import read_settings, settings_from_files
from assent.gate.settings.layers import Layer
from assent.gate.settings.managed import NOTHING_MANAGED
from assent.gate.settings.paths import user_settings_files, workspace_settings_file
from assent.gate.settings.reading import read

GOOD = '{"assent.rules": {"allow": ["shell(ls:*)"], "deny": ["read(./.env)"]}}'
BAD = """{
  // a person's
  "assent.rules": {
    "allow": ["shell(git push origin:*)",],
    "deny": [
      "shell(git push:*)",
      {"rule": "read(./.env)", "matches": ["src/.env"]}
    ]
  }
}
"""


@pytest.fixture(autouse=True)
def _no_managed_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "read_managed", lambda: NOTHING_MANAGED)


@pytest.fixture
def workspace(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "ws" / ".vscode").mkdir(parents=True)
    return tmp_path / "ws"


def run(*words: str | pathlib.Path) -> int:
    return check.main([str(word) for word in words])


def test_where_all_is_well_it_says_how_many_rules_there_are(
    workspace: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = workspace / "settings.json"
    settings.write_text(GOOD, encoding="utf-8")
    (workspace / ".vscode/settings.json").write_text(GOOD, encoding="utf-8")
    assert run("--workspace", workspace, "--settings", settings) == 0
    assert capsys.readouterr().out == "4 rules, none refused.\n"


def test_rules_that_are_switched_off_are_counted_by_themselves(
    workspace: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = workspace / "settings.json"
    off = {"rule": "shell(make:*)", "off": True}
    text = json.dumps({"assent.rules": {"allow": [off, "shell(ls:*)"], "deny": [off]}})
    settings.write_text(text, encoding="utf-8")
    assert run("--workspace", workspace, "--settings", settings) == 0
    assert capsys.readouterr().out == "1 rule, 2 switched off, none refused.\n"


def test_what_is_refused_or_dead_is_told_with_file_and_line(
    workspace: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = workspace / "settings.json"
    settings.write_text(BAD, encoding="utf-8")
    assert run("--workspace", workspace, "--settings", settings) == 1
    refused, dead, summary = capsys.readouterr().out.splitlines()
    assert refused.startswith(f"{settings}:7: error: ")
    assert "“src/.env”" in refused
    assert dead.startswith(f"{settings}:4: warning: ")
    assert "never counts" in dead
    assert summary == "2 rules, 2 faults."


def test_of_a_workspace_that_nobody_agreed_to_the_rules_are_checked_too(
    workspace: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (workspace / ".vscode/settings.json").write_text(GOOD, encoding="utf-8")
    empty = workspace / "settings.json"
    empty.write_text("", encoding="utf-8")
    assert run("--workspace", workspace, "--settings", empty) == 0
    assert capsys.readouterr().out == "2 rules, none refused.\n"


@pytest.mark.parametrize("contents", ["{", "[]", "7", "{'a': 1}", "[" * 100_000])
def test_a_file_that_cannot_be_read_is_a_fault(
    workspace: pathlib.Path, contents: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = workspace / "settings.json"
    settings.write_text(contents, encoding="utf-8")
    assert run("--workspace", workspace, "--settings", settings) == 1
    assert "could not be read: it is no JSON" in capsys.readouterr().out


def test_a_file_that_is_missing_or_a_folder_is_a_fault(
    workspace: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--workspace", workspace, "--settings", workspace / "none.json") == 1
    assert "there is no such file" in capsys.readouterr().out
    assert run("--workspace", workspace, "--settings", workspace) == 1
    assert "is a directory" in capsys.readouterr().out


def test_each_of_several_editors_is_read_with_the_workspace_alone(
    workspace: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = workspace / "one.json", workspace / "other.json"
    one.write_text('{"assent.rules": {"allow": ["shell(a)"]}}', encoding="utf-8")
    other.write_text('{"assent.rules": {"deny": ["shell(a)"]}}', encoding="utf-8")
    assert run("--workspace", workspace, "--settings", one, "--settings", other) == 0
    assert capsys.readouterr().out == "2 rules, none refused.\n"


def test_the_settings_of_the_usual_editors_are_found(tmp_path: pathlib.Path) -> None:
    linux = tmp_path / ".config/VSCodium/User/settings.json"
    server = tmp_path / ".local/share/code-server/User/settings.json"
    mac = tmp_path / "Library/Application Support/Code/User/settings.json"
    windows = tmp_path / "Roaming/Cursor/User/settings.json"
    for path in (linux, server, mac, windows):
        path.parent.mkdir(parents=True)
        path.write_text("{}", encoding="utf-8")
    assert user_settings_files(tmp_path, "linux", {}) == (linux, server)
    assert user_settings_files(tmp_path, "darwin", {}) == (mac, server)
    roaming = {"APPDATA": str(tmp_path / "Roaming")}
    assert user_settings_files(tmp_path, "win32", roaming) == (windows, server)


def test_what_files_say_is_told_as_an_editor_tells_it(workspace: pathlib.Path) -> None:
    one, other = workspace / "one.json", workspace / "other.json"
    one.write_text('{"assent.mode": "ask", "assent.rules": {"deny": ["shell(a)"]}}', "utf-8")
    other.write_text('{"assent.mode": "auto", "assent.rules": {"deny": ["shell(b)"]}}', "utf-8")
    (workspace / ".vscode/settings.json").write_text(
        '{"editor.x": 1, "assent.mode": "plan"}', "utf-8"
    )
    assert settings_from_files([one, other], workspace) == {
        "mode": {"user": "auto", "workspace": "plan"},
        "rules": {"user": {"deny": ["shell(a)", "shell(b)"]}},
    }
    assert settings_from_files([], None) == {}


@pytest.mark.requirement("T-12")
def test_a_file_that_cannot_be_read_makes_everything_ask(workspace: pathlib.Path) -> None:
    broken = workspace / "broken.json"
    broken.write_text("{", encoding="utf-8")
    good = workspace / "good.json"
    good.write_text(GOOD, encoding="utf-8")
    for files in ([broken], [good, broken], [broken, good]):
        reading = read(settings_from_files(files, None), True, lambda _: None)
        assert reading.suspended == {"*"}


def test_in_a_workspaces_file_the_settings_stand_below_settings(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.code-workspace"
    path.write_text(json.dumps({"folders": [], "settings": json.loads(GOOD)}, indent=1), "utf-8")
    assert workspace_settings_file(path) == path
    found = read_settings(path, Layer.WORKSPACE)
    assert found.values == {"rules": json.loads(GOOD)["assent.rules"]}
    assert found.line(("rules", "deny", 0)) == 9
    assert found.line(("rules", "deny", 7, "why")) == 8
    assert found.line(("nothing",)) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such pipes here")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(
    workspace: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(workspace / "settings.json")
    found = read_settings(workspace / "settings.json", Layer.USER)
    assert found.problem == "it is no ordinary file"
    os.mkfifo(workspace / ".vscode/settings.json")
    words = ["--workspace", str(workspace), "--home", str(workspace), "shell", "ls"]
    assert explain.main(words) == 0
    assert "You would be asked" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "  \n", "// nothing yet\n", "\ufeff{}", '{"a": "\t"}'])
def test_a_file_that_an_editor_reads_without_a_word_is_read_so_here(
    tmp_path: pathlib.Path, text: str
) -> None:
    (tmp_path / "settings.json").write_text(text, encoding="utf-8")
    found = read_settings(tmp_path / "settings.json", Layer.USER)
    assert (found.problem, found.values) == (None, {})
