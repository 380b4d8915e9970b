"""Texts that code puts together from pieces: `'.bash' + 'rc'`, `join('.config', 'Code')`.

Only what stands side by side is put together, and letters that are told by their numbers; what code
computes otherwise is not known.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final

from assent.gate.text.decoded_names import UNPACKS, readings_of, spelled_out
from assent.gate.text.lazy_patterns import late

__all__ = ["has_pieces", "pieces_in", "put_together", "runs_hidden"]

_PIECE: Final = late(r"([\"'`])((?:(?!\1)[^\\\n]|\\.){0,200}+)(\1?)")
"""No name is longer, and so no text takes long to be looked through."""
_SIGNS_OF_PIECES: Final = ('"', "'", "`", "\\", "String.from", "bytes(", "bytearray(")
"""One of these, or `chr`, stands in each code that puts texts together."""
_BETWEEN: Final = late(r"(?:[)\s]*(\.\.|[+,./]|\|\|)[(\s]*|\s*)[rfbu]?")
_MAX_LETTERS_BETWEEN: Final = 32
"""In letters: no more stands between two pieces."""
_FIRST_NON_ASCII: Final = 0x7F
_PATHS: Final = frozenset((",", "/"))
"""What makes a path of two pieces."""


_NUMBERED: Final = late(
    r"\\x(?P<hex>[0-9A-Fa-f]{2})|\\u\{?(?P<long>[0-9A-Fa-f]{2,4})\}?|\\(?P<octal>[01][0-7]{2})"
    r"|(?P<brace>\{)?\b(?:(?i:chr)|String\.from(?:CharCode|CodePoint))\s*+(?:\(\s*+)?(?P<number>\d{2,3})\b"
    r"\s*+\)?(?(brace)\})"
)
_BASES: Final = {"hex": 16, "long": 16, "octal": 8, "number": 10}
_FORMATTED: Final = late(
    r"([\"'])([^\"'\n]{0,200})(?:%s|\{0?\})([^\"'\n]{0,200})\1\s*+(?:%\s*+\(?|\.format\()\s*+([\"'])"
    r"([^\"'\n]{0,200})\4"
)
_OPENS: Final = late(r"([\"'])([^\"']?)\1\s*\.\s*join\(\s*[\[(]\s*[rbfu]?\Z")
_PARTED_BY: Final = late(r"\b(?:join|implode)\s?\(?\s?\Z")
"""Behind it stands what comes between the others, and no name begins with that."""
_CLOSES: Final = late(r"\s*[\])]\s*\.\s*join\b(?:\(\s*([\"'`])([^\"'`]?)\1)?")
_LETTERS_BEFORE: Final = 16


def has_pieces(code: str) -> bool:
    """Whether something in it may be put together; of most words a look tells that nothing is.

    >>> has_pieces("'.ba' + 'sh'"), has_pieces("src/app.py")
    (True, False)
    """
    return any(map(code.__contains__, _SIGNS_OF_PIECES)) or "chr" in code.lower()


@lru_cache(maxsize=16)
def put_together(code: str) -> str:
    r"""The texts of which pieces stand side by side, each in a line of its own.

    >>> put_together("open('.ba' + 'sh' + chr(114) + 'c')"), put_together(r"f('\x2ebashrc')")
    ('.bashrc', '.bashrc')
    >>> put_together("''.join(['r', 'm'])"), put_together("join('.config', 'Code')")
    ('rm', '.config/Code')
    >>> put_together("'.'.join(['x', 'org'])"), put_together("['x', 'org'].join('.')").split()
    ('x.org', ['x/org', 'x.org'])
    """
    if not has_pieces(code):
        return ""
    whole = _FORMATTED.sub(r"\1\2\5\3\1", _NUMBERED.sub(_letter, spelled_out(code)))
    chained = _chained(whole)
    made = {*pieces_in(whole)} - {*pieces_in(code)} if whole != code else set[str]()
    pieces = [piece for piece in made if len(piece) > 1]
    readings = readings_of("\n".join((code, *(f'"{chain}"' for chain in chained))))
    return "\n".join(dict.fromkeys((*chained, *sorted(pieces), *readings)))


def _letter(match: re.Match[str]) -> str:
    """A letter that is told by its number; in quotes, where a call told it."""
    told_by = match.lastgroup or "number"
    number = int(match[told_by], _BASES[told_by])
    letter = chr(number) if number < _FIRST_NON_ASCII and chr(number).isprintable() else " "
    return f"'{letter}'" if told_by == "number" and not match["brace"] else letter


def _chained(code: str) -> list[str]:
    """The texts of which more than one piece stands there."""
    chains: list[list[str]] = []
    end, sign = -_MAX_LETTERS_BETWEEN, "/"
    joins = "join" in code or "implode" in code
    for piece in _PIECE.finditer(code):
        near = piece.start() - end <= _MAX_LETTERS_BETWEEN
        between = _BETWEEN.fullmatch(code, end, piece.start()) if near and chains else None
        if between is None:
            before = code[max(piece.start() - _LETTERS_BEFORE, 0) : piece.start()] if joins else ""
            opens = _OPENS.search(before) if joins else None
            parts = joins and len(piece[2]) <= 1 and _PARTED_BY.search(before) is not None
            sign = piece[2] if parts else "/" if opens is None else opens[2]
            chains.append([] if parts else [piece[2]])
        else:
            chains[-1] += [sign if between[1] in _PATHS and chains[-1] else "", piece[2]]
            if closes := _CLOSES.match(code, piece.end()):
                chains.append([closes[2] or "" if chain == "/" else chain for chain in chains[-1]])
        # What does not end is no piece, and nothing is put to it.
        end = piece.end() if piece[3] else -_MAX_LETTERS_BETWEEN
    return ["".join(chain) for chain in chains if len(chain) > 1]


_RUNS: Final = late(r"\b(?:exec|eval|system|popen|execSync|spawnSync|Function|__import__)\s*+\(")
_REACH_LETTERS: Final = 160
"""In letters: so far behind the one the other counts."""


def runs_hidden(code: str) -> bool:
    """Whether code runs a text that it makes readable first, so that nobody has read it.

    >>> runs_hidden("exec(base64.b64decode('cm0='))"), runs_hidden("print(b64decode('cm0='))")
    (True, False)
    """
    ends = [match.end() for match in _RUNS.finditer(code)] if "(" in code else []
    if not ends:
        return False
    starts = (match.start() for match in UNPACKS.finditer(code))
    befores = ((at, bisect_right(ends, at)) for at in starts)
    return any(count and at - ends[count - 1] <= _REACH_LETTERS for at, count in befores)


def pieces_in(code: str) -> list[str]:
    """The texts that stand in quotes."""
    return [piece[2] for piece in _PIECE.finditer(code) if piece[3]]
