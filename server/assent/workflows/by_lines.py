"""Tasks in files that are read line by line: Makefile and justfile.

`make -n` would run what stands in `$(shell …)`, so nothing is asked of the program itself.
"""

import re
import shlex
from collections.abc import Iterator
from typing import Final

from attrs import define, field

from assent.workflows.reading import Found, Text, closure

__all__ = ["of_justfile", "of_makefile"]

_SET: Final = re.compile(
    r"(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*(?::{1,3}|\?|\+|!)?=\s*(.*)"
)
_JUST_SET: Final = re.compile(r"(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)")
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_OF_MAKE: Final = re.compile(r"\$(?:\$|\(([\w.-]+)\)|\{([\w.-]+)\}|([@<^*?]))")
_OF_JUST: Final = re.compile(r"\{\{\s*([\w-]+)\s*\}\}")
_SHELL: Final = re.compile(r"\$\(shell\s+")
_DEEPEST: Final = 20
_LONGEST: Final = 100_000
"""In letters: so much is put in for the variables of one line."""
_TARGETS: Final = 8
"""So many of one line are told of."""
_BUILT_IN: Final = {"RM": "rm -f", "MAKE": "make", "CC": "cc", "CXX": "c++", "AR": "ar"}


@define
class _Rule:
    needs: list[str] = field(factory=list)
    lines: list[str] = field(factory=list)


def of_makefile(text: str, _: str) -> Iterator[Found]:
    """The targets of a Makefile that have a plain name."""
    rules, variables = _rules_of(text)
    recipes = {name: _recipe_of(name, it, variables) for name, it in rules.items()}
    for name in rules:
        if name.startswith(".") or "%" in name or "$" in name:
            continue
        needed = closure(name, lambda it: (need for need in rules[it].needs if need in rules))
        texts = tuple(Text(name=it, text=recipes[it]) for it in reversed(needed) if recipes[it])
        yield Found(runner="make", name=name, command=f"make {shlex.quote(name)}", texts=texts)


def _rules_of(text: str) -> tuple[dict[str, _Rule], dict[str, str]]:
    rules: dict[str, _Rule] = {}
    variables = dict(_BUILT_IN)
    now: list[_Rule] = []
    for line in text.replace("\\\r\n", "\\\n").replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for rule in now:
                rule.lines.append(line[1:])
            continue
        bare = line.partition("#")[0].rstrip()
        found = _SET.fullmatch(bare)
        if found is not None:
            variables[found[1]] = found[2]
        elif bare:
            names, needs, recipe = _rule_in(bare)
            now = [rules.setdefault(it, _Rule()) for it in names[:_TARGETS]]
            for rule in now:
                rule.needs += needs
                rule.lines += [recipe] if recipe else []
    return rules, variables


def _rule_in(line: str) -> tuple[list[str], list[str], str]:
    """The targets of a line, what they need, and the recipe that stands behind that."""
    head, colon, rest = line.partition(":")
    rest = rest.removeprefix(":")
    if not colon or "=" in head or rest.startswith("="):
        return [], [], ""
    needs, _, recipe = rest.partition(";")
    return head.split(), needs.replace("|", " ").split(), recipe


def _recipe_of(name: str, rule: _Rule, variables: dict[str, str]) -> str:
    needs = " ".join(rule.needs)
    own = {"@": name, "<": rule.needs[0] if rule.needs else "", "^": needs, "?": needs, "*": name}
    named = variables | own
    lines = (_filled(it.strip().lstrip("@-+ "), named) for it in rule.lines)
    return "\n".join(it for it in lines if it)


def _filled(line: str, variables: dict[str, str]) -> str:
    """A line as make would give it to the shell, as far as that is known."""
    room = _LONGEST

    def instead(found: re.Match[str]) -> str:
        nonlocal room
        if found[0] == "$$":
            return "\0"
        value = variables.get(found[1] or found[2] or found[3], found[0])
        # Variables that stand for others twice each would fill the memory.
        room -= len(value)
        return value if room > 0 else found[0]

    for _ in range(_DEEPEST):
        before, line = line, _OF_MAKE.sub(instead, line)
        if before == line or room <= 0:
            break
    return _SHELL.sub("$(", line).replace("\0", "$")


def of_justfile(text: str, _: str) -> Iterator[Found]:
    """The recipes of a justfile, without those that are kept to itself."""
    rules: dict[str, _Rule] = {}
    variables: dict[str, str] = {}
    now: _Rule | None = None
    for line in text.replace("\\\r\n", "\\\n").replace("\\\n", " ").splitlines():
        if line[:1] in {" ", "\t"}:
            if now is not None and line.strip():
                now.lines.append(line.strip().lstrip("@-"))
            continue
        found = _JUST_SET.fullmatch(line)
        if found is not None:
            variables[found[1]] = found[2].strip("\"'")
            continue
        head, colon, rest = line.partition("#")[0].partition(":")
        named = _NAME.match(head.lstrip("@"))
        if colon and named is not None and not rest.startswith("="):
            now = rules.setdefault(named[0], _Rule())
            now.needs += _NAME.findall(rest)
        elif line.strip() and not line.startswith(("#", "[")):
            now = None
    recipes = {
        name: "\n".join(_of_just(line, variables) for line in it.lines)
        for name, it in rules.items()
    }
    for name in rules:
        if name.startswith("_"):
            continue
        needed = closure(name, lambda it: (need for need in rules[it].needs if need in rules))
        texts = tuple(Text(name=it, text=recipes[it]) for it in reversed(needed) if recipes[it])
        yield Found(runner="just", name=name, command=f"just {shlex.quote(name)}", texts=texts)


def _of_just(line: str, variables: dict[str, str]) -> str:
    return _OF_JUST.sub(lambda it: variables.get(it[1], it[0]), line)
