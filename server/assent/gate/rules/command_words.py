"""A command's words, classified: its program's names, its options, its operands."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from assent.gate.rules.flags import is_flag
from assent.gate.shell.word import Word
from assent.gate.values import define

__all__ = [
    "Operand",
    "Words",
    "classify_words",
    "keys_of",
    "program_keys",
    "rule_key",
    "split",
    "system_program_name",
]

_PLACES: Final = (
    "/bin/",
    "/usr/bin/",
    "/usr/local/bin/",
    "/sbin/",
    "/usr/sbin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
)
"""Where programs lie that are called by their bare names."""


def system_program_name(program: str) -> str:
    """A program of the system by its name alone; any other as it is spelled.

    >>> [system_program_name(it) for it in ["/usr/bin/git", "./git", "/opt/bin/git"]]
    ['git', './git', '/opt/bin/git']
    """
    for place in _PLACES[:2] if program[:1] == "/" else ():
        if program.startswith(place) and "/" not in program[len(place) :]:
            return program[len(place) :]
    return program


def program_keys(program: str) -> tuple[str, ...]:
    """The names under which rules about a program may stand; see `rule_key`.

    >>> program_keys("Git"), program_keys("./tools/git")
    (('git',), ('git', '/git'))
    """
    _, slash, name = program.rpartition("/")
    return (name.casefold(), f"/{name.casefold()}") if slash else (program.casefold(),)


def keys_of(programs: Sequence[str]) -> Iterable[str]:
    """The names under which rules about any of these programs may stand.

    >>> sorted(keys_of(["git", "./tools/git"]))
    ['/git', 'git']
    """
    if len(programs) == 1:
        return program_keys(programs[0])
    return {key for program in programs for key in program_keys(program)}


def rule_key(program: str) -> str:
    """The name under which a rule about a program stands.

    One that names a folder of its own is not about all programs of that name.

    >>> [rule_key(it) for it in ["git", "/usr/bin/git", "./tools/git"]]
    ['git', 'git', '/git']
    """
    folder, slash, name = program.rpartition("/")
    here = not slash or f"{folder}/" in _PLACES
    return name.casefold() if here else f"/{name.casefold()}"


@define(eq=False)
class Operand:
    """A word that is no option."""

    texts: tuple[str, ...] = ()
    """What it may be; empty where that is not known."""
    pattern: str = ""
    """The pattern, where names of files take its place."""
    optional: bool = False
    """Whether it may be no operand at all."""


@define(eq=False)
class Words:
    """A command's words, parted."""

    operands: tuple[Operand, ...]
    flags: frozenset[str]
    hidden_flag: bool
    """Whether a word that is not known may be an option."""
    free: int
    """From this operand on, each may be absent."""
    open: int
    """From this operand on, each may be absent or is not known."""


def split(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """A rule's operands and options; behind `--` there are no options.

    >>> split(["push", "origin", "--force"])
    (['push', 'origin'], ['--force'])
    >>> split(["--", "-x"])
    (['-x'], [])
    """
    end = words.index("--") if "--" in words else len(words)
    flags = [word for word in words[:end] if is_flag(word)]
    return [word for word in words[:end] if not is_flag(word)] + list(words[end + 1 :]), flags


def classify_words(words: Sequence[Word]) -> Words:
    """A command's words: options wherever they stand, up to `--`.

    What follows an option may be its value, and so may be no operand.

    >>> from assent.gate.shell.word import Exact
    >>> words = classify_words([Exact(text=it) for it in ["-o", "out", "a.c", "--", "-b"]])
    >>> sorted(words.flags)
    ['-o']
    >>> [(it.texts[0], it.optional) for it in words.operands]
    [('out', True), ('a.c', False), ('-b', False)]
    """
    operands: list[Operand] = []
    flags: set[str] = set()
    hidden_flag = ended = False
    before = ""
    for word in words:
        texts = word.texts
        if ended:
            operands.append(_operand(word, texts, optional=word.several))
        elif texts == ("--",):
            ended = True
        elif not texts:
            hidden_flag = hidden_flag or not word.listed
            operands.append(_operand(word, texts, optional=bool(before) or word.several))
            before = ""
        else:
            found = [text for text in texts if is_flag(text)]
            others = tuple(text for text in texts if text not in found) if found else texts
            if others:
                optional = bool(before or found) or word.several
                if before.startswith("--"):
                    flags.update(f"{before}={text}" for text in others)
                operands.append(_operand(word, others, optional=optional))
            flags.update(found)
            before = next((it for it in found if "=" not in it), "") if found else ""
    return Words(
        operands=tuple(operands),
        flags=frozenset(flags),
        hidden_flag=hidden_flag,
        free=_end(operands, lambda operand: operand.optional),
        open=_end(
            operands, lambda operand: operand.optional or not (operand.texts or operand.pattern)
        ),
    )


def _end(operands: Sequence[Operand], fits: Callable[[Operand], bool]) -> int:
    """Where the operands begin that fit, up to the last."""
    place = len(operands)
    while place and fits(operands[place - 1]):
        place -= 1
    return place


def _operand(word: Word, texts: tuple[str, ...], *, optional: bool) -> Operand:
    pattern = word.text if word.glob and word.known else ""
    return Operand(texts=() if pattern else texts, pattern=pattern, optional=optional)
