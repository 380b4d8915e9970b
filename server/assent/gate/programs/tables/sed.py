"""Scripts of sed: whether one only prints, and what else it does.

What is not surely understood is an escape.
"""

import re
from collections.abc import Sequence
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted
from assent.gate.programs.outcome import deeds_of, operand_touches, paths_of
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.derived_names import kept_as
from assent.gate.shell.word import Exact, Word
from assent.gate.text.lazy_patterns import late

__all__ = ["numbered", "script_escapes", "use_sed"]

_NO_SUFFIX: Final = Exact(text="")
_UNREAD: Final = "its script could not be read"
_UNKNOWN: Final = late(r"\$[({]|[`…]")
_SUFFIX: Final = late(r"\.\w+|[A-Za-z]{2,}")
"""An operand that may be the suffix of a BSD `-i`: it hardly is a script."""
_WRITING: Final = ("-i", "--in-place", "-I")
_ADDRESS: Final = late(r"\d+(?:~\d+)?|\$|[+~]\d+")
_BLANK: Final = late(r"[\s;]*")
_SPACES: Final = late(r"[ \t]*")
_PLAIN: Final = frozenset("=dDgGhHnNpPxFz")
_COUNTED: Final = late(r"[lLqQ][ \t]*\d*")
_ALL: Final = late(
    r"(?:^|[;\n{])\s*+(?:[01],(?:\$|\d{3,})|[01]~1|/(?:\^|\.\*|\w\*|\^\.\*)/)?\s*+[dD]\s*+(?:[;\n}#]|$)"
    r"|^\s*+(?:1~1)?s(\W)\^?\.\*\$?\1\1g?\s*+$"
)
"""A script that takes every line away, or all that stands in it."""
_PRINTS: Final = late(r"[pPaicrRwWlFe=]")
_BETWEEN: Final = late(r"s(\W)[^\n]{0,200}?\1[^\n]{0,200}?\1|/[^/\n]{0,200}/")
"""What no command of a script is: the two sides of a substitution, and where one is made."""
_LABEL: Final = late(r"[btT:][ \t]*[^\s;{}]*")
_FLAGS: Final = late(r"[gpiImM\d]*")
_TEXT: Final = late(r"[aic](?:[^\\\n]|\\.)*", re.DOTALL)
_END: Final = late(r"[ \t]*(?:[;\n}#]|$)")


def use_sed(row: Row, sorted_: Sorted) -> Deeds:
    """What sed does with these words.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_sed(*row_and_sorted("sed -n 1,5p a.txt")))
    only reads: read a.txt
    >>> print(use_sed(*row_and_sorted("sed -i.bak s/a/b/ a.txt")))
    read a.txt, write a.txt, write a.txt.bak, -i writes a file
    """
    paths = paths_of(row, sorted_)
    scripts = sorted_.of("-e --expression")
    if not sorted_.has(row.no_pattern_flags):
        scripts = sorted_.operands[:1]
    if sorted_.has("-i") and any(word == _NO_SUFFIX for word in sorted_.operands[:1]):
        # Not every sed takes the suffix of `-i` as a word of its own: it is a script, or nothing.
        paths = [word for word in paths if word != _NO_SUFFIX]
        if not sorted_.has(row.no_pattern_flags):
            # An empty script that prints nothing empties its files, of which this is the first.
            kept = 1 if sorted_.has("-n --quiet --silent") else 2
            scripts, paths = sorted_.operands[:2], sorted_.operands[kept:]
    escapes: list[str] = []
    writes: list[tuple[Kind, str]] = []
    texts = [numbered(script) for script in scripts]
    if None in texts:
        escapes.append("its script is only known when it runs")
    else:
        escapes, writes = script_escapes("\n".join(text for text in texts if text is not None))
    touches = operand_touches(row, sorted_, paths)
    if sorted_.has(" ".join(_WRITING)):
        touches += [Touch(kind=Kind.WRITE, word=touch.word) for touch in touches]
        touches += touched(Kind.WRITE, _kept(sorted_, paths))
    touches += [Touch(kind=kind, word=Exact(text=path)) for kind, path in writes]
    silent = sorted_.has("-n --quiet --silent")
    empties = sorted_.has(" ".join(_WRITING)) and _leaves_nothing(texts, silent=silent)
    return deeds_of(row, sorted_, touches, escapes=escapes, empties=empties)


def _leaves_nothing(texts: Sequence[str | None], *, silent: bool) -> bool:
    """Whether scripts that write in place leave nothing of what they are given."""
    known = [text.strip() for text in texts if text is not None]
    prints = (_PRINTS.search(_BETWEEN.sub("", it)) for it in known)
    return any(map(_ALL.search, known)) or (silent and not any(prints))


def _kept(sorted_: Sorted, paths: list[Word]) -> list[Word]:
    """The names by which it keeps the old texts."""
    endings = [value for flag, value in sorted_.values if flag in _WRITING]
    apart = (
        []
        if endings
        else [operand for operand in sorted_.operands[:1] if _SUFFIX.fullmatch(operand.text)]
    )
    if apart:
        # Where the suffix is a word of its own, the script is the next one.
        endings, paths = apart, paths[1:]
    return [word for path in paths for ending in endings for word in kept_as(path, ending)]


