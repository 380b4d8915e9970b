"""Paths in the arguments of an unknown tool that a rule denies.

What a tool does with a text nobody can tell, so one that names such a path is asked about.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final
from urllib.parse import unquote

from assent.gate.call.calls import Target, What
from assent.gate.call.verdicts import Ruling
from assent.gate.rules.arguments import readings, unpacked
from assent.gate.rules.entries import NOTHING, only_perhaps
from assent.gate.ruling.ruling_context import RulingContext, against, asked
from assent.gate.text.lazy_patterns import late

__all__ = ["MAX_PATH_LETTERS", "ROOT", "refused_path"]

_KINDS: Final[tuple[What, ...]] = ("read", "write")
MAX_PATH_LETTERS: Final = 4_096
"""No system has longer paths."""
_MAX_TEXTS: Final = 100
"""So many texts are looked at."""

_ADDRESS: Final = late(r"\A[\w+.-]*file://[^/]*", re.IGNORECASE)
_CHOOSES: Final = late(r"[*?\[](?=[^/]*\Z)[^/]*\w|\w[^/]*[*?\[](?=[^/]*\Z)")
"""A pattern in a path's last name, which says something of that."""

_AROUND: Final = " \t\r\n'\"`<>{}@;"
"""What may stand around a path."""
_PARTS: Final = late(r"[,;\n]")
_BLANK: Final = late(r"\s")
_BEHIND: Final = late(r"[#?]|:(?=L?\d)")
"""What may stand between a path and a line in it."""
_VARIABLE: Final = late(r"\$\{workspace\w*\}")
_PLAIN: Final = late(r"[\w./~@+ -]*", re.ASCII)
"""What is the same for who decodes it, and chooses nothing."""

ROOT: Final = Target(spelled="/", resolved="/", inside=False, shown="/", named="/")


def refused_path(context: RulingContext) -> Ruling | None:
    """What rules say against a path that a call names, in its arguments or as what it touches."""
    if not context.book.refuses_paths:
        return None
    call = context.call
    texts = _texts_in(call.input if call.tool == "other" else call.input.get("arguments"))
    if not (texts or call.targets):
        return None
    if len(texts) > _MAX_TEXTS and _refuses(context):
        return asked("It names more than can be held against the rules about paths.")
    return next(_refused(context, texts), None)


def _refuses(context: RulingContext) -> bool:
    """Whether a rule that is about who asks denies or asks about some path."""
    return any(context.book.below(kind, ROOT, context).perhaps is not None for kind in _KINDS)


def _refused(context: RulingContext, texts: list[str]) -> Iterator[Ruling]:
    for target in chain(context.call.targets, _named(context, texts)):
        for kind in _KINDS:
            matches = context.book.path(kind, target, context)
            said = None if matches is NOTHING else against(only_perhaps(matches))
            if said is not None:
                yield said


def _texts_in(given: Any) -> list[str]:
    """Every text in there that may be a path; the name of a member where it is more than a name."""
    found: list[str] = []
    left = [given]
    while left:
        one = unpacked(left.pop())
        kind = type(one)
        if kind is str:
            if len(one) <= MAX_PATH_LETTERS:
                found.append(one)
        elif kind is dict:
            left += one.values()
            left += [name for name in one if not name.isidentifier()]
        elif kind is list:
            left += one
    return found


def _named(context: RulingContext, texts: list[str]) -> Iterator[Target]:
    """Where the paths that texts may be lead, and what those stand for that are patterns."""
    for path in dict.fromkeys(path for text in texts for path in _paths_of(context, text)):
        target = context.located(path, context.call.cwd)
        if target is not None:
            yield target


def _paths_of(context: RulingContext, text: str) -> Iterable[str]:
    if _PLAIN.fullmatch(text):
        return (text, *_without_top(context, text.strip(_AROUND)))
    forms = [*_forms_of(text)]
    forms += [it for form in (*forms,) for it in _without_top(context, form)]
    # A pattern of no letter leaves nothing out, as the folder itself does.
    chosen = (
        context.facts.names(form, context.call.cwd) for form in forms if _CHOOSES.search(form)
    )
    return (*forms, *chain.from_iterable(it or () for it in chosen))


def _forms_of(text: str) -> Iterator[str]:
    """The paths that a text may be for who decodes it, takes it for an address, or cuts it."""
    for it in readings(text) or (text, unquote(text)):
        path = _ADDRESS.sub("", it.partition("\0")[0].replace("\\", "/"))
        yield from (it, path)
        # One that is no prose may be several, in quotes, or have a line behind it.
        parts = [part.strip(_AROUND) for part in _PARTS.split(path)]
        for part in parts if not any(map(_BLANK.search, parts)) else ():
            yield from (part, _BEHIND.split(part, maxsplit=1)[0], part.rpartition("=")[2])
            # Behind a state of the files stands a path in that (`HEAD:.env`).
            yield part.rpartition(":")[2]


def _without_top(context: RulingContext, path: str) -> Iterator[str]:
    """The path, and what of it stands behind the folder of the workspace where that is named."""
    yield path
    head, slash, rest = path.partition("/")
    if slash and (_VARIABLE.fullmatch(head) or head in map(posixpath.basename, context.tops)):
        yield rest
