"""Handles searches of the journal: pages of it, one full record, and exports.

The journal is read in a thread of its own, from a connection of its own, and never written. Where
its index is far behind it is brought up to date beside the work, and it is told how far that is.
"""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from assent.editor.protocol import history as shapes
from assent.editor.window.record.history_rows import row_shape
from assent.editor.window.spawn import Spawn
from assent.gate.call.calls import AgentId
from assent.gate.call.errors import AssentError
from assent.gate.journal.card_lookup import open_card_lookup
from assent.gate.journal.index import behind
from assent.gate.journal.reader import JournalUnread, Reader, reading
from assent.gate.journal.row_marks import body_of
from assent.gate.journal.search import Search, is_searchable, searching, tables_of
from assent.gate.journal.table import COLUMNS, as_cells, as_csv, as_json
from assent.gate.values import define, field, frozen

__all__ = ["History", "RecordRows"]

Done = TypeVar("Done")

_PAGE_ROWS: Final = 100
_PIECE_ROWS: Final = 500
_MAX_ROWS_INDEXED_AT_ONCE: Final = 10_000
"""So many rows are taken into the index while somebody waits."""
_MAX_ROWS_SCANNED: Final = 5_000
"""So many rows are looked through one by one where there is no index yet."""
_TOLD_KINDS: Final = frozenset({"decided", "noted"})
"""The kinds of rows that are records: what was asked and how it ended belong to them."""
_RECORDS: Final = f"kind in ({', '.join(repr(kind) for kind in sorted(_TOLD_KINDS))})"


@frozen(kw_only=True)
class RecordRows:
    """One record, with the other rows of the same call."""

    row: dict[str, Any]
    others: tuple[dict[str, Any], ...]
    picture: str | None = None
    """Its card as it was kept."""
    no_picture: str = ""
    """Why there is none, in a sentence."""


