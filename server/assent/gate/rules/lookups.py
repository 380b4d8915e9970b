"""The interface for looking up rules, in one book or in several."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from assent.gate.call.calls import Target, What
from assent.gate.rules.entries import Entry, narrowed
from assent.gate.rules.written_rules import Asks, Given, RuleMatches
from assent.gate.shell.word import Word

if TYPE_CHECKING:
    from assent.gate.rules.index import Index

__all__ = ["NONE_GIVEN", "NO_ARGUMENTS", "Look", "Lookups", "Named", "others_of"]

NONE_GIVEN: Final[Given] = {}
NO_ARGUMENTS: Final[Mapping[str, Any]] = {}

Named = Literal["mcp", "run", "agent"]
"""What has names of its own that rules tell apart."""
_Entries = Sequence[Entry]
Look = Callable[["Index"], tuple[_Entries, _Entries]]
"""Finds in an index the rules that are about something, and those that perhaps are."""


class Lookups:
    """The questions; who keeps rules says where each of them looks."""

    __slots__ = ()

    def find(self, look: Look, asker: Asks) -> RuleMatches:
        """What a look at the rules finds for who asks."""
        raise NotImplementedError

    def shell(self, argv: tuple[Word, ...], asker: Asks, given: Given = NONE_GIVEN) -> RuleMatches:
        """The rules about a simple command that is given these variables."""
        return self.find(lambda index: _fitting(*index.argvs.look(argv), given, asker), asker)

    def roughly(self, words: frozenset[str], asker: Asks) -> RuleMatches:
        """The rules that deny or ask about a command with these words, in whatever order."""
        return self.find(lambda index: (index.argvs.roughly(words), ()), asker)

    def path(self, what: What, target: Target, asker: Asks) -> RuleMatches:
        """The rules about reading or changing a file."""
        spelled, others = target.named or target.spelled, others_of(target)
        return self.find(
            lambda index: (index.paths[what].look(target.resolved, spelled, others), ()), asker
        )

    def below(self, what: What, folder: Target, asker: Asks, *, hidden: bool = True) -> RuleMatches:
        """The rules that deny or ask about something below a folder, as `perhaps`.

        Without `hidden`, those that are about names that begin with a dot do not count.
        """
        places = dict.fromkeys((folder.resolved, folder.named or folder.resolved, *folder.via))

        def look(index: "Index") -> tuple[_Entries, _Entries]:
            below = index.paths[what].below
            return (), [entry for place in places for entry in below(place, hidden=hidden)]

        return self.find(look, asker)

    def pattern(
        self, what: What, glob: Target, asker: Asks, *, tree: bool = False, hidden: bool = True
    ) -> RuleMatches:
        """The rules that deny or ask about what a shell pattern may stand for, as `perhaps`.

        With `tree`, what lies below it counts too.
        """
        places = dict.fromkeys((glob.named or glob.resolved, glob.resolved, *glob.via))

        def look(index: "Index") -> tuple[_Entries, _Entries]:
            pattern = index.paths[what].pattern
            found = (pattern(place, tree=tree, hidden=hidden) for place in places)
            return (), [entry for entries in found for entry in entries]

        return self.find(look, asker)

    def through(self, what: What, glob: Target, folder: Target, asker: Asks) -> RuleMatches:
        """The rules that deny or ask about what a pattern of git's may stand for, as `perhaps`.

        What is only read must be named by it: who names no files reads all of them as well.
        """
        meant, named = glob.named or glob.resolved, what == "read"
        return self.find(
            lambda index: ((), index.paths[what].through(meant, folder.resolved, named=named)),
            asker,
        )

    def host(self, host: str, asker: Asks) -> RuleMatches:
        """The rules about reaching a host; `?` is one that is not known."""
        return self.find(lambda index: index.hosts.look(host), asker)

    def network(self, host: str, port: int, asker: Asks) -> RuleMatches:
        """The rules about what a command in the sandbox connects to."""
        return self.find(lambda index: (index.connecting(host, port), ()), asker)

    def tool(
        self, kind: Named, name: str, asker: Asks, arguments: Mapping[str, Any] = NO_ARGUMENTS
    ) -> RuleMatches:
        """The rules about a tool of a server (`server:tool`), something to run, or an agent."""
        return self.find(lambda index: (index.named[kind].look(name, arguments), ()), asker)

    def effect(self, name: str, asker: Asks) -> RuleMatches:
        """The rules about an effect: `read`, `write:outside`, `network`, `delete` and so on.

        A rule about `write` is about `write:outside` too.
        """
        return self.find(lambda index: (index.named["effect"].effect(name), ()), asker)


def others_of(target: Target) -> tuple[str, ...]:
    """The paths besides that are as good as a place: on the way there, or of the very file.

    >>> file = Target(spelled="a", resolved="/w/a", inside=True, shown="a", via=("/w/b",))
    >>> others_of(file)
    ('/w/b',)
    """
    return (*target.via, *(twin.resolved for twin in target.twins)) if target.twins else target.via


def _fitting(
    certain: _Entries, perhaps: _Entries, given: Given, asker: Asks
) -> tuple[_Entries, _Entries]:
    """The rules, but for those that name variables with which the command is not run."""
    if not any(entry.rule.variables for entry in certain):
        return certain, perhaps
    # A rule that does not count here takes no leave from another.
    return narrowed([entry for entry in certain if entry.counts(asker)], given), perhaps
