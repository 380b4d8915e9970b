"""Patterns that stand for more names than usual where the shell was told so: hidden, or deeper."""

import itertools
from collections.abc import Mapping
from typing import Any, Final

from assent.text.patterns import late

__all__ = ["dotted", "goes_deeper"]

Given = Mapping[str, Any]
"""What a shell call is given."""

_DOTS: Final = late(
    r"dot_?glob|glob_?dots|-\w*O|shopt(?!\s+-[suq]+(?:\s+(?:globstar|nullglob|extglob|failglob|nocaseglob"
    r"|lastpipe|inherit_errexit))+\s*(?:[;&|\n]|$))"
)
"""How a shell may be told that a pattern stands for names with a dot before them too."""
_DEEPER: Final = late(r"globstar|zsh")
"""How a shell may be told, or which takes it so by itself, that `**` is any number of folders."""
_QUOTES: Final = str.maketrans("", "", "\"'\\")
_HEAD: Final = late(r"\A(?:\?|\[[^\]]*\]|\*?(\*))")
"""What of a pattern may stand for the dot of a hidden name."""


def means_dots(given: Given) -> bool:
    """Whether the shell may have been told that patterns mean hidden names too."""
    return _DOTS.search(_bare(given)) is not None


def goes_deeper(given: Given, rest: str) -> bool:
    """Whether a pattern may stand for names in folders within folders."""
    # Which shell it is may be said by its path, in any case of letters.
    told = f"{given.get('shell')} {_bare(given)}".casefold()
    return "**" in rest and _DEEPER.search(told) is not None


def dotted(given: Given, rest: str) -> list[str]:
    """What else a pattern stands for where the shell may have been told to mean hidden names."""
    if _DOTS.search(_bare(given)) is None:
        return []
    parts = rest.split("/")
    ways = [(it, _HEAD.sub(r".\1", it)) if _HEAD.match(it) else (it,) for it in parts[-3:]]
    return ["/".join((*parts[:-3], *way)) for way in itertools.product(*ways)][1:]


def _bare(given: Given) -> str:
    return str(given.get("command")).translate(_QUOTES)
