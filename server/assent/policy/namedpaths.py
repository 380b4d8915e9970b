"""Paths that rules refuse, among the arguments of a tool of which no more is known.

What a tool does with a text nobody can tell, so one that names such a path is asked about.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, Literal
from urllib.parse import unquote

from assent.calls import Target
from assent.policy.matter import Matter, all_against, asked
from assent.rules.arguments import readings, unpacked
from assent.rules.book import Found
from assent.rules.entries import only_perhaps
from assent.text.patterns import late
from assent.verdicts import Ruling

__all__ = ["ROOT", "about_paths", "refused_path"]

_KINDS: Final[tuple[Literal["read", "write"], ...]] = ("read", "write")
_LONGEST: Final = 4_096
"""No system has longer paths."""
_MOST: Final = 100
"""So many texts are looked at."""

_ADDRESS: Final = late(r"\A[\w+.-]*file://[^/]*", re.IGNORECASE)
_CHOOSES: Final = late(r"[*?\[](?=[^/]*\Z)[^/]*\w|\w[^/]*[*?\[](?=[^/]*\Z)")
"""A pattern in a path's last name, which says something of that."""

_PLAIN: Final = late(r"[\w./~@+ -]*", re.ASCII)
"""What is the same for who decodes it, and chooses nothing."""

ROOT: Final = Target(spelled="/", resolved="/", inside=False, shown="/", named="/")


def refused_path(matter: Matter) -> Ruling | None:
    """What rules say against a path that a call names, in its arguments or as what it touches."""
    if not matter.book.refuses_paths:
        return None
    call = matter.call
    texts = _texts_in(call.input if call.tool == "other" else call.input.get("arguments"))
    if len(texts) > _MOST and _refuses(matter):
        return asked("It names more than can be held against the rules about paths.")
    return next(_refused(matter, texts), None)


def _refuses(matter: Matter) -> bool:
    """Whether a rule that is about who asks denies or asks about some path."""
    return any(matter.book.below(kind, ROOT, matter).perhaps is not None for kind in _KINDS)


def _refused(matter: Matter, texts: list[str]) -> Iterator[Ruling]:
    targets = (_either(matter, it) for it in matter.call.targets)
    founds = chain(*targets, about_paths(matter, _named(matter, texts)))
    yield from all_against(only_perhaps(it) for it in founds)


def about_paths(matter: Matter, texts: Iterable[str]) -> Iterator[Found]:
    """What rules say of the path that each text may be, whatever is done with it."""
    for text in texts:
        target = matter.located(text, matter.call.cwd)
        if target is not None:
            yield from _either(matter, target)


def _either(matter: Matter, target: Target) -> Iterator[Found]:
    return (matter.book.path(kind, target, matter) for kind in _KINDS)


def _texts_in(given: Any) -> list[str]:
    """Every text in there that may be a path; the name of a member where it is more than a name."""
    found: list[str] = []
    left = [given]
    while left:
        one = unpacked(left.pop())
        kind = type(one)
        if kind is str:
            if len(one) <= _LONGEST:
                found.append(one)
        elif kind is dict:
            left += one.values()
            left += [name for name in one if not name.isidentifier()]
        elif kind is list:
            left += one
    return found


def _named(matter: Matter, texts: list[str]) -> Iterator[str]:
    """The paths that texts may be, and what those stand for that are patterns."""
    for form in dict.fromkeys(it for text in texts for it in _forms_of(text)):
        yield form
        # A pattern of no letter leaves nothing out, as the folder itself does.
        if _CHOOSES.search(form):
            yield from matter.facts.names(form, matter.call.cwd) or ()


def _forms_of(text: str) -> Iterator[str]:
    """The paths that a text may be for who decodes it, takes it for an address, or cuts it."""
    if _PLAIN.fullmatch(text):
        yield text
        return
    for it in readings(text) or (text, unquote(text)):
        path = _ADDRESS.sub("", it.partition("\0")[0].replace("\\", "/"))
        yield from (it, path)
        # Behind a state of the files stands a path in that (`HEAD:.env`).
        if not any(map(str.isspace, path)):
            yield path.rpartition(":")[2]
