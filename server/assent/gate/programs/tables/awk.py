"""Programs of awk and filters of jq: whether one only prints.

What is not surely understood is an escape.
"""

import re
from collections.abc import Iterator
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.options import Sorted
from assent.gate.programs.outcome import deeds_of, operand_touches, paths_of
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.sed import numbered
from assent.gate.shell.word import Exact, Pattern, Unknown, Word
from assent.gate.text.lazy_patterns import late

__all__ = ["program_escapes", "use_awk", "use_jq"]

_SIGNS: Final = {
    "": "its program could not be read",
    "|": "its program runs other programs with |",
    ">": "its program writes a file with >",
}
"""Signs that do more than print, and what cannot be read."""
_DYNAMIC: Final = "its program is only known when it runs"

_NAMES: Final = {
    "system": "its program runs other programs with system",
    "getline": "its program reads more with getline",
    "ENVIRON": "its program reads the environment",
    "SYMTAB": "its program reaches its own variables",
    "ARGV": "its program may change what it reads",
    "ARGC": "its program may change what it reads",
    "extension": "its program loads another",
}
"""Names that are looked for anywhere, in texts too, so that no misreading hides them."""

_READ_FROM: Final = Unknown(text="what its program reads")
_DANGEROUS: Final = late(r"\b(?:\d\w*?)?(" + "|".join(_NAMES) + r")\b", re.ASCII)
"""`1system(…)` is the number 1 and a call: nothing parts a number from a name."""

_TOKEN: Final = late(
    r"(?P<space>[ \t\r]+|\\\r?\n)|(?P<comment>#[^\n]*)|(?P<newline>\n)"
    r'|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))'
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>&&|\|\||\+\+|--|>>|>=|<=|==|!=|\*\*|[-+*%^]=|[^\w.])",
    re.DOTALL | re.ASCII,
)
_REGEX: Final = late(r"/(?:[^/\\\n\[]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.)*\])*/")
_VALUE: Final = late(r"\w+|.*[)\]\".]|.+/", re.ASCII | re.DOTALL)
"""Behind any of these a slash divides; elsewhere it begins a pattern."""
_KEYWORDS: Final = frozenset(
    "print printf return in else do case if while for switch function delete".split()
)
_HEADS: Final = frozenset("if while for switch".split())
_GOES_ON: Final = frozenset(", { && || ? : do else".split())
_OPENING: Final = frozenset("([")
_CLOSING: Final = frozenset(")]")
_NEWLINE: Final = "\n"
_ENDING: Final = frozenset({";", "}", _NEWLINE})
_NEVER: Final = frozenset('"@`\\')
_TO_TERMINAL: Final = late(r'\s*"/dev/std(?:err|out)"\s*(?=[;}\n]|$)')

_LITERAL: Final = late(r'\s*"([^"\\\n]*)"\s*(?=[;}\n]|$)')
_BEGUN: Final = late(
    r'\s*\(?\s*"([^"\\\n]*[^"\\\n/.])"(?:\s*(?:\$\d+|\$?N[FR]|FNR|"[^"\\\n/]*"))+\s*\)?\s*(?=[;}\n]|$)'
)
"""A name with a literal beginning, then columns and texts that hold no slash."""
_COMPUTED: Final = Unknown(text="what its program prints to")

_ENVIRONMENT: Final = late(
    r"""\$ENV\b|(?<![.\w"$])env\b(?!\s*:)"""
    r"""|\b(?:import|include|input_filename|get_search_list|modulemeta)\b"""
)


def use_awk(row: Row, sorted_: Sorted) -> Deeds:
    """What awk does with these words.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_awk(*row_and_sorted("awk '{ print $1 }' a.txt")))
    only reads: read a.txt
    >>> print(use_awk(*row_and_sorted('''awk '{ print > "out" }' a.txt''')))
    read a.txt, write out, its program writes a file with >
    """
    programs = sorted_.of("-e --source")
    if not sorted_.has(row.no_pattern_flags):
        programs = sorted_.operands[:1]
    escapes = [why for program in programs for why in _escapes_in(program)]
    paths = [word for word in paths_of(row, sorted_) if not re.match(r"[A-Za-z_]\w*=", word.text)]
    written = [word for program in programs for word in _written_by(program)]
    touches = touched(Kind.WRITE, dict.fromkeys(written))
    touches = [*operand_touches(row, sorted_, paths), *touches]
    if _NAMES["getline"] in escapes:
        touches.append(Touch(kind=Kind.READ, word=_READ_FROM))
    return deeds_of(row, sorted_, touches, escapes=escapes)


