"""What programs are told to leave out, by the options of each that take a name.

A word behind such an option names nothing that is touched. That what is called so is surely not
touched is more: each program has its own ways to let it in again, and another idea of a name.
"""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from assent.bash.word import Word
from assent.text.patterns import late

__all__ = ["WALKERS", "excluded", "left_out"]

_WILD: Final = late(r"[*?\]]")
_GNU: Final = "--exclude"
_STYLE: Final = "--exclude --extend-exclude"
_OPTIONS: Final = {
    "tar": _GNU,
    "gtar": _GNU,
    "rsync": _GNU,
    "black": f"{_STYLE} --force-exclude",
    "ruff": _STYLE,
    "flake8": _STYLE,
    "isort": "--skip --extend-skip --skip-glob --extend-skip-glob",
    "eslint": "--ignore-pattern",
    "prettier": "",
    "mypy": "--exclude",
    "pylint": "--ignore --ignore-paths --ignore-patterns",
    "bandit": "-x --exclude",
    "codespell": "-S --skip",
    "coverage": "--omit",
    "pytest": "--ignore --ignore-glob",
    "cloc": "--exclude-dir",
    "semgrep": "--exclude",
    "uvicorn": "--reload-exclude",
    "vulture": "--exclude",
}
WALKERS: Final = frozenset("tar gtar rsync black ruff isort eslint prettier".split())
"""Those that go through a folder, and touch nothing in it that is called so."""
_AGAIN: Final = frozenset("tar gtar rsync isort eslint prettier".split())
"""Those to which each such option says one more."""
_PLAINLY: Final = {
    **dict.fromkeys(
        ("tar", "gtar"), late(r"-?[cvzjJpfhS]+|--(?:create|verbose|gzip|xz|zstd|file=.*)")
    ),
    "rsync": late(
        r"-[avzhnPrtpgoDux]+|--(?:archive|verbose|compress|progress|stats|dry-run|partial)"
    ),
}
"""The options of some beside which nothing is let in again; of the others it is any."""
_NAME: Final = late(r"(\./)?(\*\*/)?([\w.-]+)(/\*|/\*\*|/\*\*/\*)?(/?)", re.ASCII)
"""How a name is written with all that lies in it: behind a dot, or before a star, it lies here."""


def excluded(argv: Sequence[Word]) -> dict[int, tuple[str, str]]:
    """The places of the words that only say what is left out, each with its option and that.

    >>> from assent.programs.reading import words_of
    >>> excluded(words_of("mypy --exclude secrets/ src")), excluded(words_of("cat --exclude .env"))
    ({2: ('--exclude', 'secrets/')}, {})
    """
    program = argv[0].text.rpartition("/")[2] if argv else ""
    told = _OPTIONS.get(program)
    if told is None:
        return {}
    options, found = told.split(), dict[int, tuple[str, str]]()
    for at, (before, it) in enumerate(pairwise(argv), 1):
        option, glued, value = it.text.partition("=")
        if glued and option in options:
            found[at] = option, value
        elif before.text in options and at - 1 not in found:
            found[at] = before.text, it.text
        elif program == "prettier" and it.text[:1] == "!":
            found[at] = "!", it.text[1:]
    return found


def left_out(argv: Sequence[Word]) -> list[tuple[str, bool]]:
    """The names that are surely left out, each with what lies in it, and whether wherever it is.

    >>> from assent.programs.reading import words_of
    >>> lines = ("tar czf a.tgz --exclude=.env .", "tar czf a.tgz . --exclude=.env")
    >>> [left_out(words_of(it)) for it in (*lines, "black --exclude migrations .")]
    [[('.env', True)], [], [('migrations', True)]]
    """
    program, said = argv[0].text.rpartition("/")[2], excluded(argv)
    named = {at - 1 for at, (flag, _) in said.items() if argv[at - 1].text == flag}
    rest = [it for at, it in enumerate(argv) if at and not (at in said or at in named)]
    values = [value for _, told in said.values() for value in told.split(",")]
    names = [_NAME.fullmatch(it) for it in values]
    if not (said and all(it.known for it in argv)) or None in names:
        return []
    flags = [flag for flag, _ in said.values()]
    again = program in _AGAIN or len({*flags}) == len(flags)
    if not (again and _is_plain(program, argv, rest, said)):
        return []
    here = any(it.text in (".", "./") for it in rest)
    anchored = program in {"eslint", "prettier"}
    found = [
        (it[3], not (it[1] or it[4] or (anchored and not it[2])))
        for it in names
        # With a slash at its end it is a folder to one, and nothing to another.
        if it and not (it[5] and program in _PLAINLY) and not (it[1] and program == "rsync")
    ]
    return [it for it in found if here or it[1]]


def _is_plain(
    program: str, argv: Sequence[Word], rest: Sequence[Word], said: Collection[int]
) -> bool:
    """Whether folders alone are gone through, and nothing in them is let in again."""
    plainly = _PLAINLY.get(program)
    if plainly is None:
        # A file that is named is taken all the same.
        return not any(_WILD.search(it.text) or it.glob for it in rest)
    behind = [at for at, it in enumerate(argv) if at > max(said) and it.text[:1] != "-"]
    before = [it for at, it in enumerate(argv[3 : min(said)], 3) if it.text[:1] != "-"]
    flags = [it.text for at, it in enumerate(rest) if it.text[:1] == "-" != it.text or at == 0]
    # What stands before it, tar takes whole.
    ordered = program == "rsync" or (bool(behind) and not before)
    return ordered and all(map(plainly.fullmatch, flags))
