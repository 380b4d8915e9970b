"""`assent try`: a command runs on a copy of the workspace, and its changes are shown."""

import json
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from assent.cli.check_sandbox import report
from assent.gate.sandbox.bubblewrap import OWN
from assent.gate.sandbox.probe import Finding, Strength, Tried, probe

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
    own = {"HOME": str(top / "home"), "ASSENT_STATE_DIR": str(top / "state")}
    return {**os.environ, "ASSENT_BWRAP": str(OWN), **own, **more}


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
    assert [path.suffix for path in (workspace.parent / "state/trials").iterdir()] == [".lock"]


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


def test_a_plain_deletion_is_listed_before_what_is_marked(workspace: Path) -> None:
    said = tried(workspace, "--", "sh", "-c", "rm a.txt; mkdir .vscode").stderr
    assert said.index("deleted      a.txt") < said.index("! new folder   .vscode")


def test_a_name_of_a_file_cannot_write_to_the_terminal(workspace: Path) -> None:
    ended = tried(workspace, "--", "sh", "-c", "echo x > \"$(printf 'a\\033[2Jb')\"")
    assert "\033" not in ended.stderr
    assert "a\N{REPLACEMENT CHARACTER}[2Jb" in ended.stderr


def settings(workspace: Path, **rules: list[str]) -> None:
    """Write rules into the person's settings."""
    file = workspace.parent / "home/.config/Code/User/settings.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"assent.rules": rules}), "ascii")


def test_what_a_rule_denies_is_neither_read_nor_made_real(workspace: Path) -> None:
    (workspace / "diary").write_text("secret\n", "ascii")
    (workspace / "kept").mkdir()
    (workspace / "kept/file").write_text("kept\n", "ascii")
    settings(workspace, deny=["read(./diary)", "write(./kept/**)"])
    script = "cat diary; echo x > kept/file; echo n > kept/new; echo n > new"
    ended = tried(workspace, "--apply-all", "--", "sh", "-c", script)
    assert ended.stdout == ""
    assert "x changed      kept/file" in ended.stderr
    assert "x new          kept/new" in ended.stderr
    assert "Nothing was applied. A rule denies what is marked `x`" in ended.stderr
    assert ended.returncode == 125
    assert (workspace / "kept/file").read_text() == "kept\n"
    assert not (workspace / "kept/new").exists()
    assert not (workspace / "new").exists()
    assert "x deleted      kept" in tried(workspace, "--", "rm", "-r", "kept").stderr


def test_a_rule_about_a_part_holds_for_a_folder_that_is_replaced(workspace: Path) -> None:
    (workspace / "a/secret").mkdir(parents=True)
    (workspace / "a/secret/f").write_text("kept\n", "ascii")
    settings(workspace, deny=["write(./a/secret/**)"])
    for script in (
        "rm -r a; echo gone > a",
        "rm -r a; mkdir -p ev/secret; echo EVIL > ev/secret/f; ln -s ev a",
        "mv a b",
    ):
        ended = tried(workspace, "--apply-all", "--", "sh", "-c", script)
        assert "x deleted      a\n" in ended.stderr
        assert ended.returncode == 125
        assert (workspace / "a/secret/f").read_text() == "kept\n"


