"""Sorts the words of a command by its row: flags, their values, and operands.

A word that could turn out to be a flag when it runs is told as `loose`, and a flag that the row
does not name as `strange`; neither is ever taken for harmless here.
"""

from collections.abc import Sequence
from typing import Final

from assent.gate.programs.deeds import NOWHERE, Kind, Touch
from assent.gate.programs.rows import Flag, Row
from assent.gate.shell.anchored_paths import InTop
from assent.gate.shell.word import Unknown, Word, word_of
from assent.gate.shell.word_sets import Hash, as_number
from assent.gate.text.lazy_patterns import late
from assent.gate.values import Factory, define

__all__ = ["IN_A_LIST", "Sorted", "literal_head", "part_of", "sort_words", "take_option"]

_QUOTES: Final = str.maketrans("", "", "\"'")
_BEYOND_LITERAL: Final = late(r"[$`\\…]|[<>]\(")
_AFTER_AT: Final = late(r"(?:^|=)[@<]|^[\w-]+@")
_AT_FIRST: Final = frozenset(
    "-H --header --proxy-header -d --data --data-ascii --data-binary --json -w --write-out".split()
)
"""The flags of curl whose value names a file only where it begins with `@`."""
IN_A_LIST: Final = Unknown(text="what a list names")
_WILD: Final = "*?["
_WILDCARDS: Final = late(r"[*?\]]")


@define(kw_only=True)
class Sorted:
    """A command's words by what they are."""

    words: tuple[Word, ...] = ()
    """All of them."""
    operands: list[Word] = Factory(list)
    marked: list[Word] = Factory(list)
    """Those of them that stand after `--`."""
    late: list[Word] = Factory(list)
    """What looks like a flag behind an operand; not every build of a tool takes it for one."""
    found: dict[str, Word | None] = Factory(dict)
    """The flags, each with its last value."""
    values: list[tuple[str, Word]] = Factory(list)
    """Every value with its flag."""
    escapes: list[str] = Factory(list)
    touches: list[Touch] = Factory(list)
    strangers: list[Word] = Factory(list)  # What looks like a flag that the row does not name.
    strange: bool = False
    loose: bool = False

    def has(self, flags: str) -> bool:
        """Whether one of these flags is there."""
        return any(flag in self.found for flag in flags.split())

    def add(self, behind: "Sorted") -> None:
        """Take in the flags that stand behind an operand, where they are looked for once more."""
        self.found.update(behind.found)
        self.values += behind.values
        self.escapes += [escape for escape in behind.escapes if escape not in self.escapes]
        self.touches += behind.touches
        self.strange = self.strange or behind.strange

    def value(self, flags: str) -> Word | None:
        """The last value of the first of these flags that has one."""
        return next((word for flag in flags.split() if (word := self.found.get(flag))), None)

    def of(self, flags: str) -> list[Word]:
        """The values of these flags."""
        wanted = flags.split()
        return [value for flag, value in self.values if flag in wanted]


def sort_words(row: Row, words: tuple[Word, ...]) -> Sorted:
    """Tell flags, their values and operands apart, by the tool's row.

    >>> from assent.gate.programs.read_lines import row_and_words
    >>> sorted_ = sort_words(*row_and_words("head -n 5 -q a.txt b.txt"))
    >>> [it.text for it in sorted_.operands], list(sorted_.found)
    (['a.txt', 'b.txt'], ['-n', '-q'])
    >>> sort_words(*row_and_words("head --frob a.txt")).strange
    True
    """
    sorted_ = Sorted(words=words)
    at, ended, marked = 0, False, False
    while at < len(words):
        word = words[at]
        at += 1
        head = word.text if word.known else literal_head(word)
        if ended or head[:1] != "-" or (head == "-" and word.known):
            plain = word.known and not (word.glob or word.listed)
            if not (plain or ended) and _may_be_flag(row, word, head):
                sorted_.loose = True
                if word.known and row.reads:
                    _doubt_flag(row, sorted_, word)
            sorted_.operands.append(word)
            if marked:
                sorted_.marked.append(word)
            ended = ended or row.operand_ends_flags
        elif head == "--" and word.known:
            ended = marked = True
        else:
            if sorted_.operands:
                sorted_.late.append(word)
            at = take_option(row, sorted_, words, at - 1)
    return sorted_


