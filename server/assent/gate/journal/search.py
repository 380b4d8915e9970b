"""The filters of a search in a journal, each defined once."""

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from assent.gate.journal.chain import spelled
from assent.gate.journal.index import Index, Progress, indexed
from assent.gate.journal.reader import Reader
from assent.gate.journal.row_marks import below, folded, host_mark, path_mark
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["FILTERS", "Filter", "Search", "is_searchable", "searching", "tables_of"]

_FIRST_ROWS: Final = 3_000
"""Among so many of the newest rows it is looked first."""
_WORD: Final = late(r"[^\W_]")

Asked = Mapping[str, Any]
"""What is asked for, by the names of the filters; None is not asked for."""


@frozen
class Filter:
    """One thing that can be asked for, and how that is looked up."""

    where: str
    values: Callable[[Any], Mapping[str, Any]]
    table: str = "said"
    """Which table of the index it needs, besides the one of the rows."""


def _equal(name: str) -> Filter:
    return Filter(f"{name} = :{name}", lambda given: {name: given})


def _named(name: str, fits: str) -> Filter:
    where = f"{name} in (select value from names where name = '{name}' and {fits.format(name)})"  # noqa: S608 -- our own names
    return Filter(where, lambda given: {name: folded(given)})


def _within(mark: Callable[[str], str], given: Sequence[str], name: str) -> Mapping[str, Any]:
    first, last = (below(mark(value)) for value in given)
    return {
        f"{name}0": first[0],
        f"{name}1": first[1],
        f"{name}2": last[0],
        f"{name}3": last[1],
    }


def _paths(given: str) -> tuple[str, str]:
    """A path as it is spelled, and where it leads: rows have the one or the other."""
    spelled = os.path.abspath(os.path.expanduser(given))  # noqa: PTH100, PTH111 -- links are kept
    return spelled, os.path.realpath(spelled)


def _marked(name: str) -> str:
    fits = f"mark >= :{name}0 and mark < :{name}1 or mark >= :{name}2 and mark < :{name}3"
    # Of what is asked for within so many rows, only these are gathered.
    return f"seq in (select seq from marks where ({fits}) and seq >= :low and seq < :high)"  # noqa: S608 -- our own names


def _folder(given: str) -> Mapping[str, Any]:
    """What lies below a folder stands between its name with `/` and the one with what follows."""
    bare = given.rstrip("/")
    return {"workspace": given, "workspace0": f"{bare}/", "workspace1": f"{bare}0"}


def _begun(word: str) -> str:
    """What finds the words that begin so: they are quoted, so that nothing in them is a command."""
    return '"' + word.replace('"', '""') + '" *'


FILTERS: Final[Mapping[str, Filter]] = {
    "since": Filter("at >= :since", lambda given: {"since": given}),
    **{name: _equal(name) for name in ("verdict", "by")},
    **{name: _named(name, "folded(value) = :{0}") for name in ("agent", "tool")},
    "rule": _named("rule", "instr(folded(value), :{0})"),
    "path": Filter(
        _marked("path"),
        lambda given: _within(path_mark, _paths(given), "path"),
        table="marks",
    ),
    "host": Filter(
        _marked("host"), lambda given: _within(host_mark, (given, given), "host"), table="marks"
    ),
    "text": Filter(
        "seq in (select rowid from words where words match :text"
        " and rowid >= :low and rowid < :high)",
        lambda given: {"text": " ".join(map(_begun, filter(_WORD.search, given.split())))},
        table="words",
    ),
    "workspace": Filter(
        # Most rows fit, so they are not gathered by an index before they are put in order.
        "+place = :workspace or +place >= :workspace0 and +place < :workspace1",
        _folder,
    ),
}


@frozen
class Search:
    """A journal with its index, for one who asks."""

    reader: Reader
    index: Index

    def numbers(self, asked: Asked, more: str = "true", before: int | None = None) -> Iterator[int]:
        """The numbers of the rows that fit all that is asked for, newest first.

        They are looked for among the newest rows first, then among ten times as many: who asks
        for a page seldom needs what lies further back, and whatever fits is gathered at once.
        """
        used = _used(asked)
        values: dict[str, Any] = {}
        for name, given in used.items():
            values |= FILTERS[name].values(spelled(given) if isinstance(given, str) else given)
        where = " and ".join(
            f"({clause})"
            for clause in (*(FILTERS[filter_name].where for filter_name in used), more)
        )
        where += " and seq >= :low and seq < :high"
        high, most = before or self.reader.count() + 1, _FIRST_ROWS
        while high > 1:
            low = max(1, high - most)
            yield from self.index.numbers(where, {**values, "low": low, "high": high})
            high, most = low, most * 10


@contextlib.contextmanager
def searching(
    reader: Reader, asked: Asked, progress: Progress = lambda *_: None
) -> Iterator[Search]:
    """The journal with all of its index that this needs."""
    with indexed(reader, tables_of(asked), progress) as index:
        yield Search(reader, index)


def tables_of(asked: Asked) -> set[str]:
    """Which tables of the index it takes to look these up."""
    return {"said", *(FILTERS[name].table for name in _used(asked))}


def is_searchable(text: str) -> bool:
    """Whether a text has something that words are found by; what has not is passed over."""
    return _WORD.search(text) is not None


def _used(asked: Asked) -> dict[str, Any]:
    return {name: given for name, given in asked.items() if given is not None}
