"""Tools that pack a file next to it or in its place, or unpack it, with an ending for the name."""

from collections.abc import Iterator
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted
from assent.gate.programs.outcome import as_reading, deeds_of, operand_touches
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.derived_names import beside, without_ending
from assent.gate.shell.word import Exact, Unknown, Word
from assent.gate.values import evolve

__all__ = ["use_gzip", "use_zstd"]

_ENDINGS: Final = tuple(".gz .z .zz .zip .bz2 .bz .xz .lzma .lz .zst .lz4 .br -gz -z _z".split())
_ARCHIVES: Final = tuple(".tgz .taz .tbz .tbz2 .tz2 .txz .tlz .tzst .tlz4".split())
"""Endings of packed archives, which unpack to `.tar`."""
_OWN: Final = {
    "gzip": ".gz",
    "bzip2": ".bz2",
    "xz": ".xz",
    "lzma": ".lzma",
    "lzip": ".lz",
    "compress": ".Z",
    "zstd": ".zst",
    "lz4": ".lz4",
    "brotli": ".br",
}
"""The ending that packing adds, by the first name of the tool's row; all others only unpack."""
_UNPACKS: Final = "-d --decompress --uncompress"
_PACKS: Final = "-z --compress"
_PRINTS: Final = "-c --stdout --to-stdout"
_TELLS: Final = "-l --list -t --test"
"""Counts where nothing is said to pack or unpack: to some the last one said is what they do."""
_STORED: Final = Unknown(text="the name that is stored in it")
_LISTED: Final = Unknown(text="what its list names")


def use_gzip(row: Row, sorted_: Sorted) -> Deeds:
    """Replaces files by packed ones, or back; `-k` keeps the files, and `-c` only prints.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_gzip(*row_and_sorted("gzip notes.txt")))
    write notes.txt, read notes.txt, delete notes.txt, write notes.txt.gz
    >>> print(use_gzip(*row_and_sorted("gzip -dk notes.txt.gz")))
    write notes.txt.gz, read notes.txt.gz, write notes.txt
    >>> print(use_gzip(*row_and_sorted("gunzip a.tgz")))
    write a.tgz, read a.tgz, delete a.tgz, write a.tar
    >>> print(use_gzip(*row_and_sorted("gunzip -c a.tgz")))
    only reads: read a.tgz
    """
    deeds = _packed(row, sorted_, keeps=sorted_.has("-k --keep"))
    return as_reading(deeds, reads=_prints(sorted_))


def use_zstd(row: Row, sorted_: Sorted) -> Deeds:
    """Puts packed files beside the files, or unpacked ones; `--rm` removes what it was given.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_zstd(*row_and_sorted("zstd notes.txt")))
    write notes.txt, read notes.txt, write notes.txt.zst
    >>> print(use_zstd(*row_and_sorted("zstd --rm notes.txt")))
    write notes.txt, read notes.txt, delete notes.txt, write notes.txt.zst, --rm removes files
    >>> print(use_zstd(*row_and_sorted("unzstd notes.txt.zst")))
    write notes.txt.zst, read notes.txt.zst, write notes.txt
    """
    deeds = _packed(row, sorted_, keeps=not sorted_.has("--rm"))
    # The others of their kind may take a second operand for where to write.
    alone = row.names.startswith(("zstd", "unzstd"))
    return as_reading(deeds, reads=alone and _prints(sorted_))


def _prints(sorted_: Sorted) -> bool:
    """Whether it surely makes no file of what it is given."""
    told = sorted_.has(_TELLS) and not sorted_.has(f"{_PACKS} {_UNPACKS}")
    return told or sorted_.has(_PRINTS)


def _packed(row: Row, sorted_: Sorted, *, keeps: bool) -> Deeds:
    """What is read and made, and what is gone unless the tool `keeps` what it was given."""
    touches = _given(row, sorted_)
    changed = [] if keeps else [touch for touch in touches if touch.kind is not Kind.READ]
    gone = [evolve(touch, kind=Kind.DELETE) for touch in changed]
    return deeds_of(row, sorted_, [*touches, *gone, *_made(row, sorted_)])


def _given(row: Row, sorted_: Sorted) -> list[Touch]:
    """What is packed or unpacked; what is printed or tested changes nothing."""
    touches = operand_touches(row, sorted_, sorted_.operands)
    if _prints(sorted_):
        return [touch for touch in touches if touch.kind is Kind.READ]
    return touches


def _made(row: Row, sorted_: Sorted) -> list[Touch]:
    """The files that are made, as their names follow from those given."""
    if _prints(sorted_):
        return []
    usual = _OWN.get(row.names.split()[0])
    unpacks = usual is None or sorted_.has(_UNPACKS)
    made: list[Word] = [_LISTED] if sorted_.has("--files --files0 --filelist") else []
    if unpacks and sorted_.has("-N --name"):
        made.append(_STORED)
    if not sorted_.has("-o --output"):
        own = sorted_.of("-S --suffix")
        words = [word for word in sorted_.operands if word.text != "-"]
        if unpacks:
            made += [it for word in words for it in _unpacked(word, own)]
        if not unpacks or sorted_.has(_PACKS):
            endings = own or [Exact(text=it) for it in (usual,) if it is not None]
            made += [beside(word, ending) for word in words for ending in endings]
    return touched(Kind.WRITE, dict.fromkeys(made))


def _unpacked(word: Word, own: list[Word]) -> Iterator[Word]:
    for ending in own:
        if not ending.known:
            yield word.lost()
    # Each tool unpacks what others packed, so every ending counts and not its own alone.
    endings = (*_ENDINGS, *(word.text for word in own if word.known))
    whole = (without_ending(word, ending) for ending in endings)
    archive = (without_ending(word, ending, ".tar") for ending in _ARCHIVES)
    yield from (word for word in (*whole, *archive) if word is not None)
