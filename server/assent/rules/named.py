"""The rules about what has a name: tools of servers, things to run, agents, and effects."""

import re
from collections.abc import Iterable

from attrs import define, field

from assent.rules.entries import Entry
from assent.verdicts import Verdict

__all__ = ["Named"]


@define(eq=False)
class Named:
    """All rules about one kind of names."""

    _every: tuple[Entry, ...] = ()
    _allowing: dict[str, tuple[Entry, ...]] = field(factory=dict)
    """To the letter; `server:*` stands for all of a server."""
    _tight: dict[str, tuple[Entry, ...]] = field(factory=dict)
    """By letters and digits alone, since agents rewrite the names of servers and their tools."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Named":
        """The index of these rules."""
        index = cls()
        for entry in entries:
            about = entry.rule.about
            if about == "*":
                index._every += (entry,)
            elif entry.rule.verdict is Verdict.ALLOW:
                index._allowing[about] = (*index._allowing.get(about, ()), entry)
            else:
                folded = _folded(about)
                index._tight[folded] = (*index._tight.get(folded, ()), entry)
        return index

    def look(self, name: str) -> list[Entry]:
        """What is about a name, by itself or with all that share its beginning up to a colon."""
        certain = list(self._every)
        whole = f"{name.partition(':')[0]}:*"
        if self._allowing:
            certain += self._allowing.get(name, ())
            certain += self._allowing.get(whole, ())
        if self._tight:
            certain += self._tight.get(_folded(name), ())
            certain += self._tight.get(_folded(whole), ())
        return certain

    def effect(self, name: str) -> list[Entry]:
        """What is about an effect, or about its kind wherever it happens."""
        kinds = dict.fromkeys((name, name.partition(":")[0]))
        return [entry for kind in kinds for entry in self._tight.get(kind, ())]


def _folded(name: str) -> str:
    """A name in one case, with one sign for all that is no letter, digit, colon or star."""
    return re.sub(r"[^\w:*]|_+", "_", name.casefold())
