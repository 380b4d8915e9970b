"""Where names come from that a search gives: each begins with the folder that was searched."""

from collections.abc import Sequence
from typing import Final

from assent.bash.script import Word
from assent.text.patterns import late

__all__ = ["is_below", "parent", "root_of", "roots_of"]

_WILD: Final = late(r"[*?\[…]|\./0")
_ABOVE: Final = late(r"(?:^|/)\.(?:[*?.]|\[(?!!\.\]))")
"""A pattern for which some shells put the folder above."""
_BEFORE: Final = ("-H", "-P", "-X", "-E", "-s", "-x", "-d")
"""What may stand before the folders, and follows no link that is found on the way."""
_FOLLOWS: Final = frozenset(("-L", "-follow"))
_OTHER: Final = (
    "-printf", "-fprint", "-exec", "-ok", "-ls", "-fls", "-delete", "-files0", "-H", "-P", "-D",
)  # fmt: skip
"""With these it writes more than names, or names that do not begin so."""


def is_below(word: Word) -> bool:
    """Whether a word names something below the folder by its spelling."""
    path = word.path
    if word.home or path.startswith("/") or ".." in path.split("/"):
        return False
    return not (word.glob and _ABOVE.search(path))


def parent(text: str) -> str:
    """Something in the same folder as what a listed word stands for."""
    wild = _WILD.search(text)
    folder = text[: wild.start() if wild else len(text)].rpartition("/")[0]
    if folder or text.startswith("/"):
        return f"{folder}/…"
    return "…" if text.startswith(("…", "*", "?", "[")) else "./…"


def root_of(word: Word) -> Word | None:
    """What a search of this folder gives; None where that cannot be told."""
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


def roots_of(words: Sequence[Word], *, prints: bool) -> Word | None:
    """What `find` gives with these words, to whoever reads it or to what it runs."""
    at = 0
    while at < len(words) and words[at].known and words[at].text in _BEFORE:
        at += 1
    roots: list[Word] = []
    while at < len(words) and not words[at].text.startswith(("-", "(", "!", ",")):
        roots.append(words[at])
        at += 1
    rest = words[at:]
    if any(it.text in _FOLLOWS for it in rest) or (prints and _does_more(rest)):
        return None
    if any(it.glob and it.text[:1] in "*?[" and "." not in it.text for it in roots) and prints:
        return None
    found = [root_of(it) for it in roots] if roots else [root_of(Word(text="."))]
    known = [it for it in found if it is not None]
    if len(known) < len(found):
        return None
    if len(known) == 1 and not known[0].text.startswith("…"):
        return known[0]
    if any(it.text.startswith("/") for it in known):
        return None
    return Word(text="./…", known=False, listed=True)


def _does_more(rest: Sequence[Word]) -> bool:
    return any(not it.known or it.text.startswith(_OTHER) for it in rest)
