"""Records runs of graphs: each piece before it runs, and its result after it.

Written through to the disk before anything else goes on, so that after a crash it is known what
was begun, and what was done. For this user alone; the oldest runs make room for the newest. What
had begun and did not end is no part of a run: it stays in doubt, of its file, when runs are gone.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from assent.catalogue.workflows.runs_file import opened
from assent.gate.call.errors import AssentError
from assent.gate.settings.private_files import UnfitFile
from assent.gate.values import define, field, frozen

if TYPE_CHECKING:
    import sqlite3

__all__ = ["DOUBTFUL", "Kept", "Run", "Runs", "RunsUnkept"]

DOUBTFUL: Final = (
    "It had begun in a run that was broken off, and nobody knows how far it came. Look whether it"
    " may be run once more."
)
_GONE: Final = "Nothing is kept of this run any more, so no further step of it is run."
_MAX_RUNS: Final = 300
_MAX_RUNS_HELD: Final = 50
"""So many of them are at hand at once."""
T = TypeVar("T")
_Key = TypeVar("_Key", str, "tuple[str, str | None]")
_RunWithPieces = tuple["Run", dict[str, "Kept"]] | None


class RunsUnkept(AssentError):
    """What is done could not be kept; the message is a whole sentence."""


@frozen(kw_only=True)
class Run:
    """One run of a graph."""

    id: str
    file: str
    """The file that says the graph."""
    name: str
    digest: str
    """What stood in that file."""
    inputs: dict[str, Any] = field(hash=False)
    chat: str
    """The chat in which it was run, with which it is forgotten."""


@frozen(kw_only=True)
class Kept:
    """What is known of one piece of a run."""

    step: str
    digest: str
    """What it was run with."""
    state: str
    """`started`, `done` or `failed`."""
    output: Any = field(hash=False)


@define(eq=False)
class Runs:
    """All runs of this user."""

    _path: Path
    _owner: str = ""
    """The epoch of this run of the server."""
    _lives: Callable[[str], bool] = lambda _: False
    """Whether another one is there still."""
    _connection: "sqlite3.Connection | None" = None
    _seen: "dict[tuple[str, str | None], _RunWithPieces]" = field(factory=dict)
    _doubted: dict[str, dict[str, Kept]] = field(factory=dict)
    _lock: threading.Lock = field(factory=threading.Lock)

    async def begin(self, run: Run, kept: Mapping[str, Kept]) -> None:
        """There is a new run, which takes over what an earlier one has kept."""
        await self._do(lambda connection: _begin(connection, run, kept, self._owner))

    async def started(self, run: str, key: str, step: str, digest: str) -> None:
        """A piece is about to run; raises `RunsUnkept` where its run was forgotten meanwhile."""
        await self._do(lambda connection: _started(connection, run, key, step, digest))

    async def ended(self, run: str, key: str, output: Any, *, failed: bool) -> None:
        """A piece has come to its end."""
        row = ("failed" if failed else "done", json.dumps(output), run, key)
        await self._do(lambda connection: _ended(connection, row))

    async def find(self, run: str) -> Run | None:
        """The run of that id."""
        return await self._do(lambda connection: _run(connection, "id=?", run))

    async def look(self, file: str, run: str | None) -> None:
        """Look at a run of a file, or its last one, for whoever may not wait for that."""
        seen, doubted = await self._do(
            lambda connection: (_looked_up(connection, file, run), _doubts(connection, file))
        )
        _note(self._doubted, file, doubted)
        _note(self._seen, (file, run), seen)
        if seen is not None:
            # What is judged names the run, so that it is asked for by its name then.
            _note(self._seen, (file, seen[0].id), seen)

    def seen(self, file: str, run: str | None) -> "_RunWithPieces":
        """That run and its pieces by their keys, as they were looked at last."""
        return self._seen.get((file, run))

    def doubted(self, file: str) -> Mapping[str, Kept]:
        """What had begun of a file and did not end, whichever run that was, as it was looked at."""
        return self._doubted.get(file, {})

    async def forget(self, chats: Iterable[str]) -> None:
        """Keep of these chats only what is in doubt; raises `RunsUnkept`."""
        await self._wiped(lambda connection: _forget(connection, [*chats]))

    async def keep_only(self, chats: Iterable[str]) -> None:
        """Forget the runs of chats other than these and those of windows; raises `RunsUnkept`."""
        kept = frozenset(chats)
        await self._wiped(lambda connection: _forget(connection, self._ownerless(connection, kept)))

    async def close(self) -> None:
        """Nothing is kept any more."""
        await asyncio.to_thread(self._close)

    async def _wiped(self, work: "Callable[[sqlite3.Connection], None]") -> None:
        if await asyncio.to_thread(self._path.exists):
            await self._do(work)
            await self._do(
                lambda connection: connection.execute("pragma wal_checkpoint(truncate)") and None
            )
            self._seen.clear()

    def _ownerless(self, connection: "sqlite3.Connection", kept: frozenset[str]) -> list[str]:
        """The chats of runs that are none of these, and that no window can still have."""
        chats = {*connection.execute("select distinct chat, owner from runs")}
        there = {
            owner for _, owner in chats if owner and (owner == self._owner or self._lives(owner))
        }
        had = {chat for chat, owner in chats if owner in there}
        return [*{chat for chat, _ in chats} - kept - had]

    async def _do(self, work: "Callable[[sqlite3.Connection], T]") -> T:
        return await asyncio.to_thread(self._done, work)

    def _done(self, work: "Callable[[sqlite3.Connection], T]") -> T:
        # Most windows run no graph, and a start should not wait for a database.
        import sqlite3  # noqa: PLC0415

        with self._lock:
            try:
                if self._connection is None:
                    self._connection = opened(self._path)
                with self._connection:
                    return work(self._connection)
            except (sqlite3.Error, OSError, UnfitFile, ValueError) as error:
                raise RunsUnkept(
                    f"What is done could not be kept on the disk ({self._path}: {error})."
                ) from error

    def _close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


_PUT: Final = "insert or replace into pieces values(?,?,?,?,?,?)"
_START: Final = (
    "insert or replace into pieces select id, ?, ?, ?, 'started', 'null' from runs where id=?"
)
_DOUBT: Final = "insert or replace into doubts select file, ?, ?, id from runs where id=?"
_END: Final = "update pieces set state=?, output=? where run=? and key=?"


def _note(all_: dict[_Key, T], key: _Key, value: T) -> None:
    """Have it at hand, as the newest of a few."""
    all_.pop(key, None)
    all_[key] = value
    while len(all_) > _MAX_RUNS_HELD:
        del all_[next(iter(all_))]


def _started(connection: "sqlite3.Connection", run: str, key: str, step: str, digest: str) -> None:
    if not connection.execute(_START, (key, step, digest, run)).rowcount:
        raise RunsUnkept(_GONE)
    connection.execute(_DOUBT, (key, step, run))


def _ended(connection: "sqlite3.Connection", row: tuple[str, str, str, str]) -> None:
    connection.execute(_END, row)
    # Where a later run has begun it again, it is that one's to end.
    connection.execute("delete from doubts where run=? and key=?", row[2:])


def _begin(
    connection: "sqlite3.Connection", run: Run, kept: Mapping[str, Kept], owner: str
) -> None:
    row = (run.id, run.file, run.name, run.digest, json.dumps(run.inputs), run.chat, owner)
    connection.execute("insert or replace into runs values(?,?,?,?,?,?,?)", row)
    rows = [
        (run.id, key, piece.step, piece.digest, piece.state, json.dumps(piece.output))
        for key, piece in kept.items()
    ]
    connection.executemany(_PUT, rows)
    old = "select id from runs order by rowid desc limit -1 offset ?"
    connection.execute(f"delete from pieces where run in ({old})", (_MAX_RUNS,))  # noqa: S608 -- ours
    connection.execute(f"delete from runs where id in ({old})", (_MAX_RUNS,))  # noqa: S608 -- ours


def _forget(connection: "sqlite3.Connection", chats: list[str]) -> None:
    for chat in chats:
        connection.execute(
            "delete from pieces where run in (select id from runs where chat=?)", (chat,)
        )
        connection.execute("delete from runs where chat=?", (chat,))


def _run(connection: "sqlite3.Connection", where: str, value: str) -> Run | None:
    wanted = "select id, file, name, digest, inputs, chat from runs where"
    row = connection.execute(f"{wanted} {where} order by rowid desc limit 1", (value,)).fetchone()
    if row is None:
        return None
    id_, file, name, digest, inputs, chat = row
    return Run(id=id_, file=file, name=name, digest=digest, inputs=json.loads(inputs), chat=chat)


def _looked_up(connection: "sqlite3.Connection", file: str, id_: str | None) -> _RunWithPieces:
    run = _run(connection, "file=?", file) if id_ is None else _run(connection, "id=?", id_)
    if run is None or run.file != file:
        return None
    return run, _pieces(connection, run.id)


def _pieces(connection: "sqlite3.Connection", run: str) -> dict[str, Kept]:
    rows = connection.execute(
        "select key, step, digest, state, output from pieces where run=?", (run,)
    )
    return {
        key: Kept(step=step, digest=digest, state=state, output=json.loads(output))
        for key, step, digest, state, output in rows
    }


def _doubts(connection: "sqlite3.Connection", file: str) -> dict[str, Kept]:
    rows = connection.execute("select key, step from doubts where file=?", (file,))
    return {key: Kept(step=step, digest="", state="started", output=None) for key, step in rows}
