"""Finds the tasks of a justfile in its lines, without evaluating them."""

import re
import shlex
from collections.abc import Iterator
from functools import partial
from typing import Final

from assent.gate.tasks.named_runs import inner
from assent.gate.tasks.task_files import FileTask, Tasks, Text, closure, joined
from assent.gate.values import define, field

__all__ = ["of_justfile"]

_SET: Final = re.compile(r"(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)")
_ALIAS: Final = re.compile(r"alias\s+([A-Za-z_][\w-]*)\s*:=\s*([A-Za-z_][\w-]*)\s*")
_EVALUATES: Final = re.compile(r"`|\bshell\s*\(|\benv(?:_var)?(?:_or_default)?\s*\(")
_DIRECTIVE: Final = re.compile(r"(export|import\??|mod\??|set|unexport)\b|(\[)")
_TEXT: Final = re.compile(r"'[^']*'|\"[^\"\\]*\"")
_HEAD: Final = re.compile(r"@?[A-Za-z_][\w-]*:(?: +[A-Za-z_][\w-]*)* *", re.ASCII)
_ODD: Final = re.compile(r"[^\S\n\t ]|[\x00-\x08\x0b-\x1f\x7f\ufeff]|\\\r?(?:\n|$)")
"""What ends a line for some readers and not for others, or goes on in the next."""
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_USE: Final = re.compile(r"\{\{\s*([\w-]+)\s*\}\}")
_MAX_SHOWN_LETTERS: Final = 16


@define
class _Recipe:
    needs: list[str] = field(factory=list)
    lines: list[str] = field(factory=list)


@define
class _Justfile:
    recipes: dict[str, _Recipe] = field(factory=dict)
    variables: dict[str, str] = field(factory=dict)
    unread: str = ""
    """What was met first that is not followed, anywhere in it."""
    _now: _Recipe | None = None

    def take(self, line: str) -> None:
        """Read one line more."""
        if line[:1] in {" ", "\t"}:
            if self._now is None and line.strip():
                self._leave(line.strip()[:_MAX_SHOWN_LETTERS])
            if self._now is not None and line.strip():
                self._now.lines.append(line.strip().lstrip("@-"))
            return
        if not line.strip() or line.startswith("#"):
            return
        evaluates = _EVALUATES.search(line) or _DIRECTIVE.match(line)
        if evaluates is not None:
            self._leave(evaluates[0])
        self._take(line)

    def _leave(self, what: str) -> None:
        self.unread = self.unread or what

    def _take(self, line: str) -> None:
        alias, match = _ALIAS.fullmatch(line), _SET.fullmatch(line)
        if alias is not None:
            if alias[1] in self.recipes:
                self._leave(line[:_MAX_SHOWN_LETTERS])
            self.recipes[alias[1]] = _Recipe(needs=[alias[2]])
        elif match is not None:
            value = match[2].strip()
            is_plain = _TEXT.fullmatch(value) is not None
            if not is_plain or match[1] in self.variables:
                self._leave(line[:_MAX_SHOWN_LETTERS])
            self.variables[match[1]] = value[1:-1] if is_plain else f"{{{{ {value} }}}}"
        elif not line.startswith("["):
            self._head(line)

    def _head(self, line: str) -> None:
        head, colon, rest = line.partition(":")
        named = _NAME.match(head.lstrip("@"))
        self._now = None
        if _HEAD.fullmatch(line) is None or (named is not None and named[0] in self.recipes):
            self._leave(line[:_MAX_SHOWN_LETTERS])
        if colon and named is not None and not rest.startswith("="):
            self._now = self.recipes.setdefault(named[0], _Recipe())
            self._now.needs += _NAME.findall(rest)

    def task_of(self, name: str) -> FileTask:
        """A recipe with all that it needs."""
        texts: dict[str, str] = {}
        left = self.unread

        def follow(recipe: str) -> Iterator[str]:
            nonlocal left
            texts[recipe], unread = self._text(recipe)
            called, doubt = inner(texts[recipe], "just")
            lost = next((need for need in called if need not in self.recipes), "")
            lost = lost or next(
                (need for need in self.recipes[recipe].needs if need not in self.recipes), ""
            )
            left = left or unread or doubt or lost
            yield from (
                need for need in (*self.recipes[recipe].needs, *called) if need in self.recipes
            )

        needed, more = closure(name, follow)
        return FileTask(
            runner="just",
            name=name,
            command=f"just {shlex.quote(name)}",
            texts=tuple(
                Text(name=recipe, text=texts[recipe])
                for recipe in reversed(needed)
                if texts.get(recipe)
            ),
            unread=left or more,
        )

    def _text(self, name: str) -> tuple[str, str]:
        """What is given to the shell, as far as that is known; and what is not."""
        lines = self.recipes[name].lines
        text = "\n".join(
            _USE.sub(lambda match: self.variables.get(match[1], match[0]), line) for line in lines
        )
        if lines and lines[0].startswith("#!"):
            return text, lines[0][:_MAX_SHOWN_LETTERS]
        at = text.find("{{")
        return text, text[at : at + _MAX_SHOWN_LETTERS] if at >= 0 else ""


def of_justfile(text: str, _: str) -> Tasks:
    """The recipes of a justfile, without those that are kept to itself."""
    read = _Justfile()
    odd = _ODD.search(text)
    if odd is not None:
        read.unread = repr(odd[0])
    for line in joined(text):
        read.take(line)
    names = [recipe for recipe in read.recipes if not recipe.startswith("_")]
    return Tasks(
        makers={f"just:{name}": partial(read.task_of, name) for name in names},
        first=f"just:{names[0]}" if names else "",
    )
