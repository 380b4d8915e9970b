"""What some uses of a program do to files, beyond the program's row.

A row is about a program; such a use is one of its many commands. It keeps settings of its own,
which steer whatever runs later, empties the folder that it is given, or copies between machines.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import takewhile
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Links, Touch, touched
from assent.gate.programs.harmless_values import is_built
from assent.gate.programs.irreversible_uses import behind, may_be
from assent.gate.programs.known_names import callings
from assent.gate.programs.options import Sorted, part_of, sort_words
from assent.gate.programs.outcome import HERE, operand_touches, resolved
from assent.gate.programs.rows import ALWAYS, Row
from assent.gate.programs.tables.addresses import host_of, lies_there, marked
from assent.gate.programs.tables.git_change_words import brought
from assent.gate.shell.anchored_paths import InHome
from assent.gate.shell.word import Exact, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = ["Use", "with_uses"]

_OPERANDS: Final = "."
_HERES: Final = frozenset((".", "./", "./...", "..."))
_MAX_UNKNOWN_FLAGS: Final = 4
"""So many flags that nobody knows may have a value each."""
_LAST: Final = late(r".*[/:](?=.)", re.DOTALL)
_HERE: Final = ":local:"
"""What some write before a path to say that it lies on this machine."""
_COPYING: Final = Row(names="", target=Kind.WRITE, recursive_flags=ALWAYS)


@frozen(kw_only=True)
class Use:
    """One use of a program, by the words that make it one."""

    of: str
    words: str = ""
    """As in `IrreversibleUse`: the operands that it begins with, several ways parted by commas."""
    flags: str = ""
    """The flags of which one must be there, in the notation of `Row.flags`."""
    takes: str = ""
    """Further flags, for their values."""
    spares: str = ""
    """The words with which it does none of this."""
    keeps: str = ""
    """The file or the folder in which it keeps what steers it, or others, later."""
    empties: str = ""
    """The flags whose values are folders that it clears; a dot stands for its operands."""
    writes: str = ""
    """The flags whose values are paths that it fills; a dot stands for its operands."""
    reads: str = ""
    """The flags whose values are paths that it reads whole; a dot stands for its operands."""
    globs: str = ""
    """The flags whose values may be patterns that it resolves itself, hidden names too, parted by
    commas; a dot stands for its operands."""
    marks: str = ""
    """What stands before the name of a file that it reads, at the beginning of a word or of a value
    in it, as a pattern."""
    here: bool = False
    """Whether it reads all of the folder that it works in where it is given none."""
    packs: str = ""
    """The flags whose values are folders that it reads whole, to pack, serve or send them; a dot
    stands for its operands. Where it may be given none, that is the folder that it works in."""
    bare: bool = False
    """Whether it is also this where none of its words says what to do."""
    stops: bool = False
    """Whether all that stands behind its first operand is another program's."""
    most: int = 0
    """How many operands are its own, if not all: what stands behind them is another program's."""
    fills: str = ""
    """What it puts into the folder that it makes of each of its operands."""
    tells: str = ""
    """The file whose content it shows or hands on, of its own accord."""
    unpacks: str = ""
    """The flags whose values are folders that it fills with what an archive holds, links and all; a
    dot stands for its operands behind the archive, or for where it works."""
    brings: str = ""
    """The host of which it brings its first operand where that names none; a dot is no host."""
    formats: str = ""
    """The endings of the files that it writes anew in the folders that it is given, or here."""
    pours: bool = False
    """Whether all that lies in the others of its operands is put into the last."""
    copies: bool = False
    """Whether the others are put there under their own names. One with a colon is elsewhere."""

    @cached_property
    def row(self) -> Row:
        """Its flags, for telling its words apart."""
        given = f"{self.flags} {self.takes}"
        paths = (self.empties, self.writes, self.reads, self.globs, self.packs, self.unpacks)
        told = " ".join(paths).split()
        known = {_OPERANDS, *(it.rstrip("=?") for it in given.split())}
        values = [f"{it}=" for it in told if it not in known]
        flags = " ".join((given, *values))
        return Row(names=self.of, operands=None, flags=flags, operand_ends_flags=self.stops)

    def touches(self, words: tuple[Word, ...]) -> list[Touch]:
        """What it does to files with these words; nothing where they make it another use."""
        sorted_ = sort_words(self.row, words)
        if self.most and (others := sorted_.operands[self.most :]):
            own = takewhile(lambda word: word is not others[0], words)
            sorted_ = sort_words(self.row, tuple(own))
        # The value of a flag that nobody here knows looks like an operand.
        unknown = len(sorted_.strangers) + sum(
            operand.text[:1] == "+" for operand in sorted_.operands[:1]
        )
        starts = range(min(unknown, _MAX_UNKNOWN_FLAGS) + 1)
        found = ((at, behind(self.words, sorted_.operands[at:])) for at in starts)
        at, rest = next(((at, words) for at, words in found if words is not None), (0, None))
        rest = () if rest is None and self.bare and len(sorted_.operands) <= unknown else rest
        if rest is None or self._is_spared(sorted_, at) or not self._has(sorted_):
            return []
        filled = _told(self.writes, sorted_, rest)
        filled += (rest[1:] if unknown else rest[-1:]) if self.pours and rest[1:] else ()
        taken = _told(self.reads, sorted_, rest or ((HERE,) if self.here else ()))
        taken += rest[:-1] if self.pours and any(map(lies_there, rest)) else ()
        taken += self._packed(sorted_, rest)
        taken += resolved(_told(self.globs, sorted_, rest), in_list=True)
        taken += marked(self.marks, words) if self.marks else ()
        unpacked = _told(self.unpacks, sorted_, rest[1:]) or [HERE] if self.unpacks else ()
        return [
            *([Touch(kind=Kind.WRITE, word=_place(self.keeps))] if self.keeps else ()),
            *([Touch(kind=Kind.READ, word=_place(self.tells))] if self.tells else ()),
            *_whole(Kind.DELETE, _told(self.empties, sorted_, rest)),
            *_whole(Kind.WRITE, filled),
            *_whole(Kind.READ, taken),
            *touched(Kind.WRITE, _within(rest, self.fills.split())),
            *(evolve(touch, links=Links.BELOW) for touch in _whole(Kind.WRITE, unpacked)),
            *(brought(rest) if self.brings and rest else ()),
            *(_copied(rest) if self.copies and rest[1:] else ()),
            *_formatted(rest or (HERE,), self.formats.split()),
        ]

    def hosts(self, words: tuple[Word, ...]) -> list[str]:
        """The hosts from which it brings something with these words."""
        named = [host_of(word) for word in words if self.brings and "://" in word.text]
        return named or [it for it in (self.brings,) if it not in ("", _OPERANDS)]

    def _is_spared(self, sorted_: Sorted, at: int) -> bool:
        """Whether a flag, or one of the first two words, says that nothing of it is done."""
        spares = {*self.spares.split()}
        first = {operand.text for operand in sorted_.operands[at : at + 2]}
        own = (word for word in sorted_.words if word not in sorted_.operands)
        written = [word.text for word in own if word.text.startswith("-")]
        flags = {*written, *(f"{it.partition('=')[0]}=" for it in written if "=" in it)}
        return not spares.isdisjoint(first | flags)

    def _packed(self, sorted_: Sorted, rest: tuple[Word, ...]) -> list[Word]:
        """The folders that it packs, serves or sends."""
        if not self.packs:
            return []
        named = _told(self.packs, sorted_, rest)
        sure = named and not any("=" not in stranger.text for stranger in sorted_.strangers)
        return named if sure else [*named, HERE]

    def _has(self, sorted_: Sorted) -> bool:
        """Whether one of the needed flags is there, if any is needed."""
        needed = [it.rstrip("=?") for it in self.flags.split()]
        return not needed or sorted_.has(" ".join(needed))


