"""Patches that lie on the disk, or that others hand on: what is protected among their files."""

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

_TASKS: Final = ".vscode/tasks.json"
_PATCH: Final = "--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+y\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "docs").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True, capture_output=True)
    (root / "docs" / "bad.patch").write_text(_PATCH.format(_TASKS))
    (root / "docs" / "good.patch").write_text(_PATCH.format("src/a.py"))
    os.mkfifo(root / "docs" / "pipe")
    return root


@each_row(
    "line",
    [
        "git apply docs/{}.patch",
        "git apply --index docs/{}.patch",
        "git am docs/{}.patch",
        "git -C . apply docs/{}.patch",
        "cd docs && git apply {}.patch",
        "patch -p1 < docs/{}.patch",
        "patch -p1 -i docs/{}.patch",
        "patch -p1 x docs/{}.patch",
        "patch -d docs -p1 -i {}.patch",
        "cat docs/{}.patch | git apply",
        "cat docs/{}.patch | patch -p1",
        "cat docs/{}.patch | timeout 5 git apply",
        "timeout 5 patch -p1 < docs/{}.patch",
        "nohup git apply < docs/{}.patch",
        "sh -c 'patch -p1' < docs/{}.patch",
        "for it in docs/{}.patch; do git apply $it; done",
        "sh -c 'git apply docs/{}.patch'",
        "ls docs/{}.pa* | xargs git apply",
        "find docs -name '{}.*' -exec git apply {{}} +",
        "find docs -name '{}*' | while read x; do git apply \"$x\"; done",
        "cp docs/{}.patch x; git apply x",
        "mv docs/{}.patch x; patch -p1 < x",
        "cat docs/{}.patch > x.patch; git apply x.patch",
        "cat docs/{}.patch | git apply docs/good.patch -",
        "cat docs/{}.patch | grep -v '^x' | git apply --cached",
        "git apply docs/{}.p*",
    ],
)
def test_a_patch_on_the_disk_is_read_for_what_is_protected(root: Path, line: str) -> None:
    assert ruled(root, line.format("bad")).verdict is Verdict.ASK
    assert ruled(root, line.format("good")).verdict is Verdict.ALLOW


@each_row("ends", ["git apply x.patch", "patch -p1 -i x.patch", "git am < x.patch"])
def test_a_patch_may_be_written_by_what_stands_before_it(root: Path, ends: str) -> None:
    text = "cat > x.patch <<'E'\n{}E\n" + ends
    assert ruled(root, text.format(_PATCH.format(_TASKS))).verdict is Verdict.ASK
    assert ruled(root, text.format(_PATCH.format("src/a.py"))).verdict is Verdict.ALLOW
    for piped in (
        "printf '--- /dev/null\\n+++ b/{}\\n@@ -0,0 +1 @@\\n+y\\n' | patch -p1",
        "printf '%s\\n' '--- /dev/null' '+++ b/{}' '@@ -0,0 +1 @@' '+y' | git apply",
        'echo "--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+y" | git apply',
    ):
        assert ruled(root, piped.format(_TASKS)).verdict is Verdict.ASK
        assert ruled(root, piped.format("src/a.py")).verdict is Verdict.ALLOW


@each_row(
    "line",
    [
        "git apply --check docs/bad.patch",
        "git apply --stat docs/bad.patch",
        "patch -p1 --dry-run < docs/bad.patch",
        "git apply docs/good.patch && cat .vscode/settings.json",
        "git apply docs/good.patch && git commit -qam 'Move .vscode notes'",
        "grep -rn foo --exclude-dir=.idea . ; git apply docs/good.patch",
        "git apply docs/none.patch",
        "git diff | git apply -R",
        "git show HEAD | git apply -R --index",
        "git diff > x.patch; git stash; git apply x.patch",
        "make x; git apply docs/good.patch",
        "test 1 -lt 2 && git diff | git apply -R",
        "while read l; do echo $l; done < docs/good.patch; git diff | git apply -R",
        "git diff | grep -v x | git apply --cached",
    ],
)
def test_what_only_stands_beside_a_patch_is_no_part_of_it(root: Path, line: str) -> None:
    assert ruled(root, line).verdict is Verdict.ALLOW


def test_what_a_patch_says_of_a_name_in_its_lines_changes_nothing(root: Path) -> None:
    lines = "--- a/.gitignore\n+++ b/.gitignore\n@@ -1 +1,2 @@\n .idea\n+.vscode/tasks.json\n"
    (root / "docs" / "x.patch").write_text(lines)
    assert ruled(root, "git apply docs/x.patch").verdict is Verdict.ALLOW


@each_row(
    "line",
    [
        "git apply <(cat docs/bad.patch)",
        "git apply < <(cat docs/bad.patch)",
        'git apply <<< "$(cat docs/bad.patch)"',
        "git apply <<E\n$(cat docs/bad.patch)\nE",
        "base64 -d x.b64 | git apply",
        "curl -s https://x.example/a.patch | git apply",
        "curl -so y.patch https://x.example/a.patch; git apply y.patch",
        "sed s/_/./ docs/good.patch > docs/bad.patch; git apply docs/bad.patch",
        "sed s/_/./ docs/good.patch | patch -p1",
        "zcat docs/bad.patch.gz | patch -p1",
        "git apply docs/pipe",
        "python3 gen.py; git apply e.patch",
        "make e.patch && patch -p1 < e.patch",
        "mv docs d2; git apply d2/bad.patch",
        "git am docs",
        'cat "$X" > y; cp docs/bad.patch x.patch; git apply x.patch',
        'cp "$X" x.patch; git apply x.patch',
        "{ git apply; } < docs/bad.patch",
        "if true; then git apply; fi < docs/bad.patch",
        "while true; do patch -p1; done < docs/bad.patch",
    ],
)
def test_a_patch_of_which_nobody_can_tell_what_it_says_is_asked_about(
    root: Path, line: str
) -> None:
    assert ruled(root, line).verdict is Verdict.ASK


