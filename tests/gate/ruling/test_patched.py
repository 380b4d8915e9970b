"""A patch that stands in a call: judged by the files that it names."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

_PATCH: Final = "{} <<'E'\n--- a/{}\n+++ b/{}\n@@ -1 +1 @@\n-x\n+y\nE\n"
_RULE: Final = "write(./secret/**)"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    for name in ("src", "secret", "src/secret"):
        (root / name).mkdir(parents=True)
        (root / name / "a").write_text("x\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True, capture_output=True)
    return root


def _verdict(root: Path, tool: str, old: str, new: str) -> Verdict:
    return ruled(root, _PATCH.format(tool, old, new), deny=_RULE).verdict


@each_row("tool", ["patch -p1", "git apply", "git apply -R -", "patch --strip=1 -s"])
def test_what_a_patch_names_is_what_rules_are_asked_about(root: Path, tool: str) -> None:
    assert _verdict(root, tool, "src/a", "src/a") is Verdict.ALLOW
    assert _verdict(root, tool, "secret/a", "secret/a") is Verdict.DENY
    assert _verdict(root, tool, "src/a", "secret/b") is Verdict.DENY
    assert _verdict(root, tool, "secret/a", "src/b") is Verdict.DENY


@each_row(
    "tool",
    [
        "patch",
        "patch -p2",
        "patch -p1 -d src",
        "patch -p1 -o out",
        "cat other | sudo patch -p1",
        "git apply --directory=src",
        "git apply --unsafe-paths",
        "git -C src apply",
        "cd src && git apply",
        "git apply other",
        "SIMPLE_BACKUP_SUFFIX=.x patch -p1",
        "GIT_WORK_TREE=src git apply",
    ],
)
def test_of_any_other_patch_rules_may_be_about_each_file(root: Path, tool: str) -> None:
    assert _verdict(root, tool, "src/a", "src/a") is not Verdict.ALLOW


def test_git_names_files_from_the_top_of_its_repository(root: Path) -> None:
    (root / ".git").rename(root.parent / ".git")
    assert _verdict(root, "git apply", "src/a", "src/a") is not Verdict.ALLOW
    assert _verdict(root, "patch -p1", "src/a", "src/a") is Verdict.ALLOW


@each_row(
    "given",
    ["<<'E' <&3", "<<'E' < other", "<<'E' 0<&3", "3<<'E'", "<<'E' <&-", "<<'E' < <(cat other)"],
)
def test_what_another_input_takes_the_place_of_is_not_read(root: Path, given: str) -> None:
    line = _PATCH.format("cat other | patch -p1", "src/a", "src/a").replace("<<'E'", given)
    assert ruled(root, line, deny=_RULE).verdict is not Verdict.ALLOW


@each_row("tool", ["patch -p1", "git apply"])
@each_row("how", ["copy", "rename"])
def test_what_a_patch_copies_is_read(root: Path, tool: str, how: str) -> None:
    line = f"{tool} <<'E'\ndiff --git a/secret/a b/x\n{how} from secret/a\n{how} to x\nE\n"
    assert ruled(root, line, deny="read(./secret/**)").verdict is Verdict.DENY


def test_what_git_makes_anew_of_a_link_is_not_known(root: Path) -> None:
    (root / "led").symlink_to("src/a")
    assert _verdict(root, "git apply", "led", "led") is not Verdict.ALLOW
