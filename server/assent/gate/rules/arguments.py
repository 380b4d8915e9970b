"""Tools of servers in rules, with arguments: `mcp(files:read_*){path=docs/**}`.

Each is a key and a pattern of its whole value, which is a text, a number, `true`, `false` or
`null`. In what allows, `*` stays within a part of a path and `**` crosses; in what denies or
asks both cross, and neither case nor spelling of the key counts.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from posixpath import normpath
from typing import Any, Final
from unicodedata import normalize
from urllib.parse import unquote

from assent.gate.call.calls import texts_in
from assent.gate.rules.globs import is_wild, path_fits
from assent.gate.rules.spelling import RuleRefused, brief
from assent.gate.text.lazy_patterns import late

__all__ = [
    "Arguments",
    "arguments_in",
    "arguments_of",
    "braced",
    "check_tool",
    "fits_one",
    "fits_whole",
    "perhaps_arguments_in",
    "readings",
    "unpacked",
]

Arguments = tuple[tuple[str, str], ...]

MAX_ARGUMENTS: Final = 4

_ONE: Final = late(r"\s*([\w.$-]+)\s*=\s*(?:\"([^\"]*)\"|([^\",{}]*))\s*(,|\Z)")
_BARE: Final = late(r"[^\s\",{}]+")
_UPWARD: Final = late(r"(?:^|[/\\])\.\.(?:[/\\;]|$)|\ufffd|\0")
"""What leads upwards, and what some programs read so that others cannot."""
_UNPLAIN: Final = frozenset("\\\n\r")
MAX_TEXT_LETTERS: Final = 4_096
_MAX_DEPTH: Final = 3
"""So deep arguments stand at most: in what a call is given, in `arguments`, or in a call in it."""
_MAX_DECODINGS: Final = 4
"""So often a text may have been encoded, one time over the other."""
_WRITTEN: Final = "Arguments are written `{key=value, other=*}`"


def check_tool(about: str, *, allows: bool) -> None:
    """Refuse what is no tool of a server.

    Server and tool are named in full, or by how they begin with a `*` behind it.

    >>> check_tool("github:get_*", allows=True)
    >>> check_tool("github:*_issue", allows=True)
    Traceback (most recent call last):
        ...
    assent.gate.rules.spelling.RuleRefused: A `*` stands at the end of a name only, for whatever it
    goes on with: write `mcp(server:get_*)`, or name each tool.
    """
    server, colon, tool = about.partition(":")
    if not colon or not server or not tool:
        raise RuleRefused(
            "Server and tool are parted by a colon: write `mcp(server:tool)`, or `mcp(server:*)`."
        )
    if any("*" in name[:-1] for name in (server, tool)):
        raise RuleRefused(
            "A `*` stands at the end of a name only, for whatever it goes on with: write"
            " `mcp(server:get_*)`, or name each tool."
        )
    if server == "*" and allows:
        raise RuleRefused(
            f"What allows names its server: write `mcp(server:{brief(tool)})` for each of them."
        )
    if any(sign in about for sign in "(){}"):
        raise RuleRefused("A name has no brackets in it: arguments stand behind the bracket.")


def arguments_of(text: str) -> Arguments:
    """The keys and patterns in what stands between the braces.

    >>> arguments_of('owner=acme, repo="a b*"')
    (('owner', 'acme'), ('repo', 'a b*'))
    """
    found: dict[str, str] = {}
    at = 0
    while at < len(text) or not found:
        match = _ONE.match(text, at)
        if match is None or (match[4] == "," and match.end() == len(text)):
            raise RuleRefused(f"{_WRITTEN}; a value with other signs stands in double quotes.")
        key, value = match[1], match[3].strip() if match[2] is None else match[2]
        if key in found:
            raise RuleRefused(f"`{brief(key)}` stands twice in it.")
        if any("**" in part and part != "**" for part in value.split("/")):
            raise RuleRefused("A `**` stands alone, or alone between two slashes.")
        if not value and match[2] is None:
            raise RuleRefused(f'`{brief(key)}` has no value: write `{brief(key)}=""` for nothing.')
        found[key] = value
        at = match.end()
    if len(found) > MAX_ARGUMENTS:
        raise RuleRefused(f"It names more than {MAX_ARGUMENTS} arguments.")
    return tuple(found.items())


def braced(named: Arguments) -> str:
    """The arguments as they are written; nothing where there are none.

    >>> braced((("owner", "acme"), ("repo", "a b")))
    '{owner=acme, repo="a b"}'
    """
    if not named:
        return ""
    return f"{{{', '.join(f'{key}={_quoted(value)}' for key, value in named)}}}"


def _quoted(value: str) -> str:
    return value if _BARE.fullmatch(value) else f'"{value}"'


def arguments_in(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a tool of a server, from the input of a call.

    An input without `arguments` is taken for the arguments themselves.

    >>> arguments_in({"server": "files", "tool": "read", "arguments": {"path": "a.md"}})
    {'path': 'a.md'}
    >>> arguments_in({"path": "a.md"})
    {'path': 'a.md'}
    """
    own = given.get("arguments", given)
    return own if isinstance(own, dict) else {}


