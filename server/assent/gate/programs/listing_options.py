"""The options with which each line of a program's output stays a file name."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.rows import Row
from assent.gate.programs.tables import row_of
from assent.gate.shell.word import Exact, Word
from assent.gate.values import frozen

__all__ = ["FD", "GREP", "GREP_LISTS", "LISTING", "LS", "RG", "Lines"]

LISTING: Final = "-l -L --files-with-matches --files-without-match --name-only"
_UNTINTED: Final = Exact(text="never")
_PLAIN: Final = frozenset({"never", "auto"})


@frozen
class Lines:
    """A program of which it is known when its lines are names of files, or those that it reads."""

    program: str
    """The program, or a command of git, whose row says what its options are."""
    options: str = ""
    """The options with which they stay so; one before a `?` may have a value in the same word."""

    @cached_property
    def row(self) -> Row:
        """What is known of all its options."""
        return row_of(self.program.split()) or Row(names=self.program)

    def sort(self, words: Sequence[Word]) -> Sorted | None:
        """Its words, told apart; None where an option may make its lines something else.

        >>> from assent.gate.programs.read_lines import words_of
        >>> [LS.sort(words_of(it)) is None for it in ("-t src", "-l src", "--color src")]
        [False, True, True]
        """
        sorted_ = sort_words(self.row, tuple(words))
        lost = sorted_.strange or sorted_.loose or sorted_.strangers or _is_tinted(sorted_)
        values = (word for _, word in sorted_.values)
        plain = all(value.known and not value.glob for value in values)
        known = all(map(self._stays, sorted_.found, sorted_.found.values()))
        return sorted_ if plain and known and not lost else None

    def _stays(self, option: str, value: Word | None) -> bool:
        asked = value is not None and self.row.known[option].attached
        return (f"{option}?" if asked else option) in self.options.split()


def _is_tinted(found: Sorted) -> bool:
    """Whether signs for colours may stand between the letters of a name."""
    tint = found.found.get("--color", _UNTINTED)
    return tint is None or tint.text not in _PLAIN


_MATCHING: Final = (
    "-v -i -w -x -E -F -G -P -q -s -m --invert-match --ignore-case --extended-regexp"
    " --fixed-strings --perl-regexp --word-regexp --line-regexp --color? --max-count"
)
GREP: Final = Lines("grep", f"{_MATCHING} -z")
LS: Final = Lines("ls", "-1 -t -r -S -U -X -v -d -c --color? --sort --reverse")
GREP_LISTS: Final = Lines(
    "grep",
    f"{_MATCHING} -l -L -r -I -n -Z -e --files-with-matches --files-without-match --recursive"
    " --include --exclude --exclude-dir --binary-files",
)
RG: Final = Lines(
    "rg",
    "-l -i -F -w -s -S -u -U -P -x -v -0 -g -t -e -T --files --files-with-matches --glob --type"
    " --hidden --no-ignore --ignore-case --fixed-strings --sort --iglob --type-not --smart-case"
    " --files-without-match --no-messages --word-regexp",
)
FD: Final = Lines(
    "fd",
    "-H -I -g -i -s -F -u -p -1 -e -E -t -d -S --type --extension --hidden --no-ignore --glob"
    " --exclude --max-depth --min-depth --fixed-strings --ignore-case",
)
