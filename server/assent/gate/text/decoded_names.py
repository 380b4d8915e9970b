"""Texts that code decodes before it uses them, and other names that it gives to things.

`b64decode("LmVudg==")`, `".env"` backwards or by the numbers of its letters, `${process.cwd()}/x`:
what stands there in plain sight is read as the code would. What is computed otherwise, or packed
more than once, is not known.
"""

import re
from base64 import a85decode, b32decode, b64decode, b85decode
from codecs import decode
from collections.abc import Callable
from itertools import islice
from typing import Final
from urllib.parse import unquote_to_bytes

from assent.gate.text.lazy_patterns import late

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
    r"|os\.getenv\([\"']PWD[\"']\)|getcwd\(\)|__dirname|__DIR__|(?:\w{1,20}\.)?\bcwd\b(?:\(\))?"
)
_PLACE: Final = late(
    rf"(?:[$#]?\{{)?(?:(?P<home>{HOME})|{_WORKS_IN})(?:(?:\}}|(?<=\}}))(?=[/\s\"'`])|(?=/)"
    r"|\s{0,4}[+.]\s{0,4}(?P<quote>[\"'`])(?=/))",
    needs="pwd PWD cwd home HOME dir __DIR__ expanduser",
)
"""A place as the beginning of a path: in a text, or before one."""
_MAX_NAMES: Final = 8
"""So many names are followed."""
_AS: Final = late(r"\b([\w.]{1,40})\s{1,4}as\s{1,4}(\w{1,40})")
_BOUND: Final = late(r"\b(\w{1,40})\s?:\s?(\w{1,40})\s?[,}]")
_HELD: Final = late(
    r"\b(\w{1,40})\s?=\s?(?:\w{1,20}|require\([^()\s]{1,24}\))\.(\w{1,40})\b(?![\w(.])",
    needs="=",
)
"""How code gives what it brings, or holds, a name of its own; the last has the name first."""
_CONSTANT: Final = late(
    r"(\$?\b[A-Za-z_]\w{0,30})\s?=\s?([\"'`])([^\"'`\n{}$]{1,100})\2", needs="="
)
"""A name for a text."""
_TOKEN: Final = late(
    r"[\"'`][^\"'`\n]{0,200}[\"'`]|(?<![\w.$\"'`])\$?[A-Za-z_]\w{0,30}(?!\w|\s?=(?!=)|\(|[\"'`])"
)
_INSIDE: Final = late(r"[$#]?\{\s?(\$?[A-Za-z_]\w{0,30})(?:![rsa])?\s?\}|(\$[A-Za-z_]\w{0,30})")
"""Where such a name stands for the text, in another text."""


def with_own_names(code: str) -> str:
    """The code with the names that things have where they come from, and texts for theirs.

    >>> with_own_names("from shutil import rmtree as r; r('x')")
    "from shutil import rmtree as rmtree; rmtree('x')"
    >>> with_own_names("h='x'; open(h); fetch(`http://${h}.org`)")
    "h='x'; open('x'); fetch(`http://x.org`)"
    """
    given = (
        [match.groups() for match in islice(_AS.finditer(code), _MAX_NAMES)]
        if "import" in code
        else []
    )
    given += (
        [match.groups() for match in islice(_BOUND.finditer(code), _MAX_NAMES)]
        if "{" in code
        else []
    )
    given += [(of, name) for name, of in _HELD.findall(code)[:_MAX_NAMES]]
    for of, name in given:
        code = re.sub(rf"(?<![\w.]){re.escape(name)}(?=\s?[.(;])", of, code)
    texts = {name: text for name, _, text in _CONSTANT.findall(code)[:_MAX_NAMES]}
    return _TOKEN.sub(lambda match: _with_texts(match[0], texts), code) if texts else code


def _with_texts(token: str, texts: dict[str, str]) -> str:
    if token[0] not in "\"'`":
        return f"'{texts[token]}'" if token in texts else token
    return _INSIDE.sub(lambda match: texts.get(match[1] or match[2], match[0]), token)


_REPLACED: Final = late(
    r"([\"'])([^\"'\n]{1,200})\1\s?\.replace\(\s?[\"']([^\"'\n]{1,40})[\"']\s?,"
    r"\s?[\"']([^\"'\n]{0,40})[\"']\s?\)",
    needs=".replace(",
)
_LOWERED: Final = late(
    r"([\"'])([^\"'\n]{1,200})\1\s?\.(?:toLowerCase|lower|downcase)\b(?:\(\))?"
    r"|\b(?:lc|tolower|strtolower)\s?\(?\s?([\"'])([^\"'\n]{1,200})\3\)?",
    needs="lower toLowerCase downcase lc",
)
_SLICED: Final = late(r"([\"'])([^\"'\n]{1,200})\1\[(-?\d{0,3}):(-?\d{0,3})\]", needs="[")


def spelled_out(code: str) -> str:
    """The code with its own names for things, and what a shell calls the places that it asks for.

    >>> spelled_out("read(`${process.cwd()}/.env`)"), spelled_out("open(os.getcwd() + '/.env')")
    ('read(`./.env`)', "open('./.env')")
    >>> spelled_out('system("rm -rf $ENV{HOME}")')
    'system("rm -rf ~")'
    >>> spelled_out("open('xenv'.replace('x','.'))"), spelled_out("open('.ENV'.lower()[0:])")
    ("open('.env')", "open('.env')")
    """
    code = _REPLACED.sub(_replaced, with_own_names(code))
    return _PLACE.sub(_named, _SLICED.sub(_sliced, _LOWERED.sub(_lowered, code)))


