"""Beside a host that is denied: what asks the hosts that it is set to, and no others."""

import time
from pathlib import Path

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

DENIED = "fetch(domain:*.prod.example)"
HOST = "git.prod.example"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text('[remote "origin"]\n\turl = https://x.example/a\n')
    (root / "package.json").write_text("{}\n")
    return root


def verdict(root: Path, line: str, deny: str = DENIED) -> Verdict:
    return ruled(root, line, deny=deny).verdict


SET = [
    ("git push", ".git/config", '[remote "origin"]\n\turl = https://{}/a\n'),
    ("git fetch --all", "../.gitconfig", '[url "https://{}/"]\n\tinsteadOf = https://x.example/\n'),
    ("git push", "config", '[remote "origin"]\n\turl = https://{}/a\n'),
    ("npm ci", ".npmrc", "registry=https://{}/\n"),
    ("cd src && npm ci", ".npmrc", "registry=https://{}/\n"),
    ("npm install", "package.json", '{{"dependencies": {{"a": "https://{}/a.tgz"}}}}'),
    ("npm install", "../.npmrc", "registry=https://{}/\n"),
    ("pip install -r more.txt", "more.txt", "-i https://{}/simple\n"),
    ("uv sync", "pyproject.toml", '[[tool.uv.index]]\nurl = "https://{}/"\n'),
    ("docker compose pull", "compose.yaml", "services: {{a: {{image: {}/a}}}}\n"),
    ("go mod download", "go.mod", "module a\nrequire {}/a v1.0.0\n"),
]


@pytest.mark.parametrize(("line", "file", "text"), SET)
def test_it_is_asked_about_where_a_file_says_that_it_asks_the_denied_host(
    root: Path, line: str, file: str, text: str
) -> None:
    (root / "more.txt").write_text("a==1\n")
    assert verdict(root, line) is Verdict.ALLOW
    (root / file).write_text(text.format(HOST))
    assert verdict(root, line) is Verdict.ASK
    (root / file).unlink()
    (root / file).symlink_to((root / file).name)
    assert verdict(root, line) is Verdict.ASK
    # A folder that is called so says nothing: many projects have their settings in `config`.
    (root / file).unlink()
    (root / file).mkdir()
    assert verdict(root, line) is Verdict.ALLOW


@each_row(
    ("line", "deny"),
    [
        ("npm ci", "fetch(domain:registry.npm.example)"),
        ("pip install a", "fetch(domain:*.python.example)"),
        ("npm ci", "fetch(domain:*.org)"),
        ("git push", "fetch(domain:x.example)"),
        ("cargo fetch", "fetch(domain:*.dev)"),
    ],
)
def test_it_is_asked_about_where_the_host_may_be_its_own_registry(
    root: Path, line: str, deny: str
) -> None:
    assert verdict(root, line, deny) is Verdict.ASK


@each_row(
    "line",
    [
        'npm ci --registry "$R"',
        'cd "$X" && npm ci',
        "npm ci --$R",
        "echo //git.prod.example > x; npm ci",
        "terraform init",
        "pip install --requirement=more.txt",
        "git -C ../other push",
        "git --git-dir=../other/.git push",
        "GIT_DIR=../other/.git git push",
        "export GIT_DIR=../other/.git; git push",
        "npm ci --userconfig=x",
        "npm --prefix ../other ci",
        "export npm_config_userconfig=x; npm ci",
    ],
)
def test_where_nobody_can_tell_it_is_asked_about(root: Path, line: str) -> None:
    assert verdict(root, line) is Verdict.ASK


def test_a_repository_that_lies_elsewhere_is_asked_about(root: Path) -> None:
    (root / ".git" / "config").unlink()
    (root / ".git").rmdir()
    (root / ".git").write_text("gitdir: ../other\n")
    assert verdict(root, "git push") is Verdict.ASK


def test_a_file_without_an_end_to_its_words_takes_no_long_time(root: Path) -> None:
    (root / "package.json").write_text("a" * 1_000_000)
    before = time.process_time()
    assert verdict(root, "npm ci") is Verdict.ALLOW
    assert time.process_time() - before < 5