def perhaps_arguments_in(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What may be arguments where nobody knows where they stand: all values by each key.

    >>> perhaps_arguments_in({"owner": "a", "arguments": {}, "input": '{"owner": "b"}'})["owner"]
    ['a', 'b']
    """
    found: dict[str, list[Any]] = {}
    level: list[Any] = [given]
    for _ in range(_MAX_DEPTH):
        level = [it for it in map(unpacked, level) if isinstance(it, dict)]
        for key, value in (pair for it in level for pair in it.items()):
            found.setdefault(key, []).append(value)
        level = [value for it in level for value in it.values()]
    return found


def unpacked(value: Any) -> Any:
    """A value, or what it is as a text of JSON.

    >>> unpacked('{"path": "a"}'), unpacked("a")
    ({'path': 'a'}, 'a')
    """
    if isinstance(value, str) and value.lstrip().startswith(("{", "[")):
        import orjson  # noqa: PLC0415 -- only where it is needed

        with suppress(orjson.JSONDecodeError):
            return orjson.loads(value)
    return value


def fits_whole(named: Arguments, given: Mapping[str, Any]) -> bool:
    """Whether each argument is there, by its key to the letter, and what it is fits its pattern.

    >>> fits_whole((("path", "docs/*"),), {"path": "docs/a.md", "more": 1})
    True
    >>> fits_whole((("path", "docs/**"),), {"path": "docs/../.env"})
    False
    >>> fits_whole((("path", "docs/**"),), {"path": "docs/%252e%252e/.env"})
    False
    """
    for key, pattern in named:
        text = _text(given[key]) if key in given else None
        if text is None or not _fits_tightly(pattern, text):
            return False
    return True


def fits_one(named: Arguments, given: Mapping[str, Any]) -> bool:
    """Whether each argument is there by any spelling, with something in it that fits.

    >>> fits_one((("path", "/etc/*"),), {"Path": ["/tmp/a", "/ETC/ssh/x"]})
    True
    """
    folded = [(_folded(key), value) for key, value in given.items()]
    return all(
        any(_folded(key) == name and _any_fits(pattern, value) for name, value in folded)
        for key, pattern in named
    )


def _any_fits(pattern: str, value: Any) -> bool:
    # A path may lead round, and a folder at any depth may be none.
    short = pattern.replace("**/", "*")
    texts = {
        form
        for text in _all_texts(value)
        for form in (*(readings(text) or (text, unquote(text))), normpath(text))
    }
    return any(_fits_loosely(short, text) for text in texts)


def _all_texts(value: Any) -> Iterator[str]:
    text = _text(value)
    yield from (text,) if text is not None else texts_in({"": value})


def _text(value: Any) -> str | None:
    """A scalar as a rule has it; None for what is none."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else None


def _folded(key: str) -> str:
    return re.sub(r"[\W_]+", "", key.casefold())


def _fits_tightly(pattern: str, text: str) -> bool:
    """Whether a text is what a pattern says; what leads upwards, or on to a new line, is not."""
    if text == pattern:
        return True
    if not is_wild(pattern) or len(text) > MAX_TEXT_LETTERS or not _UNPLAIN.isdisjoint(text):
        return False
    read = readings(text)
    upward = read is None or any(map(_UPWARD.search, read))
    return not upward and path_fits(pattern.split("/"), text.split("/"))


def readings(text: str) -> list[str] | None:
    """A text, and what becomes of it for who decodes it, once or again; None where that goes on.

    >>> readings("a%252eb"), readings("a")
    (['a%252eb', 'a%2eb', 'a.b'], ['a'])
    """
    found = [text, normalize("NFKC", text)] if not text.isascii() else [text]
    for _ in range(_MAX_DECODINGS):
        plain = unquote(found[-1])
        if plain == found[-1]:
            return found
        found.append(plain)
    return None


def _fits_loosely(pattern: str, text: str) -> bool:
    """The same in any case, with signs that stand for anything; it takes as long as the text."""
    head, *others = pattern.casefold().replace("?", "*").split("*")
    text = text.casefold()
    if not others:
        return text == head
    *middle, tail = others
    if not text.startswith(head) or len(text) < len(head) + len(tail) or not text.endswith(tail):
        return False
    at, end = len(head), len(text) - len(tail)
    for part in middle:
        at = text.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True
