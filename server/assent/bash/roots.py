"""Names below a folder, by how they are spelled: each begins with the folder that was searched."""

from typing import Final

from assent.bash.script import Word
from assent.text.patterns import late

__all__ = ["is_below", "parent", "root_of"]

_WILD: Final = late(r"[*?\[…]|\./0")
_ABOVE: Final = late(r"(?:^|/)\.(?:[*?.]|\[(?!!\.\]))")
"""A pattern for which some shells put the folder above."""


def is_below(word: Word) -> bool:
    """Whether a word names something below the folder by its spelling.

    >>> [is_below(Word(text=it)) for it in ("src/a.py", "../a.py", "/etc")]
    [True, False, False]
    >>> is_below(Word(text=".*", glob=True))  # Some shells put `..` there, too.
    False
    """
    path = word.path
    if word.home or path.startswith("/") or ".." in path.split("/"):
        return False
    return not (word.glob and _ABOVE.search(path))


def parent(text: str) -> str:
    """Something in the same folder as what a listed word stands for.

    >>> parent("src/*.py"), parent("*.py"), parent("./0")
    ('src/…', '…', './…')
    """
    wild = _WILD.search(text)
    folder = text[: wild.start() if wild else len(text)].rpartition("/")[0]
    if folder or text.startswith("/"):
        return f"{folder}/…"
    return "…" if text.startswith(("…", "*", "?", "[")) else "./…"


def root_of(word: Word) -> Word | None:
    """What a search of this folder gives; None where that cannot be told.

    >>> root_of(Word(text="src")).text, root_of(Word(text=".")).text
    ('src/…', './…')
    >>> root_of(Word(text="../src")) is None
    True
    """
    text = word.path
    if word.several or word.home or not text or ".." in text.split("/"):
        return None
    if word.glob and _ABOVE.search(text):
        return None
    if not word.known and not word.listed:
        return None
    if word.glob or word.listed:
        if text.endswith("/"):
            return None  # A link that is spelled so is followed.
        return Word(text=parent(text), known=False, listed=True)
    below = text.rstrip("/")
    if text.startswith("/"):
        return Word(text=f"{below}/…", known=False, listed=True)
    return Word(text="./…" if below in ("", ".") else f"{below}/…", known=False, listed=True)
