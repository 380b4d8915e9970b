"""The options by which programs leave names out.

A word behind such an option names nothing that is touched. That what is called so is surely not
touched is more: each program has its own ways to let it in again, and another idea of a name. So
that is believed only of a few plain forms, and of a program that is found by its name.
"""

import re
from collections.abc import Sequence
from typing import Final

from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late

__all__ = ["WALKERS", "excluded", "left_out"]

_STYLE: Final = "--exclude --extend-exclude"
_OPTIONS: Final = {
    "tar": "--exclude",
    "gtar": "--exclude",
    "rsync": "--exclude",
    "black": _STYLE,
    "ruff": _STYLE,
    "flake8": _STYLE,
    "isort": "--skip --extend-skip --skip-glob --extend-skip-glob",
    "eslint": "--ignore-pattern",
    "prettier": "",
    "mypy": "--exclude",
    "pylint": "--ignore --ignore-paths --ignore-patterns",
    "bandit": "-x --exclude",
    "codespell": "-S --skip",
    "pytest": "--ignore --ignore-glob",
    "cloc": "--exclude-dir",
    "semgrep": "--exclude",
    "vulture": "--exclude",
}
WALKERS: Final = frozenset("tar gtar rsync black ruff isort eslint prettier".split())
"""Those that go through a folder, and touch nothing in it that is called so."""
_AGAIN: Final = frozenset("tar gtar rsync isort eslint prettier".split())
"""Those to which each such option says one more."""
_TARS: Final = frozenset(("tar", "gtar"))
_BUNDLE: Final = late(r"-?[cvzjJp]+f")
_PLAIN: Final = {
    "rsync": late(r"-[avzhnPrtpgoDux]+|--(?:archive|verbose|compress|progress|stats|dry-run)"),
    "": late(r"-[qvwrl]+|--(?:quiet|verbose|check|diff|fix|write|preview|color|list-different)"),
}
"""The options beside which nothing is let in again, and that take no value."""
_VERBS: Final = frozenset(("format", "check"))
_NAME: Final = late(r"(\./)?(\*\*/)?([\w.-]+)(/\*|/\*\*|/\*\*/\*)?(/?)", re.ASCII)
"""How a name is written with all that lies in it: behind a dot, or before a star, it lies here."""


def excluded(argv: Sequence[Word]) -> dict[int, tuple[str, str]]:
    """The places of the words that only say what is left out, each with its option and that.

    >>> from assent.gate.programs.read_lines import words_of
    >>> excluded(words_of("mypy --exclude secrets/ src")), excluded(words_of("cat --exclude .env"))
    ({2: ('--exclude', 'secrets/')}, {})
    """
    program = argv[0].text if argv else ""
    told = _OPTIONS.get(program)
    if told is None:
        return {}
    options, found = told.split(), dict[int, tuple[str, str]]()
    plain = _PLAIN.get(program, _PLAIN[""])
    # Where the option itself may be a value, what stands behind it is none of its.
    free = True
    for at, word in enumerate(argv[1:], 1):
        option, glued, value = word.text.partition("=")
        if word.text == "--":
            break
        if free and glued and option in options:
            found[at] = option, value
        elif free and program == "prettier" and word.text[:1] == "!":
            found[at] = "!", word.text[1:]
        elif word.text in options and free and argv[at + 1 :]:
            found[at + 1] = word.text, argv[at + 1].text
        flag = word.text[:1] == "-" != word.text and not glued and at not in found
        free = (
            not flag
            or plain.fullmatch(word.text) is not None
            or _BUNDLE.fullmatch(word.text) is not None
        )
    return found


def left_out(argv: Sequence[Word]) -> list[tuple[str, str]]:
    """The names that are surely left out with what lies in them: `everywhere`, `here`, or `below`.

    What is left out `below` a name is not what has it.

    >>> from assent.gate.programs.read_lines import words_of
    >>> lines = ("tar czf a.tgz --exclude=.env .", "tar czf a.tgz . --exclude=.env")
    >>> [left_out(words_of(it)) for it in (*lines, "black --exclude migrations .")]
    [[('.env', 'everywhere')], [], [('migrations', 'everywhere')]]
    """
    program, said = argv[0].text, excluded(argv)
    named = {at - 1 for at, (flag, _) in said.items() if argv[at - 1].text == flag}
    rest = [word for at, word in enumerate(argv) if at and not (at in said or at in named)]
    flags = [flag for flag, _ in said.values()]
    again = program in _AGAIN or len({*flags}) == len(flags)
    operands = _operands(program, rest, min(named | said.keys(), default=0))
    if not (said and again and operands and all(word.known for word in argv)):
        return []
    # Where the folder alone is gone through, what lies here has its own name there.
    here = all(operand in (".", "./") for operand in operands)
    values = [
        one for _, it in said.values() for one in (it.split(",") if program == "ruff" else [it])
    ]
    names = [_NAME.fullmatch(value.strip("/") if program == "black" else value) for value in values]
    if None in names:
        return []
    found = [(name[3], _where(program, name)) for name in names if name]
    return [it for it in found if it[1] == "everywhere" or (it[1] and here)]


def _operands(program: str, rest: Sequence[Word], first: int) -> list[str]:
    """What is gone through; nothing where that, or what is let in again, is not plain."""
    texts = [word.text for word in rest]
    if program in _TARS:
        # What stands before it, tar takes whole.
        plain = len(texts) > 2 and _BUNDLE.fullmatch(texts[0]) and first == 3  # noqa: PLR2004 -- the archive stands between
        return texts[2:] if plain and not any(text[:1] == "-" != text for text in texts[1:]) else []
    plain_ = _PLAIN.get(program, _PLAIN[""])
    operands = [text for text in texts if not plain_.fullmatch(text)]
    if any(operand[:1] == "-" for operand in operands):
        return []
    if program == "rsync":
        return operands[:-1]
    operands = operands[1:] if program == "ruff" and operands[0] in _VERBS else operands
    # A file that is named is taken all the same.
    return [] if any(set(operand) & set("*?[") for operand in operands) else operands


def _where(program: str, name: "re.Match[str]") -> str:
    """Where a program leaves out what is written so; nothing where nobody can tell."""
    dot, star, _, below, slash = name.groups()
    if program == "isort":
        return "" if dot or star or below or slash else "everywhere"
    if program in _TARS or program == "rsync":
        # With a slash at its end it is a folder to one, and nothing to another.
        return (
            ""
            if slash or star or (dot and program == "rsync")
            else "below"
            if below
            else ("here" if dot else "everywhere")
        )
    if dot or slash or (program in {"eslint", "prettier"} and not star):
        return "here"
    return "below" if below and not star else "everywhere"
