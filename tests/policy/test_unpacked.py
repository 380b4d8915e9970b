"""Patches and archives that lie on the disk: what is protected among the files they make."""

import io
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.disk.packed import contents_of
from assent.verdicts import Verdict
from policy.loose import ruled

_TASKS: Final = ".vscode/tasks.json"
_PATCH: Final = "--- /dev/null\n+++ b/{}\n@@ -0,0 +1 @@\n+y\n"
_PACKERS: Final = ("tar", "tgz", "tbz", "txz", "pax", "zip")
_MODES: Final = {"tgz": "gz", "tbz": "bz2", "txz": "xz"}
_LONG: Final = "/".join(["a-name-that-is-rather-long"] * 12)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "docs").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True, capture_output=True)
    (root / "docs" / "bad.patch").write_text(_PATCH.format(_TASKS))
    (root / "docs" / "good.patch").write_text(_PATCH.format("src/a.py"))
    return root


def _pack(path: Path, kind: str, *names: str) -> None:
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "x")
        return
    form = tarfile.PAX_FORMAT if kind == "pax" else tarfile.GNU_FORMAT
    mode = f"w:{_MODES.get(kind, '')}"
    with tarfile.open(path, mode, format=form) as packed:  # type: ignore[call-overload]
        for name in names:
            packed.addfile(tarfile.TarInfo(name), io.BytesIO())


@pytest.mark.parametrize(
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
        "cat docs/{}.patch | git apply",
        "cat docs/{}.patch | patch -p1",
        "for it in docs/{}.patch; do git apply $it; done",
        "sh -c 'git apply docs/{}.patch'",
        "ls docs/{}.pa* | xargs git apply",
        "find docs -name '{}.*' -exec git apply {{}} +",
        "find docs -name '{}*' | while read x; do git apply \"$x\"; done",
        "cp docs/{}.patch x; git apply x",
        "git apply docs/{}.p*",
    ],
)
def test_a_patch_on_the_disk_is_read_for_what_is_protected(root: Path, line: str) -> None:
    assert ruled(root, line.format("bad")).verdict is Verdict.ASK
    assert ruled(root, line.format("good")).verdict is Verdict.ALLOW


@pytest.mark.parametrize("ends", ["git apply x.patch", "patch -p1 -i x.patch", "git am < x.patch"])
def test_a_patch_may_be_written_by_what_stands_before_it(root: Path, ends: str) -> None:
    text = "cat > x.patch <<'E'\n{}E\n" + ends
    assert ruled(root, text.format(_PATCH.format(_TASKS))).verdict is Verdict.ASK
    assert ruled(root, text.format(_PATCH.format("src/a.py"))).verdict is Verdict.ALLOW
    piped = "printf '--- /dev/null\\n+++ b/{}\\n@@ -0,0 +1 @@\\n+y\\n' | patch -p1"
    assert ruled(root, piped.format(_TASKS)).verdict is Verdict.ASK
    assert ruled(root, piped.format("src/a.py")).verdict is Verdict.ALLOW


def test_what_only_looks_at_a_patch_changes_nothing(root: Path) -> None:
    for line in ("git apply --check docs/bad.patch", "git apply --stat docs/bad.patch"):
        assert ruled(root, line).verdict is Verdict.ALLOW


def test_a_patch_that_cannot_be_read_is_asked_about(root: Path) -> None:
    (root / "docs" / "odd.patch").write_bytes(b"\0" * 8)
    assert ruled(root, "git apply docs/odd.patch").verdict is Verdict.ASK
    for line in ("git apply <(cat docs/bad.patch)", "git apply < <(cat docs/bad.patch)"):
        assert ruled(root, line).verdict is Verdict.ASK


def test_of_a_list_of_many_files_nobody_looks_into_each(root: Path) -> None:
    for number in range(30):
        (root / "docs" / f"{number}.diff").write_text(_PATCH.format("src/a.py"))
    assert ruled(root, "ls docs/*.diff | xargs git apply").verdict is Verdict.ASK