def numbered(script: Word) -> str | None:
    """A script's text, with 1 for each unknown number; None where more is unknown.

    >>> from assent.gate.programs.read_lines import words_of
    >>> numbered(words_of("sed -n 1,5p")[2])
    '1,5p'
    >>> numbered(words_of('sed -n "$SCRIPT"')[2]) is None
    True
    """
    if script.known:
        return None if script.glob else script.text
    if not script.listed or "./0" not in script.text or _UNKNOWN.search(script.text):
        return None
    return script.text.replace("-./0", "1").replace("./0", "1")


def script_escapes(script: str) -> tuple[list[str], list[tuple[Kind, str]]]:
    """Why a script does more than print, and the files that it names.

    >>> script_escapes("s/a/b/g; 5q")
    ([], [])
    >>> script_escapes("s/a/b/e")[0]
    ['its script runs a program with e']
    """
    escapes: list[str] = []
    files: list[tuple[Kind, str]] = []
    at = 0
    while at is not None and at < len(script):
        at = _matched(_BLANK, script, at)
        if at == len(script):
            break
        here = _addresses(script, at)
        if here is None:
            return [*escapes, _UNREAD], files
        after = _command(script, here, escapes, files)
        if after is None or after == at:
            return [*escapes, _UNREAD], files
        at = after
    return escapes, files


def _matched(pattern: re.Pattern[str], text: str, at: int) -> int:
    matched = pattern.match(text, at)
    return at if matched is None else matched.end()


def _addresses(script: str, at: int) -> int | None:
    """Where the addresses end."""
    for _ in range(2):
        if script[at : at + 1] in {"/", "\\"}:
            opening = at + (script[at] == "\\")
            end = _delimited(script, opening, 1)
            if end is None:
                return None
            at = _matched(re.compile(r"[IM]*"), script, end)
        else:
            at = _matched(_ADDRESS, script, at)
        at = _matched(_SPACES, script, at)
        if script[at : at + 1] != ",":
            break
        at = _matched(_SPACES, script, at + 1)
    return _matched(re.compile(r"[ \t!]*"), script, at)


def _delimited(script: str, at: int, parts: int) -> int | None:
    """Where so many parts, closed by the letter at `at`, end.

    Some read a delimiter in brackets as a letter and some do not: None where that matters.
    """
    delimiter = script[at : at + 1]
    if delimiter in {"", "\\", "\n", "["}:
        return None
    at += 1
    for _ in range(parts):
        bracketed = False
        while at < len(script) and script[at] != delimiter:
            bracketed = (script[at] == "[" or bracketed) and script[at] != "]"
            at += 2 if script[at] == "\\" and not bracketed else 1
        if at >= len(script) or bracketed:
            return None
        at += 1
    return at


def _command(script: str, at: int, escapes: list[str], files: list[tuple[Kind, str]]) -> int | None:
    """Where the command at `at` ends, or None. Note what it does beyond printing."""
    letter = script[at : at + 1]
    if letter in _PLAIN:
        return _ended(script, at + 1)
    if letter in {"{", "}"}:
        return at + 1
    if letter == "#":
        return _line(script, at)
    if letter in {"l", "L", "q", "Q"}:
        return _ended(script, _matched(_COUNTED, script, at))
    if letter in {"b", "t", "T", ":"}:
        return _ended(script, _matched(_LABEL, script, at))
    if letter in {"a", "i", "c"}:
        return _matched(_TEXT, script, at)
    if letter == "y":
        end = _delimited(script, at + 1, 2)
        return None if end is None else _ended(script, end)
    if letter == "s":
        return _substitution(script, at, escapes, files)
    if letter in {"r", "R", "w", "W", "e"}:
        _note(letter, script[at + 1 : _line(script, at)].strip(), escapes, files)
        return _line(script, at)
    return None


def _substitution(
    script: str, at: int, escapes: list[str], files: list[tuple[Kind, str]]
) -> int | None:
    end = _delimited(script, at + 1, 2)
    if end is None:
        return None
    while True:
        end = _matched(_FLAGS, script, end)
        letter = script[end : end + 1]
        if letter == "e":
            _note("e", "", escapes, files)
            end += 1
        elif letter == "w":
            _note("w", script[end + 1 : _line(script, end)].strip(), escapes, files)
            return _line(script, end)
        else:
            return _ended(script, end)


def _note(letter: str, name: str, escapes: list[str], files: list[tuple[Kind, str]]) -> None:
    reads = letter in {"r", "R"}
    if letter == "e":
        escapes.append("its script runs a program with e")
        return
    escapes.append(f"its script {'reads' if reads else 'writes'} a file with {letter}")
    if name not in {"/dev/stdout", "/dev/stderr", "/dev/stdin"}:
        files.append((Kind.READ if reads else Kind.WRITE, name))


def _ended(script: str, at: int) -> int | None:
    """`at`, if a command may end there."""
    if _END.match(script, at) is None:
        return None
    return _matched(_SPACES, script, at)


def _line(script: str, at: int) -> int:
    end = script.find("\n", at)
    return len(script) if end < 0 else end
