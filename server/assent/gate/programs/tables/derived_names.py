"""Names that a tool derives from those it is given: other endings, other folders."""

import posixpath
from typing import Final

from assent.gate.shell.anchored_paths import under
from assent.gate.shell.word import Word

__all__ = ["below", "beside", "kept_as", "without_ending"]

_SIGNS: Final = frozenset("*?[")


def beside(word: Word, ending: Word) -> Word:
    """The name with an ending put behind it.

    >>> from assent.gate.shell.word import Exact
    >>> beside(Exact(text="notes.txt"), Exact(text=".gz")).text
    'notes.txt.gz'
    """
    name = word.spelled(f"{word.text.rstrip('/')}{ending.text}", glob=word.glob or ending.glob)
    return name if ending.known else name.lost()


def without_ending(word: Word, ending: str, instead: str = "") -> Word | None:
    """The name with its ending replaced, whatever the case; None where it has another.

    >>> from assent.gate.shell.word import Exact
    >>> without_ending(Exact(text="a.TGZ"), ".tgz", ".tar").text
    'a.tar'
    >>> without_ending(Exact(text="notes.txt"), ".gz") is None
    True
    """
    head = word.text[: len(word.text) - len(ending)]
    if not ending or not head or word.text[len(head) :].casefold() != ending.casefold():
        return None
    return word.spelled(f"{head}{instead}", glob=word.glob and not _SIGNS.isdisjoint(head))


def below(folder: Word | None, word: Word) -> Word:
    """A relative path, taken from this folder; an absolute one stays as it is.

    >>> from assent.gate.shell.word import Exact
    >>> [below(Exact(text="out"), Exact(text=it)).text for it in ("a.txt", "/tmp/a.txt")]
    ['out/a.txt', '/tmp/a.txt']
    """
    if folder is None or (word.known and (word.text.startswith("/") or word.home)):
        return word
    return under(
        folder,
        posixpath.join(folder.text, word.path) if folder.text else word.path,
        known=word.known,
        glob=folder.glob or word.glob,
        listed=folder.known and word.listed,
    )


def kept_as(word: Word, pattern: Word) -> list[Word]:
    """The names of a backup of this file; a star in the suffix stands for the file's name.

    >>> from assent.gate.shell.word import Exact
    >>> [it.text for it in kept_as(Exact(text="src/a.txt"), Exact(text=".bak"))]
    ['src/a.txt.bak']
    >>> [it.text for it in kept_as(Exact(text="src/a.txt"), Exact(text="old/*"))]
    ['src/old/a.txt', 'old/src/a.txt']
    """
    if not pattern.known:
        return [pattern.spelled(pattern.text, glob=False)]
    if "*" not in pattern.text:
        return [beside(word, pattern)]
    folder, slash, name = word.text.rpartition("/")
    texts = (f"{folder}{slash}{pattern.text.replace('*', name)}", _whole(pattern, word))
    return [word.spelled(text) for text in dict.fromkeys(texts)]


def _whole(pattern: Word, word: Word) -> str:
    """The star as the whole path, which some tools mean by it."""
    return pattern.text.replace("*", word.text)
