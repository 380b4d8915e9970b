"""Shells that read a text: `bash -c '…'`, `sh script`, `… | bash`."""

from typing import Final

from assent.gate.shell.port import Inside
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late

__all__ = ["is_no_flag", "shell"]

_FILE: Final = "What this script does stands in a file that was not read."
_INPUT: Final = "What this shell runs comes from its input."
_UNSURE: Final = "The text that this shell runs is only known when it runs."
_STARTS: Final = "This shell reads a file of start-up commands."

_NO_FILES: Final = ("/dev/", "/proc/", "-", "<")
"""Operands that look like files and are the input."""

_LETTERS: Final = late(r"[-+][A-Za-z]+|\+")
"""Options in one word; of a plus alone most shells take no notice, and some read on as a file."""
_HARMLESS: Final = frozenset("ceuxvlfhnmbC")
"""`-l` reads the person's own start-up files, as their terminal does; `-i` also reads aliases,
which may give a name another meaning."""
_NAME: Final = late(r"[\w./][^…]*|[\w./][^…]*/….*|[^-+…].*\.\w+")
_TELLING: Final = (["--version"], ["--help"])
_CHECK_WORDS: Final = 3
"""So many words has a shell that only looks whether it could run a script."""
_LONG: Final = frozenset("--norc --noprofile --login --posix --noediting --verbose".split())
_LONG_ARGS: Final = frozenset("--rcfile --init-file".split())


def shell(argv: tuple[Word, ...]) -> Inside | None:
    """What a shell runs; where no text is given, it is its input or a file.

    >>> from assent.gate.programs.read_lines import words_of
    >>> shell(words_of("bash -c 'make test'")).texts
    ('make test',)
    >>> shell(words_of("dash +ec 'make test'")).texts
    ('make test',)
    >>> shell(words_of("bash")).doubt
    'What this shell runs comes from its input.'
    >>> shell(words_of("bash build.sh")) is None
    True
    """
    at, command, harmless = (
        1,
        False,
        "/" not in argv[0].text or argv[0].text.startswith(("/bin/", "/usr/bin/")),
    )
    while at < len(argv):
        word = argv[at]
        if not word.known or word.glob:
            checks = at == _CHECK_WORDS - 1 == len(argv) - 1 and argv[1].text == "-n"
            return None if checks and is_no_flag(word) else _unsure(argv, at)
        if word.text in ("-", "--"):
            at += 1
            break
        if word.text in _LONG_ARGS:
            return Inside(doubt=_STARTS)
        if word.text in _LONG:
            at += 1
            continue
        if not _LETTERS.fullmatch(word.text):
            break
        letters = word.text[1:]
        # With a plus it means the same: no shell gives up reading a text that way.
        command = command or "c" in letters
        harmless = harmless and bool(letters) and set(letters) <= _HARMLESS | {"o"}
        at += 1 + letters.count("o") + letters.count("O")
    if not command:
        return _reads(argv[at:], sure=harmless)
    if at >= len(argv):
        return Inside(doubt=_UNSURE)
    text = argv[at]
    if not text.known or text.glob or text.home:
        return _unsure(argv, at)
    return Inside(texts=(text.text,), wraps=harmless, given=argv[at + 1 :])


def _reads(rest: tuple[Word, ...], *, sure: bool) -> Inside | None:
    """A shell without `-c`; with a file it is a program like any other."""
    if not rest:
        return Inside(doubt=_INPUT)
    if [word.text for word in rest] in _TELLING:
        return None
    file = rest[0]
    plain = file.known and not file.glob and not file.text.startswith(_NO_FILES)
    return None if plain and sure and file.text else Inside(doubt=_FILE)


def is_no_flag(word: Word) -> bool:
    """Whether a word of a list is the name of some file, and surely no flag, nor one taken back.

    >>> from assent.gate.shell.word import Below
    >>> [is_no_flag(Below(text=it)) for it in ("*.sh", "scripts/*", "*", "…")]
    [True, True, False, False]
    """
    named = word.listed or bool(word.choices)
    told = word.choices or (word.text,)
    return named and not (word.glob or word.several) and all(map(_NAME.fullmatch, told))


def _unsure(argv: tuple[Word, ...], at: int) -> Inside:
    """The likely scripts are read all the same, so that a rule which denies them holds."""
    return Inside(texts=tuple(word.text for word in argv[at:][:2]), doubt=_UNSURE)
