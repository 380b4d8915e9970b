"""What the readers of tasks have in common: what they find, and how they follow each other up."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from attrs import frozen

from assent.errors import AssentError

__all__ = ["LONGEST", "FileUnfit", "Found", "Text", "closure", "table_in"]

LONGEST: Final = 256 * 1024
"""In letters: what is longer is not read, since others would wait for that."""

_LINE: Final = 160
_MOST: Final = 50
"""So many texts of one task are followed."""


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

    @property
    def says(self) -> str:
        """What it runs, in one line."""
        texts = (it.text[:_LINE] for it in self.texts[:_LINE])
        whole = " ".join("; ".join(texts).split()) or self.command
        return whole if len(whole) <= _LINE else f"{whole[:_LINE]}…"


def closure(first: str, follow: Callable[[str], Iterable[str]]) -> list[str]:
    """A task and all that it needs, each once."""
    found = dict.fromkeys([first])
    left = [first]
    while left and len(found) <= _MOST:
        for name in follow(left.pop(0)):
            if name not in found:
                found[name] = None
                left.append(name)
    return list(found)


def table_in(value: Any, *path: str) -> dict[str, Any]:
    """The table at a path; an empty one where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
