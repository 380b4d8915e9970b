"""Removals that leave nothing, in the texts that a program runs: asked about in every mode."""

from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

CODE: Final = (
    "python3 -c 'import shutil; shutil.rmtree(\"{}\")'",
    "python3 -c \"import shutil; shutil.rmtree('{}', ignore_errors=True)\"",
    "python3 - <<'E'\nimport shutil\nshutil.rmtree('{}')\nE",
    'node -e \'require("fs").rmSync("{}",{{recursive:true,force:true}})\'',
    "node <<'E'\nrequire('fs').rmdirSync('{}', {{recursive: true}})\nE",
    'ruby -e \'require "fileutils"; FileUtils.rm_rf("{}")\'',
    "ruby -e 'FileUtils.rm_rf \"{}\"'",
    "perl -e 'use File::Path; rmtree(\"{}\")'",
)
"""Code that removes a folder with all that is in it."""

HOMES: Final = (
    "python3 -c 'import shutil,os; shutil.rmtree(os.path.expanduser(\"~\"))'",
    "python3 -c 'import shutil,os; shutil.rmtree(os.environ[\"HOME\"])'",
    "python3 -c 'import shutil,pathlib; shutil.rmtree(pathlib.Path.home())'",
    'node -e \'require("fs").rmSync(require("os").homedir(),{recursive:true})\'',
    "node -e 'fs.rmSync(process.env.HOME,{recursive:true})'",
    "ruby -e 'FileUtils.rm_rf(Dir.home)'",
    "python3 -c 'import shutil,os; shutil.rmtree(os.getcwd())'",
    "python3 -c 'import shutil,pathlib; shutil.rmtree(pathlib.Path.cwd())'",
    "node -e 'fs.rmSync(process.cwd(),{recursive:true})'",
    "ruby -e 'FileUtils.rm_rf(Dir.pwd)'",
)

RUNNING: Final = (
    "python3 - <<'E'\nimport os; os.system('{}')\nE",
    "perl <<'E'\nsystem('{}');\nE",
    "sed '1e {}' a",
    "vim -c ':!{}' -c q",
    "vim +'!{}' +q",
    "gdb -batch -ex 'shell {}'",
    "less '+!{}' a",
    "sqlite3 x '.shell {}'",
    "psql -c '\\! {}'",
    "tar cf /dev/null --checkpoint-action=exec='{}' --checkpoint=1 .",
    "sort --compress-program='{}' -S1 a",
    "ssh -o ProxyCommand='{}' h",
    "make SHELL='{}'",
    "make --eval '$(shell {})'",
    "npm --script-shell='{}' test",
    "git -c core.editor='{}' commit",
    "expect -c 'spawn {}'",
    "systemd-inhibit {}",
    "screen -dm {}",
    "aws-vault exec x -- {}",
    "just --command {}",
)
"""What runs a command that stands in its words, or in what it reads."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "build").mkdir(parents=True)
    (root / "a").write_text("x\n")
    return root


@each_row("code", CODE)
@each_row("path", ["/", ".", "/home", "/etc"])
def test_code_that_removes_everything_is_asked_about(root: Path, code: str, path: str) -> None:
    said = ruled(root, code.format(path))
    assert said.verdict is Verdict.ASK
    assert said.grave


@each_row("code", CODE)
@each_row("path", ["build", "./dist", "/tmp/x/y"])
def test_code_that_removes_a_folder_is_not(root: Path, code: str, path: str) -> None:
    assert ruled(root, code.format(path)).verdict is Verdict.ALLOW


@each_row("code", HOMES)
def test_a_home_is_known_by_what_stands_for_it_in_code(root: Path, code: str) -> None:
    assert ruled(root, code).verdict is Verdict.ASK


@each_row("form", RUNNING)
@each_row("command", ["rm -rf ~", "rm -fr /", "find ~ -delete"])
def test_a_removal_in_a_text_that_is_run_is_asked_about(
    root: Path, form: str, command: str
) -> None:
    assert ruled(root, form.format(command)).verdict is Verdict.ASK


@each_row(
    "command",
    [
        "python3 gen.py --text 'rm the old files and find new ones'",
        "python3 - <<'E'\nprint('rm -rf build')\nE",
        "sed 's/rm -rf/trash/' a",
        "make clean -j4",
    ],
)
def test_a_text_that_only_sounds_so_is_not(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ALLOW
