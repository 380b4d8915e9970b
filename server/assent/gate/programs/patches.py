r"""Which files a patch in a script changes: those that its headers name.

It is followed only where every line of it is one that `patch` and `git apply` read alike: headers
of plain names, and hunks that are as long as they say. Of any other it is not known what it does.
"""

import re
from collections.abc import Iterator
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Taken, Touch
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.tables import git_by_name, row_of
from assent.gate.shell.script import Command
from assent.gate.shell.word import Exact
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["files_of", "named_anywhere", "named_in_headers", "with_patch"]

_NAME: Final = r"(?!/dev/null)[\w.@+][\w./@+,=-]*"
_FROM_GIT: Final = late(
    rf"diff --git ({_NAME}) ({_NAME})|(?:rename|copy) (?:from|to) ({_NAME})"
    r"|index [0-9a-f]+\.\.[0-9a-f]+(?: 100[0-7]{3})?|(?:dis)?similarity index \d+%"
    r"|(?:(?:new|deleted) file|old|new) mode 100[0-7]{3}",
    re.ASCII,
)
"""What git says of a file before its hunks; no new link is followed, nor another repository."""
_SIGNS: Final = (
    r"(?:(?:diff --git|---|\+\+\+|\*\*\*|rename (?:from|to|old|new)|copy (?:from|to))[ \t]+"
    r"|Index:[ \t]*)"
)
_HEADER: Final = late(rf"^(?:- )?[ \tX]*{_SIGNS}([^\n]+)", re.MULTILINE)
_SIGNED: Final = late(rf"{_SIGNS}([^\n]+)")
_NUMBERED: Final = late(r"\\([0-7]{3})")
"""How git writes a letter that it does not show."""
_TAKEN: Final = late(rf"^(?:rename|copy) from ({_NAME})$", re.ASCII | re.MULTILINE)
"""From where another file is made, or the same one by another name."""
_OLD, _NEW = (
    late(rf"{sign} (?:({_NAME})|/dev/null)(?:\t[^\n]*)?", re.ASCII) for sign in ("---", r"\+\+\+")
)
_HUNK: Final = late(r"@@ -\d{1,9}(?:,(\d{1,6}))? \+\d{1,9}(?:,(\d{1,6}))? @@(?: [^\n]*)?", re.ASCII)
_NO_END: Final = "\\ No newline at end of file"

_PLAIN: Final = {
    "patch": frozenset(
        "-p --strip -s -u -N -R -t -f -l -F -E --forward --reverse --force --batch --silent --quiet"
        " --verbose --unified --binary --dry-run".split()
    ),
    "apply": frozenset(
        "-p -R -v -q -3 --reverse --index --3way --verbose --quiet --whitespace --check".split()
    ),
}
"""The flags with which they change the files that are named, as they are named."""
_BESIDE: Final = (".orig", ".rej")
"""How `patch` calls what it keeps beside a file: as it was, and what of a patch does not fit."""


def with_patch(command: Command, deeds: Deeds) -> Deeds:
    r"""The deeds of a command that is given a patch, by the files that are named in it.

    >>> from assent.gate.programs.read_lines import read_script
    >>> from assent.gate.programs.study import study
    >>> text = "{} <<'E'\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\nE\n"
    >>> for line in ("patch -p1", "git apply", "patch"):
    ...     print(study(read_script(text.format(line)).commands[0]))
    write x.py, write x.py.orig, write x.py.rej
    perhaps more: look ., write x.py
    write ./**
    """
    if command.program == "git":
        kind, words = "apply", command.argv[2:]
        row = git_by_name()["apply"] if command.argv[1:2] == (Exact(text="apply"),) else None
    else:
        kind, words, row = "patch", command.argv[1:], row_of(("patch",))
    sorted_ = sort_words(row, words) if row is not None else None
    # A variable may say where git works, or how a copy is called.
    strip = _strips(sorted_, kind) if sorted_ is not None and not command.assignments else None
    files = files_of(command.document, strip) if strip is not None else None
    if not files:
        return deeds
    taken = [Touch(kind=Kind.READ, word=Exact(text=it)) for it in _TAKEN.findall(command.document)]
    written = [Touch(kind=Kind.WRITE, word=Exact(text=file)) for file in files]
    if kind == "apply":
        kept = (
            evolve(touch, told=True) if touch.taken is Taken.REWRITTEN else touch
            for touch in deeds.touches
        )
        return evolve(deeds, touches=(*kept, *taken, *written))
    # These it makes only where a patch does not fit: of old ones it is known that they change.
    beside = [Exact(text=f"{file}{end}") for file in files for end in _BESIDE]
    written += [Touch(kind=Kind.WRITE, word=path, if_there=True) for path in beside]
    return evolve(deeds, touches=(*taken, *written), named=True, known=True)


