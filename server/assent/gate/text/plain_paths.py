"""Paths and names as texts, also case-folded for file systems that ignore case."""

import unicodedata
from typing import Final

__all__ = ["below", "caseless", "is_within", "plain_path", "plainly", "put_before"]

_SHORT: Final = {"git~1": ".git", "vscode~1": ".vscode", "gitmod~1": ".gitmodules"}


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it, by their names."""
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")


def below(path: str, folder: str) -> str:
    """The rest of a path that lies in a folder."""
    return path[len(folder.rstrip("/")) + 1 :] or "."


def put_before(front: str, rest: str) -> str:
    """A folder with such a rest behind it."""
    return front if rest == "." else f"{front}/{rest}"


def caseless(text: str) -> str:
    r"""A text in no case, for whichever file system overlooks that, and by whichever table.

    A dotless i, and one that keeps its dot apart, are an `i` to some.

    >>> caseless(".G\u0130t"), caseless(".g\u0131t"), caseless("STRASSE") == caseless("straße")
    ('.git', '.git', True)
    """
    return text.casefold().replace("i\u0307", "i").replace("\u0131", "i")


def plain_path(path: str) -> str:
    """A path in the one form that a file system may take it for that overlooks some letters."""
    if not _is_odd(path):
        return path.lower()
    folded = path.replace("\\", "/").casefold()
    return "/".join(plainly(part) for part in folded.split("/"))


def _is_odd(path: str) -> bool:
    """Whether a name in it may be another in another spelling; a pattern takes five times as long.

    >>> [it for it in ("a.b/c", "a:b", "a./b", "a/b ", "GIT~1", "\u00c4") if _is_odd(it)]
    ['a:b', 'a./b', 'a/b ', 'GIT~1', 'Ä']
    """
    odd = "\\" in path or ":" in path or "~" in path or "./" in path or " /" in path
    return odd or path.endswith((".", " ")) or not path.isascii()


def plainly(part: str) -> str:
    """A name as a file system may take it that overlooks some letters."""
    if not part.isascii():
        wide = unicodedata.normalize("NFKC", part)
        part = caseless("".join(letter for letter in wide if unicodedata.category(letter) != "Cf"))
    # A stream of a file, or its name in eight letters, is the file to those who know of them.
    part = part.split(":", 1)[0] or part
    part = _SHORT.get(part, part)
    return part.rstrip(". ") or part
