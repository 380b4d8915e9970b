"""What the readers of tasks have in common: what they find, and how they follow each other up.

What a reader cannot follow to its end it says, and it is asked about then: nothing that it left
out counts as read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import field, frozen

from assent.errors import AssentError

__all__ = [
    "LONGEST",
    "ODD",
    "WORD",
    "FileUnfit",
    "Found",
    "Tasks",
    "Text",
    "closure",
    "elsewhere",
    "joined",
    "table_in",
]

LONGEST: Final = 256 * 1024
"""In bytes: what is longer is not read, since others would wait for that."""

WORD: Final = re.compile(r"[^\s\"'`;&|()]+")

ODD: Final = "it is not made as its kind is."
_LINE: Final = 160
_MOST: Final = 50
"""So many texts of one task are followed."""
_MORE: Final = "more than 50 others"

_RUNNERS: Final = {
    "npm": "npm npx pnpm pnpx yarn bun bunx run-s run-p npm-run-all npm-run-all2 concurrently",
    "make": "make gmake",
    "just": "just",
    "python": "poe pdm hatch task",
    "others": "turbo nx lerna lage wireit gulp grunt rake invoke tox nox",
}
_LEADS: Final = re.compile(
    r"(?<![\w-])(?:--(?:prefix|workspaces?|filter|recursive|cwd|directory|file|makefile|justfile)\b"
    r"|-[Crwf]\b|cd\s|pushd\s)"
)
"""What has a runner look into another folder or file."""


class FileUnfit(AssentError):
    """A file is not what its name says; the message is the second half of a sentence."""


@frozen(kw_only=True)
class Text:
    """One text that a task runs."""

    name: str
    text: str
    folder: str = "."


@frozen(kw_only=True)
class Found:
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
        texts = (it.text[:_LINE] for it in self.texts[:_LINE])
        whole = " ".join("; ".join(texts).split()) or self.command
        return whole if len(whole) <= _LINE else f"{whole[:_LINE]}…"


@frozen(kw_only=True)
class Tasks:
    """What stands in one file: each task by its runner and name, made when it is asked for."""

    makers: Mapping[str, Callable[[], Found]] = field(factory=dict)
    first: str = ""
    """The one that is run where none is named."""

    def made(self, name: str) -> Found:
        """The task of that name; raises `FileUnfit`."""
        try:
            return self.makers[name]()
        except (TypeError, AttributeError, RecursionError) as error:
            raise FileUnfit(ODD) from error


def closure(first: str, follow: Callable[[str], Iterable[str]]) -> tuple[list[str], str]:
    """A task and all that it needs, each once; and what keeps it from being followed."""
    found = dict.fromkeys([first])
    left = [first]
    while left:
        for name in follow(left.pop(0)):
            if name in found:
                continue
            if len(found) >= _MOST:
                return list(found), _MORE
            found[name] = None
            left.append(name)
    return list(found), ""


def elsewhere(text: str, runner: str) -> str:
    """What has a text run tasks that stand in another file than its own; nothing where none."""
    found = _others(runner).search(text)
    if found is not None:
        return found[0]
    led = _LEADS.search(text) if _own(runner).search(text) else None
    return led[0].strip() if led is not None else ""


def _own(runner: str) -> re.Pattern[str]:
    return _OF[runner][0]


def _others(runner: str) -> re.Pattern[str]:
    return _OF[runner][1]


def _any_of(names: Iterator[str]) -> re.Pattern[str]:
    whole = "|".join(re.escape(it) for it in names)
    return re.compile(rf"(?<![\w./@:-])(?:{whole})(?![\w./@:-])")


_OF: Final = {
    runner: (
        _any_of(iter(names.split())),
        _any_of(it for other in _RUNNERS if other != runner for it in _RUNNERS[other].split()),
    )
    for runner, names in _RUNNERS.items()
}


def joined(text: str) -> list[str]:
    """The lines of a text of which one may go on in the next."""
    return text.replace("\\\r\n", "\\\n").replace("\\\n", " ").splitlines()


def table_in(value: Any, *path: str) -> dict[str, Any]:
    """The table at a path; an empty one where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
