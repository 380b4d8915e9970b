"""A use of a tool whose effect cannot be undone, as a part of its row.

Such a use is told on the card by its loss, and denying stands first there. It changes no verdict,
but where it shows a secret.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Final

from assent.gate.shell.word import Word
from assent.gate.values import frozen

__all__ = ["IrreversibleUse", "behind", "lasts", "may_be"]

_WILD: Final = frozenset("*?[!")


@frozen(kw_only=True)
class IrreversibleUse:
    """One use of a tool after which something is gone, or out of hand, for good."""

    sentence: str = ""
    """The loss, in a sentence. `{rest}` in it stands for the operands behind `words`, `{0}` for
    the first of all, `{-f}` for the value of a flag, and `{rest|it}` says what stands there where
    there is none."""
    tools: str = ""
    """The names of the row that it is about; all of them where nothing stands here."""
    words: str = ""
    """The operands that it begins with, several ways of them parted by commas. `*` stands for any
    letters of a word, `**` for any words in a row, and `!a|b` for any word but these."""
    flags: str = ""
    """The flags of which one must be there."""
    flags_only_format: bool = False
    """Whether these only say how it is told: a rule that names its words means them too."""
    other_flags: str = ""
    """A second set of flags, of which one must be there too."""
    sparing_flags: str = ""
    """The flags with which nothing is lost; `-o=name` is one with this value alone."""
    valued_flags: str = ""
    """Flags that have a value, where the row does not know them."""
    form: str = ""
    """The name of what tells the loss, where that takes more than a sentence."""
    shows_secret: bool = False
    """Whether what is given out of hand is a secret, to whoever reads what is printed. A question
    then, in every mode but where a rule names it."""

    def is_about(self, name: str) -> bool:
        """Whether it is about the tool of this name."""
        return not self.tools or name in self.tools.split()


def behind(ways: str, operands: Sequence[Word]) -> tuple[Word, ...] | None:
    """The operands behind the first of these ways that fits; None where none does.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [it.text for it in behind("config set, set", words_of("config set editor vi"))]
    ['editor', 'vi']
    >>> behind("config set, set", words_of("get editor")) is None
    True
    """
    if not ways:
        return tuple(operands)
    for way in _ways_in(ways):
        at = _after(way, operands, 0)
        if at is not None:
            return tuple(operands[at:])
    return None


def may_be(ways: str, texts: set[str]) -> bool:
    """A quick look: whether the last plain word of one of these ways is there at all.

    >>> may_be("config set, init", {"config", "set"}), may_be("config set, init", {"config"})
    (True, False)
    >>> may_be("config get *oken", {"config", "get"}), may_be("config get *oken", {"run"})
    (True, False)
    """
    needed = _needed(ways)
    return needed is None or not needed.isdisjoint(texts)


@cache
def _needed(ways: str) -> frozenset[str] | None:
    """The words of which one must be there; None where that may be any."""
    plain = [[it for it, wild in way if not wild] for way in _ways_in(ways)] if ways else [[]]
    return frozenset(it[-1] for it in plain) if all(plain) else None


@cache
def lasts(ways: str) -> tuple[str, ...]:
    """The last words of the ways.

    >>> lasts("config set, init")
    ('set', 'init')
    """
    return tuple(way.split()[-1] for way in ways.split(", "))


@cache
def _ways_in(text: str) -> tuple[tuple[tuple[str, bool], ...], ...]:
    """The ways of a row: each word, and whether it is a pattern."""
    ways = (way.split() for way in text.split(", "))
    return tuple(tuple((it, not _WILD.isdisjoint(it)) for it in way) for way in ways)


def _after(wanted: Sequence[tuple[str, bool]], operands: Sequence[Word], at: int) -> int | None:
    """Where the wanted words end, which begin at this place; None where they are not there."""
    if not wanted:
        return at
    (first, wild), *rest = wanted
    if first == "**":
        found = (_after(rest, operands, more) for more in range(at, len(operands)))
        return next((it for it in found if it is not None), None)
    if at == len(operands) or not operands[at].known:
        return None
    text = operands[at].text
    if first[0] == "!":
        fits = text not in first[1:].split("|")
    else:
        fits = fnmatchcase(text, first) if wild else text == first
    return _after(rest, operands, at + 1) if fits else None
