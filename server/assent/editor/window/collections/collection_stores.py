"""Where collections keep their indexes: on this machine, or in a team's database.

What is asked of a database takes texts of the person along, so each question is judged as a request
to its host is, and goes only to the one that the person's settings name now.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from assent.catalogue.documents.pgpass import password_in
from assent.catalogue.documents.stored_indexes import END, StoredIndexes
from assent.catalogue.mcp.link import Link
from assent.catalogue.nodes.source import NodeFailed
from assent.editor.window.collections.collection_words import index_name
from assent.gate.settings.collections import CollectionEntry
from assent.gate.settings.database import Database
from assent.gate.settings.private_files import alone_in, read_private, write_private
from assent.gate.values import define, field

__all__ = ["Stores"]

_DENIED: Final = "A rule is against asking its database."
_ELSEWHERE: Final = "Your settings do not name its database any more."
_UNTOLD: Final = "There is no password for its database."
_TEAM: Final = "@"
"""Before the names of those that are no file."""

Ask = Callable[..., Awaitable[dict[str, Any]]]


@define(eq=False)
class Stores:
    """The indexes of one window."""

    _shelf: StoredIndexes
    _link: Link
    _database: Callable[[], Database | None]
    _secret: Callable[[str], Awaitable[str | None]]
    """What the editor keeps by a name."""
    _may_send: Callable[[str], bool]
    """Whether no rule is against a request to an address."""
    _passwords: dict[Database, str] = field(factory=dict)
    _owner: str = ""

    def place(self, entry: CollectionEntry) -> str:
        """Where an index is: somewhere else where its collection is set up otherwise."""
        database, name = self._database(), index_name(entry)
        if database is not None:
            return f"{database.place}#{name}"
        return str(self._shelf.folder / f"{name}{END}")

    def asking(self, entry: CollectionEntry) -> Ask:
        """How an index is asked."""
        database = self._database()
        if database is None:
            return self._link.ask
        return partial(self._ask_team, database, index_name(entry))

    @property
    def host(self) -> str:
        """The host that has the texts; none where they stay on this machine."""
        database = self._database()
        return "" if database is None or database.is_here else database.host

    async def keep(self, entries: Iterable[CollectionEntry]) -> None:
        """Keep the indexes of these on this machine, and of no others."""
        before = "" if self._database() is None else _TEAM
        names = [f"{before}{index_name(entry)}" for entry in entries]
        await asyncio.to_thread(self._shelf.keep, names)

    async def forget_others(self) -> None:
        """Keep in the database what windows of this machine have set up, and no others."""
        database = self._database()
        if database is None:
            return
        wanted = await asyncio.to_thread(self._shelf.wanted)
        keep = [place.removeprefix(_TEAM) for place in wanted if place.startswith(_TEAM)]
        # What cannot be said now is said the next time.
        with suppress(NodeFailed):
            await self._ask_team(database, "", "forget", file=database.place, keep=keep)

    async def close(self) -> None:
        """Nothing is asked any more."""
        await self._link.close()
        self._shelf.leave()

    async def _ask_team(
        self, database: Database, index: str, do: str, *, file: str, **more: Any
    ) -> dict[str, Any]:
        # The one place from which a database is sent any text.
        if database != self._database():
            raise NodeFailed(_ELSEWHERE)
        if not self._may_send(database.address):
            raise NodeFailed(_DENIED)
        team = {
            "host": database.host,
            "port": database.port,
            "name": database.name,
            "user": database.user,
            "password": await self._password(database),
            "here": database.is_here,
            "index": index,
            "owner": self._owner or await asyncio.to_thread(self._owned),
        }
        try:
            return await self._link.ask(do, file=file, team=team, **more)
        except NodeFailed:
            # The password may be another one by now.
            self._passwords.pop(database, None)
            raise

    async def _password(self, database: Database) -> str:
        if database not in self._passwords:
            self._passwords[database] = await self._looked_up(database)
        return self._passwords[database]

    async def _looked_up(self, database: Database) -> str:
        if not database.secret:
            return await asyncio.to_thread(password_in, database)
        password = await self._secret(database.secret)
        if password is None:
            raise NodeFailed(_UNTOLD)
        return password

    def _owned(self) -> str:
        """Which machine and workspace it is, by a name that tells neither."""
        folder = self._shelf.folder.parent
        path = folder / "machine"
        with alone_in(folder):
            machine = read_private(path)
            if machine is None:
                machine = secrets.token_hex(16).encode()
                write_private(path, machine)
        self._owner = f"{machine.decode()}/{self._shelf.folder.name}"
        return self._owner
