"""The rules about reaching hosts, found by their labels."""

from collections.abc import Iterable
from typing import Final

from attrs import define, field

from assent.rules.entries import Entry, first_of
from assent.verdicts import Verdict

__all__ = ["Hosts"]

_UNKNOWN: Final = "?"


@define(eq=False)
class Hosts:
    """All rules about hosts."""

    _every: tuple[Entry, ...] = ()
    _exact: dict[str, tuple[Entry, ...]] = field(factory=dict)
    _below: dict[str, tuple[Entry, ...]] = field(factory=dict)
    """By the name that hosts lie below."""
    _first: tuple[Entry, ...] = ()
    """The first of those that deny or ask."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Hosts":
        """The index of these rules."""
        index = cls()
        tight = []
        for entry in entries:
            host = entry.rule.about.removeprefix("domain:")
            if entry.rule.verdict is not Verdict.ALLOW:
                tight.append(entry)
            if host == "*":
                index._every += (entry,)
            elif host.startswith("*."):
                index._below[host[2:]] = (*index._below.get(host[2:], ()), entry)
            else:
                index._exact[host] = (*index._exact.get(host, ()), entry)
        index._first = first_of(tight)
        return index

    def look(self, host: str) -> tuple[list[Entry], tuple[Entry, ...]]:
        """What is about a host, and what may be; nobody knows which host `?` is."""
        certain = list(self._every)
        if host == _UNKNOWN:
            return [it for it in certain if it.rule.verdict is not Verdict.ALLOW], self._first
        name = host.lower().rstrip(".")
        if name in self._exact:
            certain += self._exact[name]
        below = self._below
        if name in below:
            # What denies `*.x.org` is meant for `x.org` too.
            certain += [it for it in below[name] if it.rule.verdict > Verdict.ALLOW]
        at = name.find(".") if below else -1
        while at >= 0:
            found = below.get(name[at + 1 :])
            if found is not None:
                certain += found
            at = name.find(".", at + 1)
        if name != host:
            # An odd spelling is allowed by nothing but a rule about every host.
            odd = host.rstrip(".") != host
            certain = [it for it in certain if not odd or it.rule.verdict > Verdict.ALLOW]
        return certain, ()
