"""Where the gate's own premises lie, looked up by path: in them, above them, by a pattern.

Each counts as it was reported, as it resolves, and by every link on the way, in any case of its
letters, whether it is there or not.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from assent.calls import Premise
from assent.disk.links import hops_of
from assent.errors import CallUnreadable
from assent.rules.globs import expands_to
from assent.text.plainly import plain_path
from assent.values import evolve, field, frozen

__all__ = ["NO_PREMISES", "Premises"]


@frozen(kw_only=True)
class Premises:
    """All of them, for one workspace."""

    roots: frozenset[str] = frozenset()
    """The workspace's folders, in small letters, as they are spelled and as they resolve."""
    within: dict[str, Premise] = field(factory=dict, repr=False)
    """By each form of its path."""
    above: dict[str, Premise] = field(factory=dict, repr=False)
    """By each folder in which one lies."""

    @classmethod
    def of(cls, reported: Iterable[Premise], roots: Iterable[str] = ()) -> "Premises":
        """The premises at these paths, beside a workspace in these folders."""
        found = cls(roots=frozenset(form for root in roots for form in _forms(root)))
        for premise in reported:
            for form in _forms(premise.path):
                found.within[form] = _joined(found.within.get(form), premise)
        for form, premise in found.within.items():
            for folder in _folders_above(form):
                known = found.above.get(folder)
                if known is None or (premise.keys and not known.keys):
                    found.above[folder] = premise
        return found

    def around(self, *paths: str) -> Premise | None:
        """The one in which any of these paths lies, or which it is; the innermost."""
        return next((it for path in paths if (it := self._around(plain_path(path)))), None)

    def below(self, *paths: str) -> Premise | None:
        """One that lies in any of these folders."""
        if not self.above:
            return None
        return next((it for path in paths if (it := self.above.get(plain_path(path)))), None)

    def kept(self) -> list[str]:
        """The places with keys."""
        return [premise.path for premise in self.within.values() if premise.keys]

    def met_by(self, folder: str, pattern: str) -> Premise | None:
        """One that a shell's pattern below a folder may stand for, may hold, or may lead into.

        What the folder itself lies in is not told.
        """
        fixed, names = _names(plain_path(folder)), _names(plain_path(pattern))
        met = [
            premise
            for form, premise in self.within.items()
            if len(path := _names(form)) > len(fixed) and _meets(names, path)
        ]
        return max(met, key=lambda it: it.keys, default=None)

    def _around(self, path: str) -> Premise | None:
        in_root = False
        at = path if self.within else ""
        while at:
            in_root = in_root or at in self.roots
            found = self.within.get(at)
            if found is not None and not (in_root and found.yields):
                return found
            at = at.rpartition("/")[0]
        return None


NO_PREMISES: Final = Premises()


def _forms(path: str) -> set[str]:
    """The ways in which a path is spelled on the way to where it leads."""
    forms = {os.path.normpath(path)}
    # What cannot be followed counts as it is spelled.
    with suppress(CallUnreadable, OSError, ValueError):
        forms.add(os.path.realpath(path))
        forms.update(hops_of(path))
    return {plain_path(form) for form in forms} - {"/"}


def _joined(one: Premise | None, other: Premise) -> Premise:
    """What two are together that lie at the same place."""
    if one is None:
        return other
    return evolve(
        one,
        keys=one.keys or other.keys,
        yields=one.yields and other.yields,
        run=one.run and other.run,
    )


def _folders_above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path
    yield "/"


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
