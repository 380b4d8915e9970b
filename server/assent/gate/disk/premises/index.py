"""Looks up the gate's own premises by path: inside one, above one, or by a pattern.

Each counts as it was reported, as it resolves, and by every link on the way, in any case of its
letters, whether it is there or not.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from assent.gate.call.calls import Premise
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.links import hops_of
from assent.gate.rules.globs import expands_to
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within, plain_path
from assent.gate.values import evolve, field, frozen

__all__ = ["NO_PREMISES", "Premises", "marks_of"]


_MAX_FOLDERS: Final = 2_000
"""So many are looked through for what a program loads."""
_OPEN: Final = late(r"[*?\]})]")
"""Behind the last of these a pattern says how a name ends."""


@frozen(kw_only=True)
class Premises:
    """All of them, for one workspace."""

    roots: frozenset[str] = frozenset()
    """The workspace's folders, in small letters, as they are spelled and as they resolve."""
    within: dict[str, Premise] = field(factory=dict, repr=False)
    """By each form of its path."""
    loading: dict[str, tuple[Premise, ...]] = field(factory=dict, repr=False)
    """Those of which only some files count, by each form of their folders."""
    above: dict[str, Premise] = field(factory=dict, repr=False)
    """By each folder in which one lies."""

    read: dict[str, tuple[int, ...]] = field(factory=dict, repr=False)
    """The files from which it is told where others lie, each with how it stood then."""

    @property
    def is_old(self) -> bool:
        """Whether one of these files has changed, so that others may lie elsewhere."""
        return marks_of(self.read) != self.read

    @classmethod
    def of(cls, reported: Iterable[Premise], roots: Iterable[str] = ()) -> "Premises":
        """The premises at these paths, beside a workspace in these folders."""
        premises = cls(roots=frozenset(form for root in roots for form in _forms(root)))
        for premise in reported:
            for form in _forms(premise.path):
                if premise.loads:
                    premises.loading[form] = (*premises.loading.get(form, ()), premise)
                else:
                    premises.within[form] = _joined(premises.within.get(form), premise)
        for form, premise in premises.within.items():
            for folder in _folders_above(form):
                inner = premise.run and any(is_within(form, root) for root in premises.roots)
                if inner and any(is_within(root, folder) for root in premises.roots):
                    # Whatever is done to a whole workspace would be done to it.
                    break
                known = premises.above.get(folder)
                if known is None or _weight(premise) > _weight(known):
                    premises.above[folder] = premise
        return premises

    def around(self, *paths: str) -> Premise | None:
        """The one in which any of these paths lies, or which it is; the innermost."""
        return next(
            (premise for path in paths if (premise := self._around(plain_path(path)))), None
        )

    def below(self, *paths: str) -> Premise | None:
        """One that lies in any of these folders."""
        if not self.above:
            return None
        return next(
            (premise for path in paths if (premise := self.above.get(plain_path(path)))), None
        )

    def started_in(self, folder: str) -> list[str]:
        """The files in a folder that are run later, by their paths from there."""
        front = f"{folder.rstrip('/')}/"
        started = [premise.path for premise in self.within.values() if premise.run]
        for premise in (premise for each in self.loading.values() for premise in each):
            if is_within(premise.path, folder) or is_within(folder, premise.path):
                started += _loaded_in(premise)
        return [path[len(front) :] for path in dict.fromkeys(started) if path.startswith(front)]

    def kept(self) -> list[str]:
        """The places that nobody may read unasked."""
        return [premise.path for premise in self.within.values() if premise.keys]

    def channels(self) -> list[str]:
        """The places where hooks of agents find the gate."""
        return [premise.path for premise in self.within.values() if premise.channel]

    def met_by(self, folder: str, pattern: str) -> Premise | None:
        """One that a shell's pattern below a folder may stand for, may hold, or may lead into.

        What the folder itself lies in is not told.
        """
        fixed, names = _names(plain_path(folder)), _names(plain_path(pattern))
        met = [
            premise
            for form, premise in self.within.items()
            if len(path := _names(form)) > len(fixed)
            and _meets(names, path)
            and not (premise.run and _passes_by(names, path, premise.path))
        ]
        met += [
            premise
            for form, each in self.loading.items()
            if _meets(names, path := _names(form)) and len(names) > len(path)
            for premise in each
            if _may_load(premise, names[len(path) :])
        ]
        return max(met, key=lambda premise: premise.keys, default=None)

    def _around(self, path: str) -> Premise | None:
        in_root = False
        at = path if self.within or self.loading else ""
        while at:
            for premise in self.loading.get(at, ()):
                if _loads(premise, path[len(at) + 1 :]):
                    return premise
            in_root = in_root or at in self.roots
            premise_here = self.within.get(at)
            if premise_here is not None and not (in_root and premise_here.yields):
                return premise_here
            at = at.rpartition("/")[0]
        return None