def test_a_name_may_be_written_by_the_numbers_of_its_letters(root: Path) -> None:
    named = '--- /dev/null\n+++ "b/\\056vscode/tasks.json"\n@@ -0,0 +1 @@\n+y\n'
    (root / "docs" / "odd.patch").write_text(named)
    done = ["git", "-C", str(root), "apply", "docs/odd.patch"]
    assert ruled(root, "git apply docs/odd.patch").verdict is Verdict.ASK
    subprocess.run(done, check=True, capture_output=True)
    assert (root / _TASKS).exists()


@pytest.mark.parametrize("kind", _PACKERS)
def test_an_archive_on_the_disk_is_read_for_the_names_in_it(root: Path, kind: str) -> None:
    _pack(root / "bad", kind, "src/a", f"{_LONG}/b", _TASKS)
    _pack(root / "deep", kind, f"{_LONG}/{_TASKS}")
    _pack(root / "good", kind, "src/a", f"{_LONG}/b")
    tools = ("unzip -q {}", "unzip {} -d out") if kind == "zip" else ("tar xf {}", "tar x < {}")
    for tool in (*tools, "cat {} | tar x"):
        assert ruled(root, tool.format("bad")).verdict is Verdict.ASK
        assert ruled(root, tool.format("deep")).verdict is Verdict.ASK
        assert ruled(root, tool.format("good")).verdict is Verdict.ALLOW


def test_a_link_in_an_archive_counts_for_where_it_leads(root: Path) -> None:
    link = tarfile.TarInfo("docs/here")
    link.type, link.linkname = tarfile.SYMTYPE, "../.git/hooks"
    with tarfile.open(root / "a.tar", "w") as packed:
        packed.addfile(link)
    assert ruled(root, "tar xf a.tar").verdict is Verdict.ASK


_NAMES: Final = st.lists(
    st.text("abcd./_- é", min_size=1, max_size=300)
    .map(lambda it: it.strip("/. ") or "a")
    .filter(lambda it: "//" not in it),
    min_size=1,
    max_size=4,
    unique=True,
)


@given(kind=st.sampled_from(_PACKERS), names=_NAMES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_name_in_an_archive_is_told(tmp_path: Path, kind: str, names: list[str]) -> None:
    path = tmp_path / "a"
    _pack(path, kind, *names)
    found = contents_of(str(path)) or ""
    assert [it for it in names if it not in found] == []


@given(
    kind=st.sampled_from(_PACKERS),
    at=st.integers(0, 1500),
    what=st.binary(min_size=1, max_size=40),
)
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_archive_that_is_damaged_is_told_or_not_and_nothing_else_comes_of_it(
    tmp_path: Path, kind: str, at: int, what: bytes
) -> None:
    path = tmp_path / "a"
    _pack(path, kind, "src/a", _TASKS)
    data = path.read_bytes()
    path.write_bytes(data[:at] + what + data[at + len(what) :])
    told = contents_of(str(path))
    assert told is None or isinstance(told, str)


@pytest.mark.parametrize("kind", ["tgz", "tbz", "txz"])
def test_what_unpacks_to_more_than_is_looked_at_is_not_told(tmp_path: Path, kind: str) -> None:
    large = tarfile.TarInfo("large")
    # What is looked at ends just where the next file begins.
    large.size = 32 * 1024 * 1024 - tarfile.BLOCKSIZE
    with tarfile.open(tmp_path / "a", f"w:{_MODES[kind]}") as packed:  # type: ignore[call-overload]
        packed.addfile(large, io.BytesIO(bytes(large.size)))
        packed.addfile(tarfile.TarInfo(_TASKS))
    assert contents_of(str(tmp_path / "a")) is None


def test_what_is_no_file_is_not_told(tmp_path: Path) -> None:
    assert contents_of(str(tmp_path / "none")) == ""
    assert contents_of(str(tmp_path)) is None
    (tmp_path / "link").symlink_to("/etc/hostname")
    assert contents_of(str(tmp_path / "link")) is None