def _replaced(match: re.Match[str]) -> str:
    # Some languages replace what stands there first, and others each.
    texts = dict.fromkeys(match[2].replace(match[3], match[4], count) for count in (1, -1))
    return ";".join(f"{match[1]}{text}{match[1]}" for text in texts)


def _lowered(match: re.Match[str]) -> str:
    quote = match[1] or match[3]
    return f"{quote}{(match[2] or match[4]).casefold()}{quote}"


def _sliced(match: re.Match[str]) -> str:
    start, end = (int(number) if number.strip("-") else None for number in match.group(3, 4))
    return f"{match[1]}{match[2][start:end]}{match[1]}"


def _named(match: re.Match[str]) -> str:
    return f"{match['quote'] or ''}{'~' if match['home'] else '.'}"


_QUOTED: Final = late(r"[\"'`]([\w+/=.~@:% -]{3,400})[\"'`]")
_NUMBER: Final = r"\s{0,2}(?:0x[0-9a-fA-F]{1,2}|\d{2,3})\s{0,2}"
_ROW: Final = late(rf"[\[(,]((?:{_NUMBER},){{2,200}}{_NUMBER}),?\s{{0,2}}[\])]")
_MAX_TEXTS: Final = 32
"""So many texts of one code are read."""
_BYTE_VALUES: Final = 256
_IN_ADDRESSES: Final = str.maketrans("-_", "+/")


def _of_sixty_four(text: str) -> bytes:
    plain = text.rstrip("=").translate(_IN_ADDRESSES)
    return b64decode(plain + "=" * (-len(plain) % 4), validate=True)


_BOTH: Final = r"codecs\.decode\b|Buffer\.from\b|u(?<!\wu)npack1?\b|p(?<!\wp)ack\b"
"""Signs of whatever is named behind them. A letter that a word begins with is found sooner than the
boundary before it, and all of these are looked for in each code."""
_SIXTY_FOUR: Final = (
    rf"{_BOTH}|b64decode\b|decode(?:_base)?64\b|base64_decode\b|a2b_base64\b|a(?<!\wa)tob\b"
)
_WAYS: Final[tuple[tuple[str, Callable[[str], bytes]], ...]] = (
    (_SIXTY_FOUR, _of_sixty_four),
    (rf"{_BOTH}|fromhex\b|unhexlify\b|b16decode\b|hex2bin\b|a2b_hex\b", bytes.fromhex),
    (r"b32decode\b", b32decode),
    (r"b85decode\b", b85decode),
    (r"a85decode\b", a85decode),
    (r"\[::-1\]|r(?<!\wr)everse(?:d|String)?\b|s(?<!\ws)trrev\b", lambda text: text[::-1].encode()),
    (r"rot_?13", lambda text: decode(text, "rot13").encode()),
    (r"decodeURI|u(?<!\wu)nescape\(|u(?<!\wu)nquote\b|urldecode\b", unquote_to_bytes),
)
"""How a text is made readable: signs of it in the code, and what comes of the text then."""
_TURNS: Final[tuple[tuple[str, Callable[[str], bytes]], ...]] = (
    (r"file:/", unquote_to_bytes),
    (r"s(?<!\ws)ubstr|slice\(1", lambda text: text[1:].encode()),
)
"""The same, of what can be read before."""
_NUMBERED: Final = (
    r"fromCharCode\b|fromCodePoint\b|c(?<!\wc)hr\b|b(?<!\wb)ytes\(|b(?<!\wb)ytearray\("
    r"|p(?<!\wp)ack\b|Buffer\.from\b"
)
"""Signs that letters may be told by their numbers."""
UNPACKS: Final = late("|".join((*(sign for sign, _ in _WAYS), _NUMBERED, r"decompress\b")))
"""How code makes a text readable."""
_SIGNS: Final = tuple((late(sign), way) for sign, way in (*_WAYS, *_TURNS))
_TURNED: Final = late("|".join(sign for sign, _ in _TURNS))


def readings_of(code: str) -> list[str]:
    """What the texts of a code may say once it has made them readable.

    >>> readings_of("open(base64.b64decode('LmVudg=='))"), readings_of("open('LmVudg==')")
    (['.env'], [])
    >>> readings_of("String.fromCharCode(...[46, 101, 110, 118])"), readings_of("'vne.'[::-1]")
    (['.env'], ['.env'])
    """
    if UNPACKS.search(code) is None and _TURNED.search(code) is None:
        return []
    decoded = [_of_numbers(row) for row in _ROW.findall(code)[:_MAX_TEXTS]]
    ways = [way for sign, way in _SIGNS if sign.search(code)]
    decoded += [_by(way, text) for text in _QUOTED.findall(code)[:_MAX_TEXTS] for way in ways]
    return [*dict.fromkeys(filter(None, map(_readable, decoded)))]


def _by(way: Callable[[str], bytes], text: str) -> bytes:
    try:
        return way(text)
    except ValueError:
        return b""


def _readable(data: bytes) -> str | None:
    text = data.decode("ascii", "replace").strip()
    return text if text.isascii() and text.isprintable() else None


def _of_numbers(row: str) -> bytes:
    numbers = [int(number, 0) for number in row.split(",") if number.strip()]
    return bytes(numbers) if all(number < _BYTE_VALUES for number in numbers) else b""
