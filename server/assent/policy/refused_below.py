"""Whether anything that a rule refuses lies below a path, as the disk is now.

A rule for `.env` anywhere is about every folder until somebody looks. The look is believed only of
a program that takes what lies there now, and where nothing that runs before it in the same text
puts anything there but under names that were judged: git may take it out of an older commit, and
what is written, unpacked or linked first may be just that.
"""

from collections.abc import Sequence
from typing import Final

from assent.bash.script import Command, bare_name
from assent.calls import Target
from assent.policy.destinations import target_of
from assent.policy.findings import Judged
from assent.policy.matter import Matter, against
from assent.policy.paths import Place
from assent.programs.deeds import Links
from assent.rules.globs import is_wild
from assent.rules.pathtree import folded_path, segments_of
from assent.verdicts import Verdict

__all__ = ["lies_there"]

_OLDER: Final = frozenset({"git", "hg", "jj", "svn", "fossil"})
"""Programs that read what lies on no disk any more."""
_NAMING: Final = frozenset("mkdir touch tee cp mv rm rmdir".split())
"""Programs that put files under names that their words say."""
_UNREADABLE: Final = frozenset("{}()!")
"""With these a rule's pattern may be about names that do not stand in it."""


def lies_there(
    matter: Matter, command: Command, place: Place, target: Target, before: Sequence[Judged]
) -> bool:
    """Whether what rules refuse to be read may be among what lies below a place."""
    programs = {command.program, *(bare_name(argv[0].text) for argv in place.by if argv)}
    if not _OLDER.isdisjoint(programs) or not all(_fills_nothing(matter, it) for it in before):
        return True
    own = {*segments_of(folded_path(target.resolved)), *segments_of(folded_path(target.named))}
    refusing = [
        it for it in matter.book.rules if it.tool == "read" and it.verdict is not Verdict.ALLOW
    ]
    names = {_telling(it.about, own) for it in refusing}
    told = frozenset(it for it in names if it is not None)
    return (
        len(told) < len(names)
        or matter.facts.lies_below(target.resolved, told)
        or (place.listed and _led(matter, target))
    )


def _fills_nothing(matter: Matter, one: Judged) -> bool:
    """Whether it surely puts nothing anywhere that could be refused, whatever it is called."""
    command = one.command
    if command is None or command.program in _OLDER:
        return False
    if not (one.deeds.reading or command.wraps or command.program in _NAMING):
        return False
    return all(_is_named(matter, it) for it in one.places if it.kind.changes)


def _is_named(matter: Matter, place: Place) -> bool:
    """Whether one file or folder is meant, which no rule refuses to be read."""
    wide = place.tree or place.listed or place.pattern is not None
    if place.target is None or wide or place.links is not Links.NONE:
        return False
    return against(matter.book.path("read", place.target, matter)) is None


def _telling(about: str, own: set[str]) -> str | None:
    """The name in a rule's pattern without which nothing below is meant; None if nobody can tell.

    Names that stand on the way to the folder tell nothing of what lies in it.
    """
    if not _UNREADABLE.isdisjoint(about):
        return None
    parts = [folded_path(it) for it in segments_of(about) if it not in {"~", ".", "..", "**"}]
    plain = [it for it in parts if not is_wild(it) and it not in own]
    return next(reversed(plain), next(filter(is_wild, reversed(parts)), None))


def _led(matter: Matter, target: Target) -> bool:
    """Whether a link that is listed leads to what is refused, or nobody can tell."""
    links = matter.facts.links_in(target.resolved, all_=True)
    if links is None:
        return True
    ends = (target_of(matter, it, None) for it in links)
    return any(it is None or against(matter.book.path("read", it, matter)) for it in ends)
