"""Two books read as one: what is written down, and what was said for a chat.

Refusals and questions of either count; the first book's are told of first.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from attrs import frozen

from assent.bash.script import Word
from assent.calls import Target
from assent.rules.book import NO_ARGUMENTS, NONE_GIVEN, Book
from assent.rules.written import Asks, Found, Given, WrittenRule

__all__ = ["Shelf"]


@frozen
class Shelf:
    """Answers as a book does."""

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

    def shell(self, argv: tuple[Word, ...], asker: Asks, given: Given = NONE_GIVEN) -> Found:
        """The rules about a simple command that is given these variables."""
        return self._both(lambda book: book.shell(argv, asker, given))

    def roughly(self, words: frozenset[str], asker: Asks) -> Found:
        """The rules that deny or ask about a command with these words."""
        return self._both(lambda book: book.roughly(words, asker))

    def path(self, what: Literal["read", "write"], target: Target, asker: Asks) -> Found:
        """The rules about reading or changing a file."""
        return self._both(lambda book: book.path(what, target, asker))

    def below(
        self, what: Literal["read", "write"], folder: Target, asker: Asks, *, hidden: bool = True
    ) -> Found:
        """The rules that deny or ask about something below a folder."""
        return self._both(lambda book: book.below(what, folder, asker, hidden=hidden))

    def pattern(
        self,
        what: Literal["read", "write"],
        glob: Target,
        asker: Asks,
        *,
        tree: bool = False,
        hidden: bool = True,
    ) -> Found:
        """The rules that deny or ask about what a shell pattern may stand for."""
        return self._both(
            lambda book: book.pattern(what, glob, asker, tree=tree, hidden=hidden),
        )

    def through(
        self, what: Literal["read", "write"], glob: Target, folder: Target, asker: Asks
    ) -> Found:
        """The rules that deny or ask about what a pattern of git's may stand for."""
        return self._both(lambda book: book.through(what, glob, folder, asker))

    def host(self, host: str, asker: Asks) -> Found:
        """The rules about reaching a host."""
        return self._both(lambda book: book.host(host, asker))

    def tool(
        self,
        kind: Literal["mcp", "run", "agent"],
        name: str,
        asker: Asks,
        arguments: Mapping[str, Any] = NO_ARGUMENTS,
    ) -> Found:
        """The rules about a tool of a server, something to run, or an agent."""
        return self._both(lambda book: book.tool(kind, name, asker, arguments))

    def effect(self, name: str, asker: Asks) -> Found:
        """The rules about an effect."""
        return self._both(lambda book: book.effect(name, asker))

    def _both(self, look: Callable[[Book], Found]) -> Found:
        one, other = look(self.first), look(self.second)
        allow = [it for it in (one.allow, *one.others, other.allow, *other.others) if it]
        return Found(
            deny=one.deny or other.deny,
            ask=one.ask or other.ask,
            allow=allow[0] if allow else None,
            others=tuple(allow[1:]),
            perhaps=one.perhaps or other.perhaps,
        )