def test_settings_that_cannot_be_read_let_nothing_run(workspace: Path) -> None:
    file = workspace.parent / "home/.config/Code/User/settings.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"assent.rules": {"deny": ["read(', "ascii")
    ended = tried(workspace, "--", "touch", "made")
    assert (ended.returncode, ended.stdout) == (125, "")
    assert "Nothing was run" in ended.stderr


def test_what_can_run_something_later_takes_a_word_of_its_own(workspace: Path) -> None:
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    script = "mkdir -p .vscode; echo {} > .vscode/tasks.json; echo x > .git/hooks/post-commit; >new"
    ended = tried(workspace, "--apply", "--", "sh", "-c", script)
    assert "! new          .vscode/tasks.json" in ended.stderr
    assert "! new          .git/hooks/post-commit" in ended.stderr
    assert "Nothing was applied. What is marked `!` takes `--apply-all`" in ended.stderr
    assert ended.returncode == 125
    assert not (workspace / "new").exists()
    assert not (workspace / ".vscode").exists()
    assert not (workspace / ".git/hooks/post-commit").exists()
    tried(workspace, "--apply-all", "--", "sh", "-c", script)
    assert (workspace / ".vscode/tasks.json").exists()
    assert (workspace / ".git/hooks/post-commit").exists()


def test_a_commit_is_made_real_as_a_whole(workspace: Path) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@a")
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    script = f"git add a.txt && git {' '.join(name)} commit -qm first"
    ended = tried(workspace, "--apply", "--", "sh", "-c", script)
    assert ended.returncode == 0, ended.stderr
    log = subprocess.run(
        ["git", "-C", str(workspace), "log", "--format=%s"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert log.stdout == "first\n"
    subprocess.run(["git", "-C", str(workspace), "fsck", "--strict"], check=True)


def test_of_a_linked_work_tree_it_says_that_a_commit_is_not_kept(workspace: Path) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@a")
    top = workspace.parent
    main, linked = top / "home/main", top / "linked"
    own = {"HOME": f"{top}/home", "ASSENT_STATE_DIR": f"{top}/state"}
    git = ("git", "-C", str(main))
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, *name, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    assert "is not kept" not in tried(main, "--", "true", **own).stderr
    subprocess.run([*git, "worktree", "add", "-q", str(linked)], check=True)
    ended = tried(linked, "--", "git", "status", "--short")
    assert f"{main}/.git is not kept" in ended.stderr
    assert ended.returncode == 0
    inner = main / "inner"
    inner.mkdir()
    assert f"{main}/.git is not kept" in tried(inner, "--", "true", **own).stderr


def test_one_trial_waits_for_another_and_sees_what_it_made(workspace: Path) -> None:
    first = subprocess.Popen(
        words("--apply", "--", "sh", "-c", "echo up; read line; echo $line > first"),
        cwd=workspace,
        env=variables(workspace),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdin is not None
    assert first.stdout is not None
    assert first.stdout.readline() == "up\n"
    second = subprocess.Popen(
        words("--", "cat", "first"),
        cwd=workspace,
        env=variables(workspace),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert second.stderr is not None
    assert "Waiting" in second.stderr.readline()
    first.stdin.write("made\n")
    first.stdin.close()
    assert first.wait(WITHIN_S) == 0
    first.stdout.close()
    said, _ = second.communicate(timeout=WITHIN_S)
    assert said == "made\n"


def test_a_trial_that_was_killed_leaves_no_process_and_the_next_one_cleans_up(
    workspace: Path,
) -> None:
    started = subprocess.Popen(
        words("--", "sh", "-c", "echo $$ > pid; echo up; exec sleep 600"),
        cwd=workspace,
        env=variables(workspace),
        stdout=subprocess.PIPE,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"up\n"
    inside = psutil.Process(started.pid).children(recursive=True)
    assert inside
    started.kill()
    started.wait()
    assert psutil.wait_procs(inside, timeout=WITHIN_S)[1] == []
    started.stdout.close()
    trials = workspace.parent / "state/trials"
    assert [path for path in trials.iterdir() if path.is_dir()]
    tried(workspace, "--", "true")
    assert [path for path in trials.iterdir() if path.is_dir()] == []


def test_changes_that_were_cut_short_are_put_back_before_the_next_command(workspace: Path) -> None:
    """As after a crash between two of the changes."""
    (workspace / "b.txt").write_text("b\n", "ascii")
    crash = (
        "import os\n"
        "from assent.gate.sandbox import apply\n"
        "from assent.cli.trying import main\n"
        "take, left = apply._take, iter([1, 1])\n"
        "def taking(*given):\n"
        "    take(*given)\n"
        "    if next(left, None) is None: os._exit(9)\n"
        "apply._take = taking\n"
        "main(['--apply', '--', 'sh', '-c', 'rm a.txt; echo x > b.txt; echo n > new; > more'])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", crash],
        cwd=workspace,
        env=variables(workspace),
        capture_output=True,
        check=False,
        timeout=WITHIN_S,
    )
    assert ended.returncode == 9, ended.stderr
    assert not (workspace / "a.txt").exists()
    # A person goes on with one of the files meanwhile.
    (workspace / "b.txt").write_text("a person's\n", "ascii")
    said = tried(workspace, "--", "cat", "a.txt")
    assert said.stdout == "a\n"
    assert "cut short" in said.stderr
    assert (workspace / "a.txt").read_text() == "a\n"
    assert (workspace / "b.txt").read_text() == "a person's\n"
    assert not (workspace / "new").exists()
    (left,) = [path for path in (workspace.parent / "state/trials").iterdir() if path.is_dir()]
    assert str(left) in said.stderr
    assert "b\n" in [path.read_text() for path in left.rglob("*") if path.is_file()]


def test_without_a_command_or_a_sandbox_nothing_runs(workspace: Path) -> None:
    assert tried(workspace, "--apply").returncode == 2
    ended = tried(workspace, "--", "touch", "made", ASSENT_BWRAP="/nowhere/bwrap")
    assert ended.returncode == 125
    assert "Nothing was run" in ended.stderr
    assert not (workspace / "made").exists()


def test_a_command_that_is_interrupted_may_clean_up(workspace: Path) -> None:
    script = "trap 'echo clean > cleaned; exit 7' INT; echo up; sleep 60 & wait"
    started = subprocess.Popen(
        # Who starts the tests in the background makes them ignore it, and so all that they start.
        ["env", "--default-signal=INT", *words("--apply", "--", "sh", "-c", script)],
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


@contextmanager
def in_a_terminal(workspace: Path, *given: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """`assent try` with a terminal: our end of it, which asks for a line to be typed."""
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        words(*given),
        cwd=workspace,
        env=variables(workspace),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    with os.fdopen(ours, "rb+", buffering=0), os.fdopen(theirs, "rb+", buffering=0):
        yield ours, started
        started.kill()
        started.wait()


def until(terminal: int, what: bytes) -> bytes:
    """What is written to a terminal until this comes."""
    said = b""
    while what not in said:
        said += os.read(terminal, 4096)
    return said


def test_in_a_terminal_it_asks(workspace: Path) -> None:
    with in_a_terminal(workspace, "--", "sh", "-c", "echo n > new") as (ours, started):
        until(ours, b"[y/N] ")
        os.write(ours, b"y\n")
        assert started.wait(timeout=WITHIN_S) == 0
    assert (workspace / "new").exists()


def test_what_was_typed_while_the_command_ran_is_no_answer(workspace: Path) -> None:
    script = "echo up; read line; echo n > new"
    with in_a_terminal(workspace, "--", "sh", "-c", script) as (ours, started):
        until(ours, b"up")
        os.write(ours, b"go on\ny\n")
        until(ours, b"[y/N] ")
        os.write(ours, b"n\n")
        until(ours, b"Discarded.")
        assert started.wait(timeout=WITHIN_S) == 0
    assert not (workspace / "new").exists()


def test_a_command_leaves_the_terminal_as_it_was(workspace: Path) -> None:
    with in_a_terminal(workspace, "--", "sh", "-c", "stty raw -echo; printf '\\033[8m'") as (
        ours,
        started,
    ):
        before = termios.tcgetattr(ours)
        said = until(ours, b"It changed nothing.")
        assert started.wait(timeout=WITHIN_S) == 0
        assert termios.tcgetattr(ours) == before
    assert said.index(b"\033[8m") < said.index(b"\033[0m") < said.index(b"It changed nothing.")


def test_files_that_are_its_input_and_its_output_cannot_be_changed_otherwise(
    workspace: Path,
) -> None:
    top = workspace.parent
    script = (
        ": > /proc/self/fd/0; : > /proc/self/fd/1; : > /proc/self/fd/2;"
        " cat; echo bad > /proc/self/fd/0; echo said; echo wrong >&2"
    )
    for name in ("in", "out", "log"):
        (top / name).write_text(f"{name}\n", "ascii")
    with (
        (top / "in").open("rb") as given,
        (top / "out").open("ab") as said,
        (top / "log").open("ab") as log,
    ):
        subprocess.run(
            words("--", "sh", "-c", script),
            cwd=workspace,
            env=variables(workspace),
            stdin=given,
            stdout=said,
            stderr=log,
            timeout=WITHIN_S,
            check=True,
        )
    assert (top / "in").read_text() == "in\n"
    assert (top / "out").read_text() == "out\nin\nsaid\n"
    assert (top / "log").read_text().startswith("log\n")
    assert "wrong\n" in (top / "log").read_text()


def test_what_was_ended_by_a_signal_is_not_applied(workspace: Path) -> None:
    ended = tried(workspace, "--apply", "--", "sh", "-c", "echo n > new; kill -TERM $$")
    assert ended.returncode == 128 + signal.SIGTERM
    assert "Nothing was applied. The command was ended by a signal" in ended.stderr
    assert not (workspace / "new").exists()


def test_a_program_that_is_not_there_is_told_as_a_shell_does(workspace: Path) -> None:
    ended = tried(workspace, "--", "no-such-program")
    assert ended.returncode == 127
    assert "there is no program no-such-program" in ended.stderr


def test_folders_that_lie_too_deep_are_told_and_the_next_trial_runs(workspace: Path) -> None:
    script = "for n in $(seq 300); do mkdir d; cd d; done"
    ended = tried(workspace, "--apply", "--", "sh", "-c", script)
    assert ended.returncode == 125
    assert "Nothing was applied. More than 200 folders" in ended.stderr
    assert tried(workspace, "--", "true").returncode == 0
    assert [path for path in (workspace.parent / "state/trials").iterdir() if path.is_dir()] == []


def test_where_others_may_write_no_trial_keeps_its_plans(workspace: Path) -> None:
    trials = workspace.parent / "state/trials"
    tried(workspace, "--", "true")
    trials.chmod(0o777)
    ended = tried(workspace, "--", "touch", "made")
    assert ended.returncode == 125
    assert "Nothing was run: Others may write in" in ended.stderr
    assert not (workspace / "made").exists()


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
