"""A file that has two names is guarded by each of them, whichever is used."""

import os
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.hardlinks import guarded_by
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import reading, running, writing

_RULES: Final = (
    *("read(./.env)", "write(./.env)", "read(./secrets/**)", "write(./infra/**)"),
    *("read(**/*.pem)", "read(~/.ssh/**)", "read(~/notes/**)"),
)
_DENIED: Final = {
    ".env": {"read", "write"},
    "secrets/deep/key": {"read"},
    "infra/prod.tf": {"write"},
    "src/a/b.pem": {"read"},
    "../.ssh/id": {"read"},
    "../notes/today/a.txt": {"read"},
}
_PROTECTED: Final = (
    *".git/hooks/pre-commit .git/config .vscode/tasks.json src/.envrc".split(),
    *"../.bashrc ../.config/git/config ../.local/bin/tool".split(),
)
_FREE: Final = "src/app.py README.md node_modules/x/index.js ../store/v3/ab".split()
_NAMES: Final = ("docs/conf.txt", "conf.txt", "node_modules/y/conf.js")
"""Names that nothing is said of."""

_READS: Final = (
    *("cat {}", "cat < {}", "head -n 1 ./{}", "grep x {}", "diff README.md {}"),
    *("cat docs/up/{}", "f={}; cat $f", "for f in {}; do cat $f; done"),
)
_WRITES: Final = ("echo x > {}", "echo x >> {}", "tee {} < a.txt", "sed -i s/a/b/ {}", "cp a {}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "home" / "till"
    for name in (*_DENIED, *_PROTECTED, *_FREE):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"of {name}\n")
    for name in _NAMES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / "docs" / "up").symlink_to("..")
    return root


def each_ruling(root: Path, name: str, what: str, mode: Mode) -> dict[str, Ruling]:
    """What is said of each way to read, or to change, what has a name."""
    home = str(root.parent)
    rules = [written(it, Verdict.DENY) for it in _RULES]
    book = Book.of(rules, (str(root),), home)
    places = Places(roots=(str(root),), home=home, guarded=guarded_by(rules, home))
    policy = Policy(mode=mode, trusted=True, book=book)
    forms = _READS if what == "read" else _WRITES
    calls = {it.format(name): running(it.format(name), cwd=str(root)) for it in forms}
    target = places.locate(name, str(root))
    if what == "read":
        calls["the tool"] = evolve(reading(name), targets=(target,), cwd=str(root))
    else:
        calls["the tool"] = writing(name, targets=(target,), cwd=str(root))
    return {way: decide(call, policy, places) for way, call in calls.items()}


def test_a_denied_file_is_denied_by_each_of_its_names(root: Path) -> None:
    for place, denied in _DENIED.items():
        for name in _NAMES:
            os.link(root / place, root / name)
            for what in ("read", "write"):
                for way, said in each_ruling(root, name, what, Mode.AUTO).items():
                    is_denied = said.verdict is Verdict.DENY
                    assert is_denied or what not in denied, f"{way}, which is also {place}: {said}"
            (root / name).unlink()


def test_what_is_protected_is_so_by_each_of_its_names(root: Path) -> None:
    for place in _PROTECTED:
        for name in _NAMES:
            os.link(root / place, root / name)
            for way, said in each_ruling(root, name, "write", Mode.AUTO).items():
                assert said.verdict is Verdict.ASK, f"{way}, which is also {place}"
                assert place.removeprefix("../") in said.because, said.because
            for way, said in each_ruling(root, name, "read", Mode.DEFAULT).items():
                assert said.verdict is Verdict.ALLOW, f"{way}, which is also {place}: {said}"
            (root / name).unlink()


def test_a_second_name_where_nothing_is_guarded_raises_no_question(root: Path) -> None:
    for place in _FREE:
        for name in _NAMES:
            alone = {
                what: {way: it.verdict for way, it in each_ruling(root, place, what, mode).items()}
                for what, mode in (("read", Mode.DEFAULT), ("write", Mode.AUTO))
            }
            os.link(root / place, root / name)
            for what, mode in (("read", Mode.DEFAULT), ("write", Mode.AUTO)):
                said = {way: it.verdict for way, it in each_ruling(root, place, what, mode).items()}
                assert said == alone[what], f"{place} is also {name}"
                for way, of_name in each_ruling(root, name, what, mode).items():
                    assert of_name.verdict is Verdict.ALLOW, f"{way}, which is also {place}"
            (root / name).unlink()


def test_a_rule_that_allows_one_name_lifts_nothing_of_another(root: Path) -> None:
    os.link(root / ".env", root / "docs/conf.txt")
    allowing = [written(it, Verdict.ALLOW) for it in ("read(./docs/**)", "shell(cat:*)")]
    rules = [*allowing, written("read(./.env)", Verdict.DENY)]
    home = str(root.parent)
    policy = Policy(trusted=True, mode=Mode.AUTO, book=Book.of(rules, (str(root),), home))
    places = Places(roots=(str(root),), home=home)
    said = decide(running("cat docs/conf.txt", cwd=str(root)), policy, places)
    assert said.verdict is Verdict.DENY
