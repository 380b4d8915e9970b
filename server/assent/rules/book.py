"""The rules of all scopes, kept so that looking one up costs the same however many there are."""

from collections.abc import Iterable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, Final, Literal

from attrs import Factory, field, frozen

from assent.bash.script import Word
from assent.calls import Target
from assent.rules.entries import NOTHING, found_among, narrowed
from assent.rules.written import Asker, Asks, Found, Given, WrittenRule

if TYPE_CHECKING:
    from assent.rules.index import Index

__all__ = ["EMPTY", "NONE_GIVEN", "NO_ARGUMENTS", "Asker", "Asks", "Book", "Found", "WrittenRule"]

NONE_GIVEN: Final[Given] = {}
NO_ARGUMENTS: Final[Mapping[str, Any]] = {}


@frozen(kw_only=True)
class Book:
    """All rules in reach."""

    rules: tuple[WrittenRule, ...] = ()
    suspended: frozenset[str] = frozenset()
    """The tools of which a rule that denies or asks could not be read: they ask; `*` is all."""
    roots: tuple[str, ...] = ()
    """The folders of the workspace, as they are spelled and as they resolve."""
    homes: tuple[str, ...] = ()
    """The person's home, as it is spelled and as it resolves."""
    _index: "Index | None" = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda book: _index_of(book), takes_self=True),
    )
    """None where there are no rules."""
    on_effects: bool = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(
            lambda book: any(it.tool == "effect" for it in book.rules), takes_self=True
        ),
    )
    """Whether there is a rule about effects."""

    @classmethod
    def of(
        cls,
        rules: Iterable[WrittenRule],
        roots: tuple[str, ...],
        home: str,
        *,
        suspended: frozenset[str] = frozenset(),
        real_home: str = "",
    ) -> "Book":
        """The book of these rules, for these folders of the workspace.

        Policy follows no links: give each folder as it is spelled and as it resolves.
        """
        homes = tuple(dict.fromkeys(it for it in (home, real_home) if it))
        roots = tuple(dict.fromkeys(it for it in roots if it))
        return cls(rules=tuple(rules), suspended=suspended, roots=roots, homes=homes)

    def asking(self) -> "Book":
        """The same rules, and every tool asks; nothing is read or put in order for it."""
        again = copy(self)
        object.__setattr__(again, "suspended", frozenset({"*"}))
        return again

    @property
    def allows_writes(self) -> bool:
        """Whether there is a rule that allows writing some files."""
        return self._index is not None and self._index.allows_writes

    @property
    def refuses_paths(self) -> bool:
        """Whether some rule denies or asks about a path, whoever asks."""
        return self._index is not None and self._index.refuses_paths

    def shell(self, argv: tuple[Word, ...], asker: Asks, given: Given = NONE_GIVEN) -> Found:
        """The rules about a simple command that is given these variables."""
        if self._index is None:
            return NOTHING
        certain, perhaps = self._index.argvs.look(argv)
        if any(it.rule.variables for it in certain):
            certain = narrowed(certain, given)
        return found_among(certain, perhaps, asker) if certain or perhaps else NOTHING

    def roughly(self, words: frozenset[str], asker: Asks) -> Found:
        """The rules that deny or ask about a command with these words, in whatever order."""
        if self._index is None:
            return NOTHING
        return found_among(self._index.argvs.roughly(words), (), asker)

    def path(self, what: Literal["read", "write"], target: Target, asker: Asks) -> Found:
        """The rules about reading or changing a file."""
        if self._index is None:
            return NOTHING
        certain = self._index.paths[what].look(
            target.resolved, target.named or target.spelled, target.via
        )
        return found_among(certain, (), asker) if certain else NOTHING

    def below(
        self, what: Literal["read", "write"], folder: Target, asker: Asks, *, hidden: bool = True
    ) -> Found:
        """The rules that deny or ask about something below a folder, as `perhaps`.

        Without `hidden`, those that are about names that begin with a dot do not count.
        """
        if self._index is None:
            return NOTHING
        paths = self._index.paths[what]
        places = dict.fromkeys((folder.resolved, folder.named or folder.resolved, *folder.via))
        perhaps = [it for place in places for it in paths.below(place, hidden=hidden)]
        return found_among((), perhaps, asker)

    def pattern(
        self,
        what: Literal["read", "write"],
        glob: Target,
        asker: Asks,
        *,
        tree: bool = False,
        hidden: bool = True,
    ) -> Found:
        """The rules that deny or ask about what a shell pattern may stand for, as `perhaps`.

        With `tree`, what lies below it counts too.
        """
        if self._index is None:
            return NOTHING
        paths = self._index.paths[what]
        places = dict.fromkeys((glob.named or glob.resolved, glob.resolved, *glob.via))
        perhaps = [it for place in places for it in paths.pattern(place, tree=tree, hidden=hidden)]
        return found_among((), perhaps, asker)

    def through(
        self, what: Literal["read", "write"], glob: Target, folder: Target, asker: Asks
    ) -> Found:
        """The rules that deny or ask about what a pattern of git's may stand for, as `perhaps`.

        What is only read must be named by it: who names no files reads all of them as well.
        """
        if self._index is None:
            return NOTHING
        meant, names = glob.named or glob.resolved, what == "read"
        perhaps = self._index.paths[what].through(meant, folder.resolved, named=names)
        return found_among((), perhaps, asker)

    def host(self, host: str, asker: Asks) -> Found:
        """The rules about reaching a host; `?` is one that is not known."""
        if self._index is None:
            return NOTHING
        certain, perhaps = self._index.hosts.look(host)
        return found_among(certain, perhaps, asker) if certain or perhaps else NOTHING

    def tool(
        self,
        kind: Literal["mcp", "run", "agent"],
        name: str,
        asker: Asks,
        arguments: Mapping[str, Any] = NO_ARGUMENTS,
    ) -> Found:
        """The rules about a tool of a server (`server:tool`), something to run, or an agent."""
        if self._index is None:
            return NOTHING
        certain = self._index.named[kind].look(name, arguments)
        return found_among(certain, (), asker) if certain else NOTHING

    def effect(self, name: str, asker: Asks) -> Found:
        """The rules about an effect: `read`, `write:outside`, `network`, `delete` and so on.

        A rule about `write` is about `write:outside` too.
        """
        if self._index is None:
            return NOTHING
        return found_among(self._index.named["effect"].effect(name), (), asker)


def _index_of(book: Book) -> "Index | None":
    if not book.rules:
        return None
    # Most of what is loaded for rules is for looking them up, and who has none should not wait.
    from assent.rules.index import Index  # noqa: PLC0415

    return Index.of(book.rules, book.roots, book.homes)


EMPTY: Final = Book()
