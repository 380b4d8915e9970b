"""The rules about what has a name: tools of servers, things to run, agents, and effects."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from attrs import define, field

from assent.rules.arguments import fits_one, fits_whole
from assent.rules.entries import Entry
from assent.text.patterns import late
from assent.verdicts import Verdict

__all__ = ["Named"]

_NONE: Final[Mapping[str, Any]] = {}
_LONGEST: Final = 128
_APART: Final = late(r"[^\w:*]|_+")


@define(eq=False)
class _Names:
    """Rules by two names with a colon between, each whole or by its beginning."""

    _rules: dict[str, dict[str, tuple[Entry, ...]]] = field(factory=dict)
    """`get_*` is a key of its own."""
    _lengths: set[int] = field(factory=set)
    """How long the beginnings are that stand before a `*`; few, however many the rules."""

    def add(self, about: str, entry: Entry) -> None:
        first, _, second = about.partition(":")
        by_second = self._rules.setdefault(first, {})
        by_second[second] = (*by_second.get(second, ()), entry)
        self._lengths.update(len(it) - 1 for it in (first, second) if it.endswith("*"))

    def look(self, name: str) -> Iterable[Entry]:
        """What is about a name, whole or by its beginnings."""
        if not self._lengths:
            return self.whole(name)
        first, _, second = name.partition(":")
        found: list[Entry] = []
        for one in self._ways(first):
            by_second = self._rules.get(one)
            if by_second is not None:
                for other in self._ways(second):
                    found += by_second.get(other, ())
        return found

    def whole(self, name: str) -> tuple[Entry, ...]:
        """What is about just this name."""
        first, _, second = name.partition(":")
        by_second = self._rules.get(first)
        return by_second.get(second, ()) if by_second is not None else ()

    def _ways(self, name: str) -> Iterator[str]:
        yield name
        for length in self._lengths:
            if length <= len(name):
                way = f"{name[:length]}*"
                if way != name:
                    yield way


@define(eq=False)
class Named:
    """All rules about one kind of names."""

    _every: tuple[Entry, ...] = ()
    _allowing: _Names | None = None
    """To the letter."""
    _tight: _Names | None = None
    """By letters and digits alone, since agents rewrite the names of servers and their tools."""
    _argued: bool = False
    """Whether a rule names arguments."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Named":
        """The index of these rules."""
        index = cls()
        for entry in entries:
            about = entry.rule.about
            index._argued = index._argued or bool(entry.rule.arguments)
            if about == "*":
                index._every += (entry,)
            elif entry.rule.verdict is Verdict.ALLOW:
                index._allowing = index._allowing or _Names()
                index._allowing.add(about, entry)
            else:
                index._tight = index._tight or _Names()
                index._tight.add(_folded(about), entry)
        return index

    def look(self, name: str, arguments: Mapping[str, Any] = _NONE) -> list[Entry]:
        """What is about a name, by itself or with all that share its beginning."""
        certain = list(self._every)
        if self._allowing is not None:
            certain += self._allowing.look(name)
        if self._tight is not None:
            certain += self._tight.look(_folded(name))
        return [it for it in certain if _fits(it, arguments)] if self._argued else certain

    def effect(self, name: str) -> list[Entry]:
        """What is about an effect, or about its kind wherever it happens."""
        if self._tight is None:
            return []
        kinds = dict.fromkeys((name, name.partition(":")[0]))
        return [entry for kind in kinds for entry in self._tight.whole(kind)]


def _fits(entry: Entry, arguments: Mapping[str, Any]) -> bool:
    named = entry.rule.arguments
    if not named:
        return True
    tight = entry.rule.verdict is Verdict.ALLOW
    return fits_whole(named, arguments) if tight else fits_one(named, arguments)


def _folded(name: str) -> str:
    """A name in one case, with one sign for all that is no letter, digit, colon or star."""
    # The same few tools are called over and over; what is longer than any name is not kept.
    return _kept(name) if len(name) <= _LONGEST else _fold(name)


def _fold(name: str) -> str:
    return _APART.sub("_", name.casefold())


_kept: Final = lru_cache(maxsize=256)(_fold)
