"""Patches that stand in a text: whatever the real programs change is among the files told of.

Whole patches, and such as somebody bent: a line more, a line less, another sign or another name.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assent.gate.programs.patches import files_of
from tables import each_row

_NAMES: Final = ("a.txt", "in/b.txt", "in/deep/c.txt", "new.txt", "kept.txt", "a/a.txt", "b/b.txt")
_TOOLS: Final = {
    "git": ["git", "apply", "-p{}", "-"],
    "patch": ["patch", "-p{}", "--batch", "--silent"],
}
_HUNKS: Final = (
    "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n",
    "@@ -1,3 +1,2 @@ f()\n one\n-two\n three\n",
    "@@ -1,3 +1,4 @@\n one\n two\n+more\n three\n\\ No newline at end of file\n",
    "@@ -2 +2 @@\n-two\n+--- a/kept.txt\n",
    "@@ -2 +2,3 @@\n-two\n+++ b/kept.txt\n+@@ -1 +1 @@\n+x\n",
    "@@ -2,5 +2,5 @@\n-two\n+zwei\n",
)
_ODD: Final = (
    *("", "-two\n", "+x\n", " one\n", "Index: kept.txt\n", "*** a/kept.txt\n", "--- kept.txt\n"),
    *("2c\n< two\n---\n> x\n.\n", "1d\n", "new file mode 120000\n", "rename to kept.txt\n"),
    *("+++ b/kept.txt\n", "@@ -2 +2 @@\n", "diff --git a/kept.txt b/kept.txt\n", "2s/two/x/\n"),
)


def _file(old: str, new: str, hunks: tuple[str, ...], by_git: str) -> str:
    head = {
        "": "",
        "diff": f"diff --git a/{old} b/{new}\nindex 123abcd..456abcd 100644\n",
        "new": f"diff --git a/{old} b/{new}\nnew file mode 100644\n",
        "rename": f"diff --git a/{old} b/{new}\nrename from {old}\nrename to {new}\n",
    }[by_git]
    return f"{head}--- a/{old}\n+++ b/{new}\n{''.join(hunks)}"


_FILES: Final = st.builds(
    _file,
    st.sampled_from(_NAMES),
    st.sampled_from(_NAMES),
    st.lists(st.sampled_from(_HUNKS), min_size=1, max_size=2).map(tuple),
    st.sampled_from(("", "diff", "new", "rename")),
)


@st.composite
def _patches(draw: st.DrawFn) -> str:
    lines = "".join(draw(st.lists(_FILES, min_size=1, max_size=2))).splitlines(keepends=True)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 1))] = [draw(st.sampled_from(_ODD))]
    return "".join(lines)


def _ground(folder: Path) -> dict[str, str]:
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("a.txt", "in/b.txt", "in/deep/c.txt", "kept.txt", "a/a.txt", "b/b.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("one\ntwo\nthree\n")
    return _there(folder)


def _there(folder: Path) -> dict[str, str]:
    files = [it for it in folder.rglob("*") if it.is_symlink() or it.is_file()]
    return {it.relative_to(folder).as_posix(): _text(it) for it in files}


def _text(file: Path) -> str:
    return str(file.readlink()) if file.is_symlink() else file.read_text()


@pytest.mark.parametrize("tool", [it for it in _TOOLS if shutil.which(it)])
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(patch=_patches(), strip=st.sampled_from((0, 1)))
@example(patch=_file("a.txt", "a.txt", (_HUNKS[0],), ""), strip=1)
@example(patch=_file("a.txt", "a.txt", (_HUNKS[3], _HUNKS[0]), "diff"), strip=1)
@example(patch=_file("a.txt", "new.txt", (_HUNKS[0],), "rename"), strip=1)
@example(patch=_file("a.txt", "a.txt", (_HUNKS[5],), "") + "--- a/kept.txt\n", strip=1)
def test_what_is_changed_is_among_the_files_that_are_told(
    tmp_path: Path, tool: str, patch: str, strip: int
) -> None:
    told = files_of(patch, strip)
    if told is None:
        return
    before = _ground(tmp_path / "ground")
    words = [it.format(strip) for it in _TOOLS[tool]]
    subprocess.run(
        words,
        cwd=tmp_path / "ground",
        input=patch,
        text=True,
        capture_output=True,
        check=False,
        timeout=30,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CEILING_DIRECTORIES": str(tmp_path)},
    )
    after = _there(tmp_path / "ground")
    changed = {it for it in before.keys() | after.keys() if before.get(it) != after.get(it)}
    beside = {it for it in changed if it.endswith((".orig", ".rej"))}
    assert changed - beside <= {*told}
    assert {it.rpartition(".")[0] for it in beside} <= {*told}


def test_a_whole_patch_tells_its_files() -> None:
    patch = _file("a.txt", "a.txt", (_HUNKS[0], _HUNKS[3]), "diff")
    assert files_of(patch + _file("in/b.txt", "new.txt", (_HUNKS[1],), "rename"), 1) == (
        "a.txt",
        "in/b.txt",
        "new.txt",
    )
    odd = "diff --git a/a.txt b/a.txt\nrename from kept.txt\nrename to new.txt\n"
    assert files_of(odd, 1) == ("a.txt", "kept.txt", "new.txt")
    assert files_of("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+a\n", 1) == ("new.txt",)


@each_row(
    "patch",
    [
        "1d\n",
        "*** a/x\n--- b/x\n",
        "--- a/x\n+++ b/x\n",
        "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n",
        "--- /x\n+++ /x\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a//x\n+++ b//x\n@@ -1 +1 @@\n-a\n+b\n",
        "--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/my notes\n+++ b/my notes\n@@ -1 +1 @@\n-a\n+b\n",
        '--- "a/x"\n+++ "b/x"\n@@ -1 +1 @@\n-a\n+b\n',
        "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\n-a\n+b\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n1d\n",
        "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc\n",
        "diff --git a/x b/x\nGIT binary patch\n",
        "--- a/x\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
        "--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
    ],
)
def test_of_any_other_it_is_not_told(patch: str) -> None:
    assert files_of(patch, 1) is None
