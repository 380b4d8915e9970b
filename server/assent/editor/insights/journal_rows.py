"""Reads a period's rows from a journal, with its index."""

from collections.abc import Iterator
from typing import Any, Final

from assent.editor.insights.insights import Insights, insights_of
from assent.gate.journal.reader import Reader
from assent.gate.journal.search import Search, searching

__all__ = ["MAX_DAYS", "insights_since", "rules_used_since"]

MAX_DAYS: Final = 366


def insights_since(reader: Reader, since: int, folder: str | None) -> Insights:
    """The figures of a time, in the person's own days; of a workspace alone where it is named."""
    asked = {"since": since, "workspace": folder}
    with searching(reader, asked) as search:
        return insights_of(_rows(search, asked), zone=None)


def rules_used_since(reader: Reader, since: int) -> set[str]:
    """The rules that decided anything, in any workspace."""
    wanted = "select distinct rule from said where at >= :since and rule is not null"
    with searching(reader, {"since": since}) as search:
        return {str(rule) for (rule,) in search.index.select(wanted, {"since": since})}


def _rows(search: Search, asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """In the order in which they were written."""
    numbers = list(search.numbers(asked, "kind in ('asked', 'decided')"))
    return search.reader.numbered(reversed(numbers))
