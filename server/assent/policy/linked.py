"""Links among the names that are listed below a folder: who opens such a name is led elsewhere."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.bash.listed import Day, Hash, Number
from assent.bash.word import Word
from assent.calls import Target
from assent.policy.destinations import target_of
from assent.policy.matter import Matter
from assent.programs.choosing import choice_of
from assent.programs.finding import Sample
from assent.programs.git_listers import LISTERS, LS_FILES
from assent.programs.listing import FD
from assent.text.patterns import late

__all__ = ["led_by_names"]

_TESTS_LINKS: Final = frozenset({"-o", "-or", ",", "!", "-not", "-L", "-follow"})
"""Words of `find` with which a name need not be that of a file, though it is told to be."""

_UNTRACKED: Final = "-o --others -i --ignored --recurse-submodules"
"""With these, `git ls-files` lists what is not in the index at hand."""

_LETTERS: Final = {
    Hash: late(r"[0-9a-f]+"),
    Number: late(r"-?[0-9]+"),
    Day: late(r"[0-9A-Za-z:.+-]+"),
}
"""What such a word is written in, whatever it is: no other name is among these."""
_RANGE: Final = late(rf"{re.escape(Hash().text)}\.{{2,3}}[^/…]*")
"""From one state of the files to another, which is the name of none."""
_WORD: Final = late(r"[\w-]+")

_Listing = tuple[tuple[Word, ...], ...]


def led_by_names(matter: Matter, word: Word, folder: Target) -> Iterator[Target | None]:
    """Where the names lead out of the workspace that a word stands for; None if not known."""
    by = word.by
    if (by and _lists_no_links(by[0])) or _RANGE.fullmatch(word.text):
        return
    letters = _LETTERS.get(type(word))
    links = _links_in(matter, by, folder.resolved)
    if links is None:
        yield None
    top, program = folder.shown == ".", by[0][0].text if by else ""
    choice = choice_of(by) if by and (top or program != "git") else None
    for link in links or ():
        inner = link[len(folder.resolved) :].lstrip("/")
        if letters and not letters.fullmatch(inner):
            continue
        sample = Sample(name=posixpath.basename(inner), path=inner if top else None)
        if (choice and not choice.may_hold(sample)) or (program == "ls" and "/" in inner):
            continue
        target = target_of(matter, link, None)
        if target is None or not target.inside:
            yield target


def _links_in(matter: Matter, by: _Listing, folder: str) -> tuple[str, ...] | None:
    """The links that may be listed; of what git lists, those that stand where it tracks a file."""
    if by and _lists_tracked(matter, by[0]):
        tracked = matter.facts.links_tracked(folder)
        if tracked is not None:
            return tracked
    return matter.facts.links_in(folder)


def _lists_tracked(matter: Matter, argv: Sequence[Word]) -> bool:
    """Whether it lists what git tracks, and nothing beside it in the call could change that."""
    texts = [word.text for word in argv]
    if texts[0] != "git" or texts[1] not in LISTERS:
        return False
    if texts[1] == "ls-files":
        told = LS_FILES.sort(argv[2:])
        if told is None or told.has(_UNTRACKED):
            return False
    words = _WORD.findall(str(matter.call.input["command"]))
    behind = (after for word, after in pairwise((*words, "")) if word == "git")
    return all(it in LISTERS or it == "status" for it in behind)


def _lists_no_links(argv: Sequence[Word]) -> bool:
    """Whether it lists only what is a file itself."""
    texts = [word.text for word in argv[1:]]
    match argv[0].text.rpartition("/")[2]:
        case "rg" | "grep" | "egrep" | "fgrep":
            # What these search is opened by them already; a link that they come upon is not.
            return True
        case "git":
            return texts[:1] == ["grep"]
        case "find" | "gfind":
            return ("-type", "f") in pairwise(texts) and _TESTS_LINKS.isdisjoint(texts)
        case "fd" | "fdfind":
            # What is told of several types is of any of them.
            found = FD.sort(argv[1:])
            return found is not None and {it.text for it in found.of("-t --type")} == {"f"}
        case _:
            return False
