"""Reads from the source of a module what it says: each text, with signs for what is put into it.

A name stands for what it is given, as far as that is written down: a choice between texts, a row of
a table, what a function of the module answers. What the source does not tell is a hole, and one
that is marked (`{because!s}`) is a hole for a sentence of ours.
"""

import ast
import builtins
import importlib
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeGuard

from attrs import evolve, field, frozen

from assent.gate.programs.nested_execution.interpreters import ELSEWHERE
from house.sources import ROOT

__all__ = ["HOLE", "OURS", "SERVER", "Module"]

SERVER: Final = ROOT / "server" / "assent"

HOLE: Final = "\0"
OURS: Final = "\1"
_UNKNOWN: Final = ast.Constant(value=None)
Local = dict[str, ast.expr | list[str]]
"""What names stand for within a function: what is written there, or the texts that it came to."""
_FEW: Final = 9
"""So many answers of a function are written out in what they are put into."""
_WAYS: Final = 3
"""So many times a name is given something, to follow each."""
_ROWS: Final = 6
"""A table of more rows is a place for words of ours, not a sentence for each."""
_MOST: Final = 64
"""So many choices are followed within one text."""
_PLACES: Final = re.compile(r"\{(?:\w*(?::[^{}]*)?|-\w+)\}")
_OUR_PLACES: Final = re.compile(r"\{\w*!s\}")
_ELSE: Final = re.compile(r"\{rest\|([\w ]+)\}")
"""A place, and what stands there where nothing is put into it."""


@frozen
class Module:
    tree: ast.Module
    names: Mapping[str, Any]
    """What the names of the module stand for."""
    functions: Mapping[str, ast.FunctionDef] = field(factory=dict)
    left: frozenset[int] = frozenset()
    called: frozenset[str] = frozenset()

    @classmethod
    def of(cls, name: str) -> "Module":
        path = SERVER.joinpath(*name.split(".")).with_suffix(".py")
        tree = ast.parse(Path(path).read_text("utf-8"))
        names = vars(importlib.import_module(f"assent.{name}"))
        functions = {it.name: it for it in tree.body if isinstance(it, ast.FunctionDef)}
        return cls(tree, names, functions, frozenset(_left_out(tree)))

    @property
    def filled(self) -> list[str]:
        """What is put into a text of this module that is filled afterwards, where that is known."""
        return [*dict.fromkeys(ELSEWHERE.values())] if "_BY_DEED" in self.names else [HOLE]

    def said(self) -> Iterator[str]:
        inside: set[int] = set()
        for scope in ast.walk(self.tree):
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from self._within(scope, _assigned(scope))
                inside.update(_ids(scope))
        for node in ast.walk(self.tree):
            match node:
                case ast.Call(func=ast.Name(id="say"), args=[sentence, *_]):
                    yield from map(_lettered, self._choices(sentence, {}))
        # What stands in a function has been read with what its names stand for there.
        yield from evolve(self, left=self.left | inside)._within(self.tree, {})

    def handed(self, to: frozenset[str]) -> Iterator[str]:
        """The texts that calls of these names are given first, whatever they look like."""
        for scope in ast.walk(self.tree):
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(scope):
                    match node:
                        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in to:
                            yield from map(_lettered, self._choices(first, _assigned(scope)))

    def _within(self, scope: ast.AST, local: Local) -> Iterator[str]:
        for node in ast.walk(scope):
            if id(node) not in self.left and _may_say(node):
                for text in self._choices(node, local):
                    if _is_said(text):
                        yield _lettered(text)

    def _table(self, name: str, of: int) -> list[str]:
        """The texts of a table of the module, if it has no more than that."""
        known = self.names.get(name)
        values = known.values() if isinstance(known, Mapping) else ()
        texts = [*dict.fromkeys(it for it in values if isinstance(it, str))]
        return texts if len(texts) <= of else []

    def _called(self, name: str, given: Sequence[list[str]]) -> list[str]:
        """What a function of the module says, as far as it says a few things."""
        made = self.functions.get(name)
        if made is None or name in self.called or len(made.args.args) < len(given):
            return [HOLE]
        arguments = [it.arg for it in made.args.args]
        local: Local = {**_assigned(made), **dict.fromkeys(arguments, _UNKNOWN)}
        local.update(zip(arguments, given, strict=False))
        within = evolve(self, called=self.called | {name})
        answers = [it.value for it in ast.walk(made) if isinstance(it, ast.Return) and it.value]
        texts = [text for it in answers for text in within._choices(it, local)]
        return [*dict.fromkeys(texts)] if 0 < len(texts) <= _FEW else [HOLE]

    def _choices(self, node: ast.expr, local: Local) -> list[str]:
        """What this comes to, as far as the source says."""
        match node:
            case ast.Constant(value=str(text)):
                return self._filled(text)
            case ast.JoinedStr(values=parts):
                every = itertools.product(*(self._choices(part, local) for part in parts))
                return ["".join(it) for it in itertools.islice(every, _MOST)]
            case ast.FormattedValue(value=value, format_spec=None, conversion=kind):
                known = self._choices(value, local)
                return [OURS] if kind == ord("s") and set(known) == {HOLE} else known
            case ast.IfExp(body=one, orelse=other):
                return [*self._choices(one, local), *self._choices(other, local)]
            case ast.Call():
                return self._answered(node, local)
            case ast.Subscript(value=table):
                return self._picked(table, local)
            case ast.Name(id=name):
                return self._named(name, local)
            case _:
                return [HOLE]

    def _filled(self, text: str) -> list[str]:
        both = _ELSE.sub(HOLE, text), _ELSE.sub(r"\1", text)
        marked = [_OUR_PLACES.sub(OURS, one) for one in both]
        return [*dict.fromkeys(_PLACES.sub(it, one) for one in marked for it in self.filled)]

    def _named(self, name: str, local: Local) -> list[str]:
        value = local.get(name)
        if isinstance(value, list):
            return value
        if value is not None:
            return self._choices(value, {**local, name: _UNKNOWN})
        if name == "reach":
            return [OURS]
        return [str(self.names[name])] if _is_text(self.names.get(name)) else [HOLE]

    def _picked(self, table: ast.expr, local: Local) -> list[str]:
        """What stands in a table, whichever row of it is taken."""
        if isinstance(table, ast.Name):
            made = local.get(table.id)
            if isinstance(made, ast.Dict):
                return self._picked(made, local)
            return [OURS] if table.id == "NAMES" else self._table(table.id, _ROWS) or [HOLE]
        rows = table.values if isinstance(table, ast.Dict) else ()
        return [text for it in rows for text in self._choices(it, local)] or [HOLE]

    def _answered(self, call: ast.Call, local: Local) -> list[str]:
        match call:
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_, other]):
                if isinstance(table, ast.Dict):
                    return [*self._picked(table, local), *self._choices(other, local)]
                name = table.id if isinstance(table, ast.Name) else ""
                return [*self._table(name, _MOST), *self._choices(other, local)]
            case ast.Call(func=ast.Name(id=name), args=given):
                return self._called(name, [self._choices(it, local) for it in given])
            case _:
                return [HOLE]


