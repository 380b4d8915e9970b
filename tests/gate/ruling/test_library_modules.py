"""Modules of Python's own library that only read, and what Python takes in their place."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.programs.tables.modules import MODULES
from gate.ruling.loose import ruled

LINE: Final = "cat a.json | python3 -m json.tool"
# How each is used to read, where its name alone is not enough.
USES: Final = {
    "json": "json a.json",
    "json.tool": "json.tool --indent 2 a.json",
    "base64": "base64 a.json",
    "ast": "ast b.py",
    "tokenize": "tokenize b.py",
    "dis": "dis b.py",
    "tarfile": "tarfile -l a.tar",
    "zipfile": "zipfile -l a.zip",
    "calendar": "calendar",
}


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests are found by a variable that would decide where Python finds its modules."""
    monkeypatch.delenv("PYTHONPATH", raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / ".git").mkdir(parents=True)
    (root / "a.json").write_text("{}\n")
    (root / "b.py").write_text("print(1)\n")
    return root


def _verdict(root: Path, line: str, mode: Mode = Mode.DEFAULT, deny: str = "") -> Verdict:
    return ruled(root, line, mode=mode, deny=deny).verdict


_RECORDING: Final = """
import runpy, sys
names = set()
class Recorder:
    def find_spec(self, name, *rest):
        names.add(name.partition(".")[0])
sys.meta_path.insert(0, Recorder())
sys.argv = sys.argv[1:]
try:
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
except (SystemExit, ImportError):
    pass
print("names", *names, file=sys.stderr)
"""


