"""What `git add` and `git stash` take up, compared with the real git."""

import shlex
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.test_pathspecs import ruled
from gate.ruling.test_repositories import Yard
from tables import each_row

FILES: Final = (
    *".env .env.local new.py src/new.py src/.env src/deep/.env secret :!.env".split(),
    *"docs/new.md ignored/.env".split(),
)
FOLDERS: Final = (".", "src", "src/deep")
SPECS: Final = st.lists(
    st.sampled_from(
        (
            *". src .. :/ *.py new.py .env :!.env :^.env :(exclude).env :!.env/ :!secret".split(),
            *":(exclude)src/.env :(top,exclude).env :!src :!src/deep/.env :!*.env :!.env*".split(),
            *":!../.env :!./.env :(exclude,icase).ENV :!new.py :!deep".split(),
        )
    ),
    max_size=3,
)
WORDS: Final = st.sampled_from(
    ("add", "add -A", "add -f", "add -A -f", "add --all --", "add -u", "stash -u", "stash -a")
)


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    yard = Yard(tmp_path_factory.mktemp("yard").resolve())
    (yard.root / ".gitignore").write_text("ignored/\n")
    yard.git("add", ".gitignore")
    yard.git("commit", "-q", "-m", "files")
    for name in FILES:
        (yard.root / name).parent.mkdir(parents=True, exist_ok=True)
        (yard.root / name).write_text("secret\n")
    return yard


@settings(max_examples=80)
@given(words=WORDS, folder=st.sampled_from(FOLDERS), specs=SPECS, before=st.booleans())
@example(words="add -A", folder="src", specs=[":!new.py"], before=False)
@example(words="add", folder="src", specs=[":!new.py"], before=False)
@example(words="add -A -f", folder="src", specs=[], before=False)
@example(words="add -A", folder=".", specs=[":!.env/"], before=False)
@example(words="add", folder=".", specs=[".", ":!.env"], before=True)
@example(words="add", folder="src", specs=[":/", ":!.env"], before=False)
@example(words="stash -a", folder="src", specs=[], before=False)
def test_what_is_denied_and_taken_up_does_not_pass(
    yard: Yard, words: str, folder: str, specs: list[str], *, before: bool
) -> None:
    literal = "--literal-pathspecs " if before else ""
    line = f"cd {folder} && git {literal}{words} {shlex.join(specs)}"
    for name in _taken(yard, words, folder, [*literal.split()], specs):
        passed = ruled(yard, line, Mode.AUTO, f"read(./{name})")
        assert passed is not Verdict.ALLOW, (line, name)


@each_row(
    "line",
    [
        "git add -A ':!.env'",
        "git add . ':!.env'",
        "git add -A -- . ':(exclude).env' ':!secret'",
        "cd src && git add .",
        "git add src docs",
        "git add new.py",
    ],
)
def test_what_is_denied_and_left_out_stands_in_no_way(yard: Yard, line: str) -> None:
    assert ruled(yard, line, Mode.AUTO, "read(./.env)") is Verdict.ALLOW


def _taken(yard: Yard, words: str, folder: str, before: list[str], specs: list[str]) -> set[str]:
    """What git would take up of `FILES`; a stash without paths is all that git does not have."""
    name, *flags = words.split()
    if name == "stash":
        return set() if specs else {it for it in FILES if "-a" in flags or "ignored" not in it}
    done = yard.run(["git", *before, name, "-n", *flags, *specs], yard.root / folder)
    told = {it[5:-1] for it in done.stdout.splitlines() if it.startswith("add '")}
    return told & {*FILES}
