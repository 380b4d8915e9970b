"""The rules of all scopes, in an index whose look-ups cost the same for many rules."""

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, Final

from assent.gate.call.calls import Target, What
from assent.gate.rules.entries import NOTHING, found_among
from assent.gate.rules.lookups import NO_ARGUMENTS, Look, Lookups, Named, others_of
from assent.gate.rules.written_rules import Asker, Asks, RuleMatches, WrittenRule
from assent.gate.values import derived, frozen

if TYPE_CHECKING:
    from assent.gate.rules.index import Index

__all__ = ["EMPTY", "Asker", "Asks", "Book", "RuleMatches", "TwoBooks", "WrittenRule"]


@frozen(kw_only=True)
class Book(Lookups):
    """All rules in reach."""

    rules: tuple[WrittenRule, ...] = ()
    suspended: frozenset[str] = frozenset()
    """The tools of which a rule that denies or asks could not be read: they ask; `*` is all."""
    roots: tuple[str, ...] = ()
    """The folders of the workspace, as they are spelled and as they resolve."""
    homes: tuple[str, ...] = ()
    """The person's home, as it is spelled and as it resolves."""
    _index: "Index | None" = derived(lambda book: _index_of(book))
    """None where there are no rules."""
    on_effects: bool = derived(lambda book: any(rule.tool == "effect" for rule in book.rules))
    """Whether there is a rule about effects."""
    allows_in_sandbox: bool = derived(lambda book: any(rule.in_sandbox for rule in book.rules))
    """Whether there is a rule that allows commands in the sandbox alone."""

    @classmethod
    def of(
        cls,
        rules: Iterable[WrittenRule],
        roots: tuple[str, ...],
        home: str,
        *,
        suspended: frozenset[str] = frozenset(),
        real_home: str = "",
        real_roots: Collection[str] = (),
    ) -> "Book":
        """The book of these rules, for these folders of the workspace.

        Policy follows no links: give each folder as it is spelled and as it resolves. Where it is
        not told how they resolve, no rule for one folder counts.
        """
        homes = tuple(dict.fromkeys(it for it in (home, real_home) if it))
        roots = tuple(dict.fromkeys(root for root in roots if root))
        here = tuple(rule for rule in rules if _counts_in(rule, real_roots, homes))
        return cls(rules=here, suspended=suspended, roots=roots, homes=homes)

    def asking(self) -> "Book":
        """A copy in which every tool asks; nothing is read or put in order for it."""
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

    def find(self, look: Look, asker: Asks) -> RuleMatches:
        """What a look at the rules finds for who asks; nothing where there are none."""
        if self._index is None:
            return NOTHING
        certain, perhaps = look(self._index)
        return found_among(certain, perhaps, asker) if certain or perhaps else NOTHING

    # Each call of a file or a tool asks these two once, and what they hand on costs as much as
    # the look itself: one book looks by itself, as `Lookups` would have it do.

    def path(self, what: What, target: Target, asker: Asks) -> RuleMatches:
        """The rules about reading or changing a file."""
        if self._index is None:
            return NOTHING
        spelled = target.named or target.spelled
        certain = self._index.paths[what].look(target.resolved, spelled, others_of(target))
        return found_among(certain, (), asker) if certain else NOTHING

    def tool(
        self, kind: Named, name: str, asker: Asks, arguments: Mapping[str, Any] = NO_ARGUMENTS
    ) -> RuleMatches:
        """The rules about a tool of a server (`server:tool`), something to run, or an agent."""
        if self._index is None:
            return NOTHING
        certain = self._index.named[kind].look(name, arguments)
        return found_among(certain, (), asker) if certain else NOTHING


def _counts_in(rule: WrittenRule, roots: Collection[str], homes: Collection[str]) -> bool:
    """Whether a rule counts in a workspace of these folders: if it names one, in that alone."""
    if not rule.folder:
        return True
    if rule.folder.startswith("~"):
        spellings = {home + rule.folder[1:] for home in homes}
    else:
        spellings = {rule.folder}
    return bool(roots) and spellings.issuperset(roots)


def _index_of(book: Book) -> "Index | None":
    if not book.rules:
        return None
    # Most of what is loaded for rules is for looking them up, and who has none should not wait.
    from assent.gate.rules.index import Index  # noqa: PLC0415

    return Index.of(book.rules, book.roots, book.homes)


EMPTY: Final = Book()


@frozen
class TwoBooks(Lookups):
    """Two books read as one: what is written down, and what was said for a chat.

    Refusals and questions of either count; the first book's are told of first.
    """

    first: Book
    second: Book

    @property
    def rules(self) -> tuple[WrittenRule, ...]:
        """All rules."""
        return (*self.first.rules, *self.second.rules)

    @property
    def suspended(self) -> frozenset[str]:
        """The tools that ask."""
        return self.first.suspended | self.second.suspended

    @property
    def on_effects(self) -> bool:
        """Whether there is a rule about effects."""
        return self.first.on_effects or self.second.on_effects

    @property
    def allows_writes(self) -> bool:
        """Whether there is a rule that allows writing some files."""
        return self.first.allows_writes or self.second.allows_writes

    @property
    def refuses_paths(self) -> bool:
        """Whether some rule denies or asks about a path, whoever asks."""
        return self.first.refuses_paths or self.second.refuses_paths

    def find(self, look: Look, asker: Asks) -> RuleMatches:
        """What a look at both finds for who asks."""
        matches, other = self.first.find(look, asker), self.second.find(look, asker)
        allow = [
            rule for rule in (matches.allow, *matches.others, other.allow, *other.others) if rule
        ]
        return RuleMatches(
            deny=matches.deny or other.deny,
            ask=matches.ask or other.ask,
            allow=allow[0] if allow else None,
            others=tuple(allow[1:]),
            perhaps=matches.perhaps or other.perhaps,
        )
