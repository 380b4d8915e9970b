"""`assent.collectionsUrl`: the PostgreSQL in which a team keeps its indexes.

It counts in the person's own settings alone, since texts are sent there. A password never stands
in it: it is named, and kept by the editor, or stands in the file that PostgreSQL's own programs
read.
"""

import re
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from assent.gate.settings.complaints import Complaints
from assent.gate.settings.layers import Layer
from assent.gate.text.addresses import address_of
from assent.gate.values import frozen

__all__ = ["Database", "database_of"]

_SCHEMES: Final = frozenset({"postgresql", "postgres"})
_SECRET: Final = re.compile(r"\$\{secret:([A-Za-z_][A-Za-z0-9_]{0,127})\}")
_DEFAULT_PORT: Final = 5432
_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SENTENCE: Final = (
    "assent.collectionsUrl is no address of a PostgreSQL database, or has a password in it, so"
    " indexes stay on this machine. It begins with `postgresql://`; a password is named as"
    " `${secret:NAME}`."
)


@frozen(kw_only=True)
class Database:
    """Where it is, and as whom it is spoken to."""

    host: str
    """A name, an address, or the folder of a socket."""
    port: int = _DEFAULT_PORT
    name: str
    user: str
    secret: str = ""
    """What the editor keeps its password as."""

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine."""
        return self.host.startswith("/") or self.host in _HERE

    @property
    def address(self) -> str:
        """Where it is, as rules name a host."""
        host = "localhost" if self.host.startswith("/") else self.host
        return f"https://[{host}]/" if ":" in host else f"https://{host}/"

    @property
    def place(self) -> str:
        """All of it in one line; no password is in it."""
        return f"postgresql://{self.user}@{self.host}:{self.port}/{self.name}"


def database_of(value: object, complaints: Complaints) -> Database | None:
    """The database that was named; None where it cannot be one, or none was."""
    if value is None or value == "":
        return None
    database = _read(value) if isinstance(value, str) and value.isprintable() else None
    if database is None:
        complaints.refuse(Layer.USER.value, ("collectionsUrl",), _SENTENCE)
    return database


def _read(value: str) -> Database | None:
    """What an address says.

    >>> _read("postgresql://me:${secret:TEAM}@db.example.org/docs").secret
    'TEAM'
    >>> _read("postgresql://me:hunter2@db.example.org/docs")
    """
    secret = _SECRET.search(value)
    plain = _SECRET.sub("SECRET", value, count=1)
    try:
        split = urlsplit(plain)
        port = split.port or _DEFAULT_PORT
        asked = parse_qs(split.query, strict_parsing=bool(split.query))
    except ValueError:
        return None
    folder = asked.pop("host", [""])[0]
    named = split.hostname or ""
    if split.scheme not in _SCHEMES or asked or split.fragment or bool(folder) == bool(named):
        return None
    if (split.password or "") != ("SECRET" if secret else ""):
        return None
    database = Database(
        host=folder or named,
        port=port,
        name=unquote(split.path.removeprefix("/")),
        user=unquote(split.username or ""),
        secret=secret[1] if secret else "",
    )
    is_place = folder.startswith("/") if folder else address_of(database.address) is not None
    return database if is_place and database.name and database.user else None