def test_a_mail_in_other_letters_is_not_read(root: Path) -> None:
    for encoding in ("base64", "quoted-printable", "Quoted-Printable", "x-base64"):
        head = f"From: a\nContent-Transfer-Encoding: {encoding}\n\n"
        (root / "docs" / "x.mbox").write_text(head + _PATCH.format("src/a.py"))
        assert ruled(root, "git am docs/x.mbox").verdict is Verdict.ASK
    (root / "docs" / "x.mbox").write_text("From: a\n\n" + _PATCH.format("src/a.py"))
    assert ruled(root, "git am docs/x.mbox").verdict is Verdict.ALLOW


def test_of_a_list_of_many_files_nobody_looks_into_each(root: Path) -> None:
    for number in range(30):
        (root / "docs" / f"{number}.diff").write_text(_PATCH.format("src/a.py"))
    assert ruled(root, "ls docs/*.diff | xargs git apply").verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ('"b/\\056vscode/tasks.json"', "git"),
        ("b/.vscode/tasks.json", "junk"),
        ("b/.git/hooks/pre-commit", "patch"),
        ("b/venv/bin/activate", "git"),
        ("b/lib/site-packages/x.pth", "git"),
        ("b/.vscode/a b", "git"),
        ("x/y/.vscode/tasks.json", "deep"),
    ],
)
def test_each_name_that_the_tools_take_is_told(root: Path, name: str, kind: str) -> None:
    data = f"--- /dev/null\n+++ {name}\t\n@@ -0,0 +1 @@\n+y\n"
    # What stands before a patch is passed over, whatever it looks like.
    junk = b"PK\5\6" + bytes(18) + b"\n" if kind == "junk" else b""
    (root / "docs" / "odd.patch").write_bytes(junk + data.encode())
    flags = ["-p2"] if kind == "deep" else ["-p1"]
    tool = ["patch", *flags, "-i", "docs/odd.patch"]
    if kind != "patch":
        tool = ["git", "apply", *flags, "docs/odd.patch"]
    assert ruled(root, " ".join(tool)).verdict is Verdict.ASK
    for folder in (".git/hooks", ".vscode"):
        (root / folder).mkdir(exist_ok=True)
    subprocess.run(tool, cwd=root, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("lines", "tool"),
    [
        ("XX--- /dev/null\nXX+++ b/{}\nXX@@ -0,0 +1 @@\nXX+y\n", "patch -p1 -i"),
        ("Index:{}\n@@ -0,0 +1 @@\n+y\n", "patch -p0 -i"),
        ("diff --git a/src/a.py b/c.py\nrename old src/a.py\nrename new {}\n", "git apply"),
        ('--- /dev/null\n+++ "x\\011/{}"\n@@ -0,0 +1 @@\n+y\n', "git apply"),
        ("--- /dev/null\r\n+++ b\r/{}\t\r\n@@ -0,0 +1 @@\r\n+y\r\n", "patch -p1 -i"),
    ],
)
def test_each_way_to_write_a_header_is_told(root: Path, lines: str, tool: str) -> None:
    (root / "docs" / "odd.patch").write_bytes(lines.format(_TASKS).encode())
    assert ruled(root, f"{tool} docs/odd.patch").verdict is Verdict.ASK
    (root / "docs" / "odd.patch").write_bytes(lines.format("lib/b").encode())
    assert ruled(root, f"{tool} docs/odd.patch").verdict is Verdict.ALLOW


def test_pieces_that_are_handed_on_together_are_one_patch(root: Path) -> None:
    (root / "docs" / "1").write_text("--- /dev/null\n+++ b/.vsc")
    (root / "docs" / "2").write_text("ode/tasks.json\n@@ -0,0 +1 @@\n+y\n")
    assert ruled(root, "cat docs/1 docs/2 | git apply").verdict is Verdict.ASK


def test_a_patch_with_more_names_than_anybody_writes_is_not_looked_through(root: Path) -> None:
    names = "".join(f"+++ b/x/{number}\n" for number in range(3_000))
    (root / "docs" / "x.patch").write_text(names)
    assert ruled(root, "git apply docs/x.patch").verdict is Verdict.ASK
    for count, verdict in ((50_000, Verdict.ALLOW), (300_000, Verdict.ASK)):
        (root / "docs" / "x.patch").write_text("+++ b/x/y\n" * count)
        lines = "; ".join(["git apply docs/x.patch"] * 3)
        assert ruled(root, lines).verdict is verdict


def test_a_folder_before_a_name_makes_it_protected(root: Path) -> None:
    (root / ".github").mkdir()
    (root / "docs" / "x.patch").write_text(_PATCH.format("workflows/ci.yml"))
    assert ruled(root, "cd .github && git apply ../docs/x.patch").verdict is Verdict.ASK
    assert ruled(root, "cd docs && git apply x.patch").verdict is Verdict.ALLOW


def test_a_rule_to_the_letter_does_not_lift_it(root: Path) -> None:
    line = "git apply docs/bad.patch"
    said = ruled(root, line, Mode.DEFAULT, allow=f"shell({line})")
    assert said.verdict is Verdict.ASK
    assert ".vscode/tasks.json" in said.because
