"""The same papers in LanceDB, by words, by vectors, and by both; it makes the vectors for all.

A word has a direction of its own, made of its letters, and a text points where its words do, the
seldom ones more. So the played model of meaning says the same on every machine.
"""

import hashlib
import json
import math
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from bench.finding import found_by

sys.path.insert(0, str(Path(__file__).parent / "python_modules"))

# It warns of each search that a later version will answer otherwise.
os.environ["LANCEDB_LOG"] = "error"

import lancedb
import numpy as np
from lancedb.index import FTS
from lancedb.rerankers import RRFReranker

_SIZE = 768


def main() -> None:
    """Answer what the file asks; the second argument is a folder, or says to make vectors."""
    path = Path(sys.argv[1])
    given = json.loads(path.read_bytes())
    if sys.argv[2] == "vectors":
        path.write_text(json.dumps(given | _vectors(given, path.parent)))
        return
    vectors = np.fromfile(given["vectors"], dtype=np.float32).reshape(-1, _SIZE)
    asked = np.fromfile(given["asked"], dtype=np.float32).reshape(-1, _SIZE)
    papers = enumerate(given["papers"])
    rows = [{"number": it, "body": text, "vector": vectors[it]} for it, text in papers]
    table = lancedb.connect(sys.argv[2]).create_table("papers", rows)
    table.create_index("body", config=FTS(stem=True, language="English", remove_stop_words=True))
    fused = RRFReranker()

    def ask(kind: str, question: str, number: int) -> list[int]:
        search: Any
        if kind == "both":
            search = table.search(query_type="hybrid").vector(asked[number]).text(question)
            search = search.distance_type("cosine").rerank(fused)
        elif kind == "meaning":
            search = table.search(asked[number]).distance_type("cosine")
        else:
            search = table.search(question, query_type="fts")
        return [it["number"] for it in search.limit(10).select(["number", "body"]).to_list()]

    found_by(ask, given)


def _vectors(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    papers = [Counter(it.split()) for it in given["papers"]]
    common = Counter(word for paper in papers for word in paper)
    known = {it: at for at, it in enumerate(common)}
    ways = np.array([_way(it) for it in common], dtype=np.float32)

    def vector(words: Counter[str]) -> Any:
        meant = Counter({it.removesuffix("q"): count for it, count in words.items()})
        said = [it for it in meant if it in known]
        heavy = [(1 + math.log(meant[it])) * math.log(len(papers) / common[it]) for it in said]
        total = np.array(heavy, dtype=np.float32) @ ways[[known[it] for it in said]]
        return (total / np.linalg.norm(total)).astype(np.float32)

    vectors = np.array([*map(vector, papers)])
    asked = np.array([vector(Counter(it.split())) for it, _ in given["questions"]["meaning"]])
    vectors.tofile(folder / "vectors")
    asked.tofile(folder / "asked")
    nearest = np.argsort(-(asked @ vectors.T), axis=1)[:, :10].tolist()
    paths = {it: str(folder / it) for it in ("vectors", "asked")}
    return {**paths, "size": _SIZE, "nearest": nearest}


def _way(word: str) -> Any:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=_SIZE)


if __name__ == "__main__":
    main()
