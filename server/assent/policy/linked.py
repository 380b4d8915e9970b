"""Links among the names that are listed below a folder: who opens such a name is led elsewhere."""

import posixpath
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.calls import Target
from assent.policy.destinations import target_of
from assent.policy.matter import Matter
from assent.policy.shell.choosing import choice_of
from assent.policy.shell.finding import Sample
from assent.policy.shell.listing import FD
from assent.policy.shell.script import Word

__all__ = ["led_by_names"]

_TESTS_LINKS: Final = frozenset({"-o", "-or", ",", "!", "-not", "-L", "-follow"})
"""Words of `find` with which a name need not be that of a file, though it is told to be."""

_Listing = tuple[tuple[Word, ...], ...]


def led_by_names(matter: Matter, by: _Listing, folder: Target) -> Iterator[Target | None]:
    """Where the names lead out of the workspace that these commands list; None if not known."""
    if by and _lists_no_links(by[0]):
        return
    links = matter.facts.links_in(folder.resolved)
    if links is None:
        yield None
    top, program = folder.shown == ".", by[0][0].text if by else ""
    choice = choice_of(by) if by and (top or program != "git") else None
    for link in links or ():
        inner = link[len(folder.resolved) :].lstrip("/")
        sample = Sample(name=posixpath.basename(inner), path=inner if top else None)
        if (choice and not choice.may_hold(sample)) or (program == "ls" and "/" in inner):
            continue
        target = target_of(matter, link, None)
        if target is None or not target.inside:
            yield target


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
            found = FD.read(argv[1:])
            return found is not None and {*found.of("t", "--type")} == {"f"}
        case _:
            return False
