"""What can be searched in a row: its paths, its hosts and its words.

They are what the ruling found, and besides the addresses in what was asked for and the words of a
command read as paths from its folder: older rows have no more, and what could not be read is found
by them. So what a row is found by may be more than what its call touched.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from assent.gate.call.calls import canonical, texts_in
from assent.gate.journal.chain import spelled
from assent.gate.text.lazy_patterns import late

__all__ = [
    "below",
    "body_of",
    "escaped",
    "folded",
    "host_mark",
    "lenient",
    "marks_of",
    "path_mark",
    "words_of",
]

_WORDS: Final = late(r"""[^\s'"`;|&<>()=]+""")
_HOSTS: Final = late(
    r"[a-z][a-z0-9+.-]*://(?:[^\s/?#'\"\\]*@)?(\[[0-9a-f:.]+\]|[^\s/:?#'\"\\]+)", re.IGNORECASE
)
_NO_LETTER: Final = late("[\\ud800-\\udfff]")
_MAX_WORDS: Final = 2_000
"""So many words of one command are looked at: more than a row keeps of one."""
_MAX_MARK_LETTERS: Final = 4_096


def body_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a row says; nothing where somebody made it unreadable."""
    try:
        body = json.loads(row["body"])
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def escaped(body: str) -> str:
    """What a row says, with what is no letter told by its escape, as `spelled` does."""
    return _NO_LETTER.sub(
        lambda match: f"\\\\u{ord(match.group()):04x}", canonical(body_of({"body": body}))
    )


def lenient(data: bytes) -> str:
    """A text that somebody else may have made."""
    return data.decode("utf-8", "replace")


def folded(value: object) -> str:
    """A name as it is compared."""
    return str(value).casefold()


def marks_of(body: Mapping[str, Any]) -> set[str]:
    """Each path and host that a row names, spelled as they are looked up."""
    return {spelled(mark) for mark in _marks(body) if len(mark) <= _MAX_MARK_LETTERS}


def words_of(body: Mapping[str, Any]) -> str:
    """All that a row says, as one text."""
    return spelled("\n".join(texts_in(body)))


def path_mark(path: str) -> str:
    """A path as it is looked up."""
    return f"path {path.rstrip('/')}/"


def host_mark(host: str) -> str:
    """A host as it is looked up: its last label first, so that it stands beside those below it.

    >>> host_mark("www.example.com")
    'host com/example/www/'
    >>> host_mark("https://me@www.example.com:80/a")
    'host com/example/www/'
    """
    named = _HOSTS.match(host)
    name = (named.group(1) if named else host).casefold().rstrip(".")
    return f"host {'/'.join(reversed(name.split('.')))}/"


def below(mark: str) -> tuple[str, str]:
    """From where to where those marks stand that are this one or lie below it."""
    return mark, f"{mark[:-1]}0"


def _marks(body: Mapping[str, Any]) -> Iterator[str]:
    cwd = body.get("cwd")
    if isinstance(cwd, str):
        yield path_mark(cwd)
    yield from (path_mark(text) for name in ("targets", "files") for text in _texts(body.get(name)))
    yield from map(host_mark, _texts(body.get("hosts")))
    given = body.get("input")
    if not isinstance(given, dict):
        return
    for text in texts_in(given):
        yield from (host_mark(match.group(1)) for match in _HOSTS.finditer(text))
    command = given.get("command")
    if isinstance(command, str) and isinstance(cwd, str):
        yield from _named(command, cwd)


def _texts(value: object) -> Iterator[str]:
    return (
        (item for item in value if isinstance(item, str)) if isinstance(value, list) else iter(())
    )


def _named(command: str, cwd: str) -> Iterator[str]:
    home = os.path.expanduser("~")  # noqa: PTH111 -- a text, joined below
    for number, match in enumerate(_WORDS.finditer(command)):
        if number >= _MAX_WORDS:
            return
        word = match.group()
        path = home + word[1:] if word.startswith("~/") else word
        yield path_mark(os.path.normpath(os.path.join(cwd, path)))  # noqa: PTH118 -- texts
