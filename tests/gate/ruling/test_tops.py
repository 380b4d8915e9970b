"""Paths from the top of the repository, as real git tells it to a real shell."""

from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.test_repositories import Yard
from tables import each_row

TOP: Final = 'cd "$(git rev-parse --show-toplevel)"'
FILE: Final = '"$(git rev-parse --show-toplevel)/a.txt"'
NAMED: Final = 'top="$(git rev-parse --show-toplevel)"'

ALLOW: Final = (
    "write(./**)",
    *(f"shell({it}:*)" for it in ("git init", "git tag", "mv", "mkdir", "touch")),
)

STAYING: Final = (
    f"{TOP} && cat a.txt",
    f"{TOP}; cat a.txt",
    f"{TOP} || exit 1; cat a.txt",
    f"({TOP} && cat a.txt)",
    "cd $(git rev-parse --show-toplevel) && cat a.txt",
    "cd -- `git rev-parse --show-toplevel` && cat a.txt",
    f"cd deep/er && {TOP} && cat a.txt",
    f"cd deep; {TOP}; cat a.txt",
    f"cd nested/in && {TOP} && cat a.txt",
    f"cd nested && {TOP} && cd .. && cat a.txt",
    f"{TOP} && cd deep && cat ../a.txt",
    f"{TOP} && mkdir out && touch out/x && cat a.txt",
    f"{TOP} && git tag -f x && git tag -f y && cat a.txt",
    f"git status && {TOP} && git diff -- a.txt",
    f"cat {FILE}",
    f"cat < {FILE}",
    f"cd deep/er && cat {FILE}",
    f"cd nested/in && cat {FILE}",
    "cat $(git rev-parse --show-toplevel)/a.txt",
    'cat "$(git rev-parse --show-toplevel)"/a.*',
    f'{NAMED}; cat "$top/a.txt"',
    f"{NAMED} && cat $top/deep/../a.txt",
    f'{NAMED}/deep; cat "$top/../a.txt"',
    f'{NAMED}; cd "$top/deep" && cat ../a.txt',
    f'cd deep; {NAMED}; cat "$top/a.txt"',
    f'{NAMED}; (cat "$top/a.txt")',
)
"""Each reads in the workspace, wherever it stands."""

LEAVING: Final = (
    f"{TOP} && cat a.txt",
    f"{TOP}; cat a.txt",
    "cd $(git rev-parse --show-toplevel) && cat a.txt",
    f"cd er && {TOP} && cat a.txt",
    f"{TOP} && cd deep && cat ../a.txt",
    f"cat {FILE}",
    f'{NAMED}; cat "$top/a.txt"',
    'cd "$(git rev-parse --show-toplevel)/nested" && cat a.txt',
)
"""Where the workspace lies below the top, each leaves it."""

UNSURE: Final = (
    f"git init -q x && cd x && {TOP} && cat a.txt",
    f"mv nested other; cd deep && {TOP} && cat a.txt",
    f"for n in 1 2; do {TOP}; cat a.txt; cd deep; git init -q; done",
    'top="$(git rev-parse --show-toplevel)"; cd nested; cd "$top" && cat a.txt',
    'cd "$(git rev-parse --show-toplevel)/.." && cat a.txt',
    'cd "$(git rev-parse --show-toplevel || echo ..)" && cat a.txt',
    'cd "$(git -C .. rev-parse --show-toplevel)" && cat a.txt',
    'cd "$(git rev-parse --show-toplevel; echo x)" && cat a.txt',
    'git() { echo ..; }; cd "$(git rev-parse --show-toplevel)" && cat a.txt',
    'alias git="echo .. #"; cd "$(git rev-parse --show-toplevel)" && cat a.txt',
    f"cd away && {TOP} && cat a.txt",
    "cd 'two words' && cd $(git rev-parse --show-toplevel) && cat a.txt",
    "cd 'two words' && cat $(git rev-parse --show-toplevel)/a.txt",
    f'{NAMED}; cd nested; cat "$top/a.txt"',
    f'{NAMED}; cat "$top/../a.txt"',
    f'{NAMED}; cat "${{top}}x/a.txt"',
    f'{NAMED}; cat "${{top%/*}}/a.txt"',
    f"git init -q deep && cd deep && cat {FILE}",
    f"cd away && cat {FILE}",
    f"f() {{ cat {FILE}; }}; cd away; f",
    f"for n in 1 2; do cat {FILE}; cd deep; git init -q; done",
    f"env -C away cat {FILE}; env -C away sh -c 'cat {FILE}'",
    f"rm -rf {FILE.replace('/a.txt', '')}",
)
"""Where each comes to nobody knows before it runs."""


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    """A workspace with folders, and with repositories in it."""
    yard = Yard(tmp_path_factory.mktemp("yard").resolve())
    (yard.root / "deep" / "er").mkdir(parents=True)
    yard.made(yard.root / "nested")
    (yard.root / "nested" / "in").mkdir()
    yard.made(yard.root / "two words")
    yard.git("config", "core.worktree", str(yard.below), at=yard.made(yard.root / "away"))
    (yard.below / "a.txt").write_text("not yours\n")
    return yard


@each_row("line", STAYING)
def test_who_goes_to_the_top_of_the_repository_is_not_asked(yard: Yard, line: str) -> None:
    assert yard.rule(line, allow=ALLOW).verdict is Verdict.ALLOW
    printed = yard.run(["bash", "-c", f"{line} > printed; cat printed"], yard.root)
    assert "changed" in printed.stdout
    assert "not yours" not in printed.stdout


@each_row("line", LEAVING)
def test_who_comes_out_of_the_workspace_by_it_is_asked(yard: Yard, line: str) -> None:
    assert yard.rule(line, root=yard.root / "deep").verdict is Verdict.ASK


@each_row("mode", [Mode.DEFAULT, Mode.PLAN])
@each_row("line", UNSURE)
def test_what_may_come_elsewhere_is_asked_about(yard: Yard, line: str, mode: Mode) -> None:
    assert yard.rule(line, mode=mode, allow=ALLOW).verdict is not Verdict.ALLOW


def test_outside_of_any_repository_it_stays_where_it_is(tmp_path: Path) -> None:
    bare = Yard(tmp_path.resolve())
    plain = bare.below / "plain"
    plain.mkdir()
    (plain / "a.txt").write_text("changed\n")
    line = f"{TOP}; cat a.txt"
    assert bare.rule(line, root=plain).verdict is Verdict.ALLOW
    assert bare.run(["bash", "-c", line], plain).stdout == "changed\n"


@each_row(
    "line",
    [f"for n in 1 2; do cat {FILE}; done", f"echo $(cat {FILE})"],
)
def test_what_runs_again_or_within_another_may_ask_another_repository(
    yard: Yard, line: str
) -> None:
    assert yard.rule(line).verdict is Verdict.ASK


@each_row("line", [f"cat {FILE}", f'{NAMED}; cat "$top/a.txt"'])
def test_outside_of_any_repository_a_path_from_its_top_is_one_of_the_system(
    tmp_path: Path, line: str
) -> None:
    plain = tmp_path.resolve() / "plain"
    plain.mkdir()
    assert Yard(tmp_path.resolve()).rule(line, root=plain).verdict is Verdict.ASK
