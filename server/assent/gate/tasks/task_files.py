"""Shared by the readers of tasks: what they return, and how tasks refer to each other.

What a reader cannot follow to its end it says, and it is asked about then: nothing that it left
out counts as read.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from assent.gate.call.errors import AssentError
from assent.gate.values import field, frozen

__all__ = [
    "MAX_FILE_BYTES",
    "ODD",
    "WORD",
    "FileTask",
    "FileUnfit",
    "Tasks",
    "Text",
    "closure",
    "is_there",
    "joined",
    "table_in",
]

MAX_FILE_BYTES: Final = 256 * 1024
"""In bytes: what is longer is not read, since others would wait for that."""

WORD: Final = re.compile(r"[^\s\"'`;&|()]+")

ODD: Final = "it is not made as its kind is."
_MAX_LINE_LETTERS: Final = 160
_MAX_TEXTS_FOLLOWED: Final = 50
"""So many texts of one task are followed."""
_MORE: Final = "more than 50 others"


class FileUnfit(AssentError):
    """A file is not what its name says; the message is the second half of a sentence."""


@frozen(kw_only=True)
class Text:
    """One text that a task runs."""

    name: str
    text: str
    folder: str = "."


@frozen(kw_only=True)
class FileTask:
    """One task, as its file tells of it."""

    runner: str
    name: str
    command: str
    texts: tuple[Text, ...] = ()
    unread: str = ""
    """What keeps it from being followed to its end, as it is written; nothing where it is."""

    @property
    def says(self) -> str:
        """What it runs, in one line."""
        texts = (text.text[:_MAX_LINE_LETTERS] for text in self.texts[:_MAX_LINE_LETTERS])
        whole = " ".join("; ".join(texts).split()) or self.command
        return whole if len(whole) <= _MAX_LINE_LETTERS else f"{whole[:_MAX_LINE_LETTERS]}…"


@frozen(kw_only=True)
class Tasks:
    """What stands in one file: each task by its runner and name, made when it is asked for."""

    makers: Mapping[str, Callable[[], FileTask]] = field(factory=dict)
    first: str = ""
    """The one that is run where none is named."""

    def made(self, name: str) -> FileTask:
        """The task of that name; raises `FileUnfit`."""
        try:
            return self.makers[name]()
        except (TypeError, AttributeError, RecursionError) as error:
            raise FileUnfit(ODD) from error


def closure(first: str, follow: Callable[[str], Iterable[str]]) -> tuple[list[str], str]:
    """A task and all that it needs, each once; and what keeps it from being followed."""
    needed = dict.fromkeys([first])
    left = [first]
    while left:
        for name in follow(left.pop(0)):
            if name in needed:
                continue
            if len(needed) >= _MAX_TEXTS_FOLLOWED:
                return list(needed), _MORE
            needed[name] = None
            left.append(name)
    return list(needed), ""


def joined(text: str) -> list[str]:
    """The lines of a text of which one may go on in the next."""
    return text.replace("\\\r\n", "\\\n").replace("\\\n", " ").replace("\r\n", "\n").split("\n")


def is_there(*path: str) -> bool:
    """Whether something lies at a path; what nobody can look at does not."""
    try:
        return Path(*path).exists()
    except OSError:
        return False


def table_in(value: Any, *path: str) -> dict[str, Any]:
    """The table at a path; an empty one where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
