"""What CONTRIBUTING.md says works as it is written, and no step of it is needless."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from copies import ROOT, copied, in_copy
from house.recipes import Recipe, recipes, words
from tables import each_row

RECIPES = recipes()
PACKAGE = ROOT / "server" / "assent"

WRITES: Final = "make protocol"
GENERATED: Final = (
    "docs/settings.md",
    "client-ts/package.json",
    "client-ts/src/shared/protocol.ts",
    "server/PROTOCOL.md",
    "server/protocol.schema.json",
    "server/assent/editor/protocol/fingerprint.py",
    "client-ts/package.nls.json",
)
"""What that command writes."""


def _modules_of(command: str) -> list[str]:
    """The modules that a word of the Makefile runs."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    rule = makefile.partition(f"\n{command.removeprefix('make ')}: ready")[2].partition("\n\n")[0]
    return re.findall(r"\$\(PYTHON\) -m (\S+)", rule)


def _try(recipe: Recipe, copy: Path, without: int | None = None, *, writes: bool = True) -> Any:
    """What to do in the copy: the texts of its files, what is generated, what is tested."""
    before = {path: (copy / path).read_text("utf-8") for path in GENERATED}
    commands = [it for it in recipe.commands if writes or it != WRITES]
    (tests,) = (it for it in commands if it != WRITES)
    program, *arguments = shlex.split(tests)
    assert program == ".venv/bin/pytest"
    return {
        "files": {**before, **recipe.applied(copy, without=without)},
        "modules": [name for it in commands if it == WRITES for name in _modules_of(it)],
        "tests": arguments,
    }


def _linted(copy: Path, recipe: Recipe) -> None:
    """Whatever the recipe is about is formatted, but for the order of imports."""
    paths = [it.path for it in recipe.steps if it.path.endswith(".py")]
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or "ruff"
    for command in (["check", "--quiet", "--fix-only", "--select", "I"], ["check"], ["format"]):
        more = ["--check"] if command == ["format"] else []
        done = subprocess.run(
            [ruff, *command, *more, "--no-cache", *paths],
            cwd=copy,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda it: it.title)
def test_a_recipe_works_as_it_is_written_and_needs_each_of_its_steps(
    tmp_path: Path, recipe: Recipe
) -> None:
    copy = copied(tmp_path / "copy", client=WRITES in recipe.commands)
    needed = [number for number, step in enumerate(recipe.steps) if not step.is_test]
    tries = [_try(recipe, copy, number) for number in needed]
    if WRITES in recipe.commands:
        tries.append(_try(recipe, copy, writes=False))
    done = in_copy(
        copy,
        ["tests/house/tries.py"],
        longest=250,
        given=json.dumps([*tries, _try(recipe, copy)]),
    )
    assert done.returncode == 0, done.stderr
    *less, (code, said) = json.loads(done.stdout)
    assert code == 0, said
    assert [said for code, said in less if code == 0] == []
    _linted(copy, recipe)


def test_what_is_added_most_often_takes_few_files() -> None:
    files = {
        recipe.title: len({step.path for step in recipe.steps if not step.is_test})
        for recipe in RECIPES
    }
    assert files == {
        "Add a program that only reads": 2,
        "Add a tool of our own agent": 2,
        "Add a setting": 4,
        "Add a message of the protocol": 4,
    }


@each_row(("word", "module"), words())
def test_a_word_is_one_of_the_module_that_is_named(word: str, module: str) -> None:
    assert re.search(rf"\b{word}", (PACKAGE / module).read_text("utf-8"), re.IGNORECASE)


def test_words_stand_in_the_order_of_the_alphabet() -> None:
    explained = [word for word, _ in words()]
    assert len(explained) > 30
    assert explained == sorted(explained)
