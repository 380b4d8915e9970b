"""Examples in docstrings: each is run, and what rooms offer to others has one."""

import ast
import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.sources import module_name, parsed, server_modules

SHOWN = frozenset({"programs"})
"""The rooms in which every public function has an example."""

_RUNNER = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
_MODULES = server_modules()


def _public(path: Path) -> Iterator[ast.FunctionDef]:
    """The functions that a module offers to others."""
    tree = parsed(path)
    offered: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            offered = set(ast.literal_eval(node.value))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in offered:
            yield node


@pytest.mark.parametrize(
    "path", [it for it in _MODULES if ">>>" in it.read_text("utf-8")], ids=module_name
)
def test_an_example_prints_what_it_says(path: Path) -> None:
    module = importlib.import_module(module_name(path))
    said: list[str] = []
    found = [it for it in doctest.DocTestFinder(exclude_empty=True).find(module) if it.examples]
    for example in found:
        _RUNNER.run(example, out=said.append)
    assert found
    assert "".join(said) == ""


def test_a_public_function_shows_what_it_is_for() -> None:
    shown = [it for it in _MODULES if SHOWN.intersection(it.parts)]
    bare = [
        f"{module_name(path)}.{function.name}"
        for path in shown
        for function in _public(path)
        if ">>>" not in (ast.get_docstring(function) or "")
    ]
    assert bare == []
