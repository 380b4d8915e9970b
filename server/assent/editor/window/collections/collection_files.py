"""Lists a collection's files, following no link out of the workspace.

Its folders may be links within the workspace; below them none is followed.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence

from assent.agent.tools.folder_view import looked_in
from assent.agent.tools.patterns import fits, pattern_of
from assent.catalogue.documents.document import stamp_at, stamp_of
from assent.catalogue.documents.port import DocumentsFailed
from assent.gate.call.calls import Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.places import Places
from assent.gate.settings.collections import Area, CollectionEntry
from assent.gate.text.plain_paths import is_within

__all__ = ["bases_of", "entry_named", "files_of", "held_by", "spellings_in"]


def entry_named(name: str, entries: Iterable[CollectionEntry]) -> CollectionEntry:
    """The collection of that name; raises `DocumentsFailed`."""
    there = {entry.name: entry for entry in entries}
    if name not in there:
        names = ", ".join(there) or "none"
        raise DocumentsFailed(f"there is no collection `{name}`. There are: {names}.")
    return there[name]


def held_by(name: str, entries: Iterable[CollectionEntry], places: Places) -> tuple[str, ...]:
    """The folders and files that hold a collection, as written; raises `DocumentsFailed`."""
    areas = entry_named(name, entries).areas
    bases = tuple(dict.fromkeys(base.named for area in areas for base in bases_of(area, places)))
    if not bases:
        raise DocumentsFailed(f"the files of {name} lie nowhere in the workspace.")
    return bases


def files_of(areas: Sequence[Area], places: Places) -> Iterator[tuple[str, str]]:
    """The files of these areas, by where they are, with what changes when they do."""
    for area in areas:
        for target in bases_of(area, places):
            if stat.S_ISREG(mode := _mode(target.resolved)):
                yield target.resolved, stamp_at(target.resolved)
            elif stat.S_ISDIR(mode):
                yield from _below(target, area.pattern, places)


def spellings_in(areas: Sequence[Area], places: Places) -> Callable[[str], tuple[str, ...]]:
    """By which paths a file lies in these areas: its own, and through a link that leads to it.

    A rule is about a path as the person writes it, so both are ruled on. Where the links lead
    somewhere else by now, a file lies in none of them, and there is no path.
    """
    bases = [base for area in areas for base in bases_of(area, places)]

    def spellings(path: str) -> tuple[str, ...]:
        holding = [base for base in bases if is_within(path, base.resolved)]
        named = (
            f"{target.named.rstrip('/')}{path[len(target.resolved.rstrip('/')) :]}"
            for target in holding
        )
        return tuple(dict.fromkeys((path, *named))) if holding else ()

    return spellings


def _mode(path: str) -> int:
    """Of which kind a file is; of none where there is none."""
    try:
        return os.lstat(path).st_mode
    except OSError:
        return 0


def _below(target: Target, pattern: str, places: Places) -> Iterator[tuple[str, str]]:
    wanted = pattern_of(f"./{pattern}")
    for entry in looked_in(target, places.anchors).entries:
        if (
            entry.is_file
            and not entry.left_out
            and fits(wanted, entry.path)
            and _is_named(entry.path)
        ):
            yield f"{target.resolved.rstrip('/')}/{entry.path}", stamp_of(entry.facts)


def _is_named(path: str) -> bool:
    """Whether a name is one that can be written down and shown."""
    return not any("\ud800" <= letter <= "\udfff" for letter in path)


def bases_of(area: Area, places: Places) -> Iterator[Target]:
    """Where an area's files lie; none where a link leads what is the workspace's out of it."""
    for root in ("/",) if area.is_elsewhere else places.roots:
        try:
            target = places.locate(area.base, root)
        except CallUnreadable:
            continue
        if area.is_elsewhere or target.inside:
            yield target
