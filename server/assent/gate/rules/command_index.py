"""The index of rules about commands, by the command's words.

What allows is strict: its words stand at the beginning, known and to the letter. What denies or
asks is liberal and has a walk of its own. Finding costs what the command is long.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from assent.gate.call.verdicts import Verdict
from assent.gate.programs.other_spellings import spellings
from assent.gate.programs.selecting_options import without_selection
from assent.gate.rules.command_words import (
    Operand,
    Words,
    classify_words,
    keys_of,
    program_keys,
    rule_key,
    split,
    system_program_name,
)
from assent.gate.rules.entries import Entry, first_of
from assent.gate.rules.flags import MARKS, Same, atoms_of, is_flag, needed, same_in
from assent.gate.rules.globs import expands_to
from assent.gate.shell.word import Exact, Word
from assent.gate.values import define, field

__all__ = ["CommandIndex"]

# The rules that deny or ask about commands, found however the command is spelled.
#
# A program counts by any path and in any case, its options anywhere, together or apart, and what
# follows an option may be its value. Operands count in their order. A word that is not known may
# be whatever a rule names: such a rule is told of as one that may be about the command.

_MAX_WORDS_COMPARED: Final = 256
"""With so many words a pattern is compared; of more, any may be meant."""


@define(eq=False)
class _Node:
    """The rules about commands with the operands up to here."""

    program: str
    same: Same
    marks: dict[str, str]
    then: dict[str, "_Node"] = field(factory=dict)
    more: tuple[Entry, ...] = ()
    """With whatever follows."""
    exact: tuple[Entry, ...] = ()
    """Without further operands."""
    flagged: dict[str, list[tuple[frozenset[str], Entry]]] = field(factory=dict)
    """With these atoms; by one of them."""
    any_flag: tuple[Entry, ...] = ()
    """The first of those with atoms."""
    below: tuple[Entry, ...] = ()
    """The first of those with further operands."""


@define(eq=False)
class _Liberal:
    """All rules that deny or ask about commands."""

    _programs: dict[str, _Node] = field(factory=dict)
    first: tuple[Entry, ...] = ()
    """The first of all; none where there are none."""

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> "_Liberal":
        """The index of these rules, none of which allows."""
        index = cls(first=first_of(entries))
        for entry in entries:
            if entry.rule.words:
                index._add(entry)
        for node in index._programs.values():
            _gather(node)
        return index

    def look(self, argv: Sequence[Word], certain: list[Entry], perhaps: list[Entry]) -> None:
        """Add what is about a command, and what may be."""
        if not argv:
            return
        name = argv[0]
        if not name.texts or name.glob or name.several:
            perhaps.extend(self.first)
        words: Words | None = None
        for key in keys_of(name.texts):
            node = self._programs.get(key)
            if node is not None and _may_match(node, argv):
                words = words or classify_words(argv[1:])
                _walk(node, words, certain, perhaps)

    def roughly(self, words: frozenset[str]) -> Iterator[Entry]:
        """The rules whose words are all among these, in whatever order."""
        named = {key for word in words for key in program_keys(word)}
        for key in named & self._programs.keys():
            flags = frozenset(word for word in words if is_flag(word))
            yield from _walk_roughly(self._programs[key], words, flags)

    def _add(self, entry: Entry) -> None:
        for words in _meant(entry.rule.words):
            self._add_words(words, entry)

    def _add_words(self, words: Sequence[str], entry: Entry) -> None:
        key = rule_key(words[0])
        program = key.removeprefix("/")
        operands, flags = split(words[1:])
        node = self._programs.get(key)
        if node is None:
            node = self._programs[key] = _Node(program=program, same=same_in(program), marks={})
        for depth, word in enumerate(operands):
            child = node.then.get(word)
            if child is None:
                child = node.then[word] = _child(node, word, depth)
            node = child
        atoms = frozenset(atom for flag in flags for atom in needed(flag, program, node.same))
        if atoms:
            node.flagged.setdefault(min(atoms), []).append((atoms, entry))
        elif entry.rule.exact:
            node.exact += (entry,)
        else:
            node.more += (entry,)


def _meant(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A rule's words, and the other names of what it says its program should do.

    Another program's name is not meant, nor the same without a flag that the rule has.
    """
    yield words
    if len(words) > 1:
        flags = sum(map(is_flag, words))
        for other in spellings(words)[1:]:
            if other[0] == words[0] and sum(map(is_flag, other)) == flags:
                yield other


def _child(node: _Node, word: str, depth: int) -> _Node:
    """The node behind one more operand; the first names a command of the program."""
    if depth:
        return _Node(program=node.program, same=node.same, marks=node.marks)
    return _Node(
        program=node.program,
        same=same_in(node.program, word),
        marks=MARKS.get(f"{node.program} {word}", {}),
    )


def _gather(node: _Node) -> None:
    for child in node.then.values():
        _gather(child)
    node.any_flag = first_of(entry for rules in node.flagged.values() for _, entry in rules)
    node.below = first_of(
        entry
        for child in node.then.values()
        for entry in (*child.more, *child.exact, *child.any_flag, *child.below)
    )


def _may_match(node: _Node, argv: Sequence[Word]) -> bool:
    """Whether it is worth looking: not all is known, or each operand of a rule is there."""
    if node.more or node.exact or node.flagged:
        return True
    texts = set()
    for word in argv:
        if not word.known or word.glob:
            return True
        texts.add(word.text)
    return _is_spelled_in(node, texts)


def _is_spelled_in(node: _Node, texts: set[str]) -> bool:
    if node.more or node.exact or node.flagged:
        return True
    for it in node.then.keys() & texts:  # noqa: SIM110 -- `any` takes twice as long, in each call
        if _is_spelled_in(node.then[it], texts):
            return True
    return False


