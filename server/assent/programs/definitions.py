"""Settings among a command's words whose values say what is run, or where it goes."""

import re
from typing import Final

from assent.bash.word import Word
from assent.programs.beside import SETTING, Beside
from assent.programs.habits import INTERPRETER, RUNNER, habits
from assent.programs.lexicon import Meaning, is_name, is_setting_of_code, meaning_of, parts_of
from assent.programs.reporting import misplaced
from assent.programs.variables import is_dangerous
from assent.text.patterns import late

__all__ = ["defined"]

_COMPUTES: Final = late(r"\$[({]|`|!")
_PLAIN: Final = late(r"(?!-)[\w+-]*")
_TAME: Final = late(r"[\w+-]*|(?:-[\w+=.,-]+ ?)+")
"""The name of a program of the system, or flags that name no path."""
_SHELLS: Final = frozenset(
    "SHELL .SHELLFLAGS MAKEFLAGS MAKEFILES GNUMAKEFLAGS BUILDKIT_SYNTAX".split()
)
"""What make runs by, and by which a build reads its file, whatever it is set to."""
_GOES: Final = frozenset("repo repository registry proxy mirror endpoint server".split())


def defined(both: Beside) -> str | None:
    """Why a setting among the words says what is run, as a clause; None where none does.

    >>> from assent.programs.reading import words_of
    >>> lines = ("make CC=clang", "make CC=build/cc")
    >>> [defined(Beside.of(("make",), words_of(it))) for it in lines]
    [None, '`CC` says what is run']
    """
    ours = both.ours
    given = [*ours.operands, *(it for _, it in ours.values), *ours.strangers, *both.behind]
    named = {it.text for it in (*both.theirs.operands, *both.theirs.strangers)}
    named |= {it.text for _, it in both.theirs.values}
    for word in given:
        found = SETTING.fullmatch(word.text) if word.text not in named else None
        if found is None:
            continue
        name, value = found.groups()
        runner = both.known.kind == RUNNER
        code = is_setting_of_code(name) and not _PLAIN.fullmatch(value)
        runs = runner and _is_program(both, word, name) and not _TAME.fullmatch(value)
        if code or runs or (runner and _COMPUTES.search(value)) or name in _SHELLS:
            return f"`{name}` says what is run"
        if not name.isupper() and misplaced(both, name, value):
            return f"`{name}` {Meaning.WRITES}"
        if word not in ours.operands and "://" in value and _GOES & {*parts_of(name)}:
            return f"`{name}` {Meaning.STEERS}"
    return _nested(both)


def _nested(both: Beside) -> str | None:
    """A flag for another program, in the value of one."""
    for name, value in both.ours.values if both.known.kind == RUNNER else ():
        inner = [it.partition("=")[0] for it in re.split(r"[\s=,]", value.text) if it[:1] == "-"]
        if any(is_name(it) and meaning_of(it) is Meaning.RUNS for it in inner):
            return f"`{both.known.spelled(name)}` {Meaning.RUNS}"
    return None


def _is_program(both: Beside, word: Word, name: str) -> bool:
    """Whether an operand sets a variable that names a program, as `CC` and `PYTHON` do."""
    if word not in (*both.ours.operands, *both.behind) or not name.isidentifier():
        return False
    habit = habits().get(name.casefold())
    runs = habit is not None and habit.kind in {INTERPRETER, RUNNER}
    return is_dangerous(name) or (runs and name.isupper())
