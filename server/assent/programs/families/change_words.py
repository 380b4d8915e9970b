"""Tools that change files in ways that their words tell only together."""

from typing import Final

from attrs import evolve

from assent.bash.word import Exact
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.families.keeping import kept_beside
from assent.programs.families.naming import below
from assent.programs.options import Sorted, part_of
from assent.programs.outcome import deeds_of, operand_touches
from assent.programs.rows import Row
from assent.text.patterns import late

__all__ = [
    "use_cp",
    "use_crontab",
    "use_dd",
    "use_editor",
    "use_globbing",
    "use_install",
    "use_ln",
    "use_mktemp",
    "use_visual",
]

_WILD: Final = late(r"[*?\[{]")
_PLACE: Final = late(r"\+(?:\d*|/.*)")
_DEVICE: Final = late(r"/dev/(?!null$|stdout$|stderr$|tty$|fd/|zero$|u?random$)")


def use_dd(_row: Row, sorted_: Sorted) -> Deeds:
    """Copies `if=` to `of=`; onto a device it takes everything there is.

    >>> from assent.programs.reading import row_and_sorted
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
        elif name == "of":
            touches.append(Touch(kind=Kind.WRITE, word=part_of(word, value)))
            formats = formats or _DEVICE.match(value) is not None
    known = all(word.known and "=" in word.text for word in sorted_.words)
    if formats:
        touches += [Touch(kind=Kind.DELETE, word=it.word, tree=True) for it in touches[-1:]]
    return Deeds(touches=tuple(touches), known=known, catastrophic=formats)


def use_globbing(row: Row, sorted_: Sorted) -> Deeds:
    """Removes what patterns stand for that it resolves itself, so that quotes are no help.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_globbing(*row_and_sorted("rimraf 'dist/**' tmp")))
    delete dist/**/**, delete tmp/**
    """
    words = [
        it.spelled(it.text, glob=True) if it.known and _WILD.search(it.text) else it
        for it in sorted_.operands
    ]
    return deeds_of(row, sorted_, operand_touches(row, sorted_, words))


def use_editor(row: Row, sorted_: Sorted) -> Deeds:
    """Changes files as its input says, which may also be to run something.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_editor(*row_and_sorted("ed notes.txt")))
    write notes.txt, read notes.txt, its input can run a program
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    return deeds_of(row, sorted_, touches, escapes=["its input can run a program"])


def use_visual(row: Row, sorted_: Sorted) -> Deeds:
    """Changes files; behind a plus stands a line, a search, or a command of the program's own.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_visual(*row_and_sorted("vim +12 notes.txt")))
    write notes.txt, read notes.txt
    >>> print(use_visual(*row_and_sorted("vim '+!date' notes.txt")))
    write notes.txt, read notes.txt, `+!date` runs something
    """
    signed = [it for it in sorted_.operands if it.text.startswith("+")]
    files = [it for it in sorted_.operands if it not in signed]
    orders = [it.text for it in signed if not _PLACE.fullmatch(it.text)]
    touches = operand_touches(row, sorted_, files)
    return deeds_of(row, sorted_, touches, escapes=[f"`{it}` runs something" for it in orders])


def use_ln(row: Row, sorted_: Sorted) -> Deeds:
    """Makes links; a hard link is as good as the file, which therefore counts as written.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_ln(*row_and_sorted("ln -s ../lib/a.so a.so")))
    read ../lib/a.so, write a.so, write a.so/a.so
    >>> print(use_ln(*row_and_sorted("ln ../lib/a.so a.so")))
    read ../lib/a.so, write ../lib/a.so, write a.so, write a.so/a.so
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    if len(sorted_.operands) == 1 and not sorted_.has(row.into):
        name = sorted_.operands[0].text.rstrip("/").rpartition("/")[2]
        touches.append(Touch(kind=Kind.WRITE, word=Exact(text=f"./{name}")))
    alone = sorted_.has(row.into) or len(sorted_.operands) == 1
    sources = sorted_.operands if alone else sorted_.operands[:-1]
    if sorted_.has("-s --symbolic"):
        touches = [touch for touch in touches if touch.word not in sources]
    read = [Touch(kind=Kind.READ, word=it) for it in sources]
    return deeds_of(row, sorted_, [*read, *touches, *kept_beside(sorted_, touches)])


def use_install(row: Row, sorted_: Sorted) -> Deeds:
    """Copies, or makes folders.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_install(*row_and_sorted("install -m 755 app bin")))
    read app, write bin, write bin/app
    """
    if sorted_.has("-d --directory"):
        touches = [Touch(kind=Kind.WRITE, word=word) for word in sorted_.operands]
        return deeds_of(row, sorted_, touches)
    touches = operand_touches(row, sorted_, sorted_.operands)
    return deeds_of(row, sorted_, [*touches, *kept_beside(sorted_, touches)])


def use_mktemp(row: Row, sorted_: Sorted) -> Deeds:
    """Makes a file of a new name, in the folder that a flag names.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_mktemp(*row_and_sorted("mktemp -p build log.XXXX")))
    write build, write build/log.XXXX
    """
    folders = sorted_.of("-p --tmpdir")
    told = sorted_.operands or [Exact(text="tmp.XXXXXXXXXX")]
    made = [below(folder, word) for folder in folders for word in told]
    own = [] if folders else sorted_.operands
    return deeds_of(row, sorted_, [Touch(kind=Kind.WRITE, word=word) for word in (*own, *made)])


def use_cp(row: Row, sorted_: Sorted) -> Deeds:
    """Copies; a link in the place of a copy is as good as the file itself.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_cp(*row_and_sorted("cp a.txt b.txt")))
    read a.txt, write b.txt, write b.txt/a.txt
    >>> print(use_cp(*row_and_sorted("cp -l a.txt b.txt")))
    read a.txt, write b.txt, write b.txt/a.txt, write a.txt
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    touches += kept_beside(sorted_, touches)
    if sorted_.has("-l --link -s --symbolic-link"):
        sources = [touch for touch in touches if touch.kind is Kind.READ]
        touches += [evolve(touch, kind=Kind.WRITE) for touch in sources]
    return deeds_of(row, sorted_, touches)


def use_crontab(row: Row, sorted_: Sorted) -> Deeds:
    """Sets what runs at which times, unless it only lists it.

    >>> from assent.programs.reading import row_and_sorted
    >>> print(use_crontab(*row_and_sorted("crontab -l")))
    not only reads
    >>> print(use_crontab(*row_and_sorted("crontab jobs.txt")))
    read jobs.txt, write /var/spool/cron/crontabs
    """
    touches = operand_touches(row, sorted_, sorted_.operands)
    if not sorted_.has("-l"):
        touches.append(Touch(kind=Kind.WRITE, word=Exact(text="/var/spool/cron/crontabs")))
    return deeds_of(row, sorted_, touches)