def _may_say(node: ast.AST) -> TypeGuard[ast.expr]:
    """Whether it is a text, or one that a function of the module is given to put into another."""
    is_given = isinstance(node, ast.Call) and any(
        isinstance(it, ast.JoinedStr | ast.Constant) for it in node.args
    )
    return is_given or isinstance(node, ast.JoinedStr | ast.Constant)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, StrEnum)


def _assigned(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr]:
    """What each name is given, which may be one of a few things; and no tuple."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return {
        name: _one_of(values)
        for name, values in found.items()
        if len(values) <= _WAYS and not any(_mentions(value, name) for value in values)
    }


def _mentions(value: ast.expr, name: str) -> bool:
    return any(isinstance(it, ast.Name) and it.id == name for it in ast.walk(value))


def _one_of(values: Sequence[ast.expr]) -> ast.expr:
    first, *others = values
    return ast.IfExp(test=_UNKNOWN, body=first, orelse=_one_of(others)) if others else first


def _left_out(tree: ast.Module) -> Iterator[int]:
    """Docstrings, parts of texts, names, and what is said to who wrote the program, or the log."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                yield id(text)
            case ast.JoinedStr():
                yield from (it for it in _ids(node) if it != id(node))
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name))) if hasattr(builtins, name):
                yield from _ids(node)
            case ast.Call(func=function):
                yield from _named_only(node, function)
            case ast.Compare() | ast.arguments():
                yield from _ids(node)
            case _:
                yield from (it for part in _described(node) for it in _ids(part))


def _named_only(call: ast.Call, function: ast.expr) -> Iterator[int]:
    match function:
        case ast.Attribute(attr="split" | "join" | "rpartition"):
            yield from _ids(function)
        case ast.Attribute(value=ast.Name(id="_log" | "log" | "_LOG" | "LOG")):
            yield from _ids(call)
        case ast.Name(id="late" | "Literal" | "cast" | "TypeVar"):
            yield from _ids(call)


def _described(node: ast.AST) -> Iterator[ast.AST]:
    """Keys of tables, annotations, names of kinds."""
    match node:
        case ast.Assign(targets=[ast.Name(id="__all__")], value=part) | ast.Subscript(slice=part):
            yield part
        case ast.AnnAssign(annotation=part) | ast.keyword(arg="kind", value=part):
            yield part
        case ast.FunctionDef(returns=ast.expr() as part):
            yield part


def _ids(node: ast.AST) -> Iterator[int]:
    return (id(it) for it in ast.walk(node))


def _is_said(text: str) -> bool:
    """Whether it looks like words, and more than names of programs."""
    bare = text.replace(HOLE, "").replace(OURS, "").strip()
    words = re.fullmatch(r"[A-Z][a-z]+ ?[….]?|.*[a-z’'] .*[a-z].*|.*[a-z]+\.", bare, re.DOTALL)
    # Behind a clause that is made elsewhere, half of a translation would stand.
    is_half = re.search(f"^{HOLE}[,;.]| [,;.](?: |$)", text) is not None
    is_code = re.search(r"[\\^$|<>]|\w\n|\{ | 'none'", bare)
    return words is not None and not is_half and not is_code


def _lettered(text: str) -> str:
    """With letters for the places, capital ones where a word of ours stands."""
    letters = itertools.count()
    # What was cut within its quotes is what stands in them.
    whole = re.sub(f"{HOLE}…(?=[^ ]*[`”])", HOLE, text.strip())
    pieces = re.split(f"([{HOLE}{OURS}])", whole)
    return "".join(_letter(it, letters) if it in {HOLE, OURS} else it for it in pieces)


def _letter(kind: str, letters: "itertools.count[int]") -> str:
    at = next(letters)
    return f"{{{chr(ord('A' if kind == OURS else 'a') + at)}}}"