def _strips(found: Sorted, kind: str) -> int | None:
    """How many folders are taken off each name; None where it is told more than that."""
    words = [operand.text for operand in found.operands if kind == "patch" or operand.text != "-"]
    if words or found.loose or found.strange or not all(word.known for word in found.words):
        return None
    if not _PLAIN[kind].issuperset(found.found):
        return None
    told = [word.text for word in found.of("-p --strip")] or (["1"] if kind == "apply" else [])
    return int(told[-1]) if told and told[-1] in {"0", "1"} else None


def named_in_headers(patch: str) -> list[str]:
    r"""Each name in what may be a header of a patch, with the signs before it left there.

    It tells what may be changed, not what surely is: a line of a hunk may look like one.

    >>> named_in_headers("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- y\n")
    ['a/x', 'b/x', 'a/x', 'b/x', 'y']
    >>> named_in_headers('+++ "b/\\056x y"\trest\nrename to z\n')
    ['b/.x y', 'rest', 'z']
    """
    return [name for it in _HEADER.findall(patch) for name in _names_of(it)]


def named_anywhere(text: str) -> list[str]:
    r"""The files that a text names which may print a patch, in which a line is not one by itself.

    >>> named_anywhere("printf '--- /dev/null\\n+++ b/x\\n' | patch -p1")
    ['/dev/null', 'b/x']
    """
    lines = re.split(r"\\n|[\n'\"]", text)
    return [name for line in lines for it in _SIGNED.findall(line) for name in _names_of(it)]


def _names_of(told: str) -> list[str]:
    """The names in a header; a name may have blanks, and stand in quotes."""
    told = told if told.lstrip()[:1] == '"' else told.partition("\t")[0]
    plain = _NUMBERED.sub(lambda match: chr(int(match[1], 8)), told).strip()
    if plain[:1] == '"':
        return [it.strip() for it in plain.split('"') if it.strip()]
    return [plain] if " " not in plain or plain.count("/") == 0 else plain.split()


def files_of(patch: str, strip: int) -> tuple[str, ...] | None:
    r"""The files that a patch may change; None where that cannot be told for sure.

    >>> files_of("--- a/src/x\n+++ b/src/y\n@@ -1,2 +1 @@ f\n-a\n b\n", 1)
    ('src/x', 'src/y')
    >>> files_of("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n", 1) is None
    True
    """
    lines = patch.split("\n")
    try:
        names = dict.fromkeys(name for name in _names(lines, strip) if name)
    except (ValueError, IndexError):
        return None
    plain = all(not {"", ".", ".."} & {*name.split("/")} for name in names)
    return tuple(names) if plain else None


def _names(lines: list[str], strip: int) -> Iterator[str]:
    """Each name in the headers; a `ValueError` where a line is not one that has a place there."""
    at = 0
    while at < len(lines):
        line = lines[at]
        of_git = _FROM_GIT.fullmatch(line)
        if of_git is not None and strip:
            yield from (_stripped(it, strip) for it in (of_git[1], of_git[2]) if it)
            yield of_git[3] or ""
        elif line.startswith("---"):
            old, new = _OLD.fullmatch(line), _NEW.fullmatch(lines[at + 1])
            if old is None or new is None or not _HUNK.fullmatch(lines[at + 2]):
                raise ValueError(line)
            yield from (_stripped(it, strip) for it in (old[1], new[1]) if it)
            at = _behind_hunks(lines, at + 2, made=old[1] is None, gone=new[1] is None)
            continue
        elif line:
            raise ValueError(line)
        at += 1


def _stripped(name: str, strip: int) -> str:
    folder, slash, rest = name.partition("/")
    if strip and not (slash and folder):
        raise ValueError(name)
    return rest if strip else name


def _behind_hunks(lines: list[str], at: int, *, made: bool, gone: bool) -> int:
    """The line behind the hunks that begin at one; a new file has no old lines, and so on."""
    while at < len(lines) and (hunk := _HUNK.fullmatch(lines[at])) is not None:
        old, new = (1 if group is None else int(group) for group in hunk.groups())
        if (made and old) or (gone and new):
            raise ValueError(lines[at])
        at += 1
        while old > 0 or new > 0:
            sign = lines[at][:1]
            if sign not in {"", " ", "-", "+", "\\"} or (sign == "\\" and lines[at] != _NO_END):
                raise ValueError(lines[at])
            old -= sign in {"", " ", "-"}
            new -= sign in {"", " ", "+"}
            at += 1
        at += at < len(lines) and lines[at] == _NO_END
    return at
