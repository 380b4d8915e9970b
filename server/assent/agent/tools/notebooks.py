"""Notebooks (`.ipynb`): shows their cells as text, and changes one cell's source.

A changed cell is changed where it stands in the file. Every other letter stays: outputs, metadata,
the way in which the file is written, and of the cell the lines that are the same.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.text.json_edits import NotPlain, spans_in, strict_object
from assent.gate.text.shortening import shortened

__all__ = ["as_cells", "is_notebook", "with_cell"]

_SUFFIX: Final = ".ipynb"
_MARK: Final = "\ufeff"
_MAX_OUTPUT_LETTERS: Final = 1_000
"""In letters, of one output."""
_MAX_OUTPUTS: Final = 5
"""Of one cell."""
_KINDS: Final = frozenset({"code", "markdown", "raw"})

Change = Callable[[str], str]
"""What becomes of a cell's source."""


def is_notebook(path: str) -> bool:
    """Whether a file says that it is one."""
    return path.lower().endswith(_SUFFIX)


def as_cells(text: str) -> str | None:
    """The cells one after the other; None where the text is none of a notebook.

    >>> print(as_cells('{"cells": [{"cell_type": "code", "source": "a = 1"}]}'))
    ── cell 1 (code) ──
    a = 1
    """
    try:
        cells = _cells(text)
    except NotPlain:
        return None
    return "\n".join(line for number, cell in enumerate(cells, 1) for line in _shown(number, cell))


def with_cell(text: str, number: int, change: Change, shown: str) -> str:
    """The notebook with another source in one cell; raises `CallUnreadable`."""
    plain = text.removeprefix(_MARK)
    try:
        cells, spans = _cells(text), spans_in(plain)
    except NotPlain as error:
        raise CallUnreadable(f"{shown} is no notebook whose cells can be told: {error}.") from error
    except RecursionError as error:
        raise CallUnreadable(f"{shown} is too deep for its cells to be told.") from error
    if not 1 <= number <= len(cells):
        raise CallUnreadable(f"{shown} has no cell {number}: it has {len(cells)}.")
    begin, end = (len(text) - len(plain) + span for span in spans["cells", number - 1, "source"])
    new = change(_source(cells[number - 1]))
    return text[:begin] + _written(text[begin:end], new) + text[end:]


def _cells(text: str) -> list[dict[str, Any]]:
    """The cells of a notebook, each with a source."""
    cells = strict_object(text.removeprefix(_MARK)).get("cells")
    if not isinstance(cells, list):
        raise NotPlain("it has no list of cells")
    for cell in cells:
        if not isinstance(cell, dict) or cell.get("cell_type") not in _KINDS:
            raise NotPlain("one of its cells is of no known kind")
        if not _is_text(cell.get("source")):
            raise NotPlain("one of its cells has no source")
    return cells


def _is_text(value: object) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and all(isinstance(line, str) for line in value)
    )


def _text(value: object) -> str:
    if not _is_text(value):
        return ""
    return value if isinstance(value, str) else "".join(value)  # type: ignore[arg-type]  # a list of texts, by `_is_text`


def _source(cell: dict[str, Any]) -> str:
    return _text(cell["source"])


def _shown(number: int, cell: dict[str, Any]) -> Iterator[str]:
    yield f"── cell {number} ({cell['cell_type']}) ──"
    yield _source(cell)
    outputs = cell.get("outputs")
    texts = [_output(output) for output in outputs] if isinstance(outputs, list) else []
    for each in texts[:_MAX_OUTPUTS]:
        yield f"── output of cell {number} ──"
        yield shortened(each, _MAX_OUTPUT_LETTERS)
    if len(texts) > _MAX_OUTPUTS:
        yield f"── {len(texts) - _MAX_OUTPUTS} more outputs of cell {number} ──"


def _output(value: object) -> str:
    """What came of a cell, as far as it is text."""
    output = value if isinstance(value, dict) else {}
    if output.get("output_type") == "error":
        return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
    data = output.get("data")
    kinds = data if isinstance(data, dict) else {}
    text = _text(output.get("text")) or _text(kinds.get("text/plain"))
    others = [kind for kind in kinds if kind != "text/plain"]
    return "\n".join(filter(None, (text, *(f"[{other}]" for other in others))))


def _written(before: str, new: str) -> str:
    """A source in the form of the one before: one text, or a list of lines."""
    if not before.startswith("["):
        return _line(new, before)
    spans = spans_in(before)
    tokens = [before[slice(*spans[(at,)])] for at in range(len(spans) - 1)]
    known = {json.loads(token): token for token in tokens}
    lines = [known.get(line) or _line(line, before) for line in new.splitlines(keepends=True)]
    if not lines or not tokens:
        return f"[{', '.join(lines)}]" if lines else "[]"
    first, last = spans[(0,)][0], spans[(len(tokens) - 1,)][1]
    between = f",{before[1:first]}" if len(tokens) == 1 else before[spans[(0,)][1] : spans[(1,)][0]]
    return f"{before[:first]}{between.join(lines)}{before[last:]}"


def _line(text: str, before: str) -> str:
    # As the lines beside it are written: in letters, or in ASCII alone.
    return json.dumps(text, ensure_ascii=before.isascii() and "\\u" in before)
