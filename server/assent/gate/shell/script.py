"""The result of reading a command line: its simple commands, and what is unknown.

All are values. `word` tells what a word may be.
"""

from typing import Final

from assent.gate.shell.word import Exact, Word
from assent.gate.values import derived, field, frozen

__all__ = [
    "ALL_THAT_FOLLOWS",
    "DECLARES",
    "SOURCES",
    "START",
    "Assignment",
    "Command",
    "Missed",
    "Opaque",
    "Redirect",
    "Script",
    "Step",
    "Top",
    "Way",
    "Wildcard",
    "bare_name",
]


@frozen(kw_only=True)
class Assignment:
    """`NAME=value`, before a command or alone."""

    name: str
    value: Word
    appended: bool = False
    """Whether it does more than give a plain new value: it is put behind or into it."""

    @property
    def text(self) -> str | None:
        """The value, where it is known before it runs."""
        return self.value.text if self.value.known else None


SOURCES: Final = frozenset({"source", "."})
"""What runs the commands of a file as this shell's own."""
DECLARES: Final = frozenset("declare typeset local export readonly integer".split())
"""The builtins that give a variable its value, or say of what kind it is."""


@frozen(kw_only=True)
class Redirect:
    """Where a command's input comes from, or its output goes to."""

    operator: str
    """`>`, `>>`, `>|`, `&>`, `&>>`, `<>`, `<`. What only joins descriptors, a here-document and a
    here-string name no file and do not stand here."""
    target: Word

    @property
    def writes(self) -> bool:
        """Whether the file may be changed."""
        return self.operator != "<"


@frozen(kw_only=True)
class Top:
    """A step to the folder of the repository that git finds."""

    end: int
    """Where it ends in the text: what stands before that may have made git find another."""
    split: bool
    """Whether a path with blanks would be more than one word."""
    below: str = ""
    """What of its path stands behind that folder, with a slash before it."""


@frozen(kw_only=True)
class Wildcard:
    """A step to a folder that a pattern stands for, which is there or will come to be there."""

    path: str


Step = str | Top | Wildcard
"""Where a `cd` goes: a path, the folder of a repository, or one that a pattern stands for."""


@frozen(kw_only=True)
class Missed:
    """A `cd` that failed, which it can only where one of these folders is not there."""

    chains: tuple[tuple[Step, ...], ...]
    end: int
    """Where it ends in the text: what stands before that may have taken a folder away."""


@frozen(kw_only=True)
class Way:
    """A way by which a command may have come to its folder.

    >>> from assent.gate.programs.read_lines import read_script
    >>> ls = read_script("cd src; ls").commands[1]
    >>> [(it.steps, len(it.missed)) for it in ls.ways]
    [(('src',), 0), ((), 1)]
    """

    steps: tuple[Step, ...] | None = ()
    """Where each `cd` went, beginning in the call's own folder; None where that is not known."""
    before: tuple[Step, ...] | None = None
    """The way to the folder that `cd -` leads to; None where that is not known."""
    missed: frozenset[Missed] = frozenset()
    """All that failed on this way; it is no way at all where one of them cannot have failed."""


ALL_THAT_FOLLOWS: Final = -1

START: Final = (Way(),)
"""The call's own folder."""


_LITERAL: Final = {Exact}


def _name_of(command: "Command") -> str:
    return command.argv[0].text if command.argv and command.argv[0].known else ""


