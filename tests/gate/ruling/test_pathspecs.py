"""What git takes for the names of files, compared with the real git."""

import itertools
from typing import Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running
from gate.ruling.test_repositories import Yard
from tables import each_row

DENIED: Final = (".env", "secrets/key.pem", "src/deep/.env.local")
OTHERS: Final = ("a.txt", "src/app.py", "docs/guide.md")

NAMING: Final = (
    "*env",
    "*.env",
    "?env",
    ".e*",
    "[.]env",
    ".e\\nv",
    "*e[mn]v*",
    ":*env",
    ":!*.md",
    ":/*env",
    ":(top)*env",
    ":(icase)*ENV",
    ":(glob)**/.env",
    ":(glob)**/*.pem",
    "*.pem",
    "*key*",
    "s*",
    "*ecrets*",
    "sec*/key*",
    "s*.local",
    "src/*.local",
    "src/*.env*",
)
"""Each stands for a denied file, and says so."""

PLAIN: Final = (
    "*.py",
    "*.md",
    "src/*.py",
    ":(glob)src/**/*.py",
    "docs/*",
    "a.*",
)
"""None of them names a denied file."""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    yard = Yard(tmp_path_factory.mktemp("yard").resolve())
    for name in (*DENIED, *OTHERS):
        (yard.root / name).parent.mkdir(parents=True, exist_ok=True)
        (yard.root / name).write_text("secret\n")
    yard.git("add", "-f", ".")
    yard.git("commit", "-q", "-m", "files")
    return yard


def ruled(yard: Yard, line: str, mode: Mode, *denied: str) -> Verdict:
    places = yard.places()
    rules = [written(it, Verdict.DENY) for it in denied]
    book = Book.of(rules, places.roots, places.home)
    call = running(line, cwd=str(yard.root))
    return decide(call, Policy(mode=mode, book=book, trusted=True), places).verdict


def listed(yard: Yard, spec: str) -> list[str]:
    done = yard.run(["git", "ls-files", "--", spec], yard.root)
    return done.stdout.splitlines() if done.returncode == 0 else []


def reading(yard: Yard, line: str) -> Verdict:
    return ruled(
        yard, line, Mode.DEFAULT, *(f"read(./{it})" for it in DENIED), "read(./secrets/**)"
    )


@each_row("spec", NAMING)
def test_a_pattern_that_names_what_is_denied_does_not_pass(yard: Yard, spec: str) -> None:
    assert set(listed(yard, spec)) & set(DENIED)
    for line in (f"git log -p -- '{spec}'", f"git diff HEAD -- '{spec}'", f"git show -- '{spec}'"):
        assert reading(yard, line) is not Verdict.ALLOW
    if not spec.startswith(":"):
        assert reading(yard, f"git log -p '{spec}'") is not Verdict.ALLOW


@each_row("spec", PLAIN)
def test_a_pattern_that_names_nothing_of_it_passes(yard: Yard, spec: str) -> None:
    names = listed(yard, spec)
    assert names
    assert not {*names} & {*DENIED}
    assert reading(yard, f"git log -p -- '{spec}'") is Verdict.ALLOW


def test_whatever_a_pattern_may_bring_back_is_not_brought_back_over_a_refusal(yard: Yard) -> None:
    pieces = ("*", "?", ".e", "env", "[a-z]", "/", "s", "**/", "src", "\\e", "pem", "[!a]")
    specs = {"".join(it) for count in (1, 2, 3) for it in itertools.product(pieces, repeat=count)}
    tracked = [*DENIED, *OTHERS]
    for spec in sorted(specs)[::7]:
        meant = [it for it in listed(yard, spec) if it in tracked and it in DENIED]
        passed = [
            it
            for it in meant
            if ruled(yard, f"git checkout HEAD -- '{spec}'", Mode.AUTO, f"write(./{it})")
            is Verdict.ALLOW
        ]
        assert passed == [], spec


