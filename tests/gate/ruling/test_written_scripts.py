"""A file that a call writes and then runs: its text stands in the call, so it is held to it."""

from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

WRITES_AND_RUNS: Final = (
    "echo '{0}' > x.sh; bash x.sh",
    "printf '%s\\n' '{0}' > x.sh && chmod +x x.sh && ./x.sh",
    "printf '{0}' | tee /tmp/x.sh; . /tmp/x.sh",
    "cat > x.sh <<'E'\nset -e\n{0}\nE\nsh -x x.sh a b",
    "mkdir -p b && cd b && echo '{0}' > x.sh && bash ./x.sh",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / ".git").mkdir(parents=True)
    (root / ".env").write_text("A=1\n")
    (root / "x.py").write_text("print(1)\n")
    return root


@each_row("form", WRITES_AND_RUNS)
@each_row("code", ["rm -rf ~", "echo x > .git/hooks/pre-commit", "cp a ~/.bashrc", "kill -9 $PPID"])
def test_what_no_mode_lets_pass_does_not_pass_in_a_file_either(
    root: Path, form: str, code: str
) -> None:
    assert ruled(root, form.format(code)).verdict is Verdict.ASK


@each_row("form", WRITES_AND_RUNS)
def test_a_command_that_is_denied_is_seen_in_such_a_file(root: Path, form: str) -> None:
    assert ruled(root, form.format("git push"), deny="shell(git push:*)").verdict is Verdict.ASK
    assert ruled(root, form.format("git pull"), deny="shell(git push:*)").verdict is Verdict.ALLOW


def test_a_path_that_is_denied_is_seen_in_such_a_file(root: Path) -> None:
    line = "cat > y.py <<'E'\nprint(open('{0}').read())\nE\npython3 y.py"
    assert ruled(root, line.format(".env"), deny="read(./.env)").verdict is Verdict.ASK
    assert ruled(root, line.format("a.txt"), deny="read(./.env)").verdict is Verdict.ALLOW


@each_row(
    "form",
    [
        "printf 'a:\n\t{0}\n' > Makefile; make",
        "printf 'a:\n\t{0}\n' > x.mk; make -fx.mk a",
        'echo \'{{"scripts": {{"z": "{0}"}}}}\' > package.json; npm run z',
        "echo 'import os; os.system(\"{0}\")' > x.py; python3 -m x",
        "echo 'import os; os.system(\"{0}\")' > y.py; python3 -c 'import y'",
        "echo 'import os; os.system(\"{0}\")' > conftest.py; pytest",
        "echo 'require(`child_process`).execSync(`{0}`)' > x.js; node x",
        "echo 'system(\"{0}\")' > x.rb; ruby -r./x -e 1",
        "echo '{0}' > x.go; go run x.go",
        "echo '{0}' > x.ts; deno run -A x.ts",
        "echo '{0}' > x.sh; python3 -c \"subprocess.run(['./x.sh'])\"",
    ],
)
def test_what_is_run_without_being_its_first_word_is_seen(root: Path, form: str) -> None:
    assert ruled(root, form.format("git push"), deny="shell(git push:*)").verdict is Verdict.ASK
    assert ruled(root, form.format("git pull"), deny="shell(git push:*)").verdict is Verdict.ALLOW


@each_row(
    "command",
    [
        "echo .env >> .gitignore && git add .gitignore",
        "cat > notes.md <<'E'\nDo not git push.\nE\npython3 x.py",
        "echo 'git push' > notes.md; cat notes.md",
        "python3 x.py && echo 'git push' > x.py",
    ],
)
def test_what_is_not_run_is_not_held_against_it(root: Path, command: str) -> None:
    assert ruled(root, command, deny="shell(git push:*)").verdict is Verdict.ALLOW
    assert ruled(root, command, deny="read(./.env)").verdict is Verdict.ALLOW


def test_such_a_file_needs_leave_as_any_other(root: Path) -> None:
    assert ruled(root, "echo ls > x.sh; bash x.sh", Mode.DEFAULT).verdict is Verdict.ASK


# What is only read, beside what runs elsewhere.


@each_row(
    "command",
    [
        "ssh -i ~/.ssh/id_ed25519 host ls",
        "ssh -i ~/.ssh/id_ed25519 -p 2222 ada@host 'systemctl status app'",
        "scp -i ~/.ssh/id_ed25519 a host:b",
        "docker run --rm -e A=$A img ls",
        "docker run -d --name $N nginx",
    ],
)
def test_a_key_to_another_machine_is_no_change_and_a_value_sets_nothing_up(
    root: Path, command: str
) -> None:
    assert ruled(root, command).verdict is Verdict.ALLOW


@each_row(
    "command",
    [
        "docker run -v ~/.ssh:/x img ls",
        "docker run --name $N --restart always img",
        "docker run --restart $R img",
        "docker run $A --restart always img",
        "docker run -e A=$A --frob --restart always img",
    ],
)
def test_what_a_container_keeps_or_is_given_is_asked_about(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ASK
