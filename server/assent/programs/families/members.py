"""What lies in an archive by the names that a tool is told to take out of it."""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.bash.word import Exact, Unknown, Word
from assent.programs.deeds import Kind, Links, Touch
from assent.programs.families.naming import below
from assent.programs.options import Sorted

__all__ = ["anywhere", "colons", "from_tar", "from_zip", "names_all"]

_SIGNS: Final = frozenset("*?[")

_ANYWHERE: Final = Unknown(text="the paths that are stored in it")


def from_tar(sorted_: Sorted, folders: Sequence[Word]) -> list[Touch]:
    """Where the named members of a tar archive end up, for each folder it may unpack into.

    >>> from assent.programs.options import sort_words
    >>> from assent.programs.reading import row_and_words
    >>> sorted_ = sort_words(*row_and_words("tar -xf a.tgz --strip-components=1 app/bin"))
    >>> print(*from_tar(sorted_, [Exact(text="out")]))
    write out/bin/**
    """
    top = sorted_.found.get("--one-top-level")
    tops = [below(folder, top) for folder in folders if top is not None]
    members = [it for word in sorted_.operands for it in _stripped(sorted_, word)]
    inside = [below(folder, it) for folder in (*folders, *tops) for it in members]
    return [*map(_member, (*tops, *inside))]


def names_all(sorted_: Sorted) -> bool:
    """Whether every member that is unpacked is named, and keeps its name.

    >>> from assent.programs.options import sort_words
    >>> from assent.programs.reading import row_and_words
    >>> lines = ("tar -xf a.tgz app/bin", "tar -xf a.tgz", "tar -xf a.tgz -s /a/b/ app/bin")
    >>> [names_all(sort_words(*row_and_words(it))) for it in lines]
    [True, False, False]
    """
    moved = "--strip-components --one-top-level --transform --xform --wildcards -T --files-from -s"
    return (
        bool(sorted_.operands) and not sorted_.has(moved) and all(map(_is_name, sorted_.operands))
    )


def _is_name(word: Word) -> bool:
    plain = word.known and not word.glob and _SIGNS.isdisjoint(word.text)
    return plain and word.text.strip("./") != ""


def _stripped(sorted_: Sorted, member: Word) -> Iterator[Word]:
    """A member's name without as many folders as `--strip-components` says."""
    if not sorted_.has("-P --absolute-names"):
        member = member.spelled(member.text.lstrip("/"))
    count = sorted_.found.get("--strip-components") or Exact(text="0")
    if not (count.known and count.text.isdecimal()):
        yield member.lost()
        return
    parts = member.text.split("/")[int(count.text) :]
    if parts:
        yield _pattern(member.spelled("/".join(parts)))


def anywhere(sorted_: Sorted, flags: str) -> list[Touch]:
    """A write that may go anywhere, if one of the flags lets stored paths leave the folder.

    >>> from assent.programs.options import sort_words
    >>> from assent.programs.reading import row_and_words
    >>> print(*anywhere(sort_words(*row_and_words("tar -xPf a.tgz")), "-P"))
    write the paths that are stored in it
    """
    return [Touch(kind=Kind.WRITE, word=_ANYWHERE)] if sorted_.has(flags) else []


def colons(words: Sequence[Word]) -> list[Touch]:
    """The same for `unzip -:`, whose flag no row can name.

    >>> from assent.programs.reading import words_of
    >>> print(*colons(words_of("unzip -: a.zip")))
    write the paths that are stored in it
    >>> colons(words_of("unzip a.zip"))
    []
    """
    flags = (it.text for it in words if it.text.startswith("-"))
    return [Touch(kind=Kind.WRITE, word=_ANYWHERE)] if any(":" in it for it in flags) else []


def from_zip(sorted_: Sorted, words: Sequence[Word], folder: Word) -> list[Touch]:
    """Where the named members of a zip archive end up; those behind `-x` are left out.

    >>> from assent.programs.options import sort_words
    >>> from assent.programs.reading import row_and_words
    >>> row, words = row_and_words("unzip a.zip docs/a.md b.md -x c.md")
    >>> print(*from_zip(sort_words(row, words), words, Exact(text="out")), sep=", ")
    write out/docs/a.md/**, write out/b.md/**
    """
    texts = [word.text for word in words]
    left_out = words[texts.index("-x") :] if "-x" in texts else ()
    members = [word for word in sorted_.operands[1:] if word not in left_out]
    if sorted_.has("-j"):
        members = [it.spelled(it.text.rpartition("/")[2]) for it in members]
    named = [_pattern(it.spelled(it.text.lstrip("/"))) for it in members]
    return [_member(below(folder, it)) for it in named]


def _member(word: Word) -> Touch:
    return Touch(kind=Kind.WRITE, word=word, tree=True, links=Links.THERE)


def _pattern(member: Word) -> Word:
    """A name with signs is a pattern for names in the archive, even where the shell quoted it."""
    return member.spelled(member.text, glob=member.glob or not _SIGNS.isdisjoint(member.text))
