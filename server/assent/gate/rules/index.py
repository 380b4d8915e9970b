"""All rules by where they are looked up: tool, then words, path, host or name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from assent.gate.call.verdicts import Verdict
from assent.gate.rules.arguments import fits_one, fits_whole
from assent.gate.rules.command_index import CommandIndex
from assent.gate.rules.entries import Entry, first_of, ranked
from assent.gate.rules.notation import TOOLS
from assent.gate.rules.path_index import PathIndex
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.text.host_and_port import host_and_port
from assent.gate.text.lazy_patterns import late
from assent.gate.values import define, field, frozen

__all__ = ["Index"]

# The rules about reaching hosts, found by their labels.

_ANY_HOST: Final = "?"


@define(eq=False)
class _Hosts:
    """All rules about hosts."""

    _every: tuple[Entry, ...] = ()
    _exact: dict[str, tuple[Entry, ...]] = field(factory=dict)
    _below: dict[str, tuple[Entry, ...]] = field(factory=dict)
    """By the name that hosts lie below."""
    _first: tuple[Entry, ...] = ()
    """The first of those that deny or ask."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "_Hosts":
        """The index of these rules."""
        index = cls()
        tight = []
        for entry in entries:
            host = _host_of(entry.rule)
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
        if host == _ANY_HOST:
            return [
                entry for entry in certain if entry.rule.verdict is not Verdict.ALLOW
            ], self._first
        name = host.lower().rstrip(".")
        if name in self._exact:
            certain += self._exact[name]
        below = self._below
        if name in below:
            # What denies `*.x.org` is meant for `x.org` too.
            certain += [entry for entry in below[name] if entry.rule.verdict > Verdict.ALLOW]
        at = name.find(".") if below else -1
        while at >= 0:
            entries = below.get(name[at + 1 :])
            if entries is not None:
                certain += entries
            at = name.find(".", at + 1)
        if name != host:
            # An odd spelling is allowed by nothing but a rule about every host.
            odd = host.rstrip(".") != host
            certain = [entry for entry in certain if not odd or entry.rule.verdict > Verdict.ALLOW]
        return certain, ()


def _host_of(rule: WrittenRule) -> str:
    """The host that a rule is about."""
    if rule.tool == "network":
        return host_and_port(rule.about)[0]
    return rule.about.removeprefix("domain:")


# The rules about what has a name: tools of servers, things to run, agents, and effects.

_NONE: Final[Mapping[str, Any]] = {}
_MAX_CACHED_LETTERS: Final = 128
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
        entries: list[Entry] = []
        for way in self._ways(first):
            by_second = self._rules.get(way)
            if by_second is not None:
                for other in self._ways(second):
                    entries += by_second.get(other, ())
        return entries

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
class _Named:
    """All rules about one kind of names."""

    _every: tuple[Entry, ...] = ()
    _allowing: _Names | None = None
    """To the letter."""
    _tight: _Names | None = None
    """By letters and digits alone, since agents rewrite the names of servers and their tools."""
    _argued: bool = False
    """Whether a rule names arguments."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "_Named":
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
        return [entry for entry in certain if _fits(entry, arguments)] if self._argued else certain

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
    return _kept(name) if len(name) <= _MAX_CACHED_LETTERS else _fold(name)


def _fold(name: str) -> str:
    return _APART.sub("_", name.casefold())


_kept: Final = lru_cache(maxsize=256)(_fold)


_WILD: Final = late(r"\*\*/|[*?]")


@frozen(kw_only=True, eq=False)
class Index:
    """What a book looks its rules up in."""

    argvs: CommandIndex
    paths: dict[str, PathIndex]
    hosts: _Hosts
    connections: _Hosts
    named: dict[str, _Named]
    allows_writes: bool
    refuses_paths: bool
    """Whether some rule denies or asks about a path, whoever asks."""

    @classmethod
    def of(
        cls, rules: Iterable[WrittenRule], roots: Sequence[str], homes: Sequence[str]
    ) -> "Index":
        """The index of these rules, for these folders."""
        by_tool = _ranked(rules)
        return cls(
            argvs=CommandIndex.of(by_tool["shell"], roots),
            paths={what: PathIndex.of(by_tool[what], roots, homes) for what in ("read", "write")},
            hosts=_Hosts.of(by_tool["fetch"]),
            connections=_Hosts.of(by_tool["network"]),
            named={kind: _Named.of(by_tool[kind]) for kind in ("mcp", "run", "agent", "effect")},
            allows_writes=any(entry.rule.verdict is Verdict.ALLOW for entry in by_tool["write"]),
            refuses_paths=any(
                entry.rule.verdict is not Verdict.ALLOW
                for entry in (*by_tool["read"], *by_tool["write"])
            ),
        )

    def connecting(self, host: str, port: int) -> list[Entry]:
        """What is about connecting to a port of a host; what denies requests to it counts too."""
        ports = {"", str(port)}
        certain, _ = self.connections.look(host)
        requests, _ = self.hosts.look(host)
        return [
            *(entry for entry in certain if host_and_port(entry.rule.about)[1] in ports),
            *(entry for entry in requests if entry.rule.verdict is Verdict.DENY),
        ]


def _ranked(rules: Iterable[WrittenRule]) -> dict[str, list[Entry]]:
    by_tool: dict[str, list[WrittenRule]] = {tool: [] for tool in TOOLS}
    for rule in rules:
        by_tool[rule.tool].append(rule)
    return {tool: ranked(of_tool, _specific) for tool, of_tool in by_tool.items()}


def _specific(rule: WrittenRule) -> tuple[int, ...]:
    """How much a rule says: to the letter before its beginning, and the longer before that."""
    if rule.tool == "shell":
        return (int(rule.exact), len(rule.words))
    named = (int("*" not in rule.about), len(_WILD.sub("", rule.about)))
    return (*named, len(rule.arguments))