@each_row(
    ("line", "denied", "verdict"),
    [
        ("git diff --no-index . docs", "read(./.env)", Verdict.ASK),
        ("git diff --no-index docs src", "read(./.env)", Verdict.ALLOW),
        ("git config --blob=HEAD:.env -l", "read(./.env)", Verdict.DENY),
        ("git config --blob HEAD:.env --get a", "read(./.env)", Verdict.DENY),
        ("git config --blob=HEAD:a.txt -l", "read(./.env)", Verdict.ALLOW),
        ("git grep secret HEAD", "read(./.env)", Verdict.ASK),
        ("git grep secret HEAD main", "read(./.env)", Verdict.ASK),
        ("git grep secret docs", "read(./.env)", Verdict.ALLOW),
        ("git grep secret HEAD docs", "read(./.env)", Verdict.ALLOW),
        ("git grep secret HEAD -- docs", "read(./.env)", Verdict.ALLOW),
        ("git -C src grep secret HEAD", "read(./src/deep/**)", Verdict.ASK),
        ("git -C src grep secret app.py", "read(./src/deep/**)", Verdict.ALLOW),
    ],
)
def test_what_git_reads_in_other_ways_is_judged_as_well(
    yard: Yard, line: str, denied: str, verdict: Verdict
) -> None:
    assert ruled(yard, line, Mode.DEFAULT, denied) is verdict


@each_row(
    ("line", "verdict"),
    [
        ("git checkout HEAD secrets", Verdict.DENY),
        ("git checkout main secrets/key.pem", Verdict.DENY),
        ("git checkout secrets", Verdict.DENY),
        ("git checkout --ours secrets/key.pem", Verdict.DENY),
        ("git restore --source=HEAD secrets", Verdict.DENY),
        ("git checkout HEAD 'sec*'", Verdict.DENY),
        ("git checkout HEAD '*.pem'", Verdict.ASK),
        ("git checkout main", Verdict.ALLOW),
        ("git checkout -b secret/idea origin/main", Verdict.ALLOW),
        ("git checkout secrets/idea", Verdict.ALLOW),
        ("git checkout HEAD~1 src", Verdict.ALLOW),
        ("git switch secrets", Verdict.ALLOW),
    ],
)
def test_what_is_brought_back_from_a_revision_is_a_change_of_it(
    yard: Yard, line: str, verdict: Verdict
) -> None:
    assert ruled(yard, line, Mode.AUTO, "write(./secrets/**)") is verdict


@each_row(
    ("line", "verdict"),
    [
        ("git -C .. commit -m x", Verdict.DENY),
        ("cd .. && git add .", Verdict.DENY),
        ("git commit -m x", Verdict.ALLOW),
        ("git -C src commit -m x", Verdict.ALLOW),
        ("git -C .. log", Verdict.ALLOW),
    ],
)
def test_a_repository_outside_is_changed_outside(yard: Yard, line: str, verdict: Verdict) -> None:
    assert ruled(yard, line, Mode.AUTO, "effect(write:outside)") is verdict


def test_long_patterns_are_not_compared(yard: Yard) -> None:
    assert reading(yard, f"git log -- '{'*a' * 3000}'") is Verdict.ASK


SHOWING: Final = (
    "git diff",
    "git diff HEAD",
    "git log -p",
    "git log -p -- .",
    "git log -p -- ':!docs'",
    "git show",
    "git show HEAD -- :/",
    "git stash show -p",
    "git format-patch -1",
)
"""What shows lines of each file that git tracks."""

SHOWING_OTHERS: Final = (
    "git diff --stat",
    "git diff --name-only",
    "git log --oneline",
    "git show HEAD:a.txt",
    "git diff -- docs",
    "git diff docs",
    "git log -p -- src/app.py",
    "git diff -- . ':!.env' ':!secrets' ':!src/deep'",
)
"""What shows no line of a denied file."""


@each_row("line", SHOWING)
def test_what_shows_whatever_git_tracks_is_asked_about_beside_a_denial(
    yard: Yard, line: str
) -> None:
    assert reading(yard, line) is not Verdict.ALLOW
    assert ruled(yard, line, Mode.AUTO, "read(./.env)") is Verdict.ASK


@each_row("line", SHOWING_OTHERS)
def test_what_shows_other_files_alone_passes(yard: Yard, line: str) -> None:
    assert reading(yard, line) is Verdict.ALLOW


def test_a_denial_of_what_git_does_not_track_raises_no_question(yard: Yard) -> None:
    for line in ("git diff", "git log -p", "git show HEAD", "cd src && git diff"):
        assert ruled(yard, line, Mode.DEFAULT, "read(./.env.other)") is Verdict.ALLOW