def _written_by(program: Word) -> Iterator[Word]:
    """The files that a program prints to, as far as literal texts behind `>` name them."""
    text = numbered(program) or ""
    for sign, end in _doings(text) if ">" in text else ():
        if sign == ">":
            yield _named_at(text, end)


def _named_at(program: str, at: int) -> Word:
    """The literal name that stands there, or a pattern for one that only begins literally."""
    named = _LITERAL.match(program, at)
    if named is not None:
        return Exact(text=named[1])
    begun = _BEGUN.match(program, at)
    return _COMPUTED if begun is None else Pattern(text=f"{begun[1]}*")


def use_jq(row: Row, sorted_: Sorted) -> Deeds:
    """What jq does with these words.

    >>> from assent.gate.programs.read_lines import row_and_sorted
    >>> print(use_jq(*row_and_sorted("jq .name package.json")))
    only reads: read package.json
    >>> print(use_jq(*row_and_sorted("jq -n env")))
    its filter may tell what it is not given
    """
    filters = [] if sorted_.has(row.no_pattern_flags) else sorted_.operands[:1]
    # A filter cannot run or write anything, but it could tell what stands in the environment.
    safe = all(it.known and not _ENVIRONMENT.search(it.text) for it in filters)
    # What stands after `--args` are values; taken for files, they are asked about at most.
    touches = operand_touches(row, sorted_, paths_of(row, sorted_))
    escapes = [] if safe else ["its filter may tell what it is not given"]
    read = not sorted_.has("-f --from-file -L")
    return deeds_of(row, sorted_, touches, escapes=escapes, safe=read)


def _escapes_in(program: Word) -> list[str]:
    text = numbered(program)
    return [_DYNAMIC] if text is None else program_escapes(text)


def program_escapes(program: str) -> list[str]:
    """Why a program of awk does more than print what it reads.

    >>> program_escapes('{ print $1 }')
    []
    >>> program_escapes('{ print | "sh" }')
    ['its program runs other programs with |']
    """
    named = _DANGEROUS.search(program)
    if named:
        return [_NAMES[named.group(1)]]
    sign = next((sign for sign, _ in _doings(program)), None)
    return [] if sign is None else [_SIGNS[sign]]


def _doings(program: str) -> Iterator[tuple[str, int]]:
    """What a program does by signs, and where each ends: `|`, a `>` behind `print`, or any."""
    depth, printing = 0, -1
    for what, text, end in _tokens(program):
        if what == "unread":
            yield "", end
        if what == "sign" and text == "|":
            yield "|", end
        if what == "sign" and text in {">", ">>"} and printing == depth:
            if _TO_TERMINAL.match(program, end) is None:
                yield ">", end
            printing = -1
        depth += (text in _OPENING) - (text in _CLOSING)
        if text in {"print", "printf"}:
            printing = depth
        elif text in _ENDING:
            printing = -1


def _tokens(program: str) -> Iterator[tuple[str, str, int]]:
    """What a program is made of: its kind, its text, and where it ends.

    A slash begins a pattern or divides, by what stands before it; where that leaves doubt, and at
    whatever no program has, the last token is `unread`.
    """
    at, before = 0, _NEWLINE
    heads: list[bool] = []
    while at < len(program):
        pattern = program[at] == "/" and not _is_value(before)
        token = (_REGEX if pattern else _TOKEN).match(program, at)
        if token is None or (program[at] == "/" and _doubtful(token.group(), before)):
            yield "unread", "", at
            return
        what, text, at = token.lastgroup or "regex", token.group(), token.end()
        if what in {"space", "comment"}:
            continue
        if what == "newline":
            text = before if before in _GOES_ON else _NEWLINE
        if what == "sign" and text in _NEVER:
            yield "unread", "", at
            return
        yield what, text, at
        if text in _OPENING:
            heads.append(before in _HEADS)
        headed = text in _CLOSING and bool(heads) and heads.pop()
        before = ";" if headed else text


def _is_value(before: str) -> bool:
    """Whether a slash behind this divides."""
    return before not in _KEYWORDS and _VALUE.fullmatch(before) is not None


def _doubtful(text: str, before: str) -> bool:
    """Whether versions of awk differ here: on a slash in brackets, or behind `++`."""
    return before in {"++", "--"} or "/" in re.sub(r"\\.", "", text[1:-1])
