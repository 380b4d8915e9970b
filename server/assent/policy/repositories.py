"""What a reading command of git finds for its repository, and what that could make it run.

Git does what the settings of a repository say, whoever wrote them. So a command that only reads is
one only where the repository is harmless, from each folder in which the command may come to run.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from assent.bash.word import Below, Word
from assent.calls import Target
from assent.policy.destinations import meant_by, target_of
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.planting import is_planted
from assent.programs.deeds import Deeds

__all__ = ["starts_of", "why_not_reading"]

_UNKNOWN: Final = "Which repository git would find is only known when it runs."


def why_not_reading(
    matter: Matter, deeds: Deeds, folders: Sequence[Target | None], others: Iterable[Judged]
) -> str | None:
    """A sentence that says why a reading command of git may do more, or None.

    `others` are those that may have run before it.
    """
    if not (deeds.reading and deeds.git_from):
        return None
    others = [*others]
    for start in starts_of(matter, deeds, folders):
        if start is None or is_planted(matter, start.resolved, others):
            return _UNKNOWN
        why = matter.facts.git_runs(start.resolved)
        if why is not None:
            return f"{_named(start)} could make git run something: {why}."
    return None


def starts_of(
    matter: Matter, deeds: Deeds, folders: Sequence[Target | None]
) -> Iterator[Target | None]:
    """The folders from which git looks for its repository; None for one that is not known."""
    # A folder that nobody knows is asked about by itself.
    known = [folder for folder in folders if folder is not None]
    for chain in deeds.git_from:
        yield from _ends(matter, chain, known)


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
    if word.glob or (isinstance(word, Below) and word.of_pattern):
        meant = meant_by(matter, word.path, start)
        return (None,) if meant is None else meant
    return (word.path if word.known else None,)
