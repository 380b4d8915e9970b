"""The faults that `make mutants` plants fit the source as it stands, and each says what it is."""

import ast
from pathlib import Path

from house.sources import ROOT
from mutants.mutant import Mutant
from mutants.table import AREAS, EQUIVALENT, TABLE, planted
from tables import each_row

ALL = planted(ROOT)


@each_row("mutant", TABLE, ids=lambda it: it.id)
def test_a_fault_still_fits_the_source_and_changes_what_it_means(mutant: Mutant) -> None:
    changed = mutant.applied(ROOT)
    before = (ROOT / "server" / "assent" / mutant.file).read_text("utf-8")
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(before))
    assert mutant.broken.endswith(".")


@each_row("file", AREAS)
def test_a_fault_that_was_found_in_the_source_is_still_python(file: str) -> None:
    found = [it for it in ALL if it.file == file and not isinstance(it, Mutant)]
    assert found, f"{file} has no place for a fault"
    for site in found:
        ast.parse(site.applied(ROOT))


def test_each_fault_has_a_name_of_its_own_and_tests_that_are_there() -> None:
    assert len({it.id for it in ALL}) == len(ALL) >= 60
    for tests in (*AREAS.values(), *(it.tests for it in TABLE)):
        for test in tests:
            file, _, name = test.partition("::")
            path = Path(ROOT / "tests" / file)
            assert path.exists(), test
            assert not name or f"def {name}(" in path.read_text("utf-8"), test


def test_what_is_told_as_equivalent_is_one_of_them_and_says_why() -> None:
    assert set(EQUIVALENT) <= {it.id for it in ALL}
    assert all(why.endswith(".") for why in EQUIVALENT.values())