@pytest.mark.parametrize("module", MODULES)
def test_whatever_a_module_loads_is_looked_for_in_the_folder(root: Path, module: str) -> None:
    for form in ("zip", "tar"):
        shutil.make_archive(str(root / "a"), form, root, "b.py")
    said = [sys.executable, "-c", _RECORDING, *USES.get(module, module).split()]
    done = subprocess.run(said, cwd=root, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    loaded = done.stderr.decode().rpartition("names ")[2].split()
    for name in {*loaded} - {"__main__"}:
        (root / f"{name}.py").touch()
        assert _verdict(root, f"python3 -m {USES.get(module, module)}") is Verdict.ASK, name
        (root / f"{name}.py").unlink()


def test_what_is_installed_is_read_by_the_name_of_its_program(root: Path) -> None:
    assert _verdict(root, "python3 -m pip list") is Verdict.ALLOW
    (root / "pip").mkdir()
    (root / "pip" / "__init__.py").touch()
    assert _verdict(root, "python3 -m pip list") is Verdict.ASK


def test_where_a_variable_says_where_modules_lie_nobody_knows_which_is_loaded(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "src")
    assert _verdict(root, LINE) is Verdict.ASK


def test_a_rule_about_python_means_whatever_it_loads(root: Path) -> None:
    (root / "json.py").touch()
    assert ruled(root, LINE, mode=Mode.DEFAULT, allow="shell(python3:*)").verdict is Verdict.ALLOW


@pytest.mark.parametrize("module", MODULES)
def test_a_module_that_only_reads_runs_unasked_and_changes_nothing(root: Path, module: str) -> None:
    line = f"python3 -m {USES.get(module, module)}"
    assert _verdict(root, line) is Verdict.ALLOW
    for form in ("zip", "tar"):
        shutil.make_archive(str(root / "a"), form, root, "b.py")
    before = {it: it.stat().st_mtime_ns for it in root.rglob("*")}
    said = [sys.executable, "-B", *line.split()[1:]]
    done = subprocess.run(
        said, cwd=root, check=False, stdin=subprocess.DEVNULL, capture_output=True
    )
    # An older Python has fewer of them.
    assert done.returncode == 0 or b"No module named" in done.stderr
    assert {it: it.stat().st_mtime_ns for it in root.rglob("*")} == before


@pytest.mark.parametrize(
    "line",
    [
        "python3 -m json.tool a.json b.json",
        "python3 -im json.tool a.json",
        "python3 -i -m json.tool a.json",
        "./python3 -m json.tool a.json",
        "python3 -m json.tool $FLAGS",
        "python3 -m $MODULE a.json",
        "python3 -m zipfile -e a.zip .",
        "python3 -m sysconfig",
        "python3 -m site",
        "python2 -m json.tool a.json",
        "pypy3 -m json.tool a.json",
        "python3 -m pip install x",
        "python3 -m timeit 1",
        "PYTHONPATH=b python3 -m json.tool a.json",
        "python3 -m json.tool /etc/hostname",
    ],
)
def test_what_does_more_or_may_be_another_is_asked_about(root: Path, line: str) -> None:
    assert _verdict(root, line) is Verdict.ASK


@pytest.mark.parametrize(
    "name", ["json.py", "argparse.py", "json/__init__.py", "re.pyc", "_colorize.py"]
)
def test_a_file_that_python_loads_in_its_place_is_asked_about(root: Path, name: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    # That it would be loaded is no guess.
    (root / name).write_text("print('loaded')\n")
    if name.endswith(".py") and name != "_colorize.py":
        said = [sys.executable, "-m", "json.tool", "a.json"]
        done = subprocess.run(said, cwd=root, check=False, capture_output=True)
        assert b"loaded" in done.stdout
    ruling = ruled(root, LINE, mode=Mode.DEFAULT)
    assert ruling.verdict is Verdict.ASK
    assert f"`{name}`, which lies here" in ruling.because


def test_a_folder_of_such_a_name_is_no_module(root: Path) -> None:
    for name in ("secrets", "test", "json"):
        (root / name).mkdir()
        (root / name / "notes.txt").write_text("1\n")
    (root / "test" / "json.py").write_text("print('loaded')\n")
    assert _verdict(root, LINE) is Verdict.ALLOW
    assert _verdict(root, f"cd test && {LINE}") is Verdict.ASK


@pytest.mark.parametrize(
    ("allow", "before"),
    [
        ("shell(cp:*)", "cp b.py json.py"),
        ("write(./**)", "echo 'print(2)' > argparse.py"),
        ("write(./**)", "echo > json/__init__.py"),
        ("shell(mv:*)", "mv b.py re.py"),
        ("shell(mv:*)", "mv lib json"),
        ("shell(git checkout:*)", "git checkout topic"),
        ("shell(ln:*)", "ln -s b.py enum.py"),
        ("shell(gh pr checkout:*)", "gh pr checkout 12"),
        ("shell(gh pr checkout:*)", "gh pr checkout 12 | cat"),
    ],
)
def test_what_the_same_line_may_put_there_is_asked_about(
    root: Path, allow: str, before: str
) -> None:
    (root / "lib").mkdir()
    (root / "lib" / "x.py").touch()
    passes = ruled(root, f"{before}; cat a.json", mode=Mode.DEFAULT, allow=allow)
    assert passes.verdict is Verdict.ALLOW
    ruling = ruled(root, f"{before}; {LINE}", mode=Mode.DEFAULT, allow=allow)
    assert ruling.verdict is Verdict.ASK
    assert ruling.because == "Which module `json.tool` is here is only known when it runs."


def test_a_file_that_is_no_module_may_be_written_before(root: Path) -> None:
    line = "cat a.json > out.json; python3 -m json.tool out.json"
    assert ruled(root, line, mode=Mode.DEFAULT, allow="write(./**)").verdict is Verdict.ALLOW


def test_who_feeds_it_is_no_reason_to_ask(root: Path) -> None:
    line = "gh api user | python3 -m json.tool"
    assert ruled(root, line, mode=Mode.DEFAULT, allow="shell(gh api:*)").verdict is Verdict.ALLOW


def test_a_denied_file_is_denied_to_such_a_module(root: Path) -> None:
    assert _verdict(root, "python3 -m json.tool a.json", deny="read(./a.json)") is Verdict.DENY
