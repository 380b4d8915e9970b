"""The same papers in tantivy, by their words: BM25 over stems, headings twice as heavy."""

import json
import re
import sys
from pathlib import Path

from bench.finding import found_by

sys.path.insert(0, str(Path(__file__).parent / "python_modules"))

import tantivy

_FIELDS = ("heading", "body")


def main() -> None:
    """Answer what the file asks; the second argument is a folder for the index."""
    given = json.loads(Path(sys.argv[1]).read_bytes())
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("number", stored=True)
    for name in _FIELDS:
        builder.add_text_field(name, stored=True, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), path=sys.argv[2])
    writer = index.writer(100_000_000, 1)
    for number, text in enumerate(given["papers"]):
        paper = tantivy.Document(heading=f"Paper {number}", body=text)
        paper.add_unsigned("number", number)
        writer.add_document(paper)
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def ask(_: str, question: str, __: int) -> list[int]:
        words = " ".join(re.findall(r"\w+", question))
        query = index.parse_query(words, [*_FIELDS], field_boosts={"heading": 2.0})
        hits = [searcher.doc(at) for _, at in searcher.search(query, 10).hits]
        return [it["number"][0] for it in hits if it["body"][0]]

    found_by(ask, given, ("words", "sentence"))


if __name__ == "__main__":
    main()
