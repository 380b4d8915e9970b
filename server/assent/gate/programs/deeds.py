"""The effects of one simple command: what it reads, changes, removes and reaches.

A deed is read off the words alone. What a command's row in the tables does not know is no
reading: it is left to rules and to the person.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Literal

from assent.gate.shell.word import Word
from assent.gate.values import frozen

__all__ = ["NOWHERE", "Deeds", "Kind", "Links", "Touch", "touched"]

NOWHERE: Final = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr"))
"""What is written there is no file."""


class Kind(StrEnum):
    """What is done to a path."""

    LOOK = "look"
    """Its name, or what is known about it; not what stands in it."""
    READ = "read"
    WRITE = "write"
    DELETE = "delete"

    @property
    def changes(self) -> bool:
        """Whether the path is no longer what it was."""
        return self in {Kind.WRITE, Kind.DELETE}

    @property
    def tool(self) -> Literal["read", "write"]:
        """The tool whose rules are about it."""
        return "write" if self.changes else "read"


class Links(StrEnum):
    """Where what is taken from elsewhere may leave links."""

    NONE = ""
    BELOW = "below"
    """In the folder, which stays one itself."""
    THERE = "there"
    """At the path, or below it."""


class Taken(StrEnum):
    """What git takes up of a folder."""

    NOTHING = "nothing"
    BELOW = "below"
    """What lies below it."""
    ALL = "all"
    """All that the repository around it has."""
    IGNORED = "ignored"
    """That as well which git is told to ignore."""
    REWRITTEN = "rewritten"
    """Nothing is taken up, but any file that the repository has may be changed."""
    SHOWN = "shown"
    """Nothing is taken up, but what stands in any file that the repository has may be shown."""
    SHOWN_BELOW = "shown below"
    """The same of the files below it alone."""


@frozen(kw_only=True)
class Touch:
    """One path that a command touches."""

    kind: Kind
    word: Word
    tree: bool = False
    """Whether everything below it is touched too."""
    some: bool = False
    """With `tree`: whether only some of it is, which nobody knows yet."""
    hidden: bool = True
    """With `tree`: whether names that begin with a dot are touched too."""
    taken: Taken = Taken.NOTHING
    """What git takes up there, but for what it is told to ignore."""
    told: bool = False
    """With `taken`: whether each file that is changed is touched by itself, too, by its path from
    the top of the repository."""
    without: tuple[str, ...] = ()
    """With `taken`: paths from the folder that are surely left out, with all below them."""
    led: bool = False
    """With `tree`: whether it goes on where the links below lead."""
    through: bool = False
    """Whether its `*` also matches slashes and hidden names, as git's does."""
    stays: bool = False
    """Whether links that its pattern matches are skipped."""
    links: Links = Links.NONE
    """Where links may come to lie that nobody has seen."""
    if_there: bool = False
    """Touched only if it exists; otherwise its word means something else, such as a branch."""
    appends: bool = False
    """Written only at its end, so that what stands in it stays."""
    instead: tuple[Word, ...] = ()
    """Touched only if none of these files exists."""

    def __str__(self) -> str:
        """As a reader of a test or an example has it: `read src/**`."""
        below = "/**" if self.tree else ""
        return f"{self.kind} {self.word.text.rstrip('/') or '/'}{below}"


def touched(
    kind: Kind, words: Iterable[Word], *, tree: bool = False, links: Links = Links.NONE
) -> list[Touch]:
    """The touches of this kind for each of these paths.

    >>> from assent.gate.shell.word import Exact
    >>> [str(it) for it in touched(Kind.READ, (Exact(text="a"), Exact(text="b")), tree=True)]
    ['read a/**', 'read b/**']
    """
    return [Touch(kind=kind, word=word, tree=tree, links=links) for word in words]


@frozen(kw_only=True)
class Deeds:
    """What a command with these words does."""

    touches: tuple[Touch, ...] = ()
    hosts: tuple[str, ...] = ()
    """The hosts that it reaches; `?` for one that is not known."""
    escapes: tuple[str, ...] = ()
    """Why it does more than its name says, each a clause such as `--output writes a file`."""
    runs: tuple[tuple[str, str], ...] = ()
    """The flags by which it is told to run a file, each with that file."""
    reading: bool = False
    """Whether it is a built-in reading command, used with nothing but what is known to read."""
    known: bool = False
    """Whether its touches are all that it does to files, as far as its words can tell."""
    catastrophic: bool = False
    """Whether it removes whole folders, or formats a device; the touches say which."""
    later: bool = False
    """Whether it makes something run later, when nobody is asked."""
    moves: bool = False
    """Whether what it removes here still exists elsewhere, as after `mv`."""
    named: bool = False
    """Whether it changes no file but those that its words name."""
    steered_by: tuple[str, ...] = ()
    """The files that decide which program of this name runs, in its folder or above it."""
    module: str = ""
    """The module of a library that it runs, unless its folder has one of that name."""
    git_from: tuple[tuple[Word, ...], ...] = ()
    """The folders from which git looks for its repository; each is the chain of its `-C`."""

    def __str__(self) -> str:
        """All of it in one line, as a reader of a test or an example has it."""
        hosts = (f"reach {host}" for host in self.hosts)
        said = ", ".join([*map(str, self.touches), *hosts, *self.escapes])
        sure = "only reads" if self.reading else "" if self.known else "perhaps more"
        return ": ".join(filter(None, (sure, said))) or "not only reads"
