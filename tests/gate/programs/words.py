"""Commands made of words, without a reader."""

import re
import shlex
from typing import Final

from assent.gate.shell.script import Command
from assent.gate.shell.word import Exact, Word, word_of

_SPELLED: Final = re.compile(r"""(?:[^\s"']|"[^"]*"|'[^']*')+""")

__all__ = ["command", "of"]


def of(*words: str | Word) -> Command:
    """A command of these words."""
    return Command(argv=tuple(it if isinstance(it, Word) else Exact(text=it) for it in words))


def command(line: str) -> Command:
    """A command of a line without expansions; an unquoted pattern is one."""
    raw = _SPELLED.findall(line)
    return of(
        *(
            word_of(text, glob=text == spelled and _is_pattern(text))
            for spelled, text in zip(raw, shlex.split(line), strict=True)
        )
    )


def _is_pattern(text: str) -> bool:
    return text not in {"[", "[["} and not text.startswith("a[") and any(it in text for it in "*?[")
