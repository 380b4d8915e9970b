"""Names that programs list, and the flags with which their lines stay such names."""

from collections.abc import Sequence
from typing import Final

from attrs import Factory, define, frozen

from assent.policy.patterns import late
from assent.policy.shell.script import Word

__all__ = ["HASH", "LISTED", "LISTING", "REF", "STRICT", "Flags", "Told"]

LISTED: Final = Word(text="…", known=False, listed=True)
"""A name below the folder, which may begin with a dash."""
STRICT: Final = Word(text="./…", known=False, listed=True)
"""A name below the folder that begins with no dash."""
HASH: Final = Word(text="./0…", known=False, listed=True, empty=True)
"""What git gives for a state of the files: letters and digits, or nothing where it fails."""
REF: Final = Word(text="…0", known=False, listed=True, empty=True)
"""What somebody called a state of the files: it has no blanks, and is no path that leads away."""

LISTING: Final = frozenset(
    ("l", "L", "--files-with-matches", "--files-without-match", "--name-only")
)

_NUMBER: Final = late(r"[-+]?\d+[kKmM]?")


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
            taken = self._taken(word, found)
            if taken is None:
                return None
            at += taken
        return found

    def _taken(self, word: Word, found: "Told") -> int | None:
        """How many words more a flag takes."""
        text = word.text
        if word.glob:
            return None
        if text.startswith("--"):
            name = text.partition("=")[0]
            found.flags.add(name)
            return 0 if text in self.long or ("=" in text and f"{name}=" in self.long) else None
        if self.numeric and _NUMBER.fullmatch(text):
            return 0
        for at, letter in enumerate(text[1:], start=2):
            found.flags.add(letter)
            if letter in self.values:
                return 0 if text[at:] else 1
            if letter not in self.short:
                return None
        return 0


@define
class Told:
    """The words of a lister, told apart."""

    operands: list[Word] = Factory(list)
    flags: set[str] = Factory(set)
