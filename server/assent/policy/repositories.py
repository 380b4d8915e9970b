"""What a reading command of git finds for its repository, and what that could make it run.

Git does what the settings of a repository say, whoever wrote them. So a command that only reads is
one only where the repository is harmless, from each folder in which the command may come to run.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from assent.calls import Target
from assent.policy.judged import Judged
from assent.policy.matter import Matter
from assent.policy.shell.deeds import Deeds
from assent.policy.shell.script import Word
from assent.policy.touching import target_of

__all__ = ["why_not_reading"]

_UNKNOWN: Final = "Which repository git would find is only known when it runs."
_PLACING: Final = frozenset({"git", "mkdir", "rmdir"})
"""What makes no repository that is not git's own."""


def why_not_reading(
    matter: Matter, deeds: Deeds, folders: Sequence[Target | None], before: Iterable[Judged]
) -> str | None:
    """A sentence that says why a reading command of git may do more, or None."""
    if not (deeds.reading and deeds.git_from):
        return None
    # A folder that nobody knows is asked about by itself.
    known = [folder for folder in folders if folder is not None]
    changed = [*_changed(before)]
    for start in (where for chain in deeds.git_from for where in _ends(matter, chain, known)):
        if start is None or any(_is_within(start.resolved, it) for it in changed):
            return _UNKNOWN
        why = matter.facts.git_runs(start.resolved)
        if why is not None:
            return f"{_named(start)} could make git run something: {why}."
    return None


def _named(start: Target) -> str:
    whole = start.shown == "."
    return "The repository of this workspace" if whole else f"The repository in {start.shown}"


def _ends(matter: Matter, chain: tuple[Word, ...], starts: list[Target]) -> Iterator[Target | None]:
    """Where a chain of folders leads; None where that is not known."""
    ends: list[Target] = starts
    for word in chain:
        further = [where for start in ends for where in _next(matter, word, start)]
        if None in further:
            yield None
        ends = [where for where in further if where is not None]
    yield from ends


def _next(matter: Matter, word: Word, start: Target) -> list[Target | None]:
    if word.known and not word.text:
        return [start]
    return [
        None if path is None else target_of(matter, path, start)
        for path in _paths(matter, word, start)
    ]


def _paths(matter: Matter, word: Word, start: Target) -> Sequence[str | None]:
    if word.choices:
        return word.choices
    pattern = word.glob or (word.listed and "…" not in word.text and "*" in word.text)
    if pattern:
        names = matter.facts.names(word.path, start.resolved)
        return (None,) if names is None else names
    return (word.path if word.known else None,)


def _changed(before: Iterable[Judged]) -> Iterator[str]:
    """The places that commands before it fill, whatever with."""
    for one in before:
        if one.command is None or one.command.program in _PLACING:
            continue
        changed = (place.target for place in one.places if place.kind.changes)
        yield from (target.resolved for target in changed if target is not None)


def _is_within(path: str, folder: str) -> bool:
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")
