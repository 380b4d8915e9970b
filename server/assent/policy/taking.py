"""What git takes up of the files here (`git add -A`, `git stash -u`), and rules deny to read.

What it has taken up, every later command of git shows. It is looked for on the disk, as it is now:
where something before it may have changed what is ignored, nobody can tell.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

from assent.policy.findings import Judged
from assent.policy.matter import Matter, against
from assent.policy.namedpaths import ROOT
from assent.policy.paths import Place
from assent.programs.deeds import Kind, Taken
from assent.rules.book import Found
from assent.rules.entries import NOTHING
from assent.text.plainly import is_within
from assent.verdicts import Ruling

__all__ = ["taken_up"]

_LIST: Final = ".gitignore"
_STAYS: Final = frozenset("add stage commit push fetch tag branch".split())
"""What git does to its repository alone, whatever lies in the work tree."""


def taken_up(matter: Matter, places: Sequence[Place], before: Sequence[Judged]) -> Iterator[Ruling]:
    """What rules that deny or ask say of each file that is taken up."""
    for place in filter(_takes, places) if matter.book.rules else ():
        for found in _found(matter, place, before):
            said = against(found)
            if said is not None:
                yield said


def _takes(place: Place) -> bool:
    """Whether anything below it is taken up; of a link that leads out only the link is."""
    target = place.target
    return place.taken is not Taken.NOTHING and not (target and target.via and not target.inside)


def _found(matter: Matter, place: Place, before: Sequence[Judged]) -> Iterator[Found]:
    if place.taken is Taken.REWRITTEN:
        yield matter.book.below("write", ROOT, matter)
        return
    all_ = place.taken is not Taken.BELOW
    about = place.target if place.target and not all_ else ROOT
    perhaps = matter.book.below("read", about, matter)
    if perhaps is NOTHING:
        return
    files = None
    known = place.taken is not Taken.IGNORED and not any(map(_may_unignore, before))
    if place.target and known:
        files = matter.facts.taken_up(place.target.resolved, all_=all_)
    if files is None:
        yield perhaps
    for file in files or ():
        if _is_meant(place, file):
            yield matter.book.path("read", matter.facts.locate(file, "/"), matter)


def _is_meant(place: Place, file: str) -> bool:
    """Whether a file below a folder is one of those that a pattern stands for, or lies in one."""
    if place.target is None:
        return True
    folder = place.target.resolved
    if any(is_within(file, f"{folder}/{it}") for it in place.without):
        return False
    if place.pattern is None:
        return True
    pattern = place.pattern.resolved.removeprefix(folder).lstrip("/")
    parts = file.removeprefix(folder).strip("/").split("/")
    return any(fnmatchcase("/".join(parts[: at + 1]), pattern) for at in range(len(parts)))


def _may_unignore(one: Judged) -> bool:
    """Whether a command may change what git ignores, or where its repository is."""
    if one.command is None or any(map(_is_list, one.places)):
        return True
    if one.command.program != "git" or one.deeds.reading:
        return False
    return len(one.command.argv) < 2 or one.command.argv[1].text not in _STAYS  # noqa: PLR2004 -- git and its word


def _is_list(place: Place) -> bool:
    """Whether such a list may be changed there, or come to lie there."""
    if not place.kind.changes:
        return False
    if place.target is None or place.pattern is not None or place.listed:
        return True
    filled = place.tree and place.kind is Kind.WRITE
    return filled or place.target.resolved.rpartition("/")[2].casefold() == _LIST
