"""Tasks of a justfile, by its lines: nothing is evaluated to tell them."""

import re
import shlex
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from attrs import define, field

from assent.workflows.reading import WORD, Found, Tasks, Text, closure, elsewhere, joined

__all__ = ["of_justfile"]

_SET: Final = re.compile(r"(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)")
_ALIAS: Final = re.compile(r"alias\s+([A-Za-z_][\w-]*)\s*:=\s*([A-Za-z_][\w-]*)\s*")
_EVALUATES: Final = re.compile(r"`|\bshell\s*\(|\benv(?:_var)?(?:_or_default)?\s*\(")
_DIRECTIVE: Final = re.compile(r"(export|import\??|mod\??|set|unexport)\b|(\[)")
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_USE: Final = re.compile(r"\{\{\s*([\w-]+)\s*\}\}")
_CALLS: Final = re.compile(r"(?<![\w./-])just(?![\w./-])")
_SHOWN: Final = 12


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
        alias, found = _ALIAS.fullmatch(line), _SET.fullmatch(line)
        if alias is not None:
            self.recipes[alias[1]] = _Recipe(needs=[alias[2]])
        elif found is not None:
            value = found[2].strip()
            is_plain = value[:1] in {"'", '"'} and value.endswith(value[0]) and len(value) > 1
            self.variables[found[1]] = value[1:-1] if is_plain else f"{{{{ {value} }}}}"
        elif not line.startswith("["):
            self._head(line.partition("#")[0])

    def _head(self, line: str) -> None:
        head, colon, rest = line.partition(":")
        named = _NAME.match(head.lstrip("@"))
        self._now = None
        if colon and named is not None and not rest.startswith("="):
            self._now = self.recipes.setdefault(named[0], _Recipe())
            self._now.needs += _NAME.findall(rest)

    def found(self, name: str) -> Found:
        """A recipe with all that it needs."""
        texts: dict[str, str] = {}
        left = self.unread

        def follow(it: str) -> Iterator[str]:
            nonlocal left
            texts[it], unread = self._text(it)
            left = left or unread or elsewhere(texts[it], "just")
            called = WORD.findall(texts[it]) if _CALLS.search(texts[it]) else []
            yield from (need for need in (*self.recipes[it].needs, *called) if need in self.recipes)

        needed, more = closure(name, follow)
        return Found(
            runner="just",
            name=name,
            command=f"just {shlex.quote(name)}",
            texts=tuple(Text(name=it, text=texts[it]) for it in reversed(needed) if texts.get(it)),
            unread=left or more,
        )

    def _text(self, name: str) -> tuple[str, str]:
        """What is given to the shell, as far as that is known; and what is not."""
        lines = self.recipes[name].lines
        text = "\n".join(
            _USE.sub(lambda it: self.variables.get(it[1], it[0]), line) for line in lines
        )
        if lines and lines[0].startswith("#!"):
            return text, lines[0][:_SHOWN]
        at = text.find("{{")
        return text, text[at : at + _SHOWN] if at >= 0 else ""


def of_justfile(text: str, _: str, __: Iterable[str] = ()) -> Tasks:
    """The recipes of a justfile, without those that are kept to itself."""
    read = _Justfile()
    for line in joined(text):
        read.take(line)
    names = [it for it in read.recipes if not it.startswith("_")]
    return Tasks(
        makers={f"just:{name}": partial(read.found, name) for name in names},
        first=f"just:{names[0]}" if names else "",
    )
