"""What the reader must be told about programs, since it knows none.

A shell reads words; what a program does with them is known elsewhere. These answers change what
is read: what else runs (`env`, `xargs`, `sh -c`), what a substitution becomes
(`$(git ls-files)`), and whether a variable decides what other programs do.
"""

from collections.abc import Callable, Sequence

from assent.gate.shell.script import Assignment, Command
from assent.gate.shell.word import Word
from assent.gate.values import frozen

__all__ = ["Inside", "Programs"]


@frozen(kw_only=True)
class Inside:
    """What a wrapper runs: words (`env ls`), or texts that a shell reads (`sh -c 'ls'`)."""

    argvs: tuple[tuple[Word, ...], ...] = ()
    """Commands, by their words."""
    assignments: tuple[Assignment, ...] = ()
    """The variables that it gives them."""
    texts: tuple[str, ...] = ()
    """Scripts that a shell reads."""
    perhaps: bool = False
    """Whether these may as well be none: then what cannot be read in them raises no doubt."""
    wraps: bool = False
    """Whether it does nothing beside."""
    doubt: str = ""
    """Why what it runs cannot be told, if that is so."""
    folder: Word | None = None
    """Where it runs, if not here."""
    given: tuple[Word, ...] = ()
    """What such a script is given, its name first."""
    same_shell: bool = False
    """Whether a builtin that it runs acts on this very shell."""
    fed: bool = False
    """Whether it builds words from what it reads, and these words have a mark for them."""
    lines: bool = False
    """Whether each line that it reads is one word, blanks and all."""
    cuts: bool = False
    """Whether what it puts in may be a piece of a line, or comes from elsewhere."""


@frozen(kw_only=True)
class Programs:
    """All that is known of programs.

    >>> from assent.gate.shell.word import Exact
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> inside = KNOWN.unwrap(tuple(Exact(text=it) for it in "nice -n 5 ls".split()), "")
    >>> [it.text for it in inside.argvs[0]]
    ['ls']
    >>> KNOWN.steers("PAGER"), KNOWN.steers("name")
    (True, False)
    """

    writers: frozenset[str]
    """Programs whose output is known: a function of such a name would print something else."""
    relied_on: frozenset[str]
    """Programs that no function may replace: more is known of them than it would keep to."""
    unwrap: Callable[[tuple[Word, ...], str], Inside | None]
    """What these words run, where they name a program that runs another; the text is its input."""
    names_of: Callable[[Sequence[Command]], Word | None]
    """What each line is that this pipeline writes; None where it may be anything."""
    answer: Callable[[Sequence[Command], bool], Word | None]
    """What this pipeline writes as a whole, and whether nothing else feeds it."""
    steers: Callable[[str], bool]
    """Whether a variable of this name decides what other programs do, as `PATH` does."""
    is_plain: Callable[[str, str | None], bool]
    """Whether one that steers may be given this value without a question; None is any."""
