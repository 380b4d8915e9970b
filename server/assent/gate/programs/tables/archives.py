"""Tools that put many files into one, and take them out again."""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Links, Touch, touched
from assent.gate.programs.options import IN_A_LIST, Sorted, part_of, sort_words
from assent.gate.programs.outcome import HERE, as_reading, deeds_of, operand_touches, resolved
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.addresses import host_of
from assent.gate.programs.tables.derived_names import below
from assent.gate.shell.anchored_paths import under
from assent.gate.shell.word import Exact, Unknown, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["use_7z", "use_cpio", "use_tar", "use_unzip", "use_zip", "use_zipinfo"]

_BELOW: Final = Links.BELOW
_OLD_STYLE: Final = late(r"[A-Za-z]+")
_AWAY: Final = late(r"[^/]+:")
"""An archive on another machine, which is reached by its remote shell."""
_INCLUDED: Final = late(r"(?i)(?:-i(?:r[-0]?)?(?:m[-2]?)?)?([!@])(.*)")
"""A flag by which 7z is told what to take, or the list of names that stands in an operand."""


def _is_led(sorted_: Sorted, folders: list[Word]) -> bool:
    """Whether all that is packed is looked for in one folder, which is named before any of it."""
    places = {id(word): at for at, word in enumerate(sorted_.words)}
    first = min((places.get(id(operand), -1) for operand in sorted_.operands), default=-1)
    named = [places.get(id(folder), first) for folder in folders]
    return len(named) == 1 and named[0] < first


def use_tar(row: Row, sorted_: Sorted) -> Deeds:
    """Packs, lists or unpacks; its first word may be flags without a dash.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_tar(*row_and_sorted("tar -tf a.tgz")))
    only reads: read a.tgz
    >>> print(use_tar(*row_and_sorted("tar xf a.tgz -C out")))
    read a.tgz, write out/**
    >>> print(use_tar(*row_and_sorted("tar -czf a.tgz -C docs guide.md")))
    write a.tgz, read ./docs/guide.md/**, look docs
    """
    words = sorted_.words
    if words and words[0].known and _OLD_STYLE.fullmatch(words[0].text):
        sorted_ = sort_words(row, tuple(_dashed(words)))
    archives = [
        value
        for flag, value in sorted_.values
        if flag in {"-f", "--file"} and not (value.known and value.text == "-")
    ]
    folders = sorted_.of("-C --directory")
    touches: list[Touch] = []
    if sorted_.has("-x --extract --get"):
        touches += touched(Kind.READ, archives)
        if not sorted_.has("-O --to-stdout"):
            into = folders or [HERE]
            if not _names_all(sorted_):
                unknown = Touch(kind=Kind.WRITE, word=HERE, tree=True, some=True, links=_BELOW)
                touches += [evolve(unknown, word=word) for word in into]
            touches += _from_tar(sorted_, into)
            touches += _anywhere(sorted_, "-P --absolute-names --absolute-paths --insecure")
    elif sorted_.has("-t --list"):
        touches += touched(Kind.READ, archives)
    else:
        touches += touched(Kind.WRITE, archives)
        here = [] if _is_led(sorted_, folders) else sorted_.operands
        packed = [*here, *_from_folders(folders, sorted_.operands)]
        touches += touched(Kind.READ, packed, tree=True)
        touches += touched(Kind.LOOK, folders)
        if sorted_.has("--remove-files"):
            touches += touched(Kind.DELETE, sorted_.operands, tree=True)
    # Of a file with a sign before it some read more words, and show those that they do not know.
    told = [part_of(word, word.text[1:]) for word in sorted_.words if word.text[:1] == "@"]
    touches += touched(Kind.READ, told)
    away = [
        archive
        for archive in archives
        if _AWAY.match(archive.text) and not sorted_.has("--force-local")
    ]
    escapes = ["its archive lies on another machine"] if away else []
    hosts = [host_of(part_of(word, word.text.partition(":")[0])) for word in away]
    deeds = deeds_of(row, sorted_, touches, escapes=escapes, hosts=hosts)
    if sorted_.has("--remove-files"):
        return evolve(deeds, catastrophic=True)
    return as_reading(deeds, reads=_only_shows(sorted_, archives))


def _only_shows(sorted_: Sorted, archives: list[Word]) -> bool:
    """Whether an archive of this machine is only listed or printed, and nothing unpacked."""
    changes = "-c -A -r -u --create --append --update --delete --catenate --concatenate -d --diff"
    printed = sorted_.has("-x --extract --get") and sorted_.has("-O --to-stdout")
    more = f"{changes} --compare -g -M -w -U -S"
    shows = (printed or sorted_.has("-t --list")) and not sorted_.has(more)
    listed = not (sorted_.has("-t --list") and sorted_.has("-x --extract --get"))
    # A name with a colon in it is one on another machine, and a file with a sign has more words.
    told = all(archive.known and ":" not in archive.text for archive in archives)
    return shows and listed and told and all(word.text[:1] != "@" for word in sorted_.words)


