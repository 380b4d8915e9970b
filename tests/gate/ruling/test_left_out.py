"""Beside rules about files: what a program is told to leave out is not what it touches."""

import subprocess
from pathlib import Path

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running
from tables import each_row


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    for name in (".env", "src/a.py", "src/b.js", "secrets/k", "migrations/1.py", "old/secrets/k"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x = 1\n")
    return root


def verdict(root: Path, command: str, *denied: str) -> Verdict:
    places = Places(roots=(str(root),), home=str(root.parent))
    rules = [written(it, Verdict.DENY) for it in denied]
    book = Book.of(rules, places.roots, places.home)
    policy = Policy(mode=Mode.AUTO, trusted=True, book=book)
    return decide(running(command, cwd=str(root)), policy, places).verdict


FILES = ("read(./.env)", "read(./secrets/**)", "write(./migrations/**)")


@each_row(
    "command",
    [
        "black --extend-exclude migrations .",
        "black . --exclude migrations",
        "isort . --skip migrations",
        "ruff format --exclude migrations .",
        "npx prettier --write . '!migrations/**'",
        "npx eslint . --fix --ignore-pattern 'migrations/**'",
        "mypy --exclude 'secrets/' src",
        "pytest --ignore=secrets",
        "codespell --skip=secrets,.git .",
        "tar czf /tmp/a.tgz --exclude=.env --exclude=secrets .",
        "rsync -a --exclude=.env --exclude=secrets ./ /tmp/b/",
        "find . -path ./migrations -prune -o -name '*.pyc' -print",
    ],
)
def test_what_is_left_out_is_not_touched(root: Path, command: str) -> None:
    assert verdict(root, command, *FILES) is Verdict.ALLOW


@each_row(
    "command",
    [
        "black .",
        "black --exclude src .",
        "black --exclude migrations --exclude src .",
        "black migrations --exclude x",
        "ruff format .",
        "tar czf /tmp/a.tgz . --exclude=.env --exclude=secrets",
        "tar czf /tmp/a.tgz --exclude=.env .",
        "tar czf /tmp/a.tgz --exclude=secrets/k --exclude=.env .",
        "tar czf /tmp/a.tgz --exclude-from=.env --exclude=secrets .",
        "rsync -a --include=.env --exclude=.env --exclude=secrets ./ /tmp/b/",
        "rsync -a --exclude=$x ./ /tmp/b/",
        "mytool --exclude-file .env",
        "mytool --ignore .env",
        "mytool --exclude .env",
        "python3 x.py --exclude .env",
        "perl -pe 1 -- --omit .env",
        "npm run x -- --exclude .env",
        "ruff check --force-exclude .env",
        "prettier --ignore-path .env .",
        "find . -not -path x -name .env -exec cat {} +",
        "rsync -a --exclude='+ .env' --exclude=.env --exclude=secrets . /tmp/b",
        "rsync -a --exclude=.env --exclude=secrets --exclude='!' . /tmp/b",
        "rsync -af'+ .env' --exclude=.env --exclude=secrets . /tmp/b",
        "rsync -aC --exclude=.env --exclude=secrets . /tmp/b",
        "rsync -a --exclude=.env/ --exclude=secrets . /tmp/b",
        "rsync -a --exclude=.env --exclude=./secrets . /tmp/b",
        "tar czf /tmp/a.tgz --exclude=.env/ --exclude=secrets .",
        "tar czf /tmp/a.tgz --anchored --exclude=.env --exclude=secrets .",
        "zip -r /tmp/a.zip . -x .env",
        "tar czf /tmp/a.tgz --exclude=x,.env --exclude=secrets .",
        "tar czf --exclude=.env .",
        "tar cz . --exclude=.env src > /tmp/a.tgz",
        "tar czf /tmp/a.tgz --exclude='.env/*' --exclude=secrets .",
        "rsync -a --exclude=x,.env --exclude=secrets . /tmp/b",
        "black --exclude x,migrations .",
        "black --config --exclude .env",
        "codespell -- -S .env",
        "coverage run src/a.py --omit .env",
        "./eslint --ignore-pattern .env",
        "isort --skip 'migrations/*' .",
        "isort --skip '**/migrations' .",
        "black --exclude 1.py migrations/*.py",
        "isort --skip 1.py migrations/*.py",
        "prettier --write 'migrations/**' '!1.py'",
        "touch migrations/x && black . --exclude migrations && black .",
    ],
)
def test_what_is_not_surely_left_out_does_not_pass(root: Path, command: str) -> None:
    assert verdict(root, command, *FILES) is not Verdict.ALLOW


@each_row("command", ["tar czf /tmp/a.tgz --exclude='secrets/*' --exclude=.env ."])
def test_what_is_left_out_here_is_not_left_out_everywhere(root: Path, command: str) -> None:
    assert verdict(root, command, *FILES) is Verdict.ALLOW
    assert verdict(root, command, "read(**/secrets/**)") is not Verdict.ALLOW


@pytest.mark.parametrize(
    "command", ["black .", "ruff format .", "npx prettier --write .", "gofmt -w ."]
)
def test_what_only_writes_its_own_kind_of_files_anew_is_asked_where_one_is_there(
    root: Path, command: str
) -> None:
    assert verdict(root, command, "write(./deploy/**)") is Verdict.ALLOW
    name = {"black": "a.py", "ruff": "a.py", "npx": "a.js", "gofmt": "a.go"}[
        command.partition(" ")[0]
    ]
    (root / "deploy").mkdir()
    (root / "deploy" / "a.sql").write_text("")
    assert verdict(root, command, "write(./deploy/**)") is Verdict.ALLOW
    (root / "deploy" / name).write_text("")
    assert verdict(root, command, "write(./deploy/**)") is Verdict.ASK
    before = f"mkdir -p deploy && cp {name} deploy/ && {command}"
    assert verdict(root, before, "write(./deploy/**)") is not Verdict.ALLOW


@each_row(
    ("command", "verdict_"),
    [
        ("sed -i s/a/b/ src/*", Verdict.ALLOW),
        ("sed -i.py s/a/b/ src/*", Verdict.ASK),
        ("sed -ni.py s/a/b/p src/*", Verdict.ASK),
        ("sed --in-place=.py s/a/b/ src/*", Verdict.ASK),
        ("sed -i -f s.sed src/*", Verdict.ASK),
        ("grep -rl x src | xargs sed -i.py s/a/b/", Verdict.ASK),
    ],
)
def test_a_copy_that_is_kept_of_what_was_there_is_a_file_of_another_name(
    root: Path, command: str, verdict_: Verdict
) -> None:
    assert verdict(root, command, "write(./src/gen.py)") is verdict_


def test_what_makes_files_is_not_left_to_what_is_there_now(root: Path) -> None:
    assert verdict(root, "unzip a.zip", "write(./deploy/**)") is not Verdict.ALLOW


def test_what_any_of_several_searched_folders_lets_through_counts(root: Path) -> None:
    (root / "deploy").mkdir()
    (root / "deploy" / "a.sql").write_text("")
    line = "find . src -path './d*/a.*' -delete"
    assert verdict(root, line, "write(./deploy/**)") is not Verdict.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "find . -name '*.pyc' -delete",
        "find . -name '*.pyc' -exec rm {} +",
        "find . -name '*.pyc' | xargs rm",
        "find . -name '*.pyc' -type d -exec rm -r {} +",
        "rm -r $(find . -name '*.pyc')",
    ],
)
def test_what_removes_files_of_a_name_removes_what_is_there_now(root: Path, command: str) -> None:
    rule = "write(./deploy/**)"
    (root / "deploy").mkdir()
    (root / "deploy" / "a.sql").write_text("")
    assert verdict(root, command, rule) is Verdict.ALLOW
    assert verdict(root, f"find . -name x -delete; {command}", rule) is Verdict.ALLOW
    for before in ("cp -r x y", "find . $X -name x -exec true {} +"):
        assert verdict(root, f"{before}; {command}", rule) is not Verdict.ALLOW
    assert verdict(root, command.replace("*.pyc", "a.*"), rule) is not Verdict.ALLOW
    (root / "deploy" / "b.pyc").mkdir()
    (root / "deploy" / "b.pyc" / "c").write_text("")
    wider = command.replace("-name '*.pyc'", "\\( -newer a -o -name '*.pyc' \\)")
    assert verdict(root, wider, rule) is not Verdict.ALLOW
    assert (verdict(root, command, rule) is Verdict.ALLOW) is ("-r" not in command)
    (root / "deploy" / "a.pyc").write_text("")
    assert verdict(root, command, rule) is not Verdict.ALLOW


@each_row(
    ("command", "passes"),
    [
        ('python3 -c "import secrets; print(secrets.token_hex())"', True),
        ('python3 -c "from secrets import token_hex"', True),
        ("python3 -m pytest -k secrets", True),
        ("python3 -c \"import os; os.listdir('secrets')\"", False),
        ("python3 -c \"import os, secrets; print(os.listdir('secrets'))\"", False),
        ("python3 -c \"open('secrets/k')\"", False),
    ],
)
def test_a_module_of_the_name_is_no_folder(root: Path, command: str, passes: bool) -> None:
    assert (verdict(root, command, *FILES) is Verdict.ALLOW) is passes


def test_who_reads_a_tree_by_the_name_of_a_link_goes_through_it(root: Path) -> None:
    (root / "secret").mkdir()
    (root / "secret" / "x").write_text("one\n")
    (root / "sub").mkdir()
    (root / "sub" / "up").symlink_to("..")
    for words in (["init", "-q"], ["add", "sub"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    line = "grep -r one $(git ls-files)"
    assert verdict(root, line, "read(./secret/**)") is not Verdict.ALLOW
    (root / "sub" / "up").unlink()
    assert verdict(root, line, "read(./secret/**)") is Verdict.ALLOW
