"""Tools that change files; only all their words together tell which."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted, part_of, sort_words
from assent.gate.programs.outcome import as_reading, deeds_of, operand_touches
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.derived_names import below, beside, kept_as
from assent.gate.shell.word import Exact, Pattern, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = [
    "use_cp",
    "use_crontab",
    "use_dd",
    "use_editor",
    "use_globbing",
    "use_install",
    "use_ln",
    "use_mktemp",
    "use_mv",
    "use_outputs",
    "use_patch",
    "use_perl",
    "use_sessions",
    "use_untold",
    "use_visual",
]

_WILD: Final = late(r"[*?\[{]")
_PLACE: Final = late(r"\+(?:\d*|/.*)")
_DEVICE: Final = late(r"/dev/(?!null$|stdout$|stderr$|tty$|fd/|zero$|u?random$)")


def use_dd(_row: Row, sorted_: Sorted) -> Deeds:
    """Copies `if=` to `of=`; onto a device it takes everything there is.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_dd(*row_and_sorted("dd if=a.img of=b.img")))
    read a.img, write b.img
    >>> print(use_dd(*row_and_sorted("dd if=a.img of=/dev/sda")))
    read a.img, write /dev/sda, delete /dev/sda/**
    """
    touches = []
    formats = False
    for word in sorted_.words:
        name, _, value = word.text.partition("=")
        if name == "if":
            touches.append(Touch(kind=Kind.READ, word=part_of(word, value)))
        elif name in {"of", "wipe"}:
            touches.append(Touch(kind=Kind.WRITE, word=part_of(word, value)))
            formats = formats or _DEVICE.match(value) is not None
    known = all(word.known and "=" in word.text for word in sorted_.words)
    if formats:
        touches += [Touch(kind=Kind.DELETE, word=touch.word, tree=True) for touch in touches[-1:]]
    return Deeds(touches=tuple(touches), known=known, catastrophic=formats)


def use_globbing(row: Row, sorted_: Sorted) -> Deeds:
    """Removes what patterns stand for that it resolves itself, so that quotes are no help.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_globbing(*row_and_sorted("rimraf 'dist/**' tmp")))
    delete dist/**/**, delete tmp/**
    """
    words = [
        operand.spelled(operand.text, glob=True)
        if operand.known and _WILD.search(operand.text)
        else operand
        for operand in sorted_.operands
    ]
    return deeds_of(row, sorted_, operand_touches(row, sorted_, words))


def use_editor(row: Row, sorted_: Sorted) -> Deeds:
    """Changes files as its input says, which may also be to run something.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_editor(*row_and_sorted("ed notes.txt")))
    write notes.txt, read notes.txt, its input can run a program
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    return deeds_of(row, sorted_, touches, escapes=["its input can run a program"])


def use_visual(row: Row, sorted_: Sorted) -> Deeds:
    """Changes files; behind a plus stands a line, a search, or a command of the program's own.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_visual(*row_and_sorted("vim +12 notes.txt")))
    write notes.txt, read notes.txt
    >>> print(use_visual(*row_and_sorted("vim '+!date' notes.txt")))
    write notes.txt, read notes.txt, `+!date` runs something
    """
    signed = [operand for operand in sorted_.operands if operand.text.startswith("+")]
    files = [operand for operand in sorted_.operands if operand not in signed]
    orders = [word.text for word in signed if not _PLACE.fullmatch(word.text)]
    touches = operand_touches(row, sorted_, files)
    return deeds_of(
        row, sorted_, touches, escapes=[f"`{order}` runs something" for order in orders]
    )


def use_ln(row: Row, sorted_: Sorted) -> Deeds:
    """Makes links; a hard link is as good as the file, which therefore counts as written.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_ln(*row_and_sorted("ln -s ../lib/a.so a.so")))
    read ../lib/a.so, write a.so, write a.so/a.so
    >>> print(use_ln(*row_and_sorted("ln ../lib/a.so a.so")))
    read ../lib/a.so, write ../lib/a.so, write a.so, write a.so/a.so
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    if len(sorted_.operands) == 1 and not sorted_.has(row.target_flags):
        name = sorted_.operands[0].text.rstrip("/").rpartition("/")[2]
        touches.append(Touch(kind=Kind.WRITE, word=Exact(text=f"./{name}")))
    alone = sorted_.has(row.target_flags) or len(sorted_.operands) == 1
    sources = sorted_.operands if alone else sorted_.operands[:-1]
    if sorted_.has("-s --symbolic"):
        touches = [touch for touch in touches if touch.word not in sources]
    read = touched(Kind.READ, sources)
    return deeds_of(row, sorted_, [*read, *touches, *_kept_beside(sorted_, touches)])


def use_install(row: Row, sorted_: Sorted) -> Deeds:
    """Copies, or makes folders.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_install(*row_and_sorted("install -m 755 app bin")))
    read app, write bin, write bin/app
    """
    if sorted_.has("-d --directory"):
        touches = touched(Kind.WRITE, sorted_.operands)
        return deeds_of(row, sorted_, touches)
    touches = operand_touches(row, sorted_, sorted_.operands)
    return deeds_of(row, sorted_, [*touches, *_kept_beside(sorted_, touches)])


def use_mktemp(row: Row, sorted_: Sorted) -> Deeds:
    """Makes a file of a new name, in the folder that a flag names.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_mktemp(*row_and_sorted("mktemp -p build log.XXXX")))
    write build, write build/log.XXXX
    """
    folders = sorted_.of("-p --tmpdir")
    words = sorted_.operands or [Exact(text="tmp.XXXXXXXXXX")]
    made = [below(folder, word) for folder in folders for word in words]
    own = [] if folders else sorted_.operands
    return deeds_of(row, sorted_, touched(Kind.WRITE, (*own, *made)))


def use_cp(row: Row, sorted_: Sorted) -> Deeds:
    """Copies; a link in the place of a copy is as good as the file itself.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_cp(*row_and_sorted("cp a.txt b.txt")))
    read a.txt, write b.txt, write b.txt/a.txt
    >>> print(use_cp(*row_and_sorted("cp -l a.txt b.txt")))
    read a.txt, write b.txt, write b.txt/a.txt, write a.txt
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    touches += _kept_beside(sorted_, touches)
    if sorted_.has("-l --link -s --symbolic-link"):
        sources = [touch for touch in touches if touch.kind is Kind.READ]
        touches += [evolve(touch, kind=Kind.WRITE) for touch in sources]
    return deeds_of(row, sorted_, touches)


def use_crontab(row: Row, sorted_: Sorted) -> Deeds:
    """Sets what runs at which times, unless it only lists it.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_crontab(*row_and_sorted("crontab -l")))
    only reads
    >>> print(use_crontab(*row_and_sorted("crontab jobs.txt")))
    read jobs.txt, write /var/spool/cron/crontabs
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    lists = sorted_.has(row.dry_run_flags) and not sorted_.operands
    if not lists:
        touches.append(Touch(kind=Kind.WRITE, word=Exact(text="/var/spool/cron/crontabs")))
    return as_reading(deeds_of(row, sorted_, touches), reads=lists)


# Tools that keep the old text of what they change, by a name that they make of its own.

_KEEPS: Final = "-b --backup -S --suffix -B"
_ENDING: Final = frozenset({"-S", "--suffix", "-B"})
_NONE: Final = Exact(text="")
_USUAL: Final = Exact(text="~")
_PARTS: Final = ("-B --prefix", "-Y --basename-prefix", "-z --suffix")
"""What `patch` puts before a path, before the name in it, and after it."""
_IN_PLACE: Final = late(r"-(?:[acfnpsStTuUwWX]|0(?:[xX][0-9a-fA-F]*+|[0-7]*+)|l[0-7]*+)*?i(.*)")


def _kept_beside(sorted_: Sorted, touches: Iterable[Touch]) -> list[Touch]:
    """The backups that a tool is told to keep of what it overwrites.

    >>> from assent.gate.programs.read_lines import row_and_words
    >>> row, words = row_and_words("cp -S .old a b")
    >>> sorted_ = sort_words(row, words)
    >>> print(*_kept_beside(sorted_, operand_touches(row, sorted_, sorted_.operands)), sep=", ")
    write b.old, write b/a.old
    """
    if not sorted_.has(_KEEPS):
        return []
    endings = [value for flag, value in sorted_.values if flag in _ENDING] or [_USUAL]
    written = [touch for touch in touches if touch.kind is Kind.WRITE]
    kept = [
        evolve(touch, word=beside(touch.word, ending)) for touch in written for ending in endings
    ]
    # Below a folder any file may be written over.
    deep = [touch.word for touch in written if touch.tree]
    kept += [
        Touch(kind=Kind.WRITE, word=hidden.spelled(hidden.text, glob=True))
        for word in deep
        for ending in endings
        for hidden in [_hidden(word, ending)]
    ]
    return kept


def _hidden(folder: Word, ending: Word) -> Word:
    return beside(below(folder, Exact(text=".*")), ending)


def use_mv(row: Row, sorted_: Sorted) -> Deeds:
    """Moves; a backup is kept of the target alone, and never of what lies below it.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_mv(*row_and_sorted("mv a.txt b.txt")))
    delete a.txt/**, write b.txt/**, write b.txt/a.txt/**
    >>> print(use_mv(*row_and_sorted("mv -b a.txt b.txt")))
    delete a.txt/**, write b.txt/**, write b.txt/a.txt/**, write b.txt~, write b.txt/a.txt~
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    kept = _kept_beside(sorted_, [evolve(touch, tree=False) for touch in touches])
    return deeds_of(row, sorted_, [*touches, *kept])


def use_patch(row: Row, sorted_: Sorted) -> Deeds:
    """Changes the named file, or those that its input names, and may keep backups.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_patch(*row_and_sorted("patch -d lib a.c")))
    write lib, write a.c/**, write lib/a.c/**
    """
    touches = operand_touches(row, sorted_, sorted_.operands[:1])
    touches += touched(Kind.READ, sorted_.operands[1:])
    before, inner, after = (sorted_.value(part) or _NONE for part in _PARTS)
    if (before, inner, after) != (_NONE,) * 3:
        words = sorted_.operands[:1] or [Pattern(text=it) for it in ("*", ".*")]
        touches += [
            Touch(kind=Kind.WRITE, word=_framed(word, before, inner, after)) for word in words
        ]
    folder = sorted_.value("-d --directory")
    if folder is not None:
        touches += [evolve(touch, word=below(folder, touch.word)) for touch in touches]
        words = sorted_.of("-i --input")
        touches += [Touch(kind=Kind.READ, word=below(folder, word)) for word in words]
    return deeds_of(row, sorted_, touches)


def _framed(word: Word, before: Word, inner: Word, after: Word) -> Word:
    folder, slash, name = word.text.rpartition("/")
    framed = word.spelled(f"{before.text}{folder}{slash}{inner.text}{name}")
    return beside(framed if before.known and inner.known else framed.lost(), after)


def use_perl(row: Row, sorted_: Sorted) -> Deeds:
    """Runs a program that nobody has read; with `-i` it may change the files in their places.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_perl(*row_and_sorted("perl -pi.bak -e 's/a/b/' a.txt")))
    perhaps more: write a.txt, write a.txt.bak
    >>> print(use_perl(*row_and_sorted("perl tool.pl a.txt")))
    perhaps more
    """
    sorted_ = sort_words(row, tuple(map(_plainly, sorted_.words)))
    files = sorted_.operands if sorted_.has("-e -E") else sorted_.operands[1:]
    if not sorted_.has("-i"):
        return deeds_of(row, sorted_, (), known=False)
    endings = sorted_.of("-i")
    names = [
        *files,
        *(word for file in files for ending in endings for word in kept_as(file, ending)),
    ]
    touches = touched(Kind.WRITE, names)
    return deeds_of(row, sorted_, touches, known=False)


def _plainly(word: Word) -> Word:
    """`-pi.bak` as `-i.bak`: other letters of the word, with their numbers, are dropped."""
    matched = _IN_PLACE.fullmatch(word.text)
    return word if matched is None else word.spelled(f"-i{matched[1]}")


# Programs of which only what they write is told by their words, such as compilers.

_OUTPUT: Final = late(r"-[abcdestvq]*o(.*)|--output(?:=(.*))?")
"""`-o` and its value, also behind letters with which no other flag of a compiler begins."""


def use_outputs(row: Row, sorted_: Sorted) -> Deeds:
    """Writes what `-o` names; all else is not known.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_outputs(*row_and_sorted("gcc -Wall -o app a.c")))
    perhaps more: write app
    """
    named = _named(sorted_.words)
    touches = [Touch(kind=Kind.WRITE, word=word) for word in named if word.text != "-"]
    return deeds_of(row, Sorted(), touches, known=False)


def _named(words: tuple[Word, ...]) -> Iterator[Word]:
    for word, value in zip_longest(words, words[1:], fillvalue=_NONE):
        matched = _OUTPUT.fullmatch(word.text)
        if matched is None:
            continue
        attached = matched[1] or matched[2]
        if attached or value.text:
            yield part_of(word, attached) if attached else value


def use_sessions(row: Row, sorted_: Sorted) -> Deeds:
    """Runs a shell, and writes down what happens in it.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_sessions(*row_and_sorted("script log.txt")))
    perhaps more: write log.txt
    """
    return deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands[:1]), known=False)


def use_untold(_row: Row, _sorted: Sorted) -> Deeds:
    """Nothing that its words tell.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_untold(*row_and_sorted("twine upload dist/app.whl")))
    perhaps more
    """
    return Deeds()
