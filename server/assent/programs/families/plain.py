"""Commands whose words are mostly only text: `echo`, `test`, `date`, the shell's own."""

import re
from itertools import pairwise
from typing import Final

from assent.bash.kinds import is_top
from assent.bash.script import Word
from assent.programs.deeds import Deeds, Kind, Touch
from assent.programs.flags import Sorted, literal_head, sort_words
from assent.programs.outcome import deeds_of, operand_touches, paths_of
from assent.programs.rows import Row
from assent.text.patterns import late

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
_READ_FLAG: Final = late(r"-[aerst]*?(?:([dinNpOu]|(?<=-)t|(?<=r)t)(.*))?")
_SET: Final = late(r"[-+][abefhmnuvxBCEHPT]*o?")
_SET_NAMED: Final = frozenset(
    "pipefail errexit nounset xtrace verbose noglob noclobber nounset errtrace functrace".split()
)
_TPUT: Final = frozenset(
    "cols lines colors bold sgr0 setaf setab rev smul rmul el clear dim".split()
)


def use_diff(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reads both; if one is a folder, also the file in it that has the other's name.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_diff(*row_and_words("diff a.txt old")))
    only reads: read a.txt, read old, read a.txt/old, read old/a.txt
    """
    sorted_ = sort_words(row, words)
    paths = paths_of(row, sorted_)
    touches = operand_touches(row, sorted_, paths)
    if len(paths) == 2:  # noqa: PLR2004 -- one against the other
        pairs = (paths, paths[::-1])
        touches += [Touch(kind=Kind.READ, word=it) for a, b in pairs for it in _namesake(a, b)]
    return deeds_of(row, sorted_, touches)


def _namesake(folder: Word, word: Word) -> list[Word]:
    """The file of the other's name in what may be a folder."""
    name = word.text.rpartition("/")[2]
    plain = folder.known and word.known and not (folder.glob or word.glob)
    if not plain or name in {"", ".", ".."} or folder.text.rstrip("/").endswith(f"/{name}"):
        return []
    return [Word(text=f"{folder.text.rstrip('/')}/{name}", home=folder.home)]


def use_words(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Prints its words, or ignores them: nothing is touched.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_words(*row_and_words("echo -n hello")))
    only reads
    """
    return deeds_of(row, Sorted(operands=list(words)), ())


def use_printf(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Prints its words, or with `-v` stores them in a variable.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_printf(*row_and_words("printf '%s' hello")))
    only reads
    >>> print(use_printf(*row_and_words("printf -v PATH hello")))
    not only reads
    """
    first = words[0] if words else Word(text="")
    sure = first.known or bool(literal_head(first))
    dashed = (first.text if first.known else literal_head(first)).startswith("-")
    storing = dashed and first.text not in {"-", "--"} and first.text.startswith("-v")
    return deeds_of(row, Sorted(), (), safe=sure and not first.glob and not storing)


def use_cd(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Looks at the folder; without one, at the home.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_cd(*row_and_words("cd src")))
    only reads: look src
    >>> print(use_cd(*row_and_words("cd")))
    only reads: look ~
    """
    sorted_ = sort_words(row, words)
    # Where git finds a repository is looked at by whatever runs there.
    paths = [it for it in paths_of(row, sorted_) if not is_top(it)]
    touches = operand_touches(row, sorted_, paths)
    if not sorted_.operands:
        touches = [Touch(kind=Kind.LOOK, word=Word(text="~", home=True))]
    return deeds_of(row, sorted_, touches)


def use_command(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Tells with `-v` where a program is; otherwise it is a wrapper.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_command(*row_and_words("command -v git")))
    only reads
    >>> print(use_command(*row_and_words("command git push")))
    not only reads
    """
    sorted_ = sort_words(row, words)
    return deeds_of(row, sorted_, (), safe=sorted_.has("-v -V"))


def use_set(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Sets options of the shell; without a word it would print all variables.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_set(*row_and_words("set -euo pipefail")))
    only reads
    >>> print(use_set(*row_and_words("set")))
    not only reads
    """
    fine = bool(words) and all(
        word.known and (_SET.fullmatch(word.text) or word.text in _SET_NAMED) for word in words
    )
    return deeds_of(row, Sorted(), (), safe=fine)


def use_names(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Gives values to variables; without a name it would print all of them.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_names(*row_and_words("export NAME=me")))
    only reads
    >>> print(use_names(*row_and_words("export")))
    not only reads
    """
    named = [word for word in words if not re.fullmatch(r"-[aAirx]+", word.text)]
    fine = bool(named) and all(
        _NAME.fullmatch((word.text if word.known else literal_head(word)).partition("=")[0])
        and not (word.several or word.glob)
        for word in named
    )
    return deeds_of(row, Sorted(), (), safe=fine)


def use_read(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Reads lines into variables with ordinary names.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_read(*row_and_words("read -r line")))
    only reads
    >>> print(use_read(*row_and_words("read -r PATH")))
    not only reads
    """
    names: list[Word] = []
    values = 0
    for word in words:
        if values:
            values -= 1
        elif word.known and (flag := _READ_FLAG.fullmatch(word.text)):
            values = 1 if flag.group(1) and not flag.group(2) else 0
        else:
            names.append(word)
    fine = all(word.known and _LOWER.fullmatch(word.text) for word in names)
    return deeds_of(row, Sorted(), (), safe=fine)


def use_test(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Looks at the files that it is asked about; a subscript could run something.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_test(*row_and_words("test -f a.txt -a b.txt -nt c.txt")))
    only reads: look a.txt, look b.txt, look c.txt
    """
    touches, fine = [], True
    for before, word in pairwise(words):
        if (
            before.text in _FILE_TESTS and word.text not in _NO_FILES
        ) or before.text in _FILE_PAIRS:
            touches.append(Touch(kind=Kind.LOOK, word=word))
        elif word.text in _FILE_PAIRS:
            touches.append(Touch(kind=Kind.LOOK, word=before))
        elif before.text in {"-v", "-R"}:
            fine = fine and word.known and bool(_NAME.fullmatch(word.text))
    return deeds_of(row, Sorted(), touches, safe=fine)


def use_date(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Tells the time, and sets it when an operand is no format.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_date(*row_and_words("date +%F")))
    only reads
    >>> print(use_date(*row_and_words("date 01011200")))
    an operand sets the clock
    """
    sorted_ = sort_words(row, words)
    sets = [
        word
        for word in sorted_.operands
        if not (word.text if word.known else literal_head(word)).startswith("+")
    ]
    allowed = sorted_.has("-j -d --date")
    escapes = ["an operand sets the clock"] if sets and not allowed else []
    return deeds_of(row, sorted_, (), escapes=escapes)


def use_ps(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Lists processes; `e` without a dash also prints their environments.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_ps(*row_and_words("ps aux")))
    only reads
    >>> print(use_ps(*row_and_words("ps auxe")))
    not only reads
    """
    sorted_ = sort_words(row, words)
    operands = [word for word in sorted_.operands if word.text.isalpha()]
    tells = any("e" in word.text or "E" in word.text for word in operands)
    formats = [value.text for _, value in sorted_.values]
    tells = tells or any("environ" in text for text in formats)
    return deeds_of(row, sorted_, (), safe=not tells and len(sorted_.operands) <= 1)


def use_pager(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Shows files; a word with a plus is a command of the pager.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_pager(*row_and_words("less +10 a.txt")))
    read a.txt
    >>> print(use_pager(*row_and_words("less '+!make' a.txt")))
    read a.txt, + can run a program
    """
    sorted_ = sort_words(row, words)
    orders = [word for word in sorted_.operands if word.text.startswith("+")]
    escapes = ["+ can run a program"] if any(not o.text[1:].isdigit() for o in orders) else []
    paths = [word for word in paths_of(row, sorted_) if word not in orders]
    return deeds_of(row, sorted_, operand_touches(row, sorted_, paths), escapes=escapes)


def use_man(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Shows a page of the manual; one that is named by its path may be anything.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_man(*row_and_words("man ls")))
    not only reads
    >>> print(use_man(*row_and_words("man ./ls.1")))
    read ./ls.1
    """
    sorted_ = sort_words(row, words)
    files = [word for word in sorted_.operands if not word.known or "/" in word.text]
    touches = [Touch(kind=Kind.READ, word=word) for word in files]
    return deeds_of(row, sorted_, touches, safe=not files and not sorted_.has("-l --local-file"))


def use_strings(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Shows the texts in files; a word that begins with `@` names a file of further words.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_strings(*row_and_words("strings a.bin")))
    only reads: read a.bin
    >>> print(use_strings(*row_and_words("strings @list")))
    read @list, @ reads further words
    """
    sorted_ = sort_words(row, words)
    escapes = ["@ reads further words"] if any(word.text[:1] == "@" for word in words) else []
    touches = operand_touches(row, sorted_, paths_of(row, sorted_))
    return deeds_of(row, sorted_, touches, escapes=escapes)


def use_tput(row: Row, words: tuple[Word, ...]) -> Deeds:
    """Tells what the terminal can do.

    >>> from assent.programs.reading import row_and_words
    >>> print(use_tput(*row_and_words("tput cols")))
    only reads
    >>> print(use_tput(*row_and_words("tput reset")))
    not only reads
    """
    fine = all(word.known and (word.text in _TPUT or word.text.isdigit()) for word in words)
    return deeds_of(row, Sorted(), (), safe=fine)
