"""Commands whose words are mostly just text: `echo`, `test`, `date`, the shell's own."""

from itertools import pairwise
from typing import Final

from assent.gate.programs.deeds import NOWHERE, Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted, literal_head
from assent.gate.programs.outcome import deeds_of, operand_touches, paths_of
from assent.gate.programs.rows import Row
from assent.gate.programs.variables import is_dangerous
from assent.gate.shell.anchored_paths import InHome, InTop, under
from assent.gate.shell.word import Exact, Word
from assent.gate.shell.word_sets import Number
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = [
    "use_cd",
    "use_command",
    "use_date",
    "use_diff",
    "use_man",
    "use_names",
    "use_pager",
    "use_printf",
    "use_ps",
    "use_read",
    "use_set",
    "use_strings",
    "use_test",
    "use_tput",
    "use_words",
]

_FILE_TESTS: Final = frozenset("-e -f -d -r -w -x -s -L -h -b -c -g -k -p -u -O -G -N -S".split())
_FILE_PAIRS: Final = frozenset({"-nt", "-ot", "-ef"})
_NO_FILES: Final = frozenset({"]", "]]", "-a", "-o", "=", "==", "!=", "&&", "||", ")"})
_NAME: Final = late(r"[A-Za-z_]\w*")
_LOWER: Final = late(r"(?!npm_|ld_|dyld_)(?!\w*_proxy$)[a-z_][a-z0-9_]*|REPLY")
_SET: Final = late(r"[-+][abefhmnuvxBCEHPT]*o?")
_SET_NAMED: Final = frozenset(
    "pipefail errexit nounset xtrace verbose noglob noclobber nounset errtrace functrace".split()
)
_TPUT: Final = frozenset(
    "cols lines colors bold sgr0 setaf setab rev smul rmul el clear dim".split()
)


_ENDED: Final = late(r"\w\.\w+\Z")


_STREAMS: Final = NOWHERE | {"/dev/stdin"}
"""What is no folder, and nothing that lies in one."""


def use_diff(row: Row, sorted_: Sorted) -> Deeds:
    """Reads both, or of two folders what lies in them, or of one the file of the other's name.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_diff(*row_and_sorted("diff a.txt old")))
    only reads: read a.txt, read old/**, read a.txt/old, read old/a.txt
    """
    paths = [path for path in paths_of(row, sorted_) if path.text not in _STREAMS]
    # A name out of a list, or with an ending, is taken for a file's.
    touches = [
        evolve(touch, tree=not (touch.word.listed or _ENDED.search(touch.word.text)))
        for touch in operand_touches(row, sorted_, paths)
    ]
    if len(paths) == 2:  # noqa: PLR2004 -- one against the other
        pairs = (paths, paths[::-1])
        touches += [Touch(kind=Kind.READ, word=word) for a, b in pairs for word in _namesake(a, b)]
    return deeds_of(row, sorted_, touches)


def _namesake(folder: Word, word: Word) -> list[Word]:
    """The file of the other's name in what may be a folder."""
    name = word.text.rpartition("/")[2]
    plain = folder.known and word.known and not (folder.glob or word.glob)
    if not plain or name in {"", ".", ".."} or folder.text.rstrip("/").endswith(f"/{name}"):
        return []
    return [under(folder, f"{folder.text.rstrip('/')}/{name}", known=True)]


def use_words(row: Row, sorted_: Sorted) -> Deeds:
    """Prints its words, or ignores them: nothing is touched.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_words(*row_and_sorted("echo -n hello")))
    only reads
    """
    return deeds_of(row, Sorted(operands=list(sorted_.words)), ())


def use_printf(row: Row, sorted_: Sorted) -> Deeds:
    """Prints its words, or with `-v` stores them in a variable.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_printf(*row_and_sorted("printf '%s' hello")))
    only reads
    >>> print(use_printf(*row_and_sorted("printf -v PATH hello")))
    not only reads
    """
    first = sorted_.words[0] if sorted_.words else Exact(text="")
    sure = first.known or bool(literal_head(first))
    dashed = (first.text if first.known else literal_head(first)).startswith("-")
    storing = dashed and first.text not in {"-", "--"} and first.text.startswith("-v")
    return deeds_of(row, Sorted(), (), safe=sure and not first.glob and not storing)


