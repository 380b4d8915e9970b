"""Tools that change files in ways that their words tell only together."""

from typing import Final

from attrs import evolve

from assent.bash.script import Word
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.families.keeping import kept_beside
from assent.programs.families.naming import below
from assent.programs.flags import part_of, sort_words
from assent.programs.outcome import deeds_of, operand_touches
from assent.programs.rows import Row
from assent.text.patterns import late

__all__ = [
    "use_cp",
    "use_crontab",
    "use_dd",
    "use_editor",
    "use_install",
    "use_ln",
    "use_mktemp",
]

_DEVICE: Final = late(r"/dev/(?!null$|stdout$|stderr$|tty$|fd/|zero$|u?random$)")


def use_dd(_row: Row, words: tuple[Word, ...]) -> Deeds:
    """Copies `if=` to `of=`; onto a device it takes everything there is."""
    touches = []
    formats = False
    for word in words:
        name, _, value = word.text.partition("=")
        if name == "if":
            touches.append(Touch(kind=Kind.READ, word=part_of(word, value)))
        elif name == "of":
            touches.append(Touch(kind=Kind.WRITE, word=part_of(word, value)))
            formats = formats or _DEVICE.match(value) is not None
    known = all(word.known and "=" in word.text for word in words)
    if formats:
        touches += [Touch(kind=Kind.DELETE, word=it.word, tree=True) for it in touches[-1:]]
    return Deeds(touches=tuple(touches), known=known, catastrophic=formats)


def use_editor(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Changes files as its input says, which may also be to run something."""
    sorted_ = sort_words(row, words)
    touches = operand_touches(row, sorted_, sorted_.operands)
    return deeds_of(row, sorted_, touches, escapes=["its input can run a program"])


def use_ln(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Makes names; a hard one is as good as the file, so the file counts as written."""
    sorted_ = sort_words(row, words)
    touches = operand_touches(row, sorted_, sorted_.operands)
    if len(sorted_.operands) == 1 and not sorted_.has(row.into):
        name = sorted_.operands[0].text.rstrip("/").rpartition("/")[2]
        touches.append(Touch(kind=Kind.WRITE, word=Word(text=f"./{name}")))
    alone = sorted_.has(row.into) or len(sorted_.operands) == 1
    sources = sorted_.operands if alone else sorted_.operands[:-1]
    if sorted_.has("-s --symbolic"):
        touches = [touch for touch in touches if touch.word not in sources]
    read = [Touch(kind=Kind.READ, word=it) for it in sources]
    return deeds_of(row, sorted_, [*read, *touches, *kept_beside(sorted_, touches)])


def use_install(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Copies, or makes folders."""
    sorted_ = sort_words(row, words)
    if sorted_.has("-d --directory"):
        touches = [Touch(kind=Kind.WRITE, word=word) for word in sorted_.operands]
        return deeds_of(row, sorted_, touches)
    touches = operand_touches(row, sorted_, sorted_.operands)
    return deeds_of(row, sorted_, [*touches, *kept_beside(sorted_, touches)])


def use_mktemp(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Makes a file of a new name, in the folder that a flag names."""
    sorted_ = sort_words(row, words)
    folders = [value for flag, value in sorted_.values if flag in {"-p", "--tmpdir"}]
    told = sorted_.operands or [Word(text="tmp.XXXXXXXXXX")]
    made = [below(folder, word) for folder in folders for word in told]
    own = [] if folders else sorted_.operands
    return deeds_of(row, sorted_, [Touch(kind=Kind.WRITE, word=word) for word in (*own, *made)])


def use_cp(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Copies; another name for the same file is as good as the file."""
    sorted_ = sort_words(row, words)
    touches = operand_touches(row, sorted_, sorted_.operands)
    touches += kept_beside(sorted_, touches)
    if sorted_.has("-l --link -s --symbolic-link"):
        sources = [touch for touch in touches if touch.kind is Kind.READ]
        touches += [evolve(touch, kind=Kind.WRITE) for touch in sources]
    return deeds_of(row, sorted_, touches)


def use_crontab(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Sets what runs at which times, unless it only lists it."""
    sorted_ = sort_words(row, words)
    touches = operand_touches(row, sorted_, sorted_.operands)
    if not sorted_.has("-l"):
        touches.append(Touch(kind=Kind.WRITE, word=Word(text="/var/spool/cron/crontabs")))
    return deeds_of(row, sorted_, touches)
