"""Finds the tasks of a Makefile in its lines.

`make -n` would run what stands in `$(shell …)`, so nothing is asked of the program itself. What
reading lines does not follow is told: what is run while the file is read, what other files bring
in, rules that are made from patterns, and whatever else is no plain line (`plain_makefiles`).
"""

import re
import shlex
from collections.abc import Iterator
from functools import partial
from typing import Final

from assent.gate.tasks.named_runs import inner
from assent.gate.tasks.plain_makefiles import unsure
from assent.gate.tasks.task_files import FileTask, Tasks, Text, closure, joined
from assent.gate.values import define, field

__all__ = ["of_makefile"]

_SET: Final = re.compile(
    r"\s*(?:(?:export|override)\s+)?([A-Za-z_.][\w.-]*)\s*(::?:?|\?|\+|!)?=\s*(.*)"
)
_COMPUTES: Final = re.compile(r"\$[({](?:shell|eval|call|file|guile|foreach|let|value)\b")
_DIRECTIVE: Final = re.compile(
    r"\s*((?:-|s)?include|define|export|unexport|-?load|vpath|ifn?eq|ifn?def|undefine|private)\b"
)
_STEERING: Final = re.compile(r"\.RECIPEPREFIX|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|VPATH")
_SPECIAL: Final = frozenset(
    {".DEFAULT", ".ONESHELL", ".SECONDEXPANSION", ".EXPORT_ALL_VARIABLES", ".POSIX"}
)
_SHELLS: Final = frozenset({"/bin/sh", "sh", "/bin/bash", "bash", "/usr/bin/env bash"})
_USE: Final = re.compile(r"\$(?:\$|\(([\w.-]+)\)|\{([\w.-]+)\}|([@<^*?])|([A-Za-z_]))")
_SHELL: Final = re.compile(r"\$\(shell\s+")
_MAX_EXPANSIONS: Final = 20
_MAX_EXPANDED_LETTERS: Final = 20_000
"""In letters: so much is put in for the variables of one task."""
_TOO_LONG: Final = "its length"
_MAX_TARGETS: Final = 8
"""So many of one line are told of."""
_BUILT_IN: Final = {"RM": "rm -f", "MAKE": "make", "CC": "cc", "CXX": "c++", "AR": "ar"}


@define
class _Rule:
    needs: list[str] = field(factory=list)
    lines: list[str] = field(factory=list)