def use_cd(row: Row, sorted_: Sorted) -> Deeds:
    """Looks at the folder; without one, at the home.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_cd(*row_and_sorted("cd src")))
    only reads: look src
    >>> print(use_cd(*row_and_sorted("cd")))
    only reads: look ~
    """
    # Where git finds a repository is looked at by whatever runs there.
    paths = [
        path for path in paths_of(row, sorted_) if not (isinstance(path, InTop) and not path.below)
    ]
    touches = operand_touches(row, sorted_, paths)
    if not sorted_.operands:
        touches = [Touch(kind=Kind.LOOK, word=InHome())]
    return deeds_of(row, sorted_, touches)


def use_command(row: Row, sorted_: Sorted) -> Deeds:
    """Tells with `-v` where a program is; otherwise it is a wrapper.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_command(*row_and_sorted("command -v git")))
    only reads
    >>> print(use_command(*row_and_sorted("command git push")))
    not only reads
    """
    return deeds_of(row, sorted_, (), safe=sorted_.has("-v -V"))


def use_set(row: Row, sorted_: Sorted) -> Deeds:
    """Sets options of the shell; without a word it would print all variables.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_set(*row_and_sorted("set -euo pipefail")))
    only reads
    >>> print(use_set(*row_and_sorted("set")))
    not only reads
    """
    fine = bool(sorted_.words) and all(
        word.known and (_SET.fullmatch(word.text) or word.text in _SET_NAMED)
        for word in sorted_.words
    )
    return deeds_of(row, Sorted(), (), safe=fine)


def use_names(row: Row, sorted_: Sorted) -> Deeds:
    """Gives values to variables; without a name it would print all of them.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_names(*row_and_sorted("export NAME=me")))
    only reads
    >>> print(use_names(*row_and_sorted("export")))
    not only reads
    """
    named = sorted_.operands
    fine = bool(named) and all(
        _NAME.fullmatch((word.text if word.known else literal_head(word)).partition("=")[0])
        and not (word.several or word.glob)
        for word in named
    )
    return deeds_of(row, sorted_, (), safe=fine)


def use_read(row: Row, sorted_: Sorted) -> Deeds:
    """Reads lines into variables with ordinary names.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_read(*row_and_sorted("read -r line")))
    only reads
    >>> print(use_read(*row_and_sorted("read -r PATH")))
    not only reads
    """
    names = [*sorted_.operands, *sorted_.of("-a")]
    fine = all(word.known and _is_ordinary(word.text) for word in names)
    return deeds_of(row, sorted_, (), safe=fine and not sorted_.loose)


def _is_ordinary(name: str) -> bool:
    """Whether a variable of this name steers no program, and no shell."""
    upper = _NAME.fullmatch(name) and not is_dangerous(name)
    return bool(_LOWER.fullmatch(name)) or (name[:1].isupper() and bool(upper))


def use_test(row: Row, sorted_: Sorted) -> Deeds:
    """Looks at the files that it is asked about; a subscript could run something.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_test(*row_and_sorted("test -f a.txt -a b.txt -nt c.txt")))
    only reads: look a.txt, look b.txt, look c.txt
    """
    touches, fine = [], True
    for before, word in pairwise(sorted_.words):
        if (
            before.text in _FILE_TESTS and word.text not in _NO_FILES
        ) or before.text in _FILE_PAIRS:
            touches.append(Touch(kind=Kind.LOOK, word=word))
        elif word.text in _FILE_PAIRS:
            touches.append(Touch(kind=Kind.LOOK, word=before))
        elif before.text in {"-v", "-R"}:
            fine = fine and word.known and bool(_NAME.fullmatch(word.text))
    return deeds_of(row, Sorted(), touches, safe=fine)


def use_date(row: Row, sorted_: Sorted) -> Deeds:
    """Tells the time, and sets it when an operand is no format.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_date(*row_and_sorted("date +%F")))
    only reads
    >>> print(use_date(*row_and_sorted("date 01011200")))
    an operand sets the clock
    """
    sets = [
        word
        for word in sorted_.operands
        if not (word.text if word.known else literal_head(word)).startswith("+")
    ]
    allowed = sorted_.has("-j -d --date")
    escapes = ["an operand sets the clock"] if sets and not allowed else []
    return deeds_of(row, sorted_, (), escapes=escapes)


