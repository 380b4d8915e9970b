"""What a rule for the first words of a command covers, and which flags it does not.

A command scope says which flags of a command do more than a rule for it means, and which do not
although their names sound so. It stands above the lexicon of all programs, and the scope of a
program's command above that of the program.
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
    "CommandScope",
    "KnownCommand",
    "command_scopes",
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
class CommandScope:
    """One program, or a command of it."""

    names: str
    """The first words of each command that it is about, parted by commas."""
    flags: str = ""
    """As in `Row.flags`."""
    kind: str = ""
    max_operands: int = 0
    """How many operands are all that a rule means which names one; 0 for any number."""
    single_dash: bool = False
    """Whether its long flags have one dash (`-auto-approve`); here they are written with two."""
    remote_flags: str = ""
    """The flags whose values are no paths of this machine; a dot stands for its operands."""
    fills_shell_texts: bool = False
    """Whether what its words hold is put into texts that a shell reads."""
    run_pattern: str = ""
    """How a word of its own language looks by which it can run something."""
    write_pattern: str = ""
    """The same, for one by which it writes a file that no option names."""
    send_pattern: str = ""
    """The same, for one by which it sends a file elsewhere."""
    escape: Escape | None = None
    """Why it does more than a rule means that names less of its words."""


@frozen(kw_only=True)
class KnownCommand:
    """All that is known of a command's flags, from its scopes and its row."""

    row: Row
    """Each flag that anything names."""
    scope_flags: dict[str, Flag]
    """Those that a scope names."""
    kind: str
    max_operands: int
    single_dash: bool
    name_words: int
    """How many words name the command."""
    remote_flags: frozenset[str]
    fills_shell_texts: bool = False
    word_patterns: tuple[tuple[str, str], ...] = ()
    """How words of its own language look that do more, each with what they do."""
    escapes: tuple[tuple[str, str], ...] = ()
    """The commands of it that do more than a rule for less of their words means, and what."""

    def spelled(self, name: str) -> str:
        """A flag as the program has it."""
        return name[1:] if self.single_dash and name.startswith("--") else name


_MAX_WORDS: Final = 3
_KINDS: Final = late(r"[,/.]")


@lru_cache(maxsize=2_048)
def known_of(words: tuple[str, ...]) -> KnownCommand:
    """What is known of a command that begins with these words, at most three.

    >>> known_of(("kubectl", "get")).scope_flags["--server"].escape
    '--server sends it elsewhere than the rule says'
    """
    # Some take several kinds of things in one word, or a kind and a name (`secret/db,pod`).
    kinds = [" ".join((*words[:2], it)) for it in _KINDS.split(words[2])] if words[2:] else []
    keys = [*dict.fromkeys((" ".join(words[:_MAX_WORDS]), *kinds)), " ".join(words[:2]), words[0]]
    found = [command_scopes()[key] for key in keys if key in command_scopes()]
    depth = next((len(key.split()) for key in keys if key in command_scopes()), 1)
    row = _row(words)
    flags = " ".join(reversed([scope.flags for scope in found]))
    own = Row(names=words[0], flags=flags).known if found else {}
    return KnownCommand(
        row=evolve(row, flags=f"{row.flags} {flags}", reads=False, operand_ends_flags=False),
        scope_flags=own,
        kind=next((scope.kind for scope in found if scope.kind), ""),
        max_operands=next((scope.max_operands for scope in found if scope.max_operands), 0),
        single_dash=any(scope.single_dash for scope in found),
        name_words=depth,
        remote_flags=frozenset(word for scope in found for word in scope.remote_flags.split()),
        fills_shell_texts=any(scope.fills_shell_texts for scope in found),
        word_patterns=tuple(
            (form, escape)
            for scope in found
            for form, escape in (
                (scope.run_pattern, Escape.RUNS),
                (scope.write_pattern, Escape.WRITES),
                (scope.send_pattern, Escape.SENDS),
            )
            if form
        ),
        escapes=tuple(
            (key, scope.escape)
            for key in keys
            if (scope := command_scopes().get(key)) is not None and scope.escape is not None
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
def command_scopes() -> dict[str, CommandScope]:
    """The scope of each program, and of each command that has one of its own.

    >>> command_scopes()["kubectl delete"].max_operands, command_scopes()["ruff"].kind
    (2, 'checker')
    """
    # They are needed only where a rule is for a command's first words.
    from assent.gate.programs.tables.command_scopes import COMMAND_SCOPES  # noqa: PLC0415

    found: dict[str, CommandScope] = {}
    for scope in COMMAND_SCOPES:
        for name in map(str.strip, scope.names.split(",")):
            before = found.get(name)
            found[name] = scope if before is None else _joined(before, scope)
    return found


def _joined(scope: CommandScope, more: CommandScope) -> CommandScope:
    """One scope made of a general one, and what another says of a single program."""
    return evolve(
        more,
        flags=f"{scope.flags} {more.flags}",
        kind=more.kind or scope.kind,
        max_operands=more.max_operands or scope.max_operands,
        single_dash=more.single_dash or scope.single_dash,
        remote_flags=f"{scope.remote_flags} {more.remote_flags}",
        fills_shell_texts=more.fills_shell_texts or scope.fills_shell_texts,
        run_pattern="|".join(filter(None, (scope.run_pattern, more.run_pattern))),
        write_pattern="|".join(filter(None, (scope.write_pattern, more.write_pattern))),
        send_pattern="|".join(filter(None, (scope.send_pattern, more.send_pattern))),
        escape=more.escape or scope.escape,
    )
