"""The index of one collection in a team's PostgreSQL; it answers as the one on disk does.

Each machine has indexes of its own, since what is cited is what stands in *its* files. What a model
has made of a text is shared: it is kept by the text's digest, and made once for all.
"""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol

from assent.catalogue.documents.document import read, still_so, text_of
from assent.catalogue.documents.passages import PassageFound, has_headings, passages_in
from assent.catalogue.documents.vector_search import fused
from assent.catalogue.documents.word_weights import weighed
from assent.gate.call.errors import AssentError
from assent.gate.values import define

__all__ = ["Run", "TeamIndex", "alone"]

_RANKED_ROWS: Final = 50
_MAX_WORDS: Final = 64
"""So many words of a question count."""


class Run(Protocol):
    """Runs a statement with its values; the rows."""

    def __call__(self, statement: str, **values: Any) -> list[list[Any]]:
        """Raise `AssentError` where it cannot be run."""
        ...


@contextmanager
def alone(run: Run, key: int) -> Iterator[None]:
    """All of it or nothing, and by one window at a time."""
    run("begin")
    try:
        run("select pg_advisory_xact_lock(:key)", key=key)
        yield
        run("commit")
    except BaseException:
        run("rollback")
        raise


@define(eq=False)
class TeamIndex:
    """One collection."""

    _run: Run
    _close: Any
    _number: int
    """Which index it is."""
    _has_vectors: bool
    _is_dropped: bool = False

    def close(self) -> None:
        """Nothing more is asked."""
        self._close()

    def counts(self) -> tuple[int, int, int]:
        """How many files, passages and vectors there are."""
        ((files, passages),) = self._run(
            "select (select count(*) from assent_1.files where index = :index),"
            " (select count(*) from assent_1.passages where index = :index)",
            index=self._number,
        )
        return files, passages, self._vectors_there()

    def compare(self, stamps: Mapping[str, str]) -> list[str]:
        """The files that are other than when they were read; those that are gone are dropped."""
        query = "select path, stamp from assent_1.files where index = :index"
        known = {path: stamp for path, stamp in self._run(query, index=self._number)}  # noqa: C416 -- rows are lists
        gone = known.keys() - stamps.keys()
        if gone:
            self.drop(gone)
        if self._has_vectors and self._is_dropped:
            self._is_dropped = False
            self._run(
                "delete from assent_1.vectors v where not exists"
                " (select 1 from assent_1.passages p where p.digest = v.digest)"
            )
        return [path for path, stamp in stamps.items() if known.get(path) != stamp]

    def drop(self, paths: Iterable[str]) -> None:
        """Keep nothing of these files."""
        self._is_dropped = True
        query = (
            "delete from assent_1.files where index = :index and path = any(cast(:paths as text[]))"
        )
        self._run(query, index=self._number, paths=[*paths])

    def take(self, paths: Iterable[str]) -> None:
        """Read these files, as far as they are there and are text."""
        # Another window of this machine may read the same files: one after the other.
        with alone(self._run, self._number):
            for path in paths:
                self._take(path)

    def find(
        self, question: str, vector: bytes, limit: int
    ) -> tuple[list[PassageFound], list[str]]:
        """The passages that answer a question best, and the files that are others by now."""
        words = self._by_words(question)
        ranked = fused(words, self._by_meaning(vector)) if vector else words
        rows = self._rows_of(ranked[:limit])
        passages, changed = still_so(rows)
        if changed:
            self.drop(changed)
        return passages, changed

    def lacking(self, model: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Passages of which nobody has made a vector by this model."""
        if not self._has_vectors:
            raise AssentError("Its database has no pgvector, so meaning is not compared.")
        self._run(
            "update assent_1.indexes set model = :model where id = :index and model <> :model",
            index=self._number,
            model=model,
        )
        rows = self._run(
            "select p.id, p.heading || chr(10) || p.body from assent_1.passages p"
            " where p.index = :index and p.id > :after and not exists (select 1"
            " from assent_1.vectors v where v.digest = p.digest and v.model = :model)"
            " order by p.id limit :limit",
            index=self._number,
            after=after,
            model=model,
            limit=limit,
        )
        return [(number, text) for number, text in rows]

    def learn(self, vectors: Iterable[tuple[int, bytes]]) -> None:
        """Keep what a model has made of passages."""
        for passage, vector in vectors:
            self._run(
                "insert into assent_1.vectors (digest, model, vector)"
                " select p.digest, i.model, cast(:vector as vector) from assent_1.passages p"
                " join assent_1.indexes i on i.id = p.index"
                " where p.id = :passage and p.index = :index on conflict do nothing",
                passage=passage,
                index=self._number,
                vector=_written(vector),
            )

    def _vectors_there(self) -> int:
        if not self._has_vectors:
            return 0
        ((count,),) = self._run(
            "select count(*) from assent_1.passages p join assent_1.indexes i on i.id = p.index"
            " join assent_1.vectors v on v.digest = p.digest and v.model = i.model"
            " where p.index = :index",
            index=self._number,
        )
        return int(count)

    def _take(self, path: str) -> None:
        stamp_and_data = read(path)
        if stamp_and_data is None:
            self.drop([path])
            return
        stamp, data = stamp_and_data
        digest = hashlib.sha256(data).digest()
        named = {"index": self._number, "path": path, "stamp": stamp, "digest": digest}
        same = self._run(
            "update assent_1.files set stamp = :stamp"
            " where index = :index and path = :path and digest = :digest returning 1",
            **named,
        )
        if same:
            return
        self.drop([path])
        ((file,),) = self._run(
            "insert into assent_1.files (index, path, stamp, digest)"
            " values (:index, :path, :stamp, :digest) returning id",
            **named,
        )
        self._cut(file, path, data)

    def _cut(self, file: int, path: str, data: bytes) -> None:
        cut = passages_in(text_of(data), headed=has_headings(path))
        self._run(
            "insert into assent_1.passages (index, file, first, last, heading, body, digest)"
            " select :index, :file, p.first, p.last, p.heading, p.body,"
            " sha256(convert_to(p.heading || chr(10) || p.body, 'UTF8')) from unnest("
            "cast(:firsts as integer[]), cast(:lasts as integer[]), cast(:headings as text[]),"
            " cast(:bodies as text[])) as p(first, last, heading, body)",
            index=self._number,
            file=file,
            firsts=[passage.first for passage in cut],
            lasts=[passage.last for passage in cut],
            headings=[passage.heading for passage in cut],
            bodies=[passage.text for passage in cut],
        )

    def _by_words(self, question: str) -> list[int]:
        counts = self._run(
            "select word, (select count(*) from assent_1.passages where index = :index"
            " and words @@ plainto_tsquery('simple', word)) from unnest("
            "tsvector_to_array(to_tsvector('english', :question))) as asked(word) limit :most",
            index=self._number,
            question=question,
            most=_MAX_WORDS,
        )
        query = "select count(*) from assent_1.passages where index = :index"
        ((total,),) = self._run(query, index=self._number)
        weights = weighed({word: count for word, count in counts}, total)  # noqa: C416 -- rows are lists
        rows = self._run(
            "select p.id from unnest(cast(:words as text[]), cast(:weights as float8[]))"
            " as asked(word, weight) join assent_1.passages p"
            " on p.words @@ plainto_tsquery('simple', word) where p.index = :index group by p.id"
            " order by sum(weight * ts_rank(p.words, plainto_tsquery('simple', word), 1)) desc,"
            " p.id limit :deep",
            index=self._number,
            deep=_RANKED_ROWS,
            words=[*weights],
            weights=[*weights.values()],
        )
        return [number for (number,) in rows]

    def _by_meaning(self, vector: bytes) -> list[int]:
        if not self._has_vectors:
            return []
        rows = self._run(
            "select p.id from assent_1.passages p join assent_1.indexes i on i.id = p.index"
            " join assent_1.vectors v on v.digest = p.digest and v.model = i.model"
            " where p.index = :index order by case when vector_dims(v.vector) = :size"
            " then v.vector <=> cast(:vector as vector) end nulls last limit :deep",
            index=self._number,
            size=len(vector) // 4,
            deep=_RANKED_ROWS,
            vector=_written(vector),
        )
        return [number for (number,) in rows]

    def _rows_of(self, passages: Sequence[int]) -> list[list[Any]]:
        return self._run(
            "select f.path, f.stamp, p.first, p.last, p.heading, p.body"
            " from unnest(cast(:passages as bigint[])) with ordinality as asked(id, place)"
            " join assent_1.passages p on p.id = asked.id join assent_1.files f on f.id = p.file"
            " order by place",
            passages=[*passages],
        )


def _written(vector: bytes) -> str:
    return f"[{','.join(map(repr, array('f', vector)))}]"