def use_ps(row: Row, sorted_: Sorted) -> Deeds:
    """Lists processes; `e` without a dash, or `-E`, also reads what they were started with.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_ps(*row_and_sorted("ps aux")))
    only reads
    >>> print(use_ps(*row_and_sorted("ps auxe")))
    read /proc/**
    >>> print(use_ps(*row_and_sorted("ps -p $PID")), "|", use_ps(*row_and_sorted("ps $WHAT")))
    only reads | read /proc/**
    """
    tells, is_value = False, False
    for word in (*sorted_.operands, *sorted_.strangers):
        text = word.text.strip("-")
        if is_value:
            tells = tells or _may_name_environ(word)
        elif not (word.known or isinstance(word, Number) or text == "$!"):
            tells = True
        else:
            tells = tells or (text.isalpha() and bool({*"eE"} & {*text}))
        # The last letter of some words takes the next word for its value, as in `ps axo user`.
        is_value = not is_value and text[-1:] in {*"oOkptUgG"}
    shown = sorted_.of("-o -O --format")
    tells = tells or any(map(_may_name_environ, shown))
    read = [Touch(kind=Kind.READ, word=Exact(text="/proc"), tree=True)] if tells else []
    return deeds_of(row, sorted_, read, safe=not tells and len(sorted_.operands) <= 1)


def _may_name_environ(word: Word) -> bool:
    """Whether the columns that `ps` shows may have what a program was started with."""
    return not word.known or "environ" in word.text


def use_pager(row: Row, sorted_: Sorted) -> Deeds:
    """Shows files; a word with a plus is a command of the pager.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_pager(*row_and_sorted("less +10 a.txt")))
    read a.txt
    >>> print(use_pager(*row_and_sorted("less '+!make' a.txt")))
    read a.txt, + can run a program
    """
    orders = [word for word in sorted_.operands if word.text.startswith("+")]
    escapes = ["+ can run a program"] if any(not o.text[1:].isdigit() for o in orders) else []
    paths = [word for word in paths_of(row, sorted_) if word not in orders]
    return deeds_of(row, sorted_, operand_touches(row, sorted_, paths), escapes=escapes)


def use_man(row: Row, sorted_: Sorted) -> Deeds:
    """Shows a page of the manual; one that is named by its path may be anything.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_man(*row_and_sorted("man ls")))
    not only reads
    >>> print(use_man(*row_and_sorted("man ./ls.1")))
    read ./ls.1
    >>> print(use_man(*row_and_sorted("man ls -m ./ls.1")))  # Behind a page nothing is a flag.
    read ./ls.1
    >>> print(use_man(*row_and_sorted("man -l ls.1 cat.1")))
    read ls.1, read ls.1, read cat.1
    """
    plain = [word for word in sorted_.words if not word.known or word.text[:1] != "-"]
    local = sorted_.has("-l --local-file")
    files = [word for word in plain if local or not word.known or "/" in word.text]
    touches = touched(Kind.READ, files)
    return deeds_of(row, sorted_, touches, safe=not (files or local))


def use_strings(row: Row, sorted_: Sorted) -> Deeds:
    """Shows the texts in files; a word that begins with `@` names a file of further words.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_strings(*row_and_sorted("strings a.bin")))
    only reads: read a.bin
    >>> print(use_strings(*row_and_sorted("strings @list")))
    read @list, @ reads further words
    """
    escapes = (
        ["@ reads further words"] if any(word.text[:1] == "@" for word in sorted_.words) else []
    )
    touches = operand_touches(row, sorted_, paths_of(row, sorted_))
    return deeds_of(row, sorted_, touches, escapes=escapes)


def use_tput(row: Row, sorted_: Sorted) -> Deeds:
    """Tells what the terminal can do.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_tput(*row_and_sorted("tput cols")))
    only reads
    >>> print(use_tput(*row_and_sorted("tput reset")))
    not only reads
    """
    fine = all(word.known and (word.text in _TPUT or word.text.isdigit()) for word in sorted_.words)
    return deeds_of(row, Sorted(), (), safe=fine)
