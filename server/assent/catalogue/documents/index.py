"""The index of one collection: the texts of its files in passages, and where each one is.

It holds nothing that is not in the documents. What stands in a file is read by the path that was
ruled on, through no link. A question reads no file: what has changed since it was read is dropped
and named, so that whoever rules on files has it read again.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from assent.catalogue.documents import vector_search
from assent.catalogue.documents.document import read, still_so, text_of
from assent.catalogue.documents.index_file import Whole
from assent.catalogue.documents.passages import PassageFound, has_headings, passages_in
from assent.catalogue.documents.question_words import Stems, frequent_in, match_for
from assent.catalogue.documents.vector_search import Signature
from assent.gate.values import astuple, define, field

__all__ = ["Index"]

_RANKED_ROWS: Final = 50
"""So many of each ranking are put together."""
_RECOUNT_GROWTH: Final = 1.1
"""Which words are common is looked up again when there are so many times as many passages."""


@define(eq=False)
class Index:
    """One collection."""

    _database: sqlite3.Connection
    _stems: Stems = field(factory=Stems)
    _common: frozenset[str] | None = None
    _counted: int = 0
    _signed: tuple[list[int], list[Signature]] | None = None
    """The passages that have vectors, and the signatures of these."""
    _version: int = -1

    def close(self) -> None:
        """Nothing more is asked."""
        self._database.close()

    def counts(self) -> tuple[int, int, int]:
        """How many files, passages and vectors there are."""
        files, passages, vectors = (
            self._database.execute(f"select count(*) from {table}").fetchone()[0]  # noqa: S608 -- three words of ours
            for table in ("files", "passages", "vectors")
        )
        return files, passages, vectors

    def compare(self, stamps: Mapping[str, str]) -> list[str]:
        """The files that are other than when they were read; those that are gone are dropped."""
        known = dict(self._database.execute("select path, stamp from files"))
        gone = known.keys() - stamps.keys()
        if gone:
            self.drop(gone)
        self._purge()
        return [path for path, stamp in stamps.items() if known.get(path) != stamp]

    def drop(self, paths: Iterable[str]) -> None:
        """Keep nothing of these files."""
        with Whole(self._database):
            for path in paths:
                self._drop(path)
            self._database.execute("replace into told values ('dropped', 'yes')")

    def take(self, paths: Iterable[str]) -> None:
        """Read these files, as far as they are there and are text."""
        with Whole(self._database):
            for path in paths:
                self._take(path)

    def find(
        self, question: str, vector: bytes, limit: int
    ) -> tuple[list[PassageFound], list[str]]:
        """The passages that answer a question best, and the files that are others by now."""
        rows = self._rows_of(self._ranked(question, vector)[:limit])
        passages, changed = still_so(rows)
        if changed:
            self.drop(changed)
        return passages, changed

    def lacking(self, model: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Passages of which this model has made no vector; those of another one are dropped."""
        model_row = self._database.execute("select value from told where name = 'model'").fetchone()
        if model_row != (model,):
            with Whole(self._database):
                self._database.execute("delete from vectors")
                self._database.execute("replace into told values ('model', ?)", (model,))
        query = (
            "select id, heading || char(10) || body from passages join words on words.rowid = id"
            " where id > ? and id not in (select passage from vectors) order by id limit ?"
        )
        return self._database.execute(query, (after, limit)).fetchall()

    def learn(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Keep what a model has made of passages."""
        query = "insert or replace into vectors select id, ?, ?, ? from passages where id = ?"
        with Whole(self._database):
            for passage, vector in vectors:
                signed = vector_search.signature(vector)
                bits = (number.to_bytes(len(vector) // 32 + 1, "big") for number in astuple(signed))
                self._database.execute(query, (*bits, vector, passage))

    def _take(self, path: str) -> None:
        stamp_and_data = read(path)
        if stamp_and_data is None:
            self._drop(path)
            return
        stamp, data = stamp_and_data
        digest = hashlib.sha256(data).digest()
        known = self._database.execute("select id, digest from files where path = ?", (path,))
        row = known.fetchone()
        if row is not None and row[1] == digest:
            self._database.execute("update files set stamp = ? where id = ?", (stamp, row[0]))
            return
        self._drop(path)
        added = self._database.execute(
            "insert into files(path, stamp, digest) values (?, ?, ?)", (path, stamp, digest)
        )
        self._cut(added.lastrowid or 0, path, data)

    def _cut(self, file: int, path: str, data: bytes) -> None:
        for passage in passages_in(text_of(data), headed=has_headings(path)):
            added = self._database.execute(
                "insert into passages(file, first, last) values (?, ?, ?)",
                (file, passage.first, passage.last),
            )
            self._database.execute(
                "insert into words(rowid, heading, body) values (?, ?, ?)",
                (added.lastrowid, passage.heading, passage.text),
            )

    def _drop(self, path: str) -> None:
        row = self._database.execute("select id from files where path = ?", (path,)).fetchone()
        if row is None:
            return
        these = "(select id from passages where file = ?)"
        for table, name in (("words", "rowid"), ("vectors", "passage")):
            self._database.execute(f"delete from {table} where {name} in {these}", row)  # noqa: S608 -- words of ours
        self._database.execute("delete from passages where file = ?", row)
        self._database.execute("delete from files where id = ?", row)

    def _purge(self) -> None:
        """Leave no word of what was dropped: the full-text index only marks it as gone."""
        dropped = self._database.execute("select 1 from told where name = 'dropped'").fetchone()
        if dropped is None:
            return
        with Whole(self._database):
            self._database.execute("delete from told where name = 'dropped'")
            self._database.execute("insert into words(words) values ('optimize')")
        self._database.execute("pragma wal_checkpoint(truncate)").fetchall()

    def _ranked(self, question: str, vector: bytes) -> list[int]:
        self._look_again()
        words = self._by_words(question)
        return vector_search.fused(words, self._by_meaning(vector)) if vector else words

    def _by_words(self, question: str) -> list[int]:
        asked = match_for(question, self._common or frozenset(), self._stems)
        if not asked:
            return []
        query = "select rowid from words where words match ? order by bm25(words, 2, 1) limit ?"
        return [row for (row,) in self._database.execute(query, (asked, _RANKED_ROWS))]

    def _by_meaning(self, vector: bytes) -> list[int]:
        if self._signed is None:
            rows = self._database.execute("select passage, above, far from vectors").fetchall()
            signs = [Signature(*(int.from_bytes(bit, "big") for bit in bits)) for _, *bits in rows]
            self._signed = [name for name, *_ in rows], signs
        names, signs = self._signed
        near = [
            names[place] for place in vector_search.nearest(vector_search.signature(vector), signs)
        ]
        return vector_search.rescored(vector, self._vectors(near))[:_RANKED_ROWS]

    def _vectors(self, passages: Sequence[int]) -> list[tuple[int, bytes]]:
        marks = ",".join("?" * len(passages))
        query = f"select passage, vector from vectors where passage in ({marks})"  # noqa: S608 -- marks alone
        return self._database.execute(query, passages).fetchall()

    def _look_again(self) -> None:
        """Forget what was learnt of the whole where somebody wrote since."""
        version = self._database.execute("pragma data_version").fetchone()[0]
        version += self._database.total_changes
        if version == self._version and self._common is not None:
            return
        self._version, self._signed = version, None
        (count,) = self._database.execute("select count(*) from passages").fetchone()
        few = count * _RECOUNT_GROWTH < self._counted or count > self._counted * _RECOUNT_GROWTH
        if self._common is None or few:
            self._common, self._counted = frequent_in(self._database), count

    def _rows_of(self, passages: Sequence[int]) -> list[tuple[str, str, int, int, str, str]]:
        query = (
            "select path, stamp, first, last, heading, body from passages"
            " join files on files.id = file join words on words.rowid = passages.id"
            " where passages.id = ?"
        )
        rows = (self._database.execute(query, (passage,)).fetchone() for passage in passages)
        return [row for row in rows if row is not None]