def _from_folders(folders: list[Word], operands: list[Word]) -> Iterator[Word]:
    """The operands as paths from each `-C`; the next `-C` starts from the one before."""
    where: Word = HERE
    for folder in folders:
        where = _joined(where, folder)
        yield from (_joined(where, operand) for operand in operands)


def _joined(folder: Word, word: Word) -> Word:
    """A path taken from a folder, unless it is absolute."""
    if word.home or word.text.startswith("/"):
        return word
    text = f"{folder.text.rstrip('/')}/{word.text}"
    return under(folder, text, known=word.known, glob=folder.glob or word.glob)


def _dashed(words: tuple[Word, ...]) -> list[Word]:
    """The flags without a dash as flags with one: their values follow in order."""
    rest = list(words[1:])
    flags: list[Word] = []
    for letter in words[0].text:
        flags.append(Exact(text=f"-{letter}"))
        if letter in "fCbFgHIKLNTVX" and rest:
            flags.append(rest.pop(0))
    return [*flags, *rest]


def use_unzip(row: Row, sorted_: Sorted) -> Deeds:
    """Unpacks into a folder, lists, or prints.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_unzip(*row_and_sorted("unzip -l a.zip")))
    only reads: read a.zip
    >>> print(use_unzip(*row_and_sorted("unzip a.zip -d out")))
    read a.zip, write out/**
    """
    touches = touched(Kind.READ, _zips(sorted_))
    shows = sorted_.has("-l -p -c -t -v -Z -z")
    if not shows:
        into = sorted_.found.get("-d") or HERE
        touches.append(Touch(kind=Kind.WRITE, word=into, tree=True, links=_BELOW))
        touches += _from_zip(sorted_, sorted_.words, into)
        touches += _colons(sorted_.words)
    return as_reading(deeds_of(row, sorted_, touches), reads=shows)


def use_zipinfo(row: Row, sorted_: Sorted) -> Deeds:
    """Lists an archive; its other operands are names in it.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_zipinfo(*row_and_sorted("zipinfo a.zip docs/a.md")))
    only reads: read a.zip
    >>> print(use_zipinfo(*row_and_sorted("zipinfo -- -2 a.zip")))
    only reads: read -2, read a.zip
    """
    return deeds_of(row, sorted_, operand_touches(row, sorted_, _zips(sorted_)))


def _zips(sorted_: Sorted) -> list[Word]:
    """What may be the archive: behind `--` these still take what looks like an option for one."""
    plain = [operand for operand in sorted_.operands if operand.text[:1] != "-"]
    return [*dict.fromkeys((*sorted_.operands[:1], *plain[:1]))]


def use_zip(row: Row, sorted_: Sorted) -> Deeds:
    """Packs the other operands into the first.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_zip(*row_and_sorted("zip -rm a.zip src")))
    write a.zip, read src/**, delete src/**, -m removes files
    """
    tree = sorted_.has("-r --recurse-paths -R")
    touches = touched(Kind.WRITE, sorted_.operands[:1])
    touches += touched(Kind.READ, sorted_.operands[1:], tree=tree)
    if any(word.text[:1] == "-" and "@" in word.text for word in sorted_.words):
        touches.append(Touch(kind=Kind.READ, word=IN_A_LIST))
    if sorted_.has("-m --move"):
        touches += touched(Kind.DELETE, sorted_.operands[1:], tree=True)
    deeds = deeds_of(row, sorted_, touches)
    return evolve(deeds, catastrophic=tree and sorted_.has("-m --move"))


def use_7z(row: Row, sorted_: Sorted) -> Deeds:
    """Packs or unpacks, by its first word; where to, is glued to `-o`.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_7z(*row_and_sorted("7z x a.7z -oout")))
    read a.7z, write out/**
    """
    words = sorted_.words
    into = [word for word in words if word.text.startswith("-o") and len(word.text) > len("-o")]
    sorted_ = sort_words(row, tuple(word for word in words if word not in into))
    order, *archives = [*sorted_.operands, Exact(text="")][:2]
    packed = sorted_.operands[2:]
    if order.text in {"x", "e", "l", "t"}:
        touches = [Touch(kind=Kind.READ, word=word) for word in archives if word.text]
        folders = [part_of(word, word.text[len("-o") :]) for word in into] or [HERE]
        if order.text in {"x", "e"}:
            touches += touched(Kind.WRITE, folders, tree=True, links=_BELOW)
            touches += _anywhere(sorted_, "-spf -snl")
        return deeds_of(row, sorted_, touches)
    touches = [Touch(kind=Kind.WRITE, word=word) for word in archives if word.text]
    packed += _included(words)
    if not packed and order.text.lower() in {"a", "u"}:
        packed.append(HERE)
    # What is taken out of an archive is named as it is called there.
    found = [*packed, *(resolved(packed) if order.text.lower() != "d" else ())]
    touches += touched(Kind.READ, found, tree=True)
    touches += touched(Kind.DELETE, packed, tree=True) if sorted_.has("-sdel") else []
    return deeds_of(row, sorted_, touches)


