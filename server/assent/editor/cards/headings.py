"""What a change is in: the function or class around it, the path of its key, its section.

It is read off the lines above the change by their indentation, for a person to find their way. It
is no claim about the code: where it cannot be told, nothing is said.

>>> heading_of("till.py", ["class Till:", "    def sum(self):", "        x = 1"], "        y = 2")
'Till.sum'
>>> heading_of("a.json", ["{", '  "scripts": {', '    "lint": "x",'], '    "test": "y"')
'scripts.test'
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

__all__ = ["heading_of"]

_MAX_LINES_SEARCHED: Final = 2_000
"""So many lines are looked through."""
_MAX_LINE_LETTERS: Final = 300
"""A line that is longer names nothing."""
_MAX_NAMES: Final = 4
"""So many names are told, the innermost ones."""

_BEFORE: Final = (
    r"(?:export|default|pub(?:\([a-z]+\))?|async|static|public|private|protected|internal"
    r"|abstract|final|sealed|open|override|data|unsafe|virtual|inline|partial)"
)
_KIND: Final = (
    r"(?:def|class|function\*?|fn|func|fun|interface|trait|struct|enum|impl|module|namespace"
    r"|object|protocol|extension|record)"
)
_CODE: Final = re.compile(rf"(?:{_BEFORE} +)*{_KIND} +(?:\([^()]*\) +)?([^\W\d][\w.]*)")
_JSON: Final = re.compile(r'"([^"\\]{1,80})" *:')
_YAML: Final = re.compile(r"(?:- +)?([\w./-]{1,80}):(?: |$)")
_TOML: Final = re.compile(r"\[+([^\[\]]{1,80})\]")
_MARKDOWN: Final = re.compile(r"#{1,6} +(.{1,80})")

_KEYS: Final = {".json": _JSON, ".jsonc": _JSON, ".yaml": _YAML, ".yml": _YAML}
_SECTIONS: Final = {".toml": _TOML, ".ini": _TOML, ".cfg": _TOML, ".md": _MARKDOWN}


def heading_of(path: str, above: Sequence[str], line: str) -> str:
    """What a line stands in, by the lines above it; empty where that cannot be told."""
    kind = PurePath(path).suffix.lower()
    near = above[-_MAX_LINES_SEARCHED:]
    if kind in _SECTIONS:
        return next(_named(_SECTIONS[kind], reversed(near)), "")
    names = list(_around(_KEYS.get(kind, _CODE), near, line))
    if kind in _KEYS:
        names = [*_named(_KEYS[kind], [line]), *names]
    return ".".join(reversed(names[:_MAX_NAMES]))


def _named(pattern: re.Pattern[str], lines: Iterator[str] | Sequence[str]) -> Iterator[str]:
    for line in lines:
        if len(line) <= _MAX_LINE_LETTERS and (match := pattern.match(line.lstrip())):
            yield match[1].strip()


def _around(pattern: re.Pattern[str], above: Sequence[str], line: str) -> Iterator[str]:
    """The names of what is less indented than what was found last, from the inside out."""
    depth = _depth(line)
    for each in reversed(above):
        if not each.strip() or _depth(each) >= depth:
            continue
        depth = _depth(each)
        yield from _named(pattern, [each])
        if depth == 0:
            return


def _depth(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
