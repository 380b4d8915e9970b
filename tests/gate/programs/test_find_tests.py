"""What `find` may come upon, held against what it finds."""

import shlex
import subprocess
from pathlib import Path

import pytest

from assent.gate.programs.find_tests import GENERIC, Sample, may_find, roots_and_tests
from assent.gate.shell.word import Exact
from tables import each_row

NAMES = (
    ".vscode/settings.json .envrc .git/config .husky/pre-commit mise.toml x.code-workspace"
    " src/app.pyc src/app.py src/app.pyo a.orig b.bak node_modules/x.bak .mcp.json"
).split()

TESTS = [
    "-name '*.pyc'",
    "-name '*.pyc' -o -name '*.pyo'",
    "-name '*.pyc' -o -type f",
    "-type f -name '*.pyc' -o -name '*.bak' -not -path './node_modules/*'",
    "! -name '*.pyc'",
    "-not -name '*.py*' -type f",
    "! ! -name '*.pyc'",
    "\\( -name '*.pyc' -o -name '*.bak' \\) -print",
    "-name '*.pyc' -print -o -print",
    "-path ./node_modules -prune -o -name '*.bak' -print",
    "-name .git -prune -o -name config -print",
    "-path './.vs*'",
    "-path '*/.g*'",
    "-path './*/settings.json'",
    "-name '*'",
    "-name '.*'",
    "-name '?*rc'",
    "-name '[!x]*'",
    "-name '[^x]*.toml'",
    "-name '[]m]ise.toml'",
    "-name '[[:alpha:]]*.toml'",
    "-name '\\.envrc'",
    "-iname '*.JSON'",
    "-name a.orig , -name b.bak",
    "-name a.orig -print , -print",
    "-empty",
    "-size +1M -o -name '*.toml'",
    "-type d -o -name x",
    "-maxdepth 1 -name '*.toml'",
    "-false -o -name '*.toml'",
    "-name '*.toml' -exec echo {} \\;",
    "-name nothing -exec echo {} + -o -name '.envrc' -exec echo {} +",
    "-newer a.orig -o -name .envrc",
    "-regex '.*/mise.*'",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("found")
    for name in NAMES:
        file = made / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    return made


@each_row("tests", TESTS)
def test_nothing_is_found_that_is_said_to_be_spared(tests: str, folder: Path) -> None:
    words = shlex.split(f"find . {tests}")
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    lines = [line for text in done.stdout.split("\n") for line in text.split(" ./")]
    found = {line.removeprefix("./") for line in lines}
    _, asked = roots_and_tests([Exact(text=it) for it in words[1:]])
    for name in NAMES:
        told = may_find(asked, ".", Sample(name=name.rpartition("/")[2], path=name))
        assert told or name not in found


@each_row(
    ("tests", "any_name"),
    [
        ("-name '*.pyc'", False),
        ("-name '*.pyc' -o -name '*.pyo'", False),
        ("-name '*.pyc' -o -type f", True),
        ("-name '*'", True),
        ("-name '*.*'", True),
        ("! -name '*.pyc'", True),
        ("-mtime +7", False),
        ("-mtime -9999", True),
        ("! -mtime +7", True),
        ("-empty", False),
        ("-files0-from list", True),
        ("-unheard-of", True),
        ("\\( -name x", True),
    ],
)
def test_what_is_found_by_any_name_is_told(tests: str, any_name: bool) -> None:
    _, asked = roots_and_tests([Exact(text=it) for it in shlex.split(f". {tests}")])
    assert any(may_find(asked, ".", it) for it in GENERIC) is any_name
