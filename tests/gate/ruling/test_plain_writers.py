"""In Accept edits a command that only writes files passes, where nothing is lost by it."""

import subprocess
from pathlib import Path

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running
from tables import each_row

ALLOW, ASK = Verdict.ALLOW, Verdict.ASK

COMMITTED = ("clean.txt", "changed.txt", "src/a.go", "src/b.go", "lib/a.txt")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with files that git has, files it has otherwise, and files it does not have."""
    folder = tmp_path_factory.mktemp("project").resolve()
    for name in (*COMMITTED, "full/own.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"{name}\n", "utf-8")
    git(folder, "init", "-q")
    git(folder, "add", *COMMITTED)
    (folder / "changed.txt").write_text("by hand\n", "utf-8")
    (folder / "own.txt").write_text("by hand\n", "utf-8")
    (folder / "added.txt").write_text("by hand\n", "utf-8")
    git(folder, "add", "added.txt")
    (folder / "dangling").symlink_to("real")
    return folder


def git(folder: Path, *words: str) -> None:
    subprocess.run(("git", *words), cwd=folder, check=True, capture_output=True)


def rule(project: Path, command: str, mode: Mode = Mode.ACCEPT_EDITS, *allowed: str) -> Ruling:
    rules = [written(text, ALLOW) for text in allowed]
    book = Book.of(rules, (str(project),), "/home/ada")
    places = Places(roots=(str(project),), home="/home/ada")
    call = running(command, cwd=str(project))
    return decide(call, Policy(mode=mode, book=book, trusted=True), places)


@each_row(
    "command",
    [
        "mkdir -p a/b",
        "touch new.txt own.txt",
        "echo x > new.txt",
        "cat > src/new.go <<'E'\npackage a\nE",
        "cat > clean.txt <<'E'\nx\nE",
        "echo x > added.txt",
        "echo x >> own.txt",
        "cp own.txt new.txt",
        "cp own.txt clean.txt",
        "cp clean.txt lib/",
        "mv own.txt new.txt",
        "mv own.txt clean.txt",
        "mv src lib/",
        "sed -i s/a/b/ clean.txt",
        "gofmt -w src/a.go",
        "gofmt -w .",
        "clang-format -i src/a.h",
        "sed -i s/a/b/ src/*.go",
        "mkdir -p docs && mv own.txt docs/",
        "touch new.txt && mv own.txt src/",
        "mv src/a.go lib/ && mv src/b.go lib/",
        "mv own.txt src/ && echo x >> log.txt",
        "sort clean.txt > s.tmp && mv s.tmp clean.txt",
        "echo x | tee -a own.txt",
        "mkdir out && cp clean.txt out/ && sed -i s/a/b/ src/a.go",
        "git show HEAD:clean.txt > clean.txt",
    ],
)
def test_what_loses_nothing_passes_in_accept_edits_alone(project: Path, command: str) -> None:
    assert rule(project, command).verdict is ALLOW
    assert rule(project, command, Mode.DEFAULT).verdict is ASK


@each_row(
    ("command", "lost"),
    [
        ("echo x > own.txt", "own.txt"),
        ("echo x > changed.txt", "changed.txt"),
        ("cp clean.txt own.txt", "own.txt"),
        ("cp clean.txt full/own.txt", "full/own.txt"),
        ("cp own.txt full", "full/own.txt"),
        ("mv clean.txt changed.txt", "changed.txt"),
        ("sed -i s/a/b/ changed.txt", "changed.txt"),
        ("tee own.txt < clean.txt", "own.txt"),
    ],
)
def test_what_overwrites_a_file_that_git_does_not_have_is_asked_about(
    project: Path, command: str, lost: str
) -> None:
    asked = rule(project, command)
    assert asked.verdict is ASK
    assert asked.because == f"Overwrites {lost}, and git does not have it as it stands."


@each_row(
    "command",
    [
        "rm clean.txt",
        "rmdir full",
        "./gofmt -w src/a.go",
        "bin/clang-format -i src/a.h",
        "env ./sed -i s/a/b/ clean.txt",
        "gofmt -cpuprofile=own.txt src/a.go",
        "gofmt -w -r 'a -> nil' src/a.go",
        "clang-format -i notes.py Makefile",
        "git mv clean.txt new.txt",
        "patch -p1 < own.txt",
        "mv full/own.txt own.txt src",
        "truncate -s 0 clean.txt",
        "mv own.txt ../new.txt",
        "mv ~/a.txt new.txt",
        "cp ~/a.txt new.txt",
        "echo x > ../new.txt",
        "echo x > .vscode/tasks.json",
        "mv .git/config new.txt",
        'echo x > "$NAME"',
        "make > new.txt",
        "sed -i '1e id' clean.txt",
        "sed -i 's/a/b/w ../new.txt' clean.txt",
        "ln -s /etc/passwd new.txt",
        "chmod +x clean.txt",
        "mv own.txt new.txt; echo x > new.txt",
        "mv own.txt new.txt; cp clean.txt new.txt",
        'bash -c "mv own.txt new.txt; echo x > new.txt"',
        "mv full new; echo x > new/own.txt",
        "mv full new && cp clean.txt new/own.txt",
        "mv own.txt real; echo x > dangling",
        "mv own.txt NEW.txt; echo x > new.txt",
        "echo x | tee -- own.txt -a",
        "for name in own.txt changed.txt; do mv $name new.txt; done",
        "mv *.txt new.txt",
        "find . -name '*.txt' -exec mv {} new.txt ';'",
        "ls | xargs -I{} mv {} new.txt",
    ],
)
def test_what_deletes_leaves_the_workspace_or_runs_something_is_asked_about(
    project: Path, command: str
) -> None:
    assert rule(project, command).verdict is ASK


@each_row("command", ["rm own.txt", "rm clean.txt"])
def test_a_rule_for_a_folder_still_lets_nothing_be_deleted_there(
    project: Path, command: str
) -> None:
    rules = ("shell(rm:*)", "write(./docs/**)")
    asked = rule(project, command, Mode.ACCEPT_EDITS, *rules)
    assert asked.verdict is ASK
    assert asked.because.startswith("The rule `shell(rm:*)` does not go as far")


def test_a_rule_that_asks_or_denies_holds_in_accept_edits(project: Path) -> None:
    for verdict in (Verdict.ASK, Verdict.DENY):
        book = Book.of([written("write(./src/**)", verdict)], (str(project),), "/home/ada")
        places = Places(roots=(str(project),), home="/home/ada")
        policy = Policy(mode=Mode.ACCEPT_EDITS, book=book, trusted=True)
        for command in ("echo x > src/new.go", "mv clean.txt src/", "gofmt -w src/a.go"):
            call = running(command, cwd=str(project))
            assert decide(call, policy, places).verdict is verdict, command