@frozen(kw_only=True)
class Command:
    """A simple command: one program with its words.

    >>> from assent.gate.programs.read_lines import read_script
    >>> nice, ls = read_script("ls src && nice -n 5 ls > out").commands[1:]
    >>> nice.program, nice.operator, nice.wraps, nice.redirects[0].target.text
    ('nice', '&&', True, 'out')
    >>> ls.program, ls.depth, ls.carried, ls.redirects
    ('ls', 1, True, ())
    """

    argv: tuple[Word, ...]
    """Empty where there are only assignments or redirects."""
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    operator: str = ""
    """What joins it to the command before: `&&`, `||`, `|`, `;`, `&`, or nothing."""
    start: int = 0
    end: int = 0
    """Where it stands in the whole text; one out of a quoted script stands where that stands."""
    ways: tuple[Way, ...] | None = START
    """The ways by which it may have come to its folder; None where nothing of that is known."""
    depth: int = 0
    """0 stands by itself in the text; one inside a substitution or a wrapper is deeper."""
    wraps: bool = False
    """Whether it only runs another command, which is listed too, and adds nothing to it."""
    carried: bool = False
    """Whether a program that stands around it runs it, and not the shell itself."""
    runner: tuple[Word, ...] = ()
    """The words of the program that does."""
    fed: bool = False
    """Whether it reads what another command writes, or a text of the script."""
    document: str = ""
    """All that it reads, where that stands in the text as it is, and nothing else is read."""
    code: str = ""
    """Where a command before it writes the file that it runs: how that is spelled."""
    piped: bool = False
    """Whether all that it reads is surely what stands before it in a pipe."""
    aside: int = 0
    """Which loop or pipe it stands in: what stands in the same one may run before it, or beside it.
    0 is none, and `ALL_THAT_FOLLOWS` a function or a background, before which anything may run."""
    # These are asked for dozens of times in each ruling.
    name: str = derived(_name_of)
    """The program as it is spelled; nothing where it is not known."""
    program: str = derived(lambda self: bare_name(self.name))
    """The program's name, whatever folder it is said to lie in."""
    literal: bool = derived(lambda self: {*map(type, self.argv)} <= _LITERAL)
    """Whether each of its words is given to it as it stands: most commands are of no others."""

    def holds(self, inner: "Command") -> bool:
        """Whether another stands among its words, or in a text that it runs."""
        return inner.depth > self.depth and self.start <= inner.start and inner.end <= self.end

    def told_by(self, whole: str) -> str:
        """Where beside its own words may stand what it is told to do, of the whole text."""
        return whole if self.fed else self.code

    @property
    def folders(self) -> tuple[tuple[Step, ...], ...] | None:
        """Where its ways lead; None where one is not known, or goes by a pattern."""
        chains = [it.steps for it in self.ways or () if it.steps is not None]
        if not self.ways or len(chains) < len(self.ways):
            return None
        lost = any(isinstance(step, Wildcard) for chain in chains for step in chain)
        return None if lost else tuple(chains)


@frozen(kw_only=True)
class Opaque:
    """Why a part of the text cannot be told before it runs."""

    because: str
    """A sentence, such as `What runs here is only known when it runs.`"""
    start: int
    end: int
    sets: str = ""
    """The variable that is all there is to it, if it is one."""


@frozen(kw_only=True)
class Script:
    """A whole command line, read.

    >>> from assent.gate.programs.read_lines import read_script
    >>> script = read_script("name=$(date) && eval 'ls -l'")
    >>> [it.name for it in script.commands]
    ['', 'date', 'eval', 'ls']
    >>> script.sets, [it.because for it in script.opaque]
    (frozenset({'name'}), ['`eval` runs a text as commands.'])
    """

    text: str
    commands: tuple[Command, ...] = ()
    """Every simple command anywhere in it, in the order of the text."""
    opaque: tuple[Opaque, ...] = ()
    """Where there is any, nothing is allowed by itself, and refusals are judged all the same."""
    sets: frozenset[str] = frozenset()
    """The variables that anything in it assigns, a loop and `read` too."""
    functions: frozenset[str] = frozenset()
    """The functions that are defined anywhere in it."""
    once: frozenset[str] = frozenset()
    """Those of them that are assigned in one place alone."""
    looped: frozenset[str] = frozenset()
    """Those to which a loop alone gives words that are known as far as numbers or names are."""
    words: frozenset[str] = frozenset()
    """Where some of it could not be read: the words that stand anywhere in it, without quotes."""
    steps: int = field(default=0, eq=False)
    """How many steps reading it took."""


def bare_name(name: str) -> str:
    """The program's name without the folder it is in.

    >>> bare_name("/usr/bin/git"), bare_name("git")
    ('git', 'git')
    """
    return name.rpartition("/")[2]