@define
class _Makefile:
    """One of them, as far as it was read."""

    rules: dict[str, _Rule] = field(factory=dict)
    variables: dict[str, str] = field(factory=lambda: dict(_BUILT_IN))
    unread: str = ""
    """What was met first that is not followed, anywhere in it."""
    _now: list[_Rule] = field(factory=list)

    def take(self, line: str) -> None:
        """Read one line more."""
        computes = _COMPUTES.search(line)
        if computes is not None:
            self.leave(computes[0])
        if line.startswith("\t") and self._now:
            for rule in self._now:
                rule.lines.append(line[1:])
        else:
            self._take(line.partition("#")[0].rstrip())

    def leave(self, what: str) -> None:
        """This is not followed."""
        self.unread = self.unread or what

    def _take(self, line: str) -> None:
        directive = _DIRECTIVE.match(line)
        if directive is not None:
            self.leave(directive[1])
        match = _SET.fullmatch(line)
        if match is not None:
            self._set(match[1], match[2] or "", match[3])
        elif line.strip() and directive is None:
            self._rule(line)

    def _set(self, name: str, how: str, value: str) -> None:
        if how == "!":
            self.leave("!=")
        if _STEERING.fullmatch(name) or (name == "SHELL" and value.strip() not in _SHELLS):
            self.leave(name)
        before = self.variables.get(name)
        if how == "+" and before is not None:
            value = f"{before} {value}"
        if how != "?" or before is None:
            self.variables[name] = value
        if len(self.variables[name]) > _MAX_EXPANDED_LETTERS:
            self.leave(_TOO_LONG)
            self.variables[name] = self.variables[name][:_MAX_EXPANDED_LETTERS]

    def _rule(self, line: str) -> None:
        head, colon, rest = line.partition(":")
        rest = rest.removeprefix(":")
        self._now = []
        if not colon:
            self.leave(line.strip()[:_MAX_TARGETS])
            return
        needs, _, recipe = rest.partition(";")
        names = head.split()
        if names == [".PHONY"]:
            return
        self._doubt(names, needs)
        for name in names:
            # A rule that stands for many is one to each of them.
            rule = self.rules.setdefault(name, _Rule())
            rule.needs += needs.replace("|", " ").split()[:_MAX_EXPANDED_LETTERS]
            rule.lines += [recipe] if recipe else []
            self._now.append(rule)
            if len(self._now) >= _MAX_TARGETS:
                self.leave(f"{len(names)} targets" if len(names) > _MAX_TARGETS else "")
                break

    def _doubt(self, names: list[str], needs: str) -> None:
        """Rules of which it is only known at run what they are about."""
        special = next((name for name in names if name in _SPECIAL), "")
        text = " ".join(names) + needs
        mark = next((sign for sign in ("%", "$", "=") if sign in text), "")
        self.leave(special or mark)

    def task_of(self, name: str) -> FileTask:
        """A target with all that it needs."""
        recipes: dict[str, str] = {}
        left = self.unread
        room = _MAX_EXPANDED_LETTERS

        def follow(target: str) -> Iterator[str]:
            nonlocal left, room
            recipes[target], unread = self._recipe(target, room)
            room -= len(recipes[target])
            called, doubt = inner(recipes[target], "make")
            lost = next((need for need in called if need not in self.rules), "")
            left = left or unread or doubt or lost
            yield from (need for need in (*self.rules[target].needs, *called) if need in self.rules)

        needed, more = closure(name, follow)
        texts = (
            Text(name=target, text=recipes[target])
            for target in reversed(needed)
            if recipes.get(target)
        )
        return FileTask(
            runner="make",
            name=name,
            command=f"make {shlex.quote(name)}",
            texts=tuple(texts),
            unread=left or more,
        )

    def _recipe(self, name: str, room: int) -> tuple[str, str]:
        """What make would give to the shell, as far as that is known; and what is not."""
        rule = self.rules[name]
        needs = " ".join(rule.needs)
        first = rule.needs[0] if rule.needs else ""
        own = {"@": name, "<": first, "^": needs, "?": needs, "*": name}
        named = self.variables | own
        lines, left = list[str](), ""
        for line in rule.lines:
            text, unread = _filled(line.strip().lstrip("@-+ "), named, room)
            room -= len(text)
            left = left or unread
            if room < 0:
                return "\n".join(lines), _TOO_LONG
            lines += [text] if text else []
        return "\n".join(lines), left


def _filled(line: str, variables: dict[str, str], room: int) -> tuple[str, str]:
    left = room

    def instead(match: re.Match[str]) -> str:
        nonlocal left
        if match[0] == "$$":
            return "\0"
        value = variables.get(match[1] or match[2] or match[3] or match[4], match[0])
        # Variables that stand for others twice each would fill the memory.
        left -= len(value)
        return value if left > 0 else match[0]

    for _ in range(_MAX_EXPANSIONS):
        before, line = line, _USE.sub(instead, line)
        if before == line or left <= 0:
            break
    at = line.find("$")
    unread = line[at : at + _MAX_TARGETS] if at >= 0 else ""
    return _SHELL.sub("$(", line).replace("\0", "$"), unread


def of_makefile(text: str, _: str) -> Tasks:
    """The targets of a Makefile that have a plain name."""
    read = _Makefile()
    for line in joined(text):
        read.take(line)
    read.leave(unsure(text))
    names = [rule for rule in read.rules if not rule.startswith(".") and not {"%", "$"} & {*rule}]
    goal = read.variables.get(".DEFAULT_GOAL", "").strip()
    return Tasks(
        makers={f"make:{name}": partial(read.task_of, name) for name in names},
        first=f"make:{goal or (names[0] if names else '')}",
    )
