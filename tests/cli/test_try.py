"""`assent try`: a command runs on a copy of the workspace, and its changes are shown."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assent.cli.check_sandbox import report
from assent.gate.sandbox.probe import OWN, Finding, Strength, Tried, probe

WITHIN_S = 60


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with a file, beside a home and a state folder."""
    for name in ("workspace", "home", "state"):
        (tmp_path / name).mkdir()
    (tmp_path / "workspace/a.txt").write_text("a\n", "ascii")
    return tmp_path / "workspace"


def variables(workspace: Path, **more: str) -> dict[str, str]:
    """The variables of a terminal in which `assent` runs."""
    top = workspace.parent
    own = {"HOME": str(top / "home"), "ASSENT_STATE_DIR": str(top / "state"), **more}
    return {**os.environ, "ASSENT_BWRAP": str(OWN), **own}


def words(*given: str) -> list[str]:
    """`assent try` as a program."""
    return [sys.executable, "-m", "assent", "try", *given]


def tried(workspace: Path, *given: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `assent try` to its end."""
    return subprocess.run(
        words(*given),
        cwd=workspace,
        env=variables(workspace, **more),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=WITHIN_S,
        check=False,
    )


def test_it_shows_what_a_command_changed_and_changes_nothing(workspace: Path) -> None:
    script = "echo said; echo b >> a.txt; mkdir d; echo n > d/new; exit 3"
    ended = tried(workspace, "--", "sh", "-c", script)
    assert (ended.returncode, ended.stdout) == (3, "said\n")
    assert "changed      a.txt" in ended.stderr
    assert "new          d/new" in ended.stderr
    assert "Discarded." in ended.stderr
    assert [path.name for path in workspace.iterdir()] == ["a.txt"]
    assert (workspace / "a.txt").read_text() == "a\n"
    assert [*(workspace.parent / "state/trials").iterdir()] == []


def test_apply_makes_the_changes_real(workspace: Path) -> None:
    ended = tried(workspace, "--apply", "--", "sh", "-c", "echo b >> a.txt; echo n > new")
    assert ended.returncode == 0
    assert "Applied 2 changes." in ended.stderr
    assert (workspace / "a.txt").read_text() == "a\nb\n"
    assert (workspace / "new").read_text() == "n\n"


def test_deletions_come_first_and_are_listed_as_json(workspace: Path) -> None:
    ended = tried(workspace, "--json", "--", "sh", "-c", "echo x > b; rm a.txt")
    changes = json.loads(ended.stderr)["changes"]
    assert [(change["kind"], change["path"]) for change in changes] == [
        ("deleted", "a.txt"),
        ("made", "b"),
    ]
    assert (workspace / "a.txt").exists()


def test_a_name_of_a_file_cannot_write_to_the_terminal(workspace: Path) -> None:
    ended = tried(workspace, "--", "sh", "-c", "echo x > \"$(printf 'a\\033[2Jb')\"")
    assert "\033" not in ended.stderr
    assert "a\N{REPLACEMENT CHARACTER}[2Jb" in ended.stderr


def test_without_a_command_or_a_sandbox_nothing_runs(workspace: Path) -> None:
    assert tried(workspace, "--apply").returncode == 2
    ended = tried(workspace, "--", "touch", "made", ASSENT_BWRAP="/nowhere/bwrap")
    assert ended.returncode == 125
    assert "Nothing was run" in ended.stderr
    assert not (workspace / "made").exists()


def test_a_command_that_is_interrupted_may_clean_up(workspace: Path) -> None:
    script = "trap 'echo clean > cleaned; exit 7' INT; echo up; sleep 60 & wait"
    started = subprocess.Popen(
        words("--apply", "--", "sh", "-c", script),
        cwd=workspace,
        env=variables(workspace),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "up\n"
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=WITHIN_S)
    assert started.returncode == 7, said
    assert (workspace / "cleaned").exists()


def test_in_a_terminal_it_asks(workspace: Path) -> None:
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        words("--", "sh", "-c", "echo n > new"),
        cwd=workspace,
        env=variables(workspace),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while b"[y/N] " not in said:
        said += os.read(ours, 4096)
    os.write(ours, b"y\n")
    assert started.wait(timeout=WITHIN_S) == 0
    os.close(ours)
    assert (workspace / "new").exists()


def test_the_probe_says_what_holds_here_and_leaves_nothing(workspace: Path) -> None:
    top = workspace.parent
    found = probe(str(workspace), str(top / "home"), str(top / "state"), {"ASSENT_BWRAP": str(OWN)})
    assert found.strength is Strength.TRIAL, found
    assert [*workspace.iterdir()] == [workspace / "a.txt"]
    assert [*(top / "state/trials").iterdir()] == []


def test_a_workspace_that_holds_the_home_has_no_sandbox(workspace: Path) -> None:
    top = workspace.parent
    found = probe(str(top), str(top / "home"), str(top / "state"))
    assert found.strength is Strength.NONE
    assert "holds your home" in found.because


def test_a_wall_that_lets_something_through_is_none(workspace: Path, tmp_path: Path) -> None:
    leaky = tmp_path / "bwrap"
    # It runs the command without any wall: what stands behind the last `--`.
    leaky.write_text('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n', "ascii")
    leaky.chmod(0o755)
    top = workspace.parent
    found = probe(
        str(workspace), str(top / "home"), str(top / "state"), {"ASSENT_BWRAP": str(leaky)}
    )
    assert found.strength is Strength.NONE
    assert found.bwrap == ""


def test_the_report_says_what_was_tried_and_why() -> None:
    found = Finding(
        strength=Strength.LIVE,
        because="the file system takes no layer",
        tried=(Tried(what="/usr/bin/bwrap, live", outcome="holds"),),
    )
    assert report(found) == (
        "/usr/bin/bwrap, live: holds\n"
        "Sandbox for this workspace: live. Commands can be confined to this workspace, but not"
        " tried on a copy of it.\n"
        "The file system takes no layer.\n"
    )