NO_PREMISES: Final = Premises()


def marks_of(files: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """How files stand, such that another text has another mark; nothing of one that is not."""
    marks: dict[str, tuple[int, ...]] = {}
    for file in files:
        try:
            stat = os.stat(file)  # noqa: PTH116 -- a string in
            marks[file] = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        except (OSError, ValueError):
            marks[file] = ()
    return marks


def _forms(path: str) -> set[str]:
    """The ways in which a path is spelled on the way to where it leads."""
    forms = {os.path.normpath(path)}
    # What cannot be followed counts as it is spelled.
    with suppress(CallUnreadable, OSError, ValueError):
        forms.add(os.path.realpath(path))
        forms.update(hops_of(path))
    return {plain_path(form) for form in forms} - {"/"}


def _weight(premise: Premise) -> tuple[bool, bool]:
    return premise.keys, not premise.run


def _joined(premise: Premise | None, other: Premise) -> Premise:
    """What two are together that lie at the same place."""
    if premise is None:
        return other
    return evolve(
        premise,
        keys=premise.keys or other.keys,
        channel=premise.channel or other.channel,
        yields=premise.yields and other.yields,
        run=premise.run and other.run,
    )


def _loads(premise: Premise, inner: str) -> bool:
    """Whether a path in its folder is one of the files that count."""
    folder, slash, _ = inner.partition("/")
    is_there = not slash or premise.below is None or folder in premise.below
    return is_there and inner.endswith(premise.loads)


def _loaded_in(premise: Premise) -> Iterator[str]:
    """The files in its folder that count, those that are there, as far as anybody looks."""
    for _, (at, folders, files) in zip(range(_MAX_FOLDERS), os.walk(premise.path), strict=False):
        inner = [f"{at}/{file}" for file in files]
        yield from (
            path for path in inner if _loads(premise, path[len(premise.path) + 1 :].casefold())
        )
        if at == premise.path and premise.below is not None:
            folders[:] = [folder for folder in folders if folder.casefold() in premise.below]


def _may_load(premise: Premise, pattern: Sequence[str]) -> bool:
    """Whether a pattern in its folder may stand for one of the files that count."""
    first, inner = pattern[0], premise.below
    is_open = inner is None or len(pattern) == 1 or "**" in first
    if not (is_open or any(expands_to(first, name) for name in inner or ())):
        return False
    end = _OPEN.split(pattern[-1])[-1]
    return any(end.endswith(load) or load.endswith(end) for load in premise.loads)


def _folders_above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path
    yield "/"


def _passes_by(pattern: Sequence[str], path: Sequence[str], file: str) -> bool:
    """Whether a pattern for any depth ends in a name that neither a file has nor its folders."""
    last = pattern[-1]
    if not any("**" in segment for segment in pattern) or "**" in last or os.path.isdir(file):  # noqa: PTH112
        return False
    return not any(expands_to(last, segment) for segment in path)


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name]


def _meets(pattern: list[str], path: list[str]) -> bool:
    """Whether a pattern may become the path, a folder above it, or something in it."""
    for segment, name in zip(pattern, path, strict=False):
        if "**" in segment:
            return True
        if not expands_to(segment, name):
            return False
    return True
