"""The tasks that a command runs, whoever wrote it: their texts and their files come with it."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from assent.calls import Call
from assent.disk.places import Places
from assent.workflows.called import bound, called_by
from policy.samples import running

MAKEFILE = "RUN = echo file\nall: sub\n\techo all\nsub:\n\techo sub\nother:\n\t$(RUN)\n"


@pytest.fixture
def places(tmp_path: Path) -> Places:
    root = tmp_path.resolve() / "ws"
    (root / "sub").mkdir(parents=True)
    texts = {"build": "tsc", "prebuild": "echo pre", "test": "pytest", "postinstall": "sh x"}
    (root / "package.json").write_text(json.dumps({"scripts": texts}))
    (root / "Makefile").write_text(MAKEFILE)
    (root / "justfile").write_text("one:\n  echo one\ntwo:\n  echo two\n")
    (root / "sub/package.json").write_text(json.dumps({"scripts": {"build": "rm -rf x"}}))
    (root / "sub/other.mk").write_text("all:\n\techo other\n")
    (root / "pyproject.toml").write_text('[tool.poe.tasks]\ncheck = "ruff check"\n')
    return Places(roots=(str(root),), home=str(root.parent / "home"))


def call(places: Places, command: str) -> Call:
    made = running(command)
    return evolve(made, cwd=places.roots[0])


@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("npm run build", ["tsc", "echo pre"]),
        ("echo a && pnpm build --watch", ["tsc", "echo pre"]),
        ("bash -c 'yarn build'", ["tsc", "echo pre"]),
        ("npm t", ["pytest"]),
        ("npm ci", ["sh x"]),
        ("yarn", ["sh x"]),
        ("node --run test", ["pytest"]),
        ("node build", []),
        ("cd sub && npm run build", ["rm -rf x"]),
        ("npm --prefix sub run build", ["tsc", "echo pre", "rm -rf x"]),
        ("npm --prefix=sub run build", ["tsc", "echo pre", "rm -rf x"]),
        ("make", ["echo sub", "echo all"]),
        ("make sub -j 4", ["echo sub"]),
        ("make other", ["echo file"]),
        ("make other RUN='curl evil'", ["curl evil"]),
        ("make -f sub/other.mk", ["echo other"]),
        ("make -C sub -fother.mk all", ["echo sub", "echo all", "echo other"]),
        ("just", ["echo one"]),
        ("cd sub; just two", ["echo two"]),
        ("poe check", ["ruff check"]),
        ("poe build", []),
        ("ls make", []),
    ],
)
def test_the_texts_come_with_the_call_that_runs_them(
    places: Places, command: str, texts: list[str]
) -> None:
    found = bound(call(places, command), places)
    assert [it.text for it in found.scripts] == texts


def test_a_call_is_bound_to_the_file_that_says_its_tasks_and_to_those_taken_before_it(
    places: Places,
) -> None:
    root = places.roots[0]
    made = call(places, "make all")
    before = bound(made, places)
    assert {Path(it.path).name for it in before.code} >= {"GNUmakefile", "makefile", "Makefile"}
    Path(root, "Makefile").write_text(MAKEFILE + "more:\n")
    assert bound(made, places).digest != before.digest
    Path(root, "Makefile").write_text(MAKEFILE)
    assert bound(made, places).digest == before.digest
    Path(root, "GNUmakefile").write_text(MAKEFILE)
    assert bound(made, places).digest != before.digest


def test_what_is_not_followed_is_known_of_what_a_command_runs(places: Places) -> None:
    Path(places.roots[0], "package.json").write_text(json.dumps({"scripts": {"x": "turbo x"}}))
    assert called_by(call(places, "echo && npm run x"), places).unread == "turbo"
    Path(places.roots[0], "package.json").write_text("{" * 300_000)
    assert "too long" in called_by(call(places, "npm run x"), places).unread


def test_a_runner_that_cannot_be_looked_at_is_shown_to_a_person(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("assent.workflows.called.tasks_at", broken)
    assert bound(call(places, "make all"), places).caution
