"""Habits: for one program, what a rule for its first words covers, and which flags it does not.

A habit says which flags of the program do more than a rule for it means, and which do not although
their names sound so. It stands above the lexicon of all programs, and the habit of a command of a
program above that of the program.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from assent.gate.programs.escapes import Escape
from assent.gate.programs.rows import Flag, Row
from assent.gate.programs.tables import row_of
from assent.gate.programs.tables.git_itself import GIT_ITSELF
from assent.gate.shell.script import bare_name
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = [
    "CHECKER",
    "INTERPRETER",
    "RUNNER",
    "Habit",
    "Known",
    "habits",
    "kind_of",
    "known_of",
]

CHECKER: Final = "checker"
"""Looks through a project, and is told how by a file of it."""
RUNNER: Final = "runner"
"""Runs a project's own code, and writes what comes of it."""
INTERPRETER: Final = "interpreter"
"""Runs what it is given; behind the name of a script the words are that script's."""


@frozen(kw_only=True)
class Habit:
    """One program, or a command of it."""

    names: str
    """The first words of each command that it is about, parted by commas."""
    flags: str = ""
    """As in `Row.flags`."""
    kind: str = ""
    each: int = 0
    """How many operands are all that a rule means which names one; 0 for any number."""
    words: bool = False
    """Whether its long flags have one dash (`-auto-approve`); here they are written with two."""
    away: str = ""
    """The flags whose values are no paths of this machine; a dot stands for its operands."""
    recipes: bool = False
    """Whether what its words hold is put into texts that a shell reads."""
    runs: str = ""
    """How a word of its own language looks by which it can run something."""
    writes: str = ""
    """The same, for one by which it writes a file that no option names."""
    sends: str = ""
    """The same, for one by which it sends a file elsewhere."""
    beyond: Escape | None = None
    """Why it does more than a rule means that names less of its words."""


@frozen(kw_only=True)
class Known:
    """All that is known of a command's flags, from its habits and its row."""

    row: Row
    """Each flag that anything names."""
    own: dict[str, Flag]
    """Those that a habit names."""
    kind: str
    each: int
    words: bool
    depth: int
    """How many words name the command."""
    away: frozenset[str]
    recipes: bool = False
    spoken: tuple[tuple[str, str], ...] = ()
    """How words of its own language look that do more, each with what they do."""
    beyond: tuple[tuple[str, str], ...] = ()
    """The commands of it that do more than a rule for less of their words means, and what."""

    def spelled(self, name: str) -> str:
        """A flag as the program has it."""
        return name[1:] if self.words and name.startswith("--") else name


_MAX_WORDS: Final = 3
_KINDS: Final = late(r"[,/.]")


@lru_cache(maxsize=2_048)
def known_of(words: tuple[str, ...]) -> Known:
    """What is known of a command that begins with these words, at most three.

    >>> known_of(("kubectl", "get")).own["--server"].escape
    '--server sends it elsewhere than the rule says'
    """
    # Some take several kinds of things in one word, or a kind and a name (`secret/db,pod`).
    kinds = [" ".join((*words[:2], it)) for it in _KINDS.split(words[2])] if words[2:] else []
    keys = [*dict.fromkeys((" ".join(words[:_MAX_WORDS]), *kinds)), " ".join(words[:2]), words[0]]
    found = [habits()[key] for key in keys if key in habits()]
    depth = next((len(key.split()) for key in keys if key in habits()), 1)
    row = _row(words)
    flags = " ".join(reversed([habit.flags for habit in found]))
    own = Row(names=words[0], flags=flags).known if found else {}
    return Known(
        row=evolve(row, flags=f"{row.flags} {flags}", reads=False, operand_ends_flags=False),
        own=own,
        kind=next((habit.kind for habit in found if habit.kind), ""),
        each=next((habit.each for habit in found if habit.each), 0),
        words=any(habit.words for habit in found),
        depth=depth,
        away=frozenset(word for habit in found for word in habit.away.split()),
        recipes=any(habit.recipes for habit in found),
        spoken=tuple(
            (form, escape)
            for habit in found
            for form, escape in (
                (habit.runs, Escape.RUNS),
                (habit.writes, Escape.WRITES),
                (habit.sends, Escape.SENDS),
            )
            if form
        ),
        beyond=tuple(
            (key, habit.beyond)
            for key in keys
            if (habit := habits().get(key)) is not None and habit.beyond is not None
        ),
    )


def kind_of(argv: Sequence[Word]) -> str:
    """Whether a program looks through a project, runs its code, or interprets a script.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [kind_of(words_of(it)) for it in ("ruff format .", "cargo fmt", "cp a b")]
    ['checker', 'runner', '']
    """
    words = (bare_name(argv[0].text), *(word.text for word in argv[1:_MAX_WORDS]))
    return known_of(words).kind


def _row(words: tuple[str, ...]) -> Row:
    name, row = words[0], row_of(words)
    if name == "git":
        return evolve(GIT_ITSELF, flags=f"{GIT_ITSELF.flags} {row.flags}") if row else GIT_ITSELF
    return row or Row(names=name, operands=None)


@cache
def habits() -> dict[str, Habit]:
    """The habit of each program, and of each command that has one of its own.

    >>> habits()["kubectl delete"].each, habits()["ruff"].kind
    (2, 'checker')
    """
    # They are needed only where a rule is for a command's first words.
    from assent.gate.programs.tables.habits import HABITS  # noqa: PLC0415

    found: dict[str, Habit] = {}
    for habit in HABITS:
        for name in map(str.strip, habit.names.split(",")):
            before = found.get(name)
            found[name] = habit if before is None else _joined(before, habit)
    return found


def _joined(habit: Habit, more: Habit) -> Habit:
    """One habit made of a general one, and what another says of a single program."""
    return evolve(
        more,
        flags=f"{habit.flags} {more.flags}",
        kind=more.kind or habit.kind,
        each=more.each or habit.each,
        words=more.words or habit.words,
        away=f"{habit.away} {more.away}",
        recipes=more.recipes or habit.recipes,
        runs="|".join(filter(None, (habit.runs, more.runs))),
        writes="|".join(filter(None, (habit.writes, more.writes))),
        sends="|".join(filter(None, (habit.sends, more.sends))),
        beyond=more.beyond or habit.beyond,
    )