def with_uses(argv: tuple[Word, ...], name: str, deeds: Deeds) -> Deeds:
    """The deeds of a command, and what this use of its program does besides.

    >>> from assent.gate.programs.read_lines import words_of
    >>> for line in ("go env -w GOFLAGS=-x", "go env", "cargo vendor lib", "aws s3 cp s3://b/a ."):
    ...     argv = words_of(line)
    ...     print(with_uses(argv, argv[0].text, Deeds()))
    perhaps more: write ~/.config/go/env
    perhaps more
    perhaps more: delete lib/**, `lib` is emptied
    perhaps more: write ./a/**
    """
    uses = [
        (use, words, touches)
        for called, words in callings(name, argv[1:])
        for use in _about(called, words)
        if (touches := use.touches(words))
    ]
    found = [touch for _, _, touches in uses for touch in touches]
    if not found:
        return deeds
    gone = [touch.word.text for touch in found if touch.kind is Kind.DELETE]
    return evolve(
        deeds,
        touches=(*deeds.touches, *found),
        hosts=deeds.hosts or tuple(host for use, words, _ in uses for host in use.hosts(words)),
        escapes=(*deeds.escapes, *(f"`{it}` is emptied" for it in gone if not is_built(it))),
        reading=False,
        catastrophic=deeds.catastrophic or bool(gone),
    )


