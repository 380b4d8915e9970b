"""The documents for people who use Assent, as the house tests read them."""

import itertools
import re
import shlex
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from house.sources import BANNER, ROOT

__all__ = [
    "CHANGELOG",
    "EXTENSION",
    "PAGES",
    "README",
    "blocks",
    "code",
    "commands",
    "headings",
    "is_written",
    "lines_of",
    "without_code",
]

README: Final = ROOT / "README.md"
EXTENSION: Final = ROOT / "client-ts" / "README.md"
"""What the editor's list of extensions shows, which is packaged."""
CHANGELOG: Final = ROOT / "CHANGELOG.md"
PAGES: Final = tuple(sorted((ROOT / "docs").glob("*.md")))

_BLOCK: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SPAN: Final = re.compile(r"`([^`\n]+)`")
_HEADING: Final = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def lines_of(path: Path) -> int:
    """How many lines a document has."""
    return len(path.read_text("utf-8").splitlines())


def is_written(path: Path) -> bool:
    """Whether a person wrote the page, and no command of the project."""
    return BANNER not in path.read_text("utf-8")[:300]


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return [body for name, body in _BLOCK.findall(text) if name == language]


def without_code(text: str) -> str:
    """The text without its fenced blocks."""
    return _BLOCK.sub("", text)


def code(text: str) -> list[str]:
    """What stands between back-ticks in running text."""
    return _SPAN.findall(without_code(text))


def commands(text: str, program: str) -> Iterator[list[str]]:
    """The words of each command of a program, in shell blocks and between back-ticks."""
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    for each in (*lines, *code(text)):
        if each.startswith(f"{program} "):
            words = shlex.shlex(each, posix=True, punctuation_chars="&|;<>")
            words.whitespace_split = True
            yield list(itertools.takewhile(lambda it: it[0] not in "&|;<>", words))


def headings(text: str) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them.

    >>> sorted(headings("# A *b*, `c.d`\\n## Is it?\\n## Is it?\\n"))
    ['a-b-cd', 'is-it', 'is-it-1']
    """
    anchors: list[str] = []
    for heading in _HEADING.findall(without_code(text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        kept = [it for it in words if it in " -_" or unicodedata.category(it)[0] in "LN"]
        plain = "".join(kept).replace(" ", "-")
        again = anchors.count(plain)
        anchors += [plain, f"{plain}-{again}"] if again else [plain]
    return set(anchors)
