"""What the server says on cards, collected from where it stands in the source.

A sentence is a text of a module, with a letter in braces for whatever is put into it: `{a}`, `{b}`
where that is a name, a path, a rule, and `{A}` where it is a word of our own, such as a mode's. A
text of which a part is chosen is one sentence for each choice.
"""

import ast
import importlib
import itertools
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from assent.modes import Reach
from assent.programs.codes import ELSEWHERE
from house.sources import ROOT

__all__ = ["MODULES", "sentences"]

SERVER: Final = ROOT / "server" / "assent"
MODULES: Final = (
    *(f"policy.{name}" for name in ("always", "branches", "decide", "fetched", "folders", "grave")),
    *(f"policy.{name}" for name in ("handed", "inner", "killing", "launchers", "leaks", "matter")),
    *(f"policy.{name}" for name in ("needs", "outward", "programs", "repositories", "shell")),
    *("policy.walks", "policy.weight", "policy.namedpaths"),
    *(f"approvals.{name}" for name in ("desk", "endings", "options")),
    *("cards.draw", "cards.titles", "cards.touches", "modes"),
    *("methods.widening", "methods.wishing"),
    *(f"programs.families.{name}" for name in ("changes", "git", "git_changes", "losses")),
    *(f"programs.families.{name}" for name in ("network", "programs", "sendings", "services")),
)
"""Where that stands which is drawn on cards."""

_PIECES: Final = frozenset({"cards.titles", "cards.touches"})
"""Whose texts are pieces, drawn beside names; elsewhere what begins small is no sentence."""

_HOLE: Final = "\0"
_OURS: Final = "\1"
_MOST: Final = 64
"""So many choices are followed within one text."""
_PLACES: Final = re.compile(r"\{(?:\d*|rest|-\w+)\}")
_ELSE: Final = re.compile(r"\{rest\|([\w ]+)\}")
"""A place, and what stands there where nothing is put into it."""


def sentences() -> list[str]:
    """All of them, in order."""
    found = {
        text
        for name in MODULES
        for text in _Module.of(name).said()
        if (text[0] in "{`" or text[0].isupper() or name in _PIECES)
        # Beside what programs do stand their words, which are none of ours.
        and (text.endswith(".") or "families" not in name)
    }
    return sorted({*found, *map(str, Reach)})


@frozen
class _Module:
    tree: ast.Module
    names: Mapping[str, Any]
    """What the names of the module stand for."""
    _left: frozenset[int] = field(factory=frozenset)

    @classmethod
    def of(cls, name: str) -> "_Module":
        path = SERVER.joinpath(*name.split(".")).with_suffix(".py")
        tree = ast.parse(Path(path).read_text("utf-8"))
        names = vars(importlib.import_module(f"assent.{name}"))
        return cls(tree, names, frozenset(_left_out(tree)))

    @property
    def filled(self) -> list[str]:
        """What is put into a text of this module that is filled afterwards, where that is known."""
        return [*dict.fromkeys(ELSEWHERE.values())] if "_BY_DEED" in self.names else [_HOLE]

    def said(self) -> Iterator[str]:
        for scope in ast.walk(self.tree):
            if isinstance(scope, ast.FunctionDef):
                yield from self._within(scope, _assigned(scope))
        yield from self._within(self.tree, {})

    def _within(self, scope: ast.AST, local: Mapping[str, ast.expr]) -> Iterator[str]:
        for node in ast.walk(scope):
            if id(node) not in self._left and isinstance(node, ast.JoinedStr | ast.Constant):
                for text in self._choices(node, local):
                    if _is_said(text):
                        yield _lettered(text)

    def _choices(self, node: ast.expr, local: Mapping[str, ast.expr]) -> list[str]:
        """What this comes to, as far as the source says."""
        match node:
            case ast.Constant(value=str(text)):
                both = _ELSE.sub(_HOLE, text), _ELSE.sub(r"\1", text)
                return [*dict.fromkeys(_PLACES.sub(it, one) for one in both for it in self.filled)]
            case ast.JoinedStr(values=parts):
                every = itertools.product(*(self._choices(part, local) for part in parts))
                return ["".join(it) for it in itertools.islice(every, _MOST)]
            case ast.FormattedValue(value=value, format_spec=None):
                return self._choices(value, local)
            case ast.IfExp(body=one, orelse=other):
                return [*self._choices(one, local), *self._choices(other, local)]
            case ast.Subscript(value=ast.Name(id="NAMES")) | ast.Name(id="reach"):
                return [_OURS]
            case ast.Subscript(value=ast.Dict(values=values)):
                return [text for it in values for text in self._choices(it, local)]
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=table), attr="get"), args=[_, other]
            ):
                known = self.names.get(table)
                texts = [it for it in known.values() if isinstance(it, str)] if known else []
                return [*texts, *self._choices(other, local)]
            case ast.Name(id=name) if name in local:
                return self._choices(local[name], {**local, name: ast.Constant(value=None)})
            case ast.Name(id=name) if _is_text(self.names.get(name)):
                return [str(self.names[name])]
            case _:
                return [_HOLE]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, StrEnum)


def _assigned(scope: ast.FunctionDef) -> dict[str, ast.expr]:
    """What each name is given that is given something once, and no tuple."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def _left_out(tree: ast.Module) -> Iterator[int]:
    """Docstrings, parts of texts, lists of names, and what is raised for who wrote the program."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                yield id(text)
            case ast.JoinedStr() | ast.Raise():
                yield from (id(it) for it in ast.walk(node) if it is not node)
            case ast.Call(func=ast.Attribute(attr="split" | "join" | "rpartition")):
                yield from (id(it) for it in ast.walk(node.func))
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                yield from (id(it) for it in ast.walk(value))
            case ast.Call(func=ast.Name(id="late")) | ast.Compare() | ast.arguments():
                yield from (id(it) for it in ast.walk(node))


def _is_said(text: str) -> bool:
    """Whether it looks like words, and more than names of programs."""
    bare = text.replace(_HOLE, "").replace(_OURS, "").strip()
    words = re.fullmatch(r"[A-Z][a-z]+ ?[….]?|.*[a-z’'] .*[a-z].*|.*[a-z]+\.", bare, re.DOTALL)
    # Behind a clause that is made elsewhere, half of a translation would stand.
    is_half = re.match(f"{_HOLE}[,;.]", text) is not None
    return words is not None and not is_half and not re.search(r"[\\^$|<>]|\w\n", bare)


def _lettered(text: str) -> str:
    """With letters for the places, capital ones where a word of ours stands."""
    letters = itertools.count()
    pieces = re.split(f"([{_HOLE}{_OURS}])", text.strip())
    return "".join(_letter(it, letters) if it in {_HOLE, _OURS} else it for it in pieces)


def _letter(kind: str, letters: "itertools.count[int]") -> str:
    at = next(letters)
    return f"{{{chr(ord('A' if kind == _OURS else 'a') + at)}}}"
