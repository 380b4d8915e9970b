"""Finds places for faults by itself: each condition turned round, each step left out.

A site is named by its function and by its own text, so that its id stays while lines move.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutants.mutant import PACKAGE

__all__ = ["Site", "sites"]

_LONGEST = 70


@dataclass(frozen=True, kw_only=True)
class Site:
    """A place for a fault, as bytes of a file, and what to put there."""

    id: str
    file: str
    start: int
    end: int
    new: str
    broken: str

    def applied(self, root: Path) -> str:
        """The file with the fault in it."""
        data = (root / PACKAGE / self.file).read_bytes()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def sites(root: Path, file: str) -> list[Site]:
    """All places of a file, in the order in which they stand there."""
    source = (root / PACKAGE / file).read_bytes()
    seen: Counter[str] = Counter()
    found = []
    for where, node in _nodes(ast.parse(source)):
        for name, new, broken in _faults(node, source):
            text = " ".join(_text(node, source).split())[:_LONGEST]
            id_ = f"{file}:{where}:{name}:{text}"
            seen[id_] += 1
            start, end = _span(node, source)
            found.append(
                Site(
                    id=id_ if seen[id_] == 1 else f"{id_} #{seen[id_]}",
                    file=file,
                    start=start,
                    end=end,
                    new=new,
                    broken=f"{broken} in `{where}`: {text}",
                )
            )
    return found


def _nodes(tree: ast.AST, where: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Each condition and each step within functions, with the function's name."""
    for node in ast.iter_child_nodes(tree):
        inner = where
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{where}.{node.name}".strip(".")
        elif isinstance(node, ast.If) and _text_of_name(node.test) == "TYPE_CHECKING":
            continue
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            yield where, node.test
        elif (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await)
        ) or isinstance(node, ast.Raise):
            yield where, node
        yield from _nodes(node, inner)


def _text_of_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _faults(node: ast.AST, source: bytes) -> Iterator[tuple[str, str, str]]:
    if isinstance(node, ast.expr):
        yield "turned", f"(not ({_text(node, source)}))", "A condition is turned round"
    elif isinstance(node, ast.Expr | ast.Raise):
        yield "left out", "pass", "A step is left out"


def _span(node: ast.AST, source: bytes) -> tuple[int, int]:
    assert isinstance(node, ast.expr | ast.stmt)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    lines = source.splitlines(keepends=True)
    before = [0]
    for line in lines:
        before.append(before[-1] + len(line))
    return before[node.lineno - 1] + node.col_offset, before[node.end_lineno - 1] + (
        node.end_col_offset
    )


def _text(node: ast.AST, source: bytes) -> str:
    start, end = _span(node, source)
    return source[start:end].decode()
