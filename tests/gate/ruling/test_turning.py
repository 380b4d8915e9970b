"""What stands behind a command and may run before it: in loops, functions, pipes, backgrounds."""

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

PAIRS: Final = (
    ("ln -s ~ link", "rm -rf link/x"),
    ("ln -s ../other link", "touch link/x"),
    ("mv led link", "cp a link/b"),
    ("cp -P led link", "tee link/b"),
    ("echo '!.env' > .gitignore", "git add -A"),
)
"""What makes another command of the text reach further, and that command."""

TURNING: Final = (
    "for i in 1 2; do {second}; {first}; done",
    "while date; do {second}; {first}; done",
    "until false; do if test -f a; then {second}; else {first}; fi; done",
    "for ((i=0; i<3; i++)); do {second}; {first}; done",
    "f() {{ {second}; }}; {first}; f",
    "f() {{ {second}; }}; g() {{ {first}; }}; g; f",
    "for i in 1 2; do {second}; f() {{ {first}; }}; f; done",
    "{second} & {first}",
    "(sleep 1; {second}) & {first}; wait",
    "{{ sleep 1; {second}; }} | {{ {first}; }}",
    "date | while read -r x; do {second}; {first}; done",
    "{second} $({first})",
    "X=$({first}) {second}",
    "cat <({second}) a; {first}",
    "echo 1 2 | xargs -n1 sh -c '{second}; {first}'",
    "find . -maxdepth 1 -exec sh -c '{second}' \\; -exec sh -c '{first}' \\;",
    "for i in 1 2; do sh -c '{second}'; {first}; done",
    "f() {{ for i in 1; do {second}; done; }}; {first} && f",
)
"""Texts in which the second runs after the first, though it stands before it."""

STRAIGHT: Final = (
    "{second}; {first}",
    "{second} && {first}",
    "if test -f a; then {second}; {first}; fi",
    "for i in 1 2; do {second}; done; {first}",
    "{{ {second}; }} | cat; {first}",
    "sh -c '{second}; {first}'",
)
"""Texts in which it runs before, as it stands."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("turning") / "home"
    root = home / "till"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".gitignore").write_text(".env\n")
    (root / ".env").write_text("s\n")
    (root / "a").write_text("x\n")
    (home / "other").mkdir()
    (root / "led").symlink_to("../other")
    return root


def is_let_run(root: Path, command: str) -> bool:
    return ruled(root, command, deny="read(./.env)").verdict is Verdict.ALLOW


@each_row(("first", "second"), PAIRS)
def test_one_command_makes_the_other_reach_further(root: Path, first: str, second: str) -> None:
    assert not is_let_run(root, f"{first}; {second}")
    assert is_let_run(root, second)


@each_row(("pair", "text"), [*product(PAIRS, TURNING)])
def test_what_stands_behind_and_may_run_before_is_judged_so(
    root: Path, pair: tuple[str, str], text: str
) -> None:
    first, second = pair
    if "'" in first and "sh -c '" in text:
        first = first.replace("'", "")
    assert not is_let_run(root, text.format(first=first, second=second))


@each_row(("pair", "text"), [*product(PAIRS, STRAIGHT)])
def test_what_runs_as_it_stands_is_not_asked_about_for_what_follows(
    root: Path, pair: tuple[str, str], text: str
) -> None:
    first, second = pair
    if "'" in first and "sh -c '" in text:
        first = first.replace("'", "")
    assert is_let_run(root, text.format(first=first, second=second))
