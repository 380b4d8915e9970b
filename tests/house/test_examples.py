"""Examples in docstrings: each is run, and what rooms offer to others has one."""

import ast
import doctest
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from house.sources import ROOT, committed, module_name, named, parsed, server_modules
from tables import each_row

SHOWN = tuple(ROOT / "server" / "assent" / "gate" / it for it in ("shell", "programs", "rules"))
"""The rooms in which every public function has an example."""

_RUNNER = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
_MODULES = server_modules()
_PAGES = [it for it in committed() if it.suffix == ".md" and it.is_relative_to(ROOT / "server")]
_FENCE = re.compile(r"^```.*$", re.MULTILINE)


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


@each_row("path", [it for it in _MODULES if ">>>" in it.read_text("utf-8")], ids=module_name)
def test_an_example_prints_what_it_says(path: Path) -> None:
    module = importlib.import_module(module_name(path))
    said: list[str] = []
    found = [it for it in doctest.DocTestFinder(exclude_empty=True).find(module) if it.examples]
    for example in found:
        _RUNNER.run(example, out=said.append)
    assert found
    assert "".join(said) == ""


def test_a_public_function_shows_what_it_is_for() -> None:
    shown = [it for it in _MODULES if any(map(it.is_relative_to, SHOWN))]
    bare = [
        f"{module_name(path)}.{function.name}"
        for path in shown
        for function in _public(path)
        if ">>>" not in (ast.get_docstring(function) or "")
    ]
    assert bare == []


@each_row("path", _PAGES, ids=lambda it: named([it])[0])
def test_an_example_of_a_page_prints_what_it_says(path: Path) -> None:
    # What ends a block of examples would be taken for output; the lines keep their numbers.
    text = _FENCE.sub("", path.read_text("utf-8"))
    said: list[str] = []
    page = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    _RUNNER.run(page, out=said.append)
    assert "".join(said) == ""
    assert page.examples or path.name != "THEORY.md"
