"""Ours: an index of the papers as the product keeps it, asked in a process of its own."""

import itertools
import json
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assent.catalogue.documents import vector_search
from assent.catalogue.documents.index import Index
from assent.catalogue.documents.index_file import opened
from bench.finding import found_by

_PORTION = 32
_DEEP = 10


def main() -> None:
    """Answer what the file asks; the second argument is a folder for the index."""
    given = json.loads(Path(sys.argv[1]).read_bytes())
    index = Index(opened(Path(sys.argv[2], "papers.db"))[0])
    paths = sorted(map(str, Path(given["folder"]).iterdir()))
    for at in range(0, len(paths), _PORTION):
        index.take(paths[at : at + _PORTION])
    vectors = [*_vectors(Path(given["vectors"]), given["size"])]
    index.lacking("played", 0, 1)
    learnt = ((it, vectors[_number(text)]) for it, text in index.lacking("played", 0, len(paths)))
    index.learn(learnt)
    asked = [*_vectors(Path(given["asked"]), given["size"])]

    def ask(kind: str, question: str, number: int) -> list[int]:
        words = "" if kind == "meaning" else question
        vector = asked[number] if kind in {"meaning", "both"} else b""
        found, changed = index.find(words, vector, _DEEP)
        if changed:
            raise AssertionError(f"these files changed: {changed}")
        return [int(Path(it.path).stem) for it in found]

    found_by(ask, given)


def _number(text: str) -> int:
    return int(text.partition("\n")[0].removeprefix("Paper "))


def _vectors(path: Path, size: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        for _ in itertools.count():
            vector: Any = array("f", file.read(size * 4))
            if not vector:
                return
            yield vector_search.normal(vector)


if __name__ == "__main__":
    main()
