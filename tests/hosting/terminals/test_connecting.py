"""The hook is put into an agent's own settings, shown first, and taken out letter by letter."""

import json
import shlex
import shutil
import stat
from pathlib import Path

import pytest

from assent.cli.main import main
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.settings.premises import premises_of_machine
from assent.gate.settings.without_window import NOTHING_OWN, ground_of
from assent.gate.text.json_edits import with_element, without_elements
from assent.hosting.hooks.hook_places import InList
from assent.hosting.terminals.connections import Connections, Unconnected
from assent.hosting.terminals.launcher import launcher
from assent.hosting.terminals.terminal import Terminal
from assent.hosting.terminals.terminals import TERMINALS
from tables import each_row

CLAUDE, OPENCODE = TERMINALS["claude"], TERMINALS["opencode"]
LISTED = {name: it for name, it in TERMINALS.items() if isinstance(it.place, InList)}
"""Those whose hook is one of a list in their settings."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    for terminal in TERMINALS.values():
        monkeypatch.delenv(terminal.variable, raising=False)
    monkeypatch.chdir(home)
    return home


def them(home: Path) -> Connections:
    return Connections(state=home.parent / "state", home=home, environment={})


def put(home: Path, text: str, terminal: Terminal = CLAUDE) -> Path:
    file = terminal.settings(home, {})
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8", newline="")
    return file


TEXTS = (
    "",
    "{}",
    "{\n}\n",
    '{"model": "opus"}',
    '{\n  "model": "opus"\n}\n',
    '{\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}',
    '{"hooks": {"PreToolUse": []}}',
    '{ "hooks" : { } , "list":[1,2] }  ',
    '{\r\n  "hooks": {\r\n    "PreToolUse": [\r\n      {"matcher": "Bash"}\r\n    ]\r\n  }\r\n}',
)


@pytest.mark.parametrize("terminal", LISTED.values(), ids=LISTED)
@pytest.mark.parametrize("text", TEXTS)
def test_what_stood_there_is_put_back_letter_by_letter(
    home: Path, terminal: Terminal, text: str
) -> None:
    file = put(home, text, terminal)
    assert main(["connect", terminal.id, "--yes"]) == 0
    assert them(home).standing(terminal) == "connected"
    told = json.loads(file.read_text("utf-8"))
    assert isinstance(terminal.place, InList)
    for event in terminal.place.hooks:
        assert "3600" in json.dumps(told["hooks"][event][-1])
    once = file.read_bytes()
    assert main(["connect", terminal.id, "--yes"]) == 0
    assert file.read_bytes() == once
    assert main(["disconnect", terminal.id, "--yes"]) == 0
    assert file.read_bytes() == text.encode()


@each_row("terminal", TERMINALS.values(), ids=TERMINALS)
def test_a_file_that_was_not_there_is_there_no_more(home: Path, terminal: Terminal) -> None:
    file = terminal.settings(home, {})
    assert main(["connect", terminal.id, "--yes"]) == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["disconnect", terminal.id, "--yes"]) == 0
    assert not file.exists()


def test_a_hook_with_a_file_of_its_own_is_all_that_is_taken_out_of_it(home: Path) -> None:
    file = OPENCODE.settings(home, {})
    assert main(["connect", "opencode", "--yes"]) == 0
    assert them(home).standing(OPENCODE) == "connected"
    file.write_text(f"// mine\n{file.read_text('utf-8')}", "utf-8")
    assert them(home).standing(OPENCODE) == "connected"
    assert main(["connect", "opencode", "--yes"]) == 0
    assert main(["disconnect", "opencode", "--yes"]) == 0
    assert file.read_text("utf-8") == "// mine\n"
    assert main(["connect", "opencode", "--yes"]) == 1
    assert file.read_text("utf-8") == "// mine\n"


def test_a_hook_with_a_file_of_its_own_that_was_changed_is_mended_and_not_taken_for_whole(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = OPENCODE.settings(home, {})
    main(["connect", "opencode", "--yes"])
    whole = file.read_text("utf-8")
    file.write_text(whole.replace('!== "allow"', '=== "deny"'), "utf-8")
    assert them(home).standing(OPENCODE) == "changed"
    assert main(["disconnect", "opencode", "--yes"]) == 1
    assert "was changed since" in capsys.readouterr().err
    assert main(["connect", "opencode", "--yes"]) == 0
    assert file.read_text("utf-8") == whole
    assert main(["disconnect", "opencode", "--yes"]) == 0
    assert not file.exists()


def test_where_gemini_is_told_to_run_no_hooks_it_is_not_called_connected(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gemini = TERMINALS["gemini"]
    main(["connect", "gemini", "--yes"])
    file = gemini.settings(home, {})
    line = them(home).line(gemini).text
    for config in ({"enabled": False}, {"disabled": [line]}):
        told = json.loads(file.read_text("utf-8"))
        file.write_text(json.dumps({**told, "hooksConfig": config}), "utf-8")
        assert them(home).standing(gemini) == "changed"
        assert main(["connect", "gemini", "--yes"]) == 1
        assert "`hooksConfig`" in capsys.readouterr().err


def test_of_a_file_that_was_changed_since_only_the_hook_is_taken_out(home: Path) -> None:
    file = put(home, '{\n  "model": "opus"\n}\n')
    main(["connect", "claude", "--yes"])
    file.write_text(file.read_text("utf-8").replace("opus", "haiku"), "utf-8")
    main(["disconnect", "claude", "--yes"])
    assert file.read_text("utf-8") == '{\n  "model": "haiku"\n}\n'


@each_row("text", [it for it in TEXTS if it])
def test_an_element_is_put_in_and_taken_out(text: str) -> None:
    path, element = ("hooks", "PreToolUse"), {"matcher": "*"}
    more = with_element(text, path, element)
    assert json.loads(more)["hooks"]["PreToolUse"][-1] == element
    again = json.loads(without_elements(more, path, lambda it: it == element))
    rest = {name: it for name, it in json.loads(text).items() if it}
    rest["hooks"] = {name: it for name, it in rest.get("hooks", {}).items() if it or name == "Stop"}
    again["hooks"] = again.get("hooks", {})
    assert again == rest


ODD = {
    "a comment": ('{\n  // mine\n  "model": "opus"\n}\n', "not plain JSON"),
    "a trailing comma": ('{"model": "opus",}', "not plain JSON"),
    "a list": ("[]", "no JSON object"),
    "hooks of another form": ('{"hooks": []}', "not what it should be"),
    "an event of another form": ('{"hooks": {"PreToolUse": {}}}', "not what it should be"),
    "a name twice": ('{"hooks": {}, "hooks": {}}', "stands in it twice"),
    "hooks that are off": ('{"disableAllHooks": true}', "runs no hooks at all"),
}


@pytest.mark.parametrize(("text", "why"), ODD.values(), ids=ODD)
def test_what_cannot_be_changed_surely_is_left_as_it_is(
    home: Path, text: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = put(home, text)
    assert main(["connect", "claude", "--yes"]) == 1
    assert why in capsys.readouterr().err
    assert file.read_text("utf-8") == text


def test_the_change_is_shown_and_nothing_is_written_unless_somebody_says_yes(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = put(home, "{}")
    assert main(["connect", "claude"]) == 1
    shown = capsys.readouterr()
    assert '+        "matcher": "*",' in shown.out
    assert "--yes" in shown.err
    assert file.read_text("utf-8") == "{}"


def test_a_link_is_followed_and_stays_one_and_the_mode_stays(home: Path) -> None:
    real = home / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text("{}\n", "utf-8")
    real.chmod(0o640)
    file = CLAUDE.settings(home, {})
    file.parent.mkdir()
    file.symlink_to(real)
    main(["connect", "claude", "--yes"])
    assert file.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert "hook" in real.read_text("utf-8")
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o755


def test_what_was_changed_meanwhile_is_not_written_over(home: Path) -> None:
    file = put(home, "{}")
    change = them(home).connecting(CLAUDE)
    file.write_text('{"model": "opus"}', "utf-8")
    with pytest.raises(Unconnected, match="changed meanwhile"):
        them(home).connect(change)
    assert file.read_text("utf-8") == '{"model": "opus"}'


def test_hooks_of_others_stay_where_they_are(home: Path) -> None:
    theirs = {"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}
    file = put(home, json.dumps({"hooks": {"PreToolUse": [theirs]}}))
    main(["connect", "claude", "--yes"])
    groups = json.loads(file.read_text("utf-8"))["hooks"]["PreToolUse"]
    assert groups[0] == theirs
    assert len(groups) == 2


def test_how_each_agent_stands_is_told_and_what_this_folder_does_to_it(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home, "{}")
    main(["connect", "claude", "--yes"])
    off = home / "work" / ".claude" / "settings.local.json"
    off.parent.mkdir(parents=True)
    off.write_text('{"disableAllHooks": true}', "utf-8")
    monkeypatch.chdir(home / "work")
    capsys.readouterr()
    main(["connect"])
    told = capsys.readouterr().out
    assert "claude   connected, its hook has not run yet" in told
    assert ".claude/settings.local.json in this folder may turn its hooks off" in told
    assert "codex    not connected" in told
    CLAUDE.settings(home, {}).write_text("{}", "utf-8")
    main(["connect"])
    assert "is not connected as it should be" in capsys.readouterr().out


def test_settings_that_name_the_hook_are_a_premise_wherever_they_lie(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "work" / "of-mine"))
    main(["connect", "claude", "--yes"])
    state, roots = tmp_path / "state", (str(tmp_path / "work"),)
    premises = Premises.of(premises_of_machine(state, home, roots), roots)
    places = Places(roots=roots, home=str(home), premises=premises)
    for path in (tmp_path / "work" / "of-mine" / "settings.json", launcher(state)):
        assert places.locate(str(path), roots[0]).own is not None


def test_a_hook_for_nobody_refuses(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hook"]) == 2
    assert main(["hook", "nobody"]) == 2
    assert "say whose call it is" in capsys.readouterr().err


def test_a_profile_that_is_taken_back_leaves_another_one_held(home: Path) -> None:
    other = Connections(
        state=home.parent / "state",
        home=home,
        environment={CLAUDE.variable: str(home / "work")},
    )
    for one in (them(home), other):
        one.connect(one.connecting(CLAUDE))
    other.disconnect(other.disconnecting(CLAUDE))
    assert them(home).standing(CLAUDE) == "connected"
    assert launcher(home.parent / "state").is_file()


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ('"matcher": "*"', '"matcher": "Nothing"'),
        ('"timeout": 3600', '"timeout": 1'),
        ('"onFailure": "block"', '"onFailure": "continue"'),
    ],
)
def test_a_hook_that_was_weakened_is_not_called_connected(
    home: Path, said: str, instead: str
) -> None:
    file = put(home, "{}")
    main(["connect", "claude", "--yes"])
    whole = file.read_text("utf-8")
    assert said in whole
    file.write_text(whole.replace(said, instead), "utf-8")
    assert them(home).standing(CLAUDE) == "changed"
    main(["connect", "claude", "--yes"])
    assert file.read_text("utf-8") == whole
    launcher(home.parent / "state").unlink()
    assert them(home).standing(CLAUDE) == "changed"


def test_a_hook_of_mine_in_the_same_group_is_never_taken_out(home: Path) -> None:
    file = put(home, "{}")
    main(["connect", "claude", "--yes"])
    told = json.loads(file.read_text("utf-8"))
    told["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "mine"})
    file.write_text(json.dumps(told), "utf-8")
    assert main(["disconnect", "claude", "--yes"]) == 1
    assert "mine" in file.read_text("utf-8")


def test_a_hook_of_mine_that_names_our_file_is_mine(home: Path) -> None:
    mine = {"matcher": "*", "hooks": [{"command": f"cat {launcher(home.parent / 'state')}"}]}
    file = put(home, json.dumps({"hooks": {"PreToolUse": [mine]}}))
    main(["connect", "claude", "--yes"])
    assert mine in json.loads(file.read_text("utf-8"))["hooks"]["PreToolUse"]


def test_a_folder_with_a_quote_in_its_name_is_known_again(tmp_path: Path) -> None:
    one = Connections(state=tmp_path / "o'brien", home=tmp_path, environment={})
    for _ in range(2):
        one.connect(one.connecting(CLAUDE))
    file = CLAUDE.settings(tmp_path, {})
    assert len(json.loads(file.read_text("utf-8"))["hooks"]["PreToolUse"]) == 1
    assert one.standing(CLAUDE) == "connected"


def test_a_link_that_led_nowhere_stays(home: Path) -> None:
    link = CLAUDE.settings(home, {})
    link.parent.mkdir(parents=True)
    link.symlink_to("../claude.json")
    main(["connect", "claude", "--yes"])
    main(["disconnect", "claude", "--yes"])
    assert link.is_symlink()
    assert not (home / "claude.json").exists()


@each_row("folder", ["/", "home"])
def test_what_holds_a_home_is_nobodys_workspace(home: Path, folder: str) -> None:
    at = str(home.parent / folder) if folder != "/" else folder
    ground = ground_of(at, NOTHING_OWN, home.parent / "state", home)
    assert ground.places.roots == ()


def outdated(home: Path, terminal: Terminal) -> str:
    """The settings of an agent as an earlier version of Assent left them."""
    path = shlex.quote(str(launcher(home.parent / "state")))
    line = f'f={path}; [ -e "$f" ] || exit 0; exec /bin/sh "$f" {terminal.id}'
    if not isinstance(terminal.place, InList):
        return f"// Written by Assent\nconst LINE = {json.dumps(line)}\n"
    hooks = {
        event: [{"matcher": "*", "hooks": [{"type": "command", "command": line}]}]
        for event in terminal.place.hooks
    }
    return json.dumps({"hooks": hooks})


def test_a_hook_of_an_earlier_version_is_called_so_and_moved_over(home: Path) -> None:
    for terminal in TERMINALS.values():
        old = outdated(home, terminal)
        file = put(home, old, terminal)
        # As where nothing was kept of it, and as where it was.
        record = home.parent / "state" / "connected" / f"{terminal.id}.json"
        for kept in (None, {"file": str(file), "before": None, "after": old}):
            file.write_text(old, "utf-8")
            if kept:
                record.write_text(json.dumps(kept), "utf-8")
            assert them(home).standing(terminal) == "changed" or not kept, terminal.id
            assert main(["connect", terminal.id, "--yes"]) == 0
            text = file.read_text("utf-8")
            assert "$f" not in text, terminal.id
            assert them(home).standing(terminal) == "connected"
            assert not them(home).is_outdated(terminal)
        assert main(["disconnect", terminal.id, "--yes"]) == 0
        assert "connected/hook" not in (file.read_text("utf-8") if file.exists() else "")


def test_what_a_person_wrote_around_the_hook_of_an_earlier_version_stays(home: Path) -> None:
    old = outdated(home, OPENCODE)
    file = put(home, f"// mine\n{old}", OPENCODE)
    record = home.parent / "state" / "connected" / "opencode.json"
    record.parent.mkdir(parents=True, mode=0o700)
    record.write_text(json.dumps({"file": str(file), "before": None, "after": old}), "utf-8")
    record.chmod(0o600)
    assert main(["connect", "opencode", "--yes"]) == 0
    text = file.read_text("utf-8")
    assert text.startswith("// mine\n")
    assert text.count("Written by Assent") == 1


def test_a_state_folder_that_was_lost_is_made_anew_where_an_agent_still_names_it(
    home: Path,
) -> None:
    state = home.parent / "state"
    them(home).refresh()
    assert not state.exists()
    for terminal in (CLAUDE, OPENCODE):
        main(["connect", terminal.id, "--yes"])
        shutil.rmtree(state)
        them(home).refresh()
        assert launcher(state).is_file(), terminal.id
        main(["disconnect", terminal.id, "--yes"])
        shutil.rmtree(state)


VERSIONS = {
    "2.1.138 (Claude Code)": (1, "would not run the hook"),
    "1.9": (1, "would not run the hook"),
    "2.1.139 (Claude Code)": (0, "lets a call run whose hook was killed"),
    "2.1.294 (Claude Code)": (0, "lets a call run whose hook was killed"),
    "2.1.295 (Claude Code)": (0, ""),
    "2.2.0": (0, ""),
    "10.0.0": (0, ""),
    "no version": (0, ""),
    "": (0, ""),
}
"""What `claude --version` prints, whether it is connected then, and what is said of it."""


def test_what_a_version_of_claude_code_does_with_its_hook_is_said_where_it_is_known(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = home / "bin" / "claude"
    program.parent.mkdir()
    monkeypatch.setenv("PATH", str(program.parent))
    for printed, (status, told) in VERSIONS.items():
        program.write_text(f"#!/bin/sh\necho '{printed}'\n", "utf-8")
        program.chmod(0o755)
        assert main(["connect", "claude", "--yes"]) == status, printed
        said = capsys.readouterr()
        assert told in said.out + said.err, printed
        assert bool(told) == ("2.1.139 or" in said.err or "2.1.295 and" in said.out), printed
        assert (them(home).standing(CLAUDE) == "connected") == (status == 0), printed
        main(["disconnect", "claude", "--yes"])
        capsys.readouterr()


def test_each_agent_is_told_that_a_hook_which_fails_refuses_where_it_can_be(home: Path) -> None:
    said = {"claude": '"onFailure": "block"', "cursor": '"failClosed": true'}
    for agent, word in said.items():
        main(["connect", agent, "--yes"])
        assert word in TERMINALS[agent].settings(home, {}).read_text("utf-8")
