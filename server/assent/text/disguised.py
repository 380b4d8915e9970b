"""Texts that code makes readable before it uses them, and names that it gives to others.

`b64decode("LmVudg==")`, `".env"` backwards or by the numbers of its letters, `${process.cwd()}/x`:
what stands there in plain sight is read as the code would. What is computed otherwise, or packed
more than once, is not known.
"""

import re
from base64 import b64decode
from binascii import Error
from codecs import decode
from itertools import islice
from typing import Final

from assent.text.patterns import late

__all__ = ["HERE", "HOME", "UNPACKS", "readings_of", "spelled_out", "with_own_names"]

HOME: Final = (
    r"(?:os\.path\.)?expanduser\([\"']~[\"']\)|(?:pathlib\.)?Path\.home\(\)|os\.homedir\(\)"
    r"|(?:require\([\"'](?:node:)?os[\"']\)\.)homedir\(\)|Dir\.home|process\.env\.HOME"
    r"|(?:os\.environ|ENV)\[[\"']HOME[\"']\]|os\.getenv\([\"']HOME[\"']\)|\$ENV\{HOME\}"
)
"""How code asks for the home, as a pattern."""
HERE: Final = r"os\.getcwd\(\)|(?:pathlib\.)?Path\.cwd\(\)|process\.cwd\(\)|Dir\.pwd|Deno\.cwd\(\)"
"""How it asks for the folder that it works in."""
_WORKS_IN: Final = (
    rf"{HERE}|process\.env\.PWD|\$ENV\{{PWD\}}|(?:\$_SERVER|os\.environ|ENV)\[[\"']PWD[\"']\]"
    r"|os\.getenv\([\"']PWD[\"']\)|getcwd\(\)|__dirname|__DIR__"
)
_PLACE: Final = late(
    rf"(?:[$#]?\{{)?(?:(?P<home>{HOME})|{_WORKS_IN})(?:(?:\}}|(?<=\}}))(?=[/\s\"'`])|(?=/)"
    r"|\s{0,4}[+.]\s{0,4}(?P<quote>[\"'`])(?=/))"
)
"""A place as the beginning of a path: in a text, or before one."""
_ASKED: Final = tuple("pwd PWD cwd home HOME dir __DIR__ expanduser".split())
"""One of these stands in whatever asks for a place."""

_BOUND: Final = late(r"\bas\s|require\(")
_ALIAS: Final = late(
    r"\bimport\s+([\w.]{1,40})\s+as\s+(\w{1,40})|\{\s?(\w{1,40})\s?:\s?(\w{1,40})\s?\}\s?=\s?require\("
)
"""How code gives what it brings in a name of its own."""
_FEW: Final = 8
_CONSTANT: Final = late(r"\b([A-Za-z_]\w{0,30})\s?=\s?([\"'])([^\"'\n{}]{1,100})\2")
"""A name for a text, which others may hold in braces."""
_HELD: Final = late(r"[$#]?\{\s?([A-Za-z_]\w{0,30})\s?\}")
_REPLACED: Final = late(
    r"([\"'])([^\"'\n]{1,200})\1\s?\.replace\(\s?[\"']([^\"'\n]{1,40})[\"']\s?,\s?[\"']([^\"'\n]{0,40})[\"']\s?\)"
)

UNPACKS: Final = late(
    r"b(?:16|32|64|85)decode\b|fromhex\b|unhexlify\b|rot_?13\b|decompress\b|fromCharCode\b"
    r"|\batob\b|decode(?:_base)?64\b|base64_decode\b|\bpack\b|\[::-1\]|Buffer\.from\b|\bunpack1?\b"
    r"|\breverse(?:d|String)?\b|\bstrrev\b|\bmap\(chr\b|\bbytes\(|fromCodePoint\b|hex2bin\b"
)
"""How code makes a text readable."""
_CHANGES: Final = late(r"lower\(|LowerCase|\blc\b|downcase|\[1:\]|\bsubstr|slice\(1")
"""How it makes another of one that could be read before."""
_QUOTED: Final = late(r"[\"'`]([\w+/=.~@ -]{3,400})[\"'`]")
_ROW: Final = late(r"[\[(]((?:\s{0,2}\d{2,3}\s{0,2},){2,200}\s{0,2}\d{2,3}\s{0,2},?)\s{0,2}[\])]")
_MOST: Final = 32
"""So many texts of one code are read."""
_BYTE: Final = 256