@define
class History:
    """The journal, for whoever looks something up in it."""

    _path: Path
    _roots: tuple[str, ...]
    """The folders of this window."""
    _name: Callable[[AgentId], str]
    _spawn: Spawn
    _done: dict[str, float] = field(factory=dict)
    """How much of the journal stands in the tables that are being made, by their names."""
    _tried: set[str] = field(factory=set)
    """The tables that were made once, or could not be: who asks for them again waits for them."""
    _left: threading.Event = field(factory=threading.Event)
    """Set when the house falls, so that no thread works on."""

    async def list(self, params: shapes.WantHistory) -> shapes.HistoryPage:
        """`history/list`."""
        asked = self._asked(params.filter)
        key = " ".join(sorted(tables_of(asked)))
        is_new = key not in self._tried and key not in self._done
        if is_new and await self.read(
            lambda reader: behind(reader, tables_of(asked)) > _MAX_ROWS_INDEXED_AT_ONCE
        ):
            self._done[key] = 0.0
            self._spawn(self._catch_up(key, asked))
        if key in self._done:
            return await self.read(
                lambda reader: self._newest(reader, asked, self._done.get(key, 1.0))
            )
        return await self.read(lambda reader: self._page(reader, asked, params.before))

    async def export(self, params: shapes.WantExport) -> shapes.Exported:
        """`history/export`."""
        asked = self._asked(params.filter)
        return await self.read(lambda reader: self._piece(reader, asked, params))

    async def find(self, ref: shapes.RecordRef) -> RecordRows:
        """The record that is meant; raise where it is not there any more."""
        return await self.read(lambda reader: _find(reader, ref))

    def close(self) -> None:
        """Look nothing up any more."""
        self._left.set()

    def _asked(self, wanted: shapes.HistoryFilter) -> dict[str, Any]:
        """What is asked for, by the names of the filters."""
        if wanted.text is not None and not is_searchable(wanted.text):
            raise AssentError("What is looked for needs a letter or a digit.")
        root = self._roots[0] if self._roots else None
        path = wanted.path
        if path is not None and root is not None and not path.startswith("~"):
            path = str(Path(root) / path)
        return {
            "since": wanted.since,
            "agent": wanted.agent,
            "verdict": wanted.outcome,
            "by": wanted.by,
            "tool": wanted.tool,
            "rule": wanted.rule,
            "path": path,
            "host": wanted.host,
            "text": wanted.text,
            "workspace": None if wanted.everywhere else root,
        }

    async def _catch_up(self, key: str, asked: dict[str, Any]) -> None:
        """Bring the index up to date beside the work."""
        try:
            await self.read(lambda reader: self._make(reader, key, asked))
        finally:
            self._tried.add(key)
            self._done.pop(key, None)

    def _make(self, reader: Reader, key: str, asked: dict[str, Any]) -> None:
        def note_progress(done: int, of: int) -> None:
            if self._left.is_set():
                raise JournalUnread("The window was closed.")
            self._done[key] = done / of if of else 1.0

        with searching(reader, asked, note_progress):
            pass

    def _page(
        self, reader: Reader, asked: dict[str, Any], before: int | None
    ) -> shapes.HistoryPage:
        with searching(reader, asked) as search:
            rows = _rows(search, asked, before, _PAGE_ROWS + 1)
            agents, tools = search.index.names("agent"), search.index.names("tool")
        return shapes.HistoryPage(
            rows=[row_shape(row, self._name) for row in rows[:_PAGE_ROWS]],
            more=len(rows) > _PAGE_ROWS,
            agents=[
                shapes.AgentHeard(id=agent, name=self._name(AgentId(agent))) for agent in agents
            ],
            tools=tools,
            is_workspace=bool(self._roots),
        )

    def _newest(self, reader: Reader, asked: dict[str, Any], done: float) -> shapes.HistoryPage:
        """What can be told without an index: the last records, where nothing is asked for."""
        is_plain = all(asked[name] is None for name in asked if name != "workspace")
        rows: list[dict[str, Any]] = []
        for number, row in enumerate(reader.newest() if is_plain else ()):
            if number >= _MAX_ROWS_SCANNED or len(rows) >= _PAGE_ROWS:
                break
            if row["kind"] in _TOLD_KINDS and _lies_in(body_of(row), asked["workspace"]):
                rows.append(row)
        return shapes.HistoryPage(
            rows=[row_shape(row, self._name) for row in rows],
            more=False,
            agents=[],
            tools=[],
            looked_through=min(done, 0.999),
            is_workspace=bool(self._roots),
        )

    def _piece(
        self, reader: Reader, asked: dict[str, Any], params: shapes.WantExport
    ) -> shapes.Exported:
        with searching(reader, asked) as search:
            rows = _rows(search, asked, params.before, _PIECE_ROWS)
        is_first = params.before is None
        if params.form == "csv":
            cells = [as_cells(row) for row in rows]
            text = as_csv([list(COLUMNS), *cells] if is_first else cells)
        else:
            text = "".join(f"{as_json(row)}\n" for row in rows)
        is_last = len(rows) < _PIECE_ROWS
        return shapes.Exported(text=text, next=None if is_last else rows[-1]["seq"], told=len(rows))

    async def read(self, work: Callable[[Reader], Done]) -> Done:
        """What somebody finds in the journal, who may take a while."""

        def do() -> Done:
            with reading(self._path) as reader:
                return work(reader)

        return await asyncio.to_thread(do)


def _rows(
    search: Search, asked: dict[str, Any], before: int | None, most: int
) -> list[dict[str, Any]]:
    numbers = search.numbers(asked, _RECORDS, before)
    return [row for row, _ in zip(search.reader.numbered(numbers), range(most), strict=False)]


def _find(reader: Reader, ref: shapes.RecordRef) -> RecordRows:
    row = next(reader.numbered([ref.record_id]), None)
    if row is None or row["hash"] != ref.hash:
        raise AssentError("The journal has no such record any more; look at the list again.")
    if row["call"] is None:
        return RecordRows(row=row, others=())
    with open_card_lookup(reader.path) as cards:
        picture, why_not = cards.card_of(body_of(row))
    with searching(reader, {}) as search:
        wanted = "select seq from said where call = :call and seq <> :seq order by seq"
        values = {"call": f"{row['chat']} {row['call']}", "seq": row["seq"]}
        numbers = [seq for (seq,) in search.index.select(wanted, values)]
        others = tuple(reader.numbered(numbers))
    return RecordRows(row=row, others=others, picture=picture, no_picture=why_not)


def _lies_in(body: dict[str, Any], folder: str | None) -> bool:
    place = str(body.get("workspace") or body.get("cwd") or "")
    return folder is None or f"{place}/".startswith(f"{folder.rstrip('/')}/")