def take_option(row: Row, sorted_: Sorted, words: Sequence[Word], at: int) -> int:
    """Take in the option that stands at a place, with its values; return the place behind them.

    >>> from assent.gate.programs.read_lines import row_and_words
    >>> row, words = row_and_words("head -n 5 -q a.txt")
    >>> sorted_ = Sorted()
    >>> take_option(row, sorted_, words, 0), sorted_.found["-n"].text
    (2, '5')
    """
    word = words[at]
    head = word.text if word.known else literal_head(word)
    return at + 1 + _flag(row, sorted_, word, head, words[at + 1 :])


def literal_head(word: Word) -> str:
    """The beginning of a word before its first expansion, without quotes.

    >>> literal_head(Unknown(text='"src/$NAME"'))
    'src/'
    """
    matched = _BEYOND_LITERAL.search(word.text)
    head = word.text[: matched.start()] if matched else word.text
    return "/" if isinstance(word, InTop) else head.translate(_QUOTES)


def part_of(word: Word, text: str) -> Word:
    """A part of a word as a word.

    >>> from assent.gate.shell.word import Exact
    >>> part_of(Exact(text="of=b.img"), "b.img").text
    'b.img'
    """
    glob = word.glob and any(letter in text for letter in "*?[")
    return word_of(text, known=word.known, glob=glob)


def _may_be_flag(row: Row, word: Word, head: str) -> bool:
    """Whether an operand may become a word, or several, that the tool takes for a flag."""
    if not word.known and (word.several or not head):
        # However many states of a repository there are, each is one.
        return not isinstance(word, Hash)
    if not (word.glob or word.listed) or head[:1] not in {"*", "?", "["}:
        return False
    # What ends like a file's name can at worst name another file in the same folder, by a flag
    # with a value; only a script of sed would run out of such a name.
    return row.form == "sed" or "." not in _WILDCARDS.split(head)[-1]


def _flag(row: Row, sorted_: Sorted, word: Word, head: str, rest: Sequence[Word]) -> int:
    """Take a flag in, with its values; return how many words the values are."""
    exact = row.known.get(head) if word.known else None
    if exact is not None:
        return _with_values(row, sorted_, exact, rest)
    name, equals, _ = head.partition("=")
    if head.startswith("--") and name not in row.known:
        sorted_.strangers.append(word)
    if head.startswith("--") or (equals and name in row.known and name[2:]):
        return _long(row, sorted_, word, head, rest)
    return _short(row, sorted_, word, head, rest)


def _long(row: Row, sorted_: Sorted, word: Word, head: str, rest: Sequence[Word]) -> int:
    name, equals, value = head.partition("=")
    flag = row.known.get(name) or _abbreviated(row, name)
    if flag is None or not (equals or word.known):
        sorted_.strange = True
        sorted_.loose = sorted_.loose or not word.known
        # Whatever names take the place of a pattern, they begin as it does.
        named = equals and not any(it in name for it in _WILD)
        if not word.known or (word.glob and not named):
            _doubt_flag(row, sorted_, word)
        return 0
    if not equals:
        return _with_values(row, sorted_, flag, rest)
    if not (flag.values or flag.attached):
        sorted_.strange = True
    _note(sorted_, flag, part_of(word, value if word.known else word.text.partition("=")[2]))
    _scatter(row, sorted_, word)
    return 0


def _abbreviated(row: Row, name: str) -> Flag | None:
    """The flag that a long one may stand for: the worst of those that begin so."""
    meant = [row.known[long] for long in row.longs if long.startswith(name)]
    if not meant or name == "--":
        return None
    return max(meant, key=lambda flag: (bool(flag.escape), flag.kind is not None, -len(flag.name)))