def with_own_names(code: str) -> str:
    """The code with the names that things have where they come from.

    >>> with_own_names("from shutil import rmtree as r; r('x')")
    "from shutil import rmtree as rmtree; rmtree('x')"
    """
    for found in islice(_ALIAS.finditer(code) if _BOUND.search(code) else (), _FEW):
        of, name = (it for it in found.groups() if it)
        code = re.sub(rf"(?<![\w.]){name}(?=\s?[.(;])", of, code)
    return code


def spelled_out(code: str) -> str:
    """The code with its own names for things, and what a shell calls the places that it asks for.

    >>> spelled_out("read(`${process.cwd()}/.env`)"), spelled_out("open(os.getcwd() + '/.env')")
    ('read(`./.env`)', "open('./.env')")
    >>> spelled_out('system("rm -rf $ENV{HOME}")')
    'system("rm -rf ~")'
    >>> spelled_out("h='x'; fetch(`http://${h}.org`)"), spelled_out("open('xenv'.replace('x','.'))")
    ("h='x'; fetch(`http://x.org`)", "open('.env')")
    """
    code = with_own_names(code)
    constants = {name: text for name, _, text in _CONSTANT.findall(code)[:_FEW]}
    if "{" in code and constants:
        code = _HELD.sub(lambda found: constants.get(found[1], found[0]), code)
    code = _REPLACED.sub(_replaced, code) if ".replace(" in code else code
    return _PLACE.sub(_named, code) if any(map(code.__contains__, _ASKED)) else code


def _replaced(found: re.Match[str]) -> str:
    # Some languages replace what stands there first, and others each.
    texts = dict.fromkeys(found[2].replace(found[3], found[4], count) for count in (1, -1))
    return ";".join(f"{found[1]}{it}{found[1]}" for it in texts)


def _named(found: re.Match[str]) -> str:
    return f"{found['quote'] or ''}{'~' if found['home'] else '.'}"


def readings_of(code: str) -> list[str]:
    """What the texts of a code may say once it has made them readable.

    >>> readings_of("open(base64.b64decode('LmVudg=='))"), readings_of("open('LmVudg==')")
    (['.env'], [])
    >>> readings_of("String.fromCharCode(...[46, 101, 110, 118])"), readings_of("'vne.'[::-1]")
    (['.env'], ['.env'])
    """
    if UNPACKS.search(code) is None and _CHANGES.search(code) is None:
        return []
    told = [one for row in _ROW.findall(code)[:_MOST] if (one := _of_numbers(row))]
    ways = [way for sign, way in _WAYS if sign.search(code)]
    told += [one for it in _QUOTED.findall(code)[:_MOST] for way in ways if (one := way(it))]
    return [*dict.fromkeys(filter(None, map(_readable, told)))]


def _readable(told: bytes) -> str | None:
    text = told.decode("ascii", "replace").strip()
    return text if text.isascii() and text.isprintable() else None


def _of_numbers(row: str) -> bytes:
    numbers = [int(it) for it in row.split(",") if it.strip()]
    return bytes(numbers) if all(it < _BYTE for it in numbers) else b""


_SIXTY_FOUR: Final = late(r"[\w+/-]{2,400}={0,2}")
_HEX: Final = late(r"(?:[0-9a-fA-F]{2}){1,200}")
_IN_ADDRESSES: Final = str.maketrans("-_", "+/")


def _of_sixty_four(text: str) -> bytes:
    if not _SIXTY_FOUR.fullmatch(text):
        return b""
    plain = text.rstrip("=").translate(_IN_ADDRESSES)
    try:
        return b64decode(plain + "=" * (-len(plain) % 4))
    except Error:
        return b""


def _of_hex(text: str) -> bytes:
    return bytes.fromhex(text) if _HEX.fullmatch(text) else b""


_WAYS: Final = (
    (late(r"64|\batob\b|\bunpack"), _of_sixty_four),
    (late(r"(?i)hex|base16|b16|\bpack\b"), _of_hex),
    (late(r"\[::-1\]|revers|strrev"), lambda text: text[::-1].encode()),
    (late(r"lower\(|LowerCase|\blc\b|downcase"), lambda text: text.lower().encode()),
    (late(r"\[1:\]|\bsubstr|slice\(1"), lambda text: text[1:].encode()),
    (late(r"rot_?13"), lambda text: decode(text, "rot13").encode()),
)
"""How a text is made readable: a sign of it in the code, and what comes of the text then."""