def _walk(node: _Node, words: Words, certain: list[Entry], perhaps: list[Entry]) -> None:
    """Go along the operands, on every way that skips what may be an option's value."""
    active = [node]
    seen: set[_Node] = set()
    for place in range(len(words.operands) + 1):
        for it in active:
            if place >= words.free:
                certain.extend(it.exact)
            elif place >= words.open:
                perhaps.extend(it.exact)
            if it not in seen:
                certain.extend(it.more)
                if it.flagged:
                    _take_flagged(it, words, certain, perhaps)
        if place == len(words.operands):
            return
        seen.update(active)
        active = list(dict.fromkeys(_step(active, words.operands[place], perhaps)))
        if not active:
            return


def _step(active: Iterable[_Node], operand: Operand, perhaps: list[Entry]) -> Iterator[_Node]:
    for node in active:
        if operand.texts:
            yield from (node.then[text] for text in operand.texts if text in node.then)
        elif operand.pattern and len(node.then) <= _MAX_WORDS_COMPARED:
            for text, child in node.then.items():
                if expands_to(operand.pattern, text):
                    perhaps.extend((*child.more, *child.exact, *child.any_flag, *child.below))
        else:
            perhaps.extend(node.below)
        if operand.optional:
            yield node


def _take_flagged(node: _Node, words: Words, certain: list[Entry], perhaps: list[Entry]) -> None:
    atoms = {atom for flag in words.flags for atom in atoms_of(flag, node.program, node.same)}
    for operand in words.operands:
        atoms.update(node.marks[text[0]] for text in operand.texts if text[:1] in node.marks)
    for atom in atoms & node.flagged.keys():
        certain.extend(entry for needs, entry in node.flagged[atom] if needs <= atoms)
    if node.marks and not all(operand.texts for operand in words.operands):
        # A word that is not known may begin with such a mark.
        may = atoms.union(node.marks.values())
        perhaps.extend(
            entry for rules in node.flagged.values() for needs, entry in rules if needs <= may
        )
    if words.hidden_flag:
        perhaps.extend(node.any_flag)


def _walk_roughly(node: _Node, words: frozenset[str], flags: frozenset[str]) -> Iterator[Entry]:
    yield from node.more
    yield from node.exact
    if node.flagged:
        atoms = {atom for flag in flags for atom in atoms_of(flag, node.program, node.same)}
        for atom in atoms & node.flagged.keys():
            yield from (entry for needs, entry in node.flagged[atom] if needs <= atoms)
    for word in node.then.keys() & words:
        yield from _walk_roughly(node.then[word], words, flags)


_MAX_CACHED_WORDS: Final = 32
"""Commands of so many words are remembered with their spellings."""


@define(eq=False)
class CommandIndex:
    """All rules about commands."""

    _allowed: dict[tuple[str, ...], list[Entry]] = field(factory=dict)
    """What allows commands of these words, or that begin with them."""
    _lengths: dict[str, set[int]] = field(factory=dict)
    """By the first of them: how many they may be."""
    _liberal: _Liberal = field(factory=_Liberal)
    _every: tuple[Entry, ...] = ()
    """What is about every command."""
    _roots: Sequence[str] = ()
    """The folders of the workspace."""

    @classmethod
    def of(cls, entries: Iterable[Entry], roots: Sequence[str] = ()) -> "CommandIndex":
        """The index of these rules, for these folders."""
        index = cls(roots=roots)
        tight = [entry for entry in entries if entry.rule.verdict is not Verdict.ALLOW]
        index._every = tuple(entry for entry in entries if not entry.rule.words)
        for entry in entries:
            if entry.rule.words and entry.rule.verdict is Verdict.ALLOW:
                index._allow(entry)
        index._liberal = _Liberal.of(tight)
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
        every = [entry for entry in self._every if entry.rule.verdict is not Verdict.ALLOW]
        return [*every, *self._liberal.roughly(words)] if words else every

    def _allow(self, entry: Entry) -> None:
        words = entry.rule.words
        self._allowed.setdefault(words, []).append(entry)
        self._lengths.setdefault(words[0], set()).add(len(words))

    def _look_allowed(self, argv: Sequence[Word], certain: list[Entry]) -> None:
        name = argv[0].text
        short = system_program_name(name)
        self._follow(name, argv, certain)
        if short != name:
            self._follow(short, argv, certain)
        plain = without_selection(argv, self._roots)
        if plain is not None:
            self._follow(short, plain, certain, exact=False)

    def _follow(
        self, name: str, argv: Sequence[Word], certain: list[Entry], *, exact: bool = True
    ) -> None:
        lengths = self._lengths.get(name)
        if lengths is None:
            return
        texts = (name, *[word.text for word in takewhile(_is_plain, argv[1 : max(lengths)])])
        for length in lengths:
            if length <= len(texts):
                whole = exact and length == len(argv)
                found = self._allowed.get(texts[:length], ())
                certain += [entry for entry in found if whole or not entry.rule.exact]


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
    rest = tuple([word.text for word in argv[1:]])
    for program in name.texts:
        others = _others if len(rest) <= _MAX_CACHED_WORDS else _others.__wrapped__
        for texts in others(program, rest):
            # Where a known and an unknown word look the same, the unknown one stands for both.
            words = {word.text: word for word in argv[1:] if not (word.known and _is_plain(word))}
            yield tuple(words.get(text) or Exact(text=text) for text in texts)


@lru_cache(maxsize=2_048)
def _others(program: str, rest: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return spellings((program, *rest))[1:]