def _short(row: Row, sorted_: Sorted, word: Word, head: str, rest: Sequence[Word]) -> int:
    if head[1:].isdigit() and "-#" in row.known and word.known:
        sorted_.found["-#"] = None
        return 0
    for at, letter in enumerate(head[1:], start=2):
        flag = row.known.get(f"-{letter}")
        if flag is None:
            sorted_.strangers.append(word)
            sorted_.strange = True
            if word.glob and letter in _WILD:
                _doubt_flag(row, sorted_, word)
            continue
        left = head[at:]
        if (flag.values or flag.attached) and (left or not word.known):
            value = left if word.known else f"{left}$"
            _note(sorted_, flag, part_of(word, value))
            _scatter(row, sorted_, word)
            return max(flag.values - 1, 0)
        if flag.values:
            return _with_values(row, sorted_, flag, rest)
        _note(sorted_, flag, None)
    if not word.known:
        # The rest may be any letters, and values of them.
        sorted_.strange = sorted_.loose = True
        _doubt_flag(row, sorted_, word)
    return 0


def _with_values(row: Row, sorted_: Sorted, flag: Flag, rest: Sequence[Word]) -> int:
    taken = rest[: flag.values]
    for value in taken:
        # More than one name may take its place, and those behind the first are no values.
        if value.glob and "." not in _WILDCARDS.split(value.text)[-1]:
            sorted_.loose = True
        if value.glob and row.operands is not None:
            sorted_.touches.append(Touch(kind=row.operands, word=value))
        _scatter(row, sorted_, value)
        _doubt(row, sorted_, value)
    _note(sorted_, flag, taken[-1] if taken else None)
    return len(taken)


def _doubt_flag(row: Row, sorted_: Sorted, word: Word) -> None:
    """Note that a word may become any flag of the row, if one of them does more."""
    why = f"{word.text} may become a flag that does more"
    if row.risky and why not in sorted_.escapes:
        sorted_.escapes.append(why)


def _scatter(row: Row, sorted_: Sorted, value: Word) -> None:
    """Note that a value which the shell may split becomes flags and operands as well."""
    if not value.several:
        return
    sorted_.loose = True
    if row.operands is not None and not (value.empty and as_number(value)):
        sorted_.touches.append(Touch(kind=row.operands, word=value))


def _doubt(row: Row, sorted_: Sorted, value: Word) -> None:
    """A value that would itself be a flag may be one, in another version of the tool."""
    if not row.risky or value.text[:1] != "-" or value.text == "-":
        return
    name = value.text.partition("=")[0]
    if name[1:].isdigit() and not {name[:2], "-#"} & row.known.keys():
        return  # It is a number below zero.
    sorted_.strange = True
    flag = row.known.get(name) or row.known.get(name[:2]) or _abbreviated(row, name)
    if flag is not None and flag.escape and flag.escape not in sorted_.escapes:
        sorted_.escapes.append(flag.escape)


def _note(sorted_: Sorted, flag: Flag, value: Word | None) -> None:
    sorted_.found[flag.name] = value
    if flag.kind is Kind.WRITE and value is not None and value.known and value.text in NOWHERE:
        return
    if flag.escape and flag.escape not in sorted_.escapes:
        sorted_.escapes.append(flag.escape)
    if flag.lists:
        sorted_.touches.append(Touch(kind=Kind.READ, word=IN_A_LIST))
    if value is None:
        return
    sorted_.values.append((flag.name, value))
    path = _path_in(flag, value)
    if path is not None and path.text not in {"", "-"}:
        sorted_.touches.append(Touch(kind=flag.kind or Kind.READ, word=path))


def _path_in(flag: Flag, value: Word) -> Word | None:
    """The path in a flag's value, if there is one."""
    if flag.kind is not None:
        return value
    if flag.style == "@" and flag.name in _AT_FIRST:
        head = value.text if value.known else literal_head(value)
        if value.known and head[:1] == "@":
            return part_of(value, head[1:])
        return None if value.known or head[:1] not in {"", "@"} else value
    if flag.style == "@" and not value.known:
        return value
    if flag.style == "@" and (begun := _AFTER_AT.search(value.text)):
        return part_of(value, value.text[begun.end() :].partition(";")[0])
    if flag.style == ":" and ":" in value.text:
        return part_of(value, value.text.rpartition(":")[2])
    return None
