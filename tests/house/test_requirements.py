"""Each requirement that is built has a test that marks it, and each mark means one that is."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from house.sources import named, parsed, suite_modules
from requirements import BY_ID, REQUIREMENTS, Requirement
from tables import each_row

BUILT = [each for each in REQUIREMENTS if each.built]


def _marks(path: Path) -> Iterator[str]:
    """The ids that a file marks, found in its text, so that skipped tests count as well."""
    for node in ast.walk(parsed(path)):
        if not isinstance(node, ast.Call):
            continue
        # Written out, or by the short name that a module gives it.
        if ast.unparse(node.func).rpartition(".")[2] == "requirement":
            for argument in node.args:
                assert isinstance(argument, ast.Constant), f"{path.name} marks what is not a word"
                yield str(argument.value)


@cache
def _marked() -> dict[str, list[str]]:
    """Where each id is marked."""
    found: dict[str, list[str]] = {}
    for path in suite_modules():
        for name in _marks(path):
            found.setdefault(name, []).extend(named([path]))
    return found


@each_row("requirement", BUILT, ids=lambda it: it.id)
def test_what_is_built_has_a_test(requirement: Requirement) -> None:
    assert requirement.id in _marked(), f"no test marks {requirement.id}: {requirement.sentence}"


def test_what_is_marked_is_built() -> None:
    for name, places in _marked().items():
        assert name in BY_ID, f"{places} mark {name}, which is no requirement"
        assert BY_ID[name].built, f"{places} mark {name}, which is declared not built"


def test_each_requirement_says_what_is_missing_or_is_built() -> None:
    for each in REQUIREMENTS:
        assert each.built or each.missing, each.id
        assert each.sentence.endswith("."), each.id
        assert not each.missing or each.missing.endswith("."), each.id
        assert each.wave in {1, 2, 3}, each.id


def test_each_requirement_stands_once_and_none_is_left_out() -> None:
    ids = [each.id for each in REQUIREMENTS]
    assert len(set(ids)) == len(ids)
    counts = {"M": 7, "T": 16, "S": 11, "N": 13, "C": 12, "P": 2}
    assert ids == [f"{part}-{n:02}" for part, count in counts.items() for n in range(1, count + 1)]
