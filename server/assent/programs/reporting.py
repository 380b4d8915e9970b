"""Whether a command that looks for faults is told to write its report over another file.

What makes files by its trade (a compiler of lists, a generator, a script of the project) is told
by such flags where to put them, and whoever lets it run means that.
"""

from typing import Final

from assent.programs.beside import Beside
from assent.programs.habits import CHECKER, RUNNER, habits
from assent.programs.lexicon import parts_of
from assent.programs.reports import is_report, writes_report
from assent.text.patterns import late

__all__ = ["misplaced"]

_GENERAL: Final = late(r"(?:output|log)file")
"""Names of flags that generators have, too; the others mean a report by themselves."""
_TESTING: Final = late(
    r"(?i).*(?:tests?(?![a-z])|jest|mocha|cypress|playwright|phpunit|codecept|pest|cucumber|spec"
    r"|lint|check|cov|bench|clippy|e2e|verify).*|ava|c8|nyc|tap|wdio|tox|nox|karma|vet|t|ci"
)
"""Programs, commands of them and scripts of a project that look for faults."""
_SCRIPTS: Final = frozenset("npm pnpm yarn bun".split())
"""Programs that run a script of the project by its name."""
_RUN: Final = frozenset("run exec x run-script dlx".split())


def misplaced(both: Beside, name: str, value: str) -> bool:
    """Whether a flag of what looks for faults says that its report takes another file's place.

    >>> from assent.programs.reading import words_of
    >>> lines = ("npm test", "npm run gen", "cargo run", "uv export")
    >>> own = [Beside.of(it.split(), words_of(it)) for it in lines]
    >>> [misplaced(it, "--output-file", "src/a.ts") for it in own]
    [True, False, False, False]
    """
    if not writes_report(name) or is_report(value):
        return False
    return _GENERAL.match("".join(parts_of(name))) is None or _looks_for_faults(both)


def _looks_for_faults(both: Beside) -> bool:
    if both.known.kind == CHECKER:
        return True
    if both.known.kind != RUNNER or both.program not in habits():
        return False
    words = [it.text for it in both.ours.operands[:2]]
    if words[:1] and words[0] in _RUN and not _TESTING.fullmatch(both.program):
        words = words[1:] if both.program in _SCRIPTS else []
    return any(map(_TESTING.fullmatch, (both.program, *words)))
