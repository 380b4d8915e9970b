"""The flags with which the lines that a program writes stay names of files."""

from collections.abc import Sequence
from typing import Final

from attrs import Factory, define, frozen

from assent.bash.script import Word
from assent.text.patterns import late

__all__ = [
    "FD",
    "GREP",
    "GREP_LISTS",
    "LISTING",
    "LS",
    "RG",
    "Flags",
    "Told",
]

LISTING: Final = frozenset(
    ("l", "L", "--files-with-matches", "--files-without-match", "--name-only")
)

_OPTIONAL: Final = frozenset(("--color",))
"""Flags whose value, if there is one, stands in the same word."""
_NUMBER: Final = late(r"[-+]?\d+[kKmM]?")


@frozen(kw_only=True)
class Flags:
    """The flags with which a program still does no more than that."""

    short: str = ""
    values: str = ""
    """Letters of those that have a value, in the same word or the next."""
    long: tuple[str, ...] = ()
    """Long flags, spelled out; any value may follow one that ends in `=`."""
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
            name, equals, value = text.partition("=")
            valued = f"{name}=" in self.long
            apart = valued and not (equals or text in self.long or name in _OPTIONAL)
            if apart and (after is None or after.glob or not after.known):
                return None
            found.flags.add(name)
            found.values.append((name, after.text if apart and after else value))
            return int(apart) if text in self.long or (valued and (equals or apart)) else None
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
