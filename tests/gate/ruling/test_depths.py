"""What `**` stands for where a shell takes it for folders within folders."""

from pathlib import Path

import pytest
from attrs import evolve

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running
from tables import each_row

_DEEP = (
    ("zsh", "{}"),
    ("bash", "zsh -c '{}'"),
    ("bash", "shopt -s globstar; {}"),
)
"""How a command is told that; in bash it is one name otherwise."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "a" / "b" / "c").mkdir(parents=True)
    (root / "a" / "b" / "c" / ".env").write_text("s\n")
    (root / "a" / "b" / "c" / "k.md").write_text("s\n")
    return root


def verdict(root: Path, shell: str, command: str, *denied: str) -> Verdict:
    call = running(command, cwd=str(root))
    if shell != "bash":
        call = evolve(call, input={**call.input, "shell": shell})
    rules = [written(it, Verdict.DENY) for it in denied]
    rules.append(written("shell(shopt:*)", Verdict.ALLOW))
    book = Book.of(rules, (str(root),), str(root.parent))
    places = Places(roots=(str(root),), home=str(root.parent))
    return decide(call, Policy(mode=Mode.DEFAULT, trusted=True, book=book), places).verdict


@pytest.mark.parametrize(("shell", "form"), _DEEP)
@pytest.mark.parametrize("pattern", ["**/x", "a/**/x", "./**/[x]", "***/x", "**"])
def test_a_link_far_below_that_leads_out_is_asked_about_and_without_it_nothing_is(
    root: Path, shell: str, form: str, pattern: str
) -> None:
    command = form.format(f"cat {pattern}")
    assert verdict(root, shell, command) is Verdict.ALLOW
    (root / "a" / "b" / "c" / "x").symlink_to("/etc/passwd")
    assert verdict(root, shell, command) is Verdict.ASK


def test_where_it_is_one_name_what_lies_further_below_counts_for_nothing(root: Path) -> None:
    (root / "a" / "b" / "c" / "x").symlink_to("/etc/passwd")
    assert verdict(root, "bash", "cat **/x") is Verdict.ALLOW


@each_row(("shell", "form"), _DEEP)
@each_row("pattern", ["**/.env", "a/**/.e*", "**/[.]env", "**/c/.env"])
def test_a_hidden_file_that_is_written_with_its_dot_meets_its_rule(
    root: Path, shell: str, form: str, pattern: str
) -> None:
    command = form.format(f"cat {pattern}")
    assert verdict(root, shell, command, "read(./a/b/c/.env)") is not Verdict.ALLOW
    assert verdict(root, shell, form.format("cat **/*.md"), "read(./a/b/c/.env)") is Verdict.ALLOW
