"""What a command of git is given to run asks, and what only looks like that does not."""

import re
import subprocess

from assent.gate.programs.git_given import given_to_git, runs_value
from assent.gate.programs.read_lines import words_of
from assent.gate.programs.tables.git_itself import HARMLESS_KEYS
from tables import each_row

SAYS_SO = re.compile(
    r"(?i)(?:command|cmd|program|hook|editor|pager|helper|(?<!cache)textconv|external|tunnel|askpass|smudge"
    r"|driver|browser|filter|tool>\.path)$"
)
ONLY_TELLS = ("advice.", "color.")


def test_each_setting_that_git_says_names_a_program_may_be_run() -> None:
    listed = subprocess.run(["git", "help", "--config"], capture_output=True, text=True, check=True)
    named = [it for it in listed.stdout.split() if SAYS_SO.search(it)]
    named = [it for it in named if not it.startswith(ONLY_TELLS)]
    assert len(named) > 20
    for spelled in (str, str.lower, str.upper):
        assert [it for it in named if not runs_value(spelled(it), "./x")] == []


def test_no_setting_that_only_changes_how_things_look_is_run() -> None:
    assert [it for it in sorted(HARMLESS_KEYS) if runs_value(it, "./x")] == []


@each_row(
    "line",
    [
        "git grep -c core.pager=sh",
        "git commit -c HEAD~1",
        "git -c color.ui=always diff",
        "git -c http.extraHeader=$X fetch",
        "git fetch https://x.org/ext::a",
    ],
)
def test_nothing_is_run_by_words_that_are_no_such_setting(line: str) -> None:
    given = given_to_git(words_of(line))
    assert (given.texts, given.argvs) == ((), ())


@each_row(
    "line",
    [
        "git -c 'alias.x=-c core.fsmonitor=./e status' x",
        "git -c \"alias.x='-c' core.fsmonitor=./e status\" x",
        "git -c 'alias.x=rebase --e\\xec ./e' x",
        "git -c 'alias.x=rebase --exec' $X ./e",
        "git -c alias.y=rebase -c 'alias.x=y --exec ./e' x",
        "git $X -c core.pager=sh log",
        "git -c $X log",
    ],
)
def test_what_may_be_more_than_it_looks_like_is_a_text(line: str) -> None:
    assert given_to_git(words_of(line)).texts
