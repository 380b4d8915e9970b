"""Names that programs list, and the flags with which their lines stay such names."""

from collections.abc import Sequence
from typing import Final

from attrs import Factory, define, frozen

from assent.bash.script import Word
from assent.text.patterns import late

__all__ = [
    "BRANCH",
    "DAY",
    "FD",
    "GREP",
    "GREP_LISTS",
    "HASH",
    "LISTED",
    "LISTING",
    "LS",
    "REF",
    "RG",
    "STATES",
    "STRICT",
    "TOP",
    "Flags",
    "Told",
    "is_top",
]

LISTED: Final = Word(text="…", known=False, listed=True)
"""A name below the folder, which may begin with a dash."""
STRICT: Final = Word(text="./…", known=False, listed=True)
"""A name below the folder that begins with no dash."""
HASH: Final = Word(text="./0…", known=False, listed=True, empty=True)
"""What git gives for a state of the files: letters and digits, or nothing where it fails."""
DAY: Final = Word(text="./0-…", known=False, listed=True)
"""A date, which begins with no dash and has no blanks."""
REF: Final = Word(text="…0", known=False, listed=True, empty=True)
"""What somebody called a state of the files: it has no blanks, and is no path that leads away."""

BRANCH: Final = Word(text="./0……", known=False, listed=True, empty=True)
"""The branch that is checked out, which begins with no dash: `branches` sees to that."""

TOP: Final = Word(
    text="",
    known=False,
    several=True,
    by=(tuple(Word(text=it) for it in ("git", "rev-parse", "--show-toplevel")),),
)
"""The folder of the repository that git finds, or nothing without one: `ways` follows it."""

STATES: Final = frozenset((BRANCH.text, DAY.text, HASH.text, REF.text))
"""What has no blanks, so that a shell makes one word of it."""

LISTING: Final = frozenset(
    ("l", "L", "--files-with-matches", "--files-without-match", "--name-only")
)

_NUMBER: Final = late(r"[-+]?\d+[kKmM]?")


def is_top(word: Word) -> bool:
    """Whether it is that folder, and nothing else."""
    return word.by == TOP.by and not word.listed


@frozen(kw_only=True)
class Flags:
    """The flags with which a program still does no more than that."""

    short: str = ""
    values: str = ""
    """Letters of those that have a value, in the same word or the next."""
    long: tuple[str, ...] = ()
    """A long one is spelled out; one that ends in `=` has any value behind it."""
    numeric: bool = False

    def read(self, words: Sequence[Word]) -> "Told | None":
        """Tell flags from operands; None where a flag is not known here."""
        found = Told()
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word.text == "--" and not word.glob:
                found.operands += words[at:]
                break
            if not word.text.startswith("-") or word.text == "-":
                found.operands.append(word)
                continue
            taken = self._taken(word, words[at] if at < len(words) else None, found)
            if taken is None:
                return None
            at += taken
        return found

    def _taken(self, word: Word, after: Word | None, found: "Told") -> int | None:
        """How many words more a flag takes."""
        text = word.text
        if word.glob:
            return None
        if text.startswith("--"):
            name, _, value = text.partition("=")
            found.flags.add(name)
            found.values.append((name, value))
            return 0 if text in self.long or ("=" in text and f"{name}=" in self.long) else None
        if self.numeric and _NUMBER.fullmatch(text):
            return 0
        for at, letter in enumerate(text[1:], start=2):
            found.flags.add(letter)
            if letter in self.values:
                found.values.append((letter, text[at:] or (after.text if after else "")))
                return 0 if text[at:] else 1
            if letter not in self.short:
                return None
        return 0


@define
class Told:
    """The words of a lister, told apart."""

    operands: list[Word] = Factory(list)
    flags: set[str] = Factory(set)
    values: list[tuple[str, str]] = Factory(list)

    def of(self, *flags: str) -> list[str]:
        """The values of these flags."""
        return [value for flag, value in self.values if flag in flags]


_MATCHING: Final = (
    "--invert-match", "--ignore-case", "--extended-regexp", "--fixed-strings", "--perl-regexp",
    "--word-regexp", "--line-regexp", "--color=", "--max-count=",
)  # fmt: skip
GREP: Final = Flags(short="viwxEFGPqsz", values="m", long=_MATCHING)
LS: Final = Flags(short="1trSUXvdc", long=("--color=never", "--sort=", "--reverse"))
GREP_LISTS: Final = Flags(
    short="lLrEFGPiwxvIsqnZ", values="em",
    long=(*_MATCHING, "--files-with-matches", "--files-without-match", "--recursive",
          "--include=", "--exclude=", "--exclude-dir=", "--binary-files="),
)  # fmt: skip
RG: Final = Flags(
    short="liFwsSuUPxv0", values="gteT",
    long=("--files", "--files-with-matches", "--glob=", "--type=", "--hidden", "--no-ignore",
          "--ignore-case", "--fixed-strings", "--sort=", "--iglob=", "--type-not=", "--smart-case",
          "--files-without-match", "--no-messages", "--word-regexp"),
)  # fmt: skip
FD: Final = Flags(
    short="HIgisFup1", values="eEtdS",
    long=("--type=", "--extension=", "--hidden", "--no-ignore", "--glob", "--exclude=",
          "--max-depth=", "--min-depth=", "--fixed-strings", "--ignore-case"),
)  # fmt: skip
