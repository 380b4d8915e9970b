"""Turns a question into a full-text query: its words, without those that say nothing.

A word that stands in every twelfth passage finds nothing and costs most of the time. Which words
those are is known by their stems, so the words of a question are stemmed by the index itself.
"""

import re
import sqlite3
from collections.abc import Set as AbstractSet
from typing import Final

__all__ = ["Stems", "frequent_in", "match_for"]

_WORDS: Final = re.compile(r"\w+")
_MAX_WORDS: Final = 64
"""So many words of a question count."""
_MAX_WORD_LETTERS: Final = 100
_COMMON_SHARE: Final = 0.08
_SMALL_INDEX_PASSAGES: Final = 100
"""Of fewer passages every word is looked for."""
TOKENIZER: Final = "porter unicode61 remove_diacritics 2"


class Stems:
    """Stems words as the index does."""

    def __init__(self) -> None:
        self._database = sqlite3.connect(":memory:", isolation_level=None)
        self._database.execute(f'create virtual table asked using fts5(w, tokenize="{TOKENIZER}")')
        self._database.execute("create virtual table found using fts5vocab(asked, instance)")

    def of(self, words: list[str]) -> dict[str, set[str]]:
        """To each word its stems, of which most have one."""
        self._database.execute("delete from asked")
        rows = enumerate(words)
        self._database.executemany("insert into asked(rowid, w) values (?, ?)", rows)
        stems: dict[str, set[str]] = {word: set() for word in words}
        for row, stem in self._database.execute("select doc, term from found"):
            stems[words[row]].add(stem)
        return stems


def frequent_in(database: sqlite3.Connection) -> frozenset[str]:
    """The stems that stand in too many passages to tell them apart."""
    (count,) = database.execute("select count(*) from passages").fetchone()
    if count < _SMALL_INDEX_PASSAGES:
        return frozenset()
    query = "select term from terms where doc > ?"
    return frozenset(term for (term,) in database.execute(query, (count * _COMMON_SHARE,)))


def match_for(question: str, common: AbstractSet[str], stems: Stems) -> str:
    """What the index is asked; nothing where there is no word in the question."""
    words = [word.lower()[:_MAX_WORD_LETTERS] for word in _WORDS.findall(question)]
    stemmed = stems.of([*dict.fromkeys(words)][:_MAX_WORDS])
    said = [word for word, its in stemmed.items() if its]
    telling = [word for word in said if not stemmed[word] <= common]
    return " OR ".join(f'"{word}"' for word in telling or said)