def _about(name: str, words: tuple[Word, ...]) -> Iterator[Use]:
    """The uses that a program may be put to with these words."""
    uses = _by_name().get(name, ())
    texts = {word.text for word in words} if uses else set[str]()
    return (use for use in uses if use.bare or may_be(use.words, texts))


@cache
def _by_name() -> dict[str, tuple[Use, ...]]:
    from assent.gate.programs.tables.changing_uses import USES  # noqa: PLC0415 -- it names such as this

    found: dict[str, tuple[Use, ...]] = {}
    for use in USES:
        for name in use.of.split():
            found[name] = (*found.get(name, ()), use)
    return found


def _told(flags: str, sorted_: Sorted, rest: tuple[Word, ...]) -> list[Word]:
    operands = rest if _OPERANDS in flags.split() else ()
    # Some programs take a sign between a letter and its value.
    values = (_without("=", word) for word in sorted_.of(flags))
    return [*values, *operands]


def _whole(kind: Kind, words: Sequence[Word]) -> list[Touch]:
    here = (word for word in words if not lies_there(word))
    return [Touch(kind=kind, word=_without(_HERE, word), tree=True) for word in here]


def _without(sign: str, word: Word) -> Word:
    return part_of(word, word.text[len(sign) :]) if word.text.startswith(sign) else word


def _within(folders: Sequence[Word], names: Sequence[str]) -> list[Word]:
    return [
        folder.spelled(f"{folder.text.rstrip('/')}/{name}") for folder in folders for name in names
    ]


def _copied(words: Sequence[Word]) -> list[Touch]:
    """What copying under known names touches on this machine."""
    here = [word for word in words[:-1] if not lies_there(word)]
    if lies_there(words[-1]):
        return touched(Kind.READ, here, tree=True)
    # What lies there has a name all the same, under which it comes to lie here.
    named = [
        word if word in here else part_of(word, _LAST.sub("", word.text)) for word in words[:-1]
    ]
    touches = operand_touches(_COPYING, Sorted(), [*named, words[-1]])
    return [touch for touch in touches if touch.kind is Kind.WRITE or touch.word in here]


def _formatted(folders: Sequence[Word], endings: Sequence[str]) -> list[Touch]:
    """The files of these endings at any depth of folders, which are written in their place."""
    return [
        Touch(kind=Kind.WRITE, word=folder.spelled(f"{path}*.{ending}", glob=True), through=True)
        for folder in folders
        for path in (
            "" if folder.text in _HERES else f"{folder.text.removesuffix('/...').rstrip('/')}/",
        )
        for ending in endings
    ]


def _place(path: str) -> Word:
    return InHome(text=path) if path.startswith("~") else Exact(text=path)
