"""Compares a command with a rule about it: whose words are whose, and what the rule names.

A rule may name a program that runs another (`npx eslint`, `python -m pytest`): its words are then
the other's. What runs in a container or on another machine has words of its own there.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.command_scopes import (
    CHECKER,
    INTERPRETER,
    RUNNER,
    KnownCommand,
    command_scopes,
    known_of,
)
from assent.gate.programs.known_names import is_python
from assent.gate.programs.nested_execution.interpreters import ELSEWHERE
from assent.gate.programs.nested_execution.unwrap import unwrap
from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.tables import by_name
from assent.gate.shell.script import bare_name
from assent.gate.shell.word import Exact, Word, word_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = ["SETTING", "RuleMatch", "matches_elsewhere", "named_elsewhere"]

_CLUSTERS: Final = frozenset(("kubectl", "oc"))
_PASSING: Final = frozenset("npm pnpm npx yarn".split())
"""They swallow the first `--`, so that what they run never sees it."""
_MARKING: Final = frozenset({"kubectl", "oc"})
"""They take flags for their own as far as `--`, wherever these stand."""
_TALKING: Final = frozenset("ssh slogin mosh autossh".split())
"""They run the words behind a host's name on that host."""
_MIN_RULE_WORDS: Final = 3
"""A rule with fewer words names nothing of what is run elsewhere."""
SETTING: Final = late(
    r"(?:-[A-Za-z]:?|/p:|--?property:|:)?(\.?[A-Za-z_][\w.:-]*?)(?:::?:?|[?+])?=(.*)", re.DOTALL
)
"""`NAME=value` as an operand (`make CC=gcc`), or glued to a flag (`-DNAME=value`)."""


@frozen(kw_only=True)
class RuleMatch:
    """A command beside what its rule names."""

    program: str
    """The program that the rule is about, without its folder."""
    runs: str
    """The first word of what that runs, where its own words end before."""
    known: KnownCommand
    words: tuple[Word, ...]
    """The program's own words; those of a command that it runs are not among them."""
    after_dashes: tuple[Word, ...]
    """What stands after `--`, for the project's own script."""
    command_flags: Sorted
    rule_words: tuple[Word, ...]
    """The words of the rule behind the program."""
    rule_flags: Sorted
    """`rule_words`, sorted into flags and operands."""
    fixed_target: bool
    """Whether the rule names an operand (an address, a file) and so means no other one."""
    max_operands: int
    """How many operands the rule means; 0 for any number."""
    rule: tuple[str, ...]
    """The words of the rule."""
    names_only_program: bool
    """Whether the rule names a program with several commands, and none of them."""
    any_words: bool = False
    """Whether the rule means whatever words follow."""

    @classmethod
    def of(cls, rule: Sequence[str], argv: Sequence[Word]) -> "RuleMatch":
        """Put the words of a command beside those of its rule."""
        at, until = _program_in(rule, argv)
        name = argv[at].text
        named: tuple[Word, ...] = tuple(Exact(text=it) for it in rule[at + 1 :])
        words = tuple(argv[at + 1 : until])
        known = _known(name, words)
        if at and not known.scope_flags and not known.kind and bare_name(name) not in by_name():
            # What a project's runner runs is the project's.
            known = evolve(known, kind=RUNNER)
        marked = bare_name(name) in _MARKING and argv[until - 1].text == "--"
        if until < len(argv) and bare_name(name) in AFTER_WORD and not marked:
            words = _own(known, AFTER_WORD[bare_name(name)], tuple(argv[at + 1 :]))
        if known.single_dash:
            named, words = _doubled(named), _doubled(words)
        behind: tuple[Word, ...] = ()
        end = next((i for i, word in enumerate(words) if word.text == "--"), len(words))
        if at and bare_name(argv[0].text) in _PASSING:
            words = words[:end] + words[end + 1 :]
        elif bare_name(name) in _PASSING and argv[until - 1].text == "--":
            behind = tuple(argv[until:])
        elif end < len(words):
            # To make what stands behind it is a target as any other.
            targets = known.fills_shell_texts and known.max_operands > 0
            behind = () if targets else words[end + 1 :]
            words = words[:end] if known.kind == RUNNER and not targets else words
        runs = argv[until].text if until < len(argv) else ""
        if known.kind == INTERPRETER:
            script = words
            words = _up_to(known, words, known.name_words - 1)
            runs = runs or next((word.text for word in script[len(words) :]), "")
        elif bare_name(name) in _TALKING:
            words = _up_to(known, words, 1)
        theirs = sort_words(known.row, named)
        closed = _is_closed(known, rule[at:], theirs)
        return cls(
            program=bare_name(name),
            runs=runs,
            known=known,
            words=words,
            after_dashes=behind,
            command_flags=sort_words(known.row, words),
            rule_words=named,
            rule_flags=theirs,
            fixed_target=closed,
            max_operands=_count(known, theirs, closed=closed),
            rule=tuple(rule),
            names_only_program=len(named) + 1 < known.name_words
            or (not named and known.kind == CHECKER),
            any_words=_is_free(name, known, named, theirs),
        )


