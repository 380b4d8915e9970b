"""Patterns that stand for hidden names too, where the shell was told so."""

import itertools
from typing import Final

from assent.text.patterns import late

__all__ = ["dotted", "means_dots"]

_DOTS: Final = late(
    r"dot_?glob|glob_?dots|-\w*O|shopt(?!\s+-[suq]+(?:\s+(?:globstar|nullglob|extglob|failglob|nocaseglob"
    r"|lastpipe|inherit_errexit))+\s*(?:[;&|\n]|$))"
)
"""How a shell may be told that a pattern stands for names with a dot before them too."""
_QUOTES: Final = str.maketrans("", "", "\"'\\")
_HEAD: Final = late(r"\A(?:\?|\[[^\]]*\]|\*?(\*))")
"""What of a pattern may stand for the dot of a hidden name."""


def means_dots(text: str) -> bool:
    """Whether the shell may have been told that patterns mean hidden names too."""
    return _DOTS.search(text.translate(_QUOTES)) is not None


def dotted(rest: str) -> list[str]:
    """What else a pattern stands for where hidden names are meant."""
    parts = rest.split("/")
    ways = [(it, _HEAD.sub(r".\1", it)) if _HEAD.match(it) else (it,) for it in parts[-3:]]
    return ["/".join((*parts[:-3], *way)) for way in itertools.product(*ways)][1:]
