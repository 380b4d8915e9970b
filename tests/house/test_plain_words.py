"""Names that say nothing are counted for each package, and a count may only fall."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

from house.sources import ROOT, parsed, server_modules
from tables import each_row

SAY_NOTHING: Final = frozenset({"it", "one", "told", "found"})
"""What a variable, a parameter or a function is called that could be called anything."""
COUNTED: Final = {
    "agent": 2,
    "catalogue": 1,
    "cli": 0,
    "editor": 16,
    "gate": 650,
    "hosting": 0,
}
"""How many there are in each package: such names where they are given, and docstrings that begin
with "The same". Whoever takes some away writes the smaller number here."""


def given(node: ast.AST) -> list[str]:
    """The names that this piece of source gives to something."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return [name.strip("_")]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            doc = ast.get_docstring(node) or ""
            return [name.strip("_").casefold(), *(["it"] if doc.startswith("The same") else [])]
    return []


@cache
def counted() -> Counter[str]:
    """How many say nothing, by package."""
    counts: Counter[str] = Counter()
    for path in server_modules():
        package = package_of(path)
        names = (name for node in ast.walk(parsed(path)) for name in given(node))
        counts[package] += sum(name in SAY_NOTHING for name in names)
    return counts


def package_of(path: Path) -> str:
    """The package at the top that a module lies in."""
    return path.relative_to(ROOT / "server" / "assent").parts[0]


@each_row("package", COUNTED)
def test_names_that_say_nothing_get_fewer(package: str) -> None:
    count = counted()[package]
    assert count <= COUNTED[package], "a name says what a thing is: find a better one"
    assert count == COUNTED[package], f"there are fewer now: write {count} into COUNTED"


def test_what_says_nothing_is_found_wherever_a_name_is_given() -> None:
    source = """
def _told(one, *, sure): "The same of another."
for it in range(3): found = [name for it in sure]
class Told: pass
"""
    names = [name for node in ast.walk(ast.parse(source)) for name in given(node)]
    assert sum(name in SAY_NOTHING for name in names) == 7