def _own(known: KnownCommand, verbs: Sequence[str], words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words before the command that a program runs. An unknown flag may have a value."""
    sorted_ = sort_words(known.row, words)
    strange = {id(stranger) for stranger in sorted_.strangers if "=" not in stranger.text}
    values = {id(word) for flag, word in pairwise(words) if id(flag) in strange}
    operands = [operand for operand in sorted_.operands if id(operand) not in values]
    at = next((at for at, word in enumerate(operands) if word.text in verbs), 0)
    inner = operands[at + 1] if operands[at + 1 :] else None
    ends = (i for i, word in enumerate(words) if word is inner or word.text == "--")
    return words[: next(ends, len(words))]


def matches_elsewhere(rule: Sequence[str], argv: Sequence[Word]) -> list[RuleMatch]:
    """What runs in a container, or on another machine, beside the words of the rule that name it.

    >>> from assent.gate.programs.read_lines import words_of
    >>> rule = ("docker", "exec", "api", "pytest")
    >>> [it.program for it in matches_elsewhere(rule, words_of("docker exec api pytest -p evil"))]
    ['api', 'pytest']
    """
    if bare_name(argv[0].text) not in ELSEWHERE or len(rule) < _MIN_RULE_WORDS:
        return []
    inside = unwrap(tuple(argv))
    tails = [len(argv) - len(words) for words in (inside.argvs if inside is not None else ())]
    return [RuleMatch.of(rule[at:], argv[at:]) for at in tails if 0 < at < len(rule)]


def named_elsewhere(argv: Sequence[Word]) -> list[Word]:
    """The words that name something in a service, and are no paths of this machine.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [it.text for it in named_elsewhere(words_of("aws ssm get-parameter --name /app/key"))]
    ['ssm', 'get-parameter', '/app/key', '--name']
    """
    words = tuple(argv[1:])
    known = _known(argv[0].text, words) if argv else None
    if known is None or not known.remote_flags:
        return []
    sorted_ = sort_words(known.row, words)
    operands = (
        [operand for operand in sorted_.operands if operand not in sorted_.marked]
        if "." in known.remote_flags
        else []
    )
    values = [word for flag, word in sorted_.values if flag in known.remote_flags]
    glued = [word for word in words if word.text.partition("=")[0] in known.remote_flags]
    return [*operands, *values, *glued]


def _program_in(rule: Sequence[str], argv: Sequence[Word]) -> tuple[int, int]:
    """The place of the program that the rule is about, and the end of its own words."""
    at = 0
    while True:
        name = bare_name(argv[at].text)
        behind = _inner(argv[at:])
        if name in ELSEWHERE:
            return at, at + (behind or len(argv) - at)
        if is_python(name) and len(rule) > at + 2 and rule[at + 1] == "-m":
            behind = 2
        if name == "coverage" and tuple(rule[at + 1 : at + 3]) == ("run", "-m"):
            behind = 3 if len(rule) > at + 3 else 0
        if not behind:
            return at, len(argv)
        if at + behind >= len(rule):
            return at, at + behind
        at += behind


def _inner(argv: Sequence[Word]) -> int:
    """How many words stand before the inner command, if that is all the rest; else 0."""
    inside = unwrap(tuple(argv))
    inner = inside.argvs[0] if inside is not None and inside.argvs else ()
    return len(argv) - len(inner) if inner and tuple(argv[-len(inner) :]) == inner else 0


def _known(program: str, words: tuple[Word, ...]) -> KnownCommand:
    name = "python" if is_python(bare_name(program)) else bare_name(program)
    # Some take a command with all its words in one.
    first = " ".join(word.text for word in words[:2]).split()[:2]
    if name not in _CLUSTERS and not any(it[:1] == "-" for it in first):
        return known_of((name, *first))
    known = known_of((name,))
    sorted_ = sort_words(known.row, _doubled(words) if known.single_dash else words)
    operands = sorted_.operands
    if name in _CLUSTERS and operands:
        # Each of the others may name a kind, which has no case there; a file, any.
        told = [operand.text.lower() for operand in operands[1:]]
        told += ["secret"] if sorted_.has("-f --filename -k --kustomize") else []
        return known_of((name, operands[0].text, *([",".join(told)] if told else [])))
    return known_of((name, *(operand.text for operand in operands[:2]))) if operands else known


def _doubled(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Flags such as `-auto-approve`, written with two dashes as the tables have them."""
    return tuple(
        word_of(f"-{word.text}", known=word.known, glob=word.glob)
        if word.text[:1] == "-" and word.text[:2] not in {"-", "--"}
        else word
        for word in words
    )


def _up_to(known: KnownCommand, words: tuple[Word, ...], which: int) -> tuple[Word, ...]:
    """The words before an operand, behind which they belong to a script or to another machine."""
    found = sort_words(known.row, words).operands[which : which + 1]
    at = next((at for at, word in enumerate(words) if found and word is found[0]), len(words))
    return words[:at]


def _is_free(name: str, known: KnownCommand, named: tuple[Word, ...], theirs: Sorted) -> bool:
    """Whether a rule means whatever words follow: a script's own, or an interpreter's."""
    if known.kind == INTERPRETER:
        # What names a command of it, such as `deno run`, names no script yet.
        bare = not named and known.name_words == 1
        return bare or len(theirs.operands) >= known.name_words
    script = "/" in name and not name.startswith("/")
    return script and bare_name(name) not in command_scopes()


def _is_closed(known: KnownCommand, rule: Sequence[str], theirs: Sorted) -> bool:
    if "://" in rule[-1]:
        return True
    operands = [operand for operand in theirs.operands if not SETTING.fullmatch(operand.text)]
    count = len(operands) - (known.name_words - 1)
    file = rule[-1][:1] != "-" and bool({".", "/"} & {*rule[-1]}) and len(rule) > known.name_words
    return bool(known.max_operands) and (
        count >= known.max_operands or (file and known.max_operands == 1)
    )


def _count(known: KnownCommand, theirs: Sorted, *, closed: bool) -> int:
    """How many operands a rule means; 0 is any number."""
    named = len(theirs.operands)
    if closed:
        return max(named, 1)
    # A source and a target: whoever names the one means one other.
    return known.max_operands if named and known.max_operands > 1 and known.name_words == 1 else 0
