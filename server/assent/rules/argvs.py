"""The rules about commands, found by their words.

What allows is strict: its words stand at the beginning, known and to the letter. What denies or
asks is liberal and has a walk of its own. Finding costs what the command is long.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from attrs import define, field

from assent.bash.word import Exact, Word
from assent.programs.same import spellings
from assent.programs.selecting import without_selection
from assent.rules.entries import Entry
from assent.rules.liberal import Liberal
from assent.rules.operands import bare
from assent.verdicts import Verdict

__all__ = ["Argvs"]

_FEW: Final = 32
"""Commands of so many words are remembered with their spellings."""


@define(eq=False)
class _Allowed:
    """What allows commands that begin with the words up to here."""

    then: dict[str, "_Allowed"] = field(factory=dict)
    more: tuple[Entry, ...] = ()
    """With whatever follows."""
    exact: tuple[Entry, ...] = ()


@define(eq=False)
class Argvs:
    """All rules about commands."""

    _allowed: _Allowed = field(factory=_Allowed)
    _liberal: Liberal = field(factory=Liberal)
    _every: tuple[Entry, ...] = ()
    """What is about every command."""

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Argvs":
        """The index of these rules."""
        index = cls()
        tight = [entry for entry in entries if entry.rule.verdict is not Verdict.ALLOW]
        index._every = tuple(entry for entry in entries if not entry.rule.words)
        for entry in entries:
            if entry.rule.words and entry.rule.verdict is Verdict.ALLOW:
                index._allow(entry)
        index._liberal = Liberal.of(tight)
        return index

    def look(self, argv: Sequence[Word]) -> tuple[list[Entry], list[Entry]]:
        """The rules that are about a command, and those that may be."""
        certain: list[Entry] = list(self._every)
        perhaps: list[Entry] = []
        if argv and _is_plain(argv[0]):
            self._look_allowed(argv, certain)
        if argv and self._liberal.first:
            self._liberal.look(argv, certain, perhaps)
            for spelled in _spelled(argv):
                self._liberal.look(spelled, certain, perhaps)
        return certain, perhaps

    def roughly(self, words: frozenset[str]) -> list[Entry]:
        """The rules that deny or ask, and whose words are all among these."""
        every = [it for it in self._every if it.rule.verdict is not Verdict.ALLOW]
        return [*every, *self._liberal.roughly(words)] if words else every

    def _allow(self, entry: Entry) -> None:
        node = self._allowed
        for word in entry.rule.words:
            node = node.then.setdefault(word, _Allowed())
        if entry.rule.exact:
            node.exact += (entry,)
        else:
            node.more += (entry,)

    def _look_allowed(self, argv: Sequence[Word], certain: list[Entry]) -> None:
        then = self._allowed.then
        name = argv[0].text
        _follow(then.get(name), argv, certain)
        short = bare(name)
        if short != name:
            _follow(then.get(short), argv, certain)
        plain = without_selection(argv)
        if plain is not None:
            _follow(then.get(short), plain, certain, exact=False)


def _follow(
    node: _Allowed | None, argv: Sequence[Word], certain: list[Entry], *, exact: bool = True
) -> None:
    depth = 1
    while node is not None:
        if node.more:
            certain.extend(node.more)
        if depth == len(argv):
            if exact:
                certain.extend(node.exact)
            return
        word = argv[depth]
        node = node.then.get(word.text) if node.then and _is_plain(word) else None
        depth += 1


def _is_plain(word: Word) -> bool:
    """Whether a program would be given exactly this text, and a rule would be written so."""
    return (
        word.known
        and not word.glob
        and not word.several
        and (word.home or not word.text.startswith("~"))
    )


def _spelled(argv: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """The other spellings of a command that a refusal of it means too."""
    name = argv[0]
    rest = tuple(word.text for word in argv[1:])
    # Where a known and an unknown word look the same, the unknown one stands for both.
    words = {word.text: word for word in argv[1:] if not (word.known and _is_plain(word))}
    for program in name.texts:
        others = _others if len(rest) <= _FEW else _others.__wrapped__
        for texts in others(program, rest):
            yield tuple(words.get(text) or Exact(text=text) for text in texts)


@lru_cache(maxsize=2_048)
def _others(program: str, rest: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return spellings((program, *rest))[1:]