def _included(words: Sequence[Word]) -> list[Word]:
    """What 7z packs by its flag `-i!`, and what stands in a list of names (`@list`)."""
    found = [(word, _INCLUDED.match(word.text)) for word in words]
    said = [(word, match[1], match[2]) for word, match in found if match]
    listed = [Unknown(text=f"what `{name}` lists") for _, sign, name in said if sign == "@"]
    return [*listed, *(part_of(word, name) for word, _, name in said if name)]


def use_cpio(row: Row, sorted_: Sorted) -> Deeds:
    """Packs what its input names, which nobody knows, or unpacks to where the archive says.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_cpio(*row_and_sorted("cpio -i --no-absolute-filenames")))
    write ./**
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    if sorted_.has("-p"):
        # It copies what its input names to there, links and all.
        touches = [evolve(touch, tree=True, links=_BELOW) for touch in touches]
    if sorted_.has("-o -p -w --create") or not sorted_.has("-i -r --extract -t --list"):
        touches.append(Touch(kind=Kind.READ, word=Unknown(text="what its input names")))
    elif not sorted_.has("-t --list --to-stdout"):
        touches.append(Touch(kind=Kind.WRITE, word=HERE, tree=True, links=_BELOW))
        relative = sorted_.has("--no-absolute-filenames")
        touches += [] if relative else _anywhere(sorted_, "-i -r --extract")
    return deeds_of(row, sorted_, touches)


# What lies in an archive by the names that a tool is told to take out of it.

_SIGNS: Final = frozenset("*?[")

_ANYWHERE: Final = Unknown(text="the paths that are stored in it")


def _from_tar(sorted_: Sorted, folders: Sequence[Word]) -> list[Touch]:
    """Where the named members of a tar archive end up, for each folder it may unpack into.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> sorted_ = sort_words(*row_and_words("tar -xf a.tgz --strip-components=1 app/bin"))
    >>> print(*_from_tar(sorted_, [Exact(text="out")]))
    write out/bin/**
    """
    top = sorted_.found.get("--one-top-level")
    tops = [below(folder, top) for folder in folders if top is not None]
    members = [it for word in sorted_.operands for it in _stripped(sorted_, word)]
    inside = [below(folder, member) for folder in (*folders, *tops) for member in members]
    return [*map(_member, (*tops, *inside))]


def _names_all(sorted_: Sorted) -> bool:
    """Whether every member that is unpacked is named, and keeps its name.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> lines = ("tar -xf a.tgz app/bin", "tar -xf a.tgz", "tar -xf a.tgz -s /a/b/ app/bin")
    >>> [_names_all(sort_words(*row_and_words(it))) for it in lines]
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


def _anywhere(sorted_: Sorted, flags: str) -> list[Touch]:
    """A write that may go anywhere, if one of the flags lets stored paths leave the folder.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> print(*_anywhere(sort_words(*row_and_words("tar -xPf a.tgz")), "-P"))
    write the paths that are stored in it
    """
    return [Touch(kind=Kind.WRITE, word=_ANYWHERE)] if sorted_.has(flags) else []


def _colons(words: Sequence[Word]) -> list[Touch]:
    """The same for `unzip -:`, whose flag no row can name.

    >>> from assent.gate.programs.read_lines import words_of
    >>> print(*_colons(words_of("unzip -: a.zip")))
    write the paths that are stored in it
    >>> _colons(words_of("unzip a.zip"))
    []
    """
    flags = (word.text for word in words if word.text.startswith("-"))
    return [Touch(kind=Kind.WRITE, word=_ANYWHERE)] if any(":" in flag for flag in flags) else []


def _from_zip(sorted_: Sorted, words: Sequence[Word], folder: Word) -> list[Touch]:
    """Where the named members of a zip archive end up; those behind `-x` are left out.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> row, words = row_and_words("unzip a.zip docs/a.md b.md -x c.md")
    >>> print(*_from_zip(sort_words(row, words), words, Exact(text="out")), sep=", ")
    write out/docs/a.md/**, write out/b.md/**
    """
    texts = [word.text for word in words]
    left_out = words[texts.index("-x") :] if "-x" in texts else ()
    members = [word for word in sorted_.operands[1:] if word not in left_out]
    if sorted_.has("-j"):
        members = [member.spelled(member.text.rpartition("/")[2]) for member in members]
    named = [_pattern(member.spelled(member.text.lstrip("/"))) for member in members]
    return [_member(below(folder, word)) for word in named]


def _member(word: Word) -> Touch:
    return Touch(kind=Kind.WRITE, word=word, tree=True, links=Links.THERE)


def _pattern(member: Word) -> Word:
    """A name with signs is a pattern for names in the archive, even where the shell quoted it."""
    return member.spelled(member.text, glob=member.glob or not _SIGNS.isdisjoint(member.text))
