"""Connects to a team's PostgreSQL, and creates the tables that are missing there.

Beyond this machine it is spoken to by TLS alone, and only where its certificate is the host's.
"""

import ssl
from contextlib import suppress
from typing import Any, Final

from pg8000.exceptions import Error  # type: ignore[import-untyped]  # it has no stubs
from pg8000.native import Connection  # type: ignore[import-untyped]  # nor has this

from assent.catalogue.documents.team_index import TeamIndex, alone
from assent.gate.call.errors import AssentError
from assent.gate.values import frozen

__all__ = ["TeamServer", "forget", "team_index"]

_TIMEOUT_S: Final = 30
_TABLES: Final = (
    "create schema if not exists assent_1",
    (
        "create table if not exists assent_1.indexes (id bigint generated always as identity"
        " primary key, owner text not null, name text not null, model text not null default '',"
        " unique (owner, name))"
    ),
    (
        "create table if not exists assent_1.files (id bigint generated always as identity"
        " primary key, index bigint not null references assent_1.indexes on delete cascade,"
        " path text not null, stamp text not null, digest bytea not null, unique (index, path))"
    ),
    (
        "create table if not exists assent_1.passages (id bigint generated always as identity"
        " primary key, index bigint not null references assent_1.indexes on delete cascade,"
        " file bigint not null references assent_1.files on delete cascade, first integer not null,"
        " last integer not null, heading text not null, body text not null, digest bytea not null,"
        " words tsvector generated always as (setweight(to_tsvector('english', heading), 'A')"
        " || setweight(to_tsvector('english', body), 'B')) stored)"
    ),
    "create index if not exists passages_words on assent_1.passages using gin (words)",
    "create index if not exists passages_file on assent_1.passages (file)",
    "create index if not exists passages_index on assent_1.passages (index)",
    "create index if not exists passages_digest on assent_1.passages (digest)",
)
_VECTORS: Final = (
    "create extension if not exists vector",
    (
        "create table if not exists assent_1.vectors (digest bytea not null, model text not null,"
        " vector vector not null, primary key (digest, model))"
    ),
)
_TABLES_LOCK_ID: Final = 0x41_73_73_65_6E_74
"""The lock of whoever makes tables."""


@frozen
class TeamServer:
    """One connection."""

    _spoken: Any

    def run(self, statement: str, **values: Any) -> list[list[Any]]:
        """Run a statement; raises `AssentError`."""
        try:
            rows: list[list[Any]] = self._spoken.run(statement, **values) or []
        except (Error, OSError) as error:
            raise AssentError(f"Its database said: {_said(error)}.") from error
        return rows

    def close(self) -> None:
        """Nothing more is asked."""
        # Where it has ended already there is nothing to be closed.
        with suppress(Exception):
            self._spoken.close()


def connected(at: dict[str, Any]) -> TeamServer:
    """Speak with the database that is described; raises `AssentError`."""
    host, port = at["host"], at["port"]
    is_socket = host.startswith("/")
    where = {"unix_sock": f"{host}/.s.PGSQL.{port}"} if is_socket else {"host": host, "port": port}
    try:
        spoken = Connection(
            at["user"],
            **where,
            database=at["name"],
            password=at["password"],
            timeout=_TIMEOUT_S,
            ssl_context=None if at["here"] else ssl.create_default_context(),
            application_name="assent",
        )
    except (Error, OSError) as error:
        raise AssentError(f"Its database could not be reached: {_said(error)}.") from error
    return TeamServer(spoken)


def team_index(at: dict[str, Any]) -> TeamIndex:
    """An index, made where there is none."""
    server = connected(at)
    try:
        has_vectors = _laid_out(server)
        owned = {"owner": at["owner"], "index": at["index"]}
        server.run(
            "insert into assent_1.indexes (owner, name) values (:owner, :index)"
            " on conflict do nothing",
            **owned,
        )
        query = "select id from assent_1.indexes where owner = :owner and name = :index"
        ((number,),) = server.run(query, **owned)
    except BaseException:
        server.close()
        raise
    return TeamIndex(server.run, server.close, number, has_vectors)


def forget(at: dict[str, Any], keep: list[str]) -> None:
    """Keep nothing of the indexes of this machine's workspace that have other names."""
    server = connected(at)
    try:
        _laid_out(server)
        server.run(
            "delete from assent_1.indexes"
            " where owner = :owner and name <> all (cast(:keep as text[]))",
            owner=at["owner"],
            keep=keep,
        )
    finally:
        server.close()


def _laid_out(server: TeamServer) -> bool:
    """Make the tables; whether it compares vectors."""
    if not _has(server, "passages"):
        _make(server, _TABLES)
    if not _has(server, "vectors"):
        try:
            _make(server, _VECTORS)
        except AssentError:
            return False
    return True


def _has(server: TeamServer, table: str) -> bool:
    """Whether there is a table: who may use it may not be allowed to make it."""
    return server.run("select to_regclass(:table)", table=f"assent_1.{table}")[0][0] is not None


def _make(server: TeamServer, statements: tuple[str, ...]) -> None:
    # Several windows may come first.
    with alone(server.run, _TABLES_LOCK_ID):
        for statement in statements:
            server.run(statement)


def _said(error: BaseException) -> str:
    """What went wrong, in its own words."""
    # What ails the farewell hides what was said before it.
    before: BaseException | None = error
    while before is not None:
        error = before if isinstance(before, Error) else error
        before = before.__context__
    detail = error.args[0] if error.args else ""
    words = detail.get("M", "") if isinstance(detail, dict) else str(error)
    return str(words).rstrip(".")[:300] or type(error).__name__
