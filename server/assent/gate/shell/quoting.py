"""Removes quotes, and remembers what they protected.

While a word is put together, a protected ASCII character is moved to a private place, where it is
no `*`, `{` or `~`; what only running would tell is one private character, a hole. No text that is
read has such characters of its own.
"""

import re
from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = [
    "ESCAPED",
    "HOLES",
    "SPLIT",
    "decode_ansi",
    "hole",
    "protect",
    "strip",
    "unescape",
    "unescape_in",
]

_TO_PRIVATE: Final = {code: 0xE000 + code for code in range(128)}
_FROM_PRIVATE: Final = {0xE000 + code: code for code in range(128)}

_FIRST_HOLE: Final = 0xF0000
HOLES: Final = late("[\U000f0000-\U000f0fff]")
SPLIT: Final = "\U000f1000"
"""Where the shell splits a value that is known."""
ESCAPED: Final = late(r"\\(.)", re.DOTALL)
_IN_QUOTES: Final = late(r"\\([$`\"\\\n])")

_ANSI: Final = late(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})"
    r"|U([0-9a-fA-F]{1,8})|(c.)|(.))",
    re.DOTALL,
)
_LETTERS: Final = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))
_MAX_CODE_POINT: Final = 0xD7FF


def protect(text: str) -> str:
    """A text of which no character means anything to the shell.

    >>> "*" in protect("*.py"), strip(protect("*.py"))
    (False, '*.py')
    """
    return text.translate(_TO_PRIVATE)


def strip(marked: str) -> str:
    """The text itself again.

    >>> strip("src/" + protect("*") + ".py")
    'src/*.py'
    """
    return marked.translate(_FROM_PRIVATE)


def hole(index: int) -> str:
    """The character that stands for the expansion of this number in a word.

    >>> HOLES.split(f"src/{hole(0)}.{hole(1)}")
    ['src/', '.', '']
    """
    return chr(_FIRST_HOLE + index)


def unescape(text: str) -> str:
    r"""What stands outside quotes: a backslash protects what follows, and joins lines.

    >>> strip(unescape(r"my\ notes")), "*" in unescape(r"\*")
    ('my notes', False)
    """
    return ESCAPED.sub(lambda match: "" if match[1] == "\n" else protect(match[1]), text)


def unescape_in(text: str) -> str:
    r"""What stands in double quotes, where a backslash protects little.

    >>> strip(unescape_in(r"\$5 \n"))
    '$5 \\n'
    """
    return protect(_IN_QUOTES.sub(lambda match: "" if match[1] == "\n" else match[1], text))


def decode_ansi(text: str) -> str | None:
    r"""What stands between `$'` and `'`; None where it cannot be told.

    >>> decode_ansi(r"a\tb\x2f"), decode_ansi(r"\0")
    ('a\tb/', None)
    """
    try:
        plain = _ANSI.sub(_ansi, text)
    except (ValueError, OverflowError):
        return None
    return plain


def _ansi(escape: re.Match[str]) -> str:
    letter, octal, *codes, control, other = escape.groups()
    if letter:
        return _LETTERS[letter]
    if control:
        raise ValueError(control)
    if other:
        return f"\\{other}"
    code = int(octal, 8) & 0xFF if octal else int(next(filter(None, codes)), 16)
    if not 0 < code <= _MAX_CODE_POINT or (code > 0x7F and not (codes[1] or codes[2])):  # noqa: PLR2004
        raise ValueError(code)
    return chr(code)
