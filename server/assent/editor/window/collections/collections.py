"""The collections of documents of one window.

Texts are compared by meaning by a model on this machine, and by no other: none leaves it.
"""

import asyncio
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final

from assent.agent.models.embedding import address, embedded
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.provider import ModelFailed
from assent.catalogue.documents.passages import PassageFound
from assent.catalogue.documents.port import About, Answer, DocumentsFailed
from assent.catalogue.documents.vector_search import normal
from assent.catalogue.nodes.source import NodeFailed
from assent.editor.window.collections.collecting import Collecting, Ground
from assent.editor.window.collections.collection_files import entry_named, held_by, spellings_in
from assent.editor.window.collections.collection_stores import Stores
from assent.editor.window.collections.collection_words import notes_of, state_of
from assent.editor.window.spawn import Spawn
from assent.gate.disk.places import Places
from assent.gate.settings.collections import CollectionEntry
from assent.gate.settings.models.hosts import Host, host_of
from assent.gate.values import define, field

__all__ = ["Collections"]

_INDEX_TIMEOUT_S: Final = 20.0
"""In seconds: so long a question waits for an index that is being made."""
_FAR: Final = "Assent compares by meaning only by a model on this machine."
_DENIED: Final = "A rule is against asking its model."
_SPARE_FACTOR: Final = 4
"""So many times as many are looked for as are wanted, since some may not be told of."""


@define(eq=False)
class Collections:
    """All of them; see `documents.port.Documents`."""

    _entries: Callable[[], Sequence[CollectionEntry]]
    _places: Callable[[], Places]
    _may_read: Callable[[str, Places], bool]
    _may_send: Callable[[str], bool]
    """Whether no rule is against a request to an address."""
    _spawn: Spawn
    _rules: Callable[[], object]
    _host: Callable[[Any], Any]
    """The host of a model, with its key."""
    _stores: Stores
    _is_known: Callable[[], bool] = lambda: True
    """Whether the settings can be read: where they cannot, no index is left over."""
    on_change: Callable[[Collecting], None] = lambda _: None
    """Is told where one is otherwise."""
    _all: dict[str, Collecting] = field(factory=dict)
    _lines: dict[str, HostConnection] = field(factory=dict)
    _replaced: list[Collecting] = field(factory=list)
    """Those that were set up otherwise before."""
    _kept: frozenset[str] | None = None
    _cleared: frozenset[str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """See `Documents`."""
        return tuple(entry.name for entry in self._entries())

    def bases(self, name: str) -> tuple[str, ...]:
        """See `Documents`."""
        return held_by(name, self._entries(), self._places())

    async def about(self) -> tuple[About, ...]:
        """See `Documents`."""
        await self._forget_others(is_used=True)
        return tuple([await self._about(self._get(name)) for name in self.names])

    async def find(
        self,
        name: str,
        question: str,
        limit: int,
        *,
        may_read: Callable[[str], bool],
        by_meaning: bool,
    ) -> Answer:
        """See `Documents`."""
        await self._forget_others(is_used=True)
        collection = self._get(name)
        is_meant = by_meaning and collection.entry.embed is not None
        vector, note = await self._vector(collection, question) if is_meant else ("", "")
        try:
            asked = {"question": question, "vector": vector, "limit": limit * _SPARE_FACTOR}
            passages = await collection.find(_INDEX_TIMEOUT_S, **asked)
        except NodeFailed as error:
            raise DocumentsFailed(f"{name} could not be searched: {error}") from error
        spellings = spellings_in(collection.entry.areas, self._places())

        def may_tell(path: str) -> bool:
            names = spellings(path)
            return bool(names) and all(map(may_read, names))

        kept = islice((passage for passage in passages if may_tell(passage["path"])), limit)
        return Answer(
            found=tuple(PassageFound(**passage) for passage in kept),
            notes=tuple(filter(None, (*notes_of(collection), note))),
        )

    def all(self) -> list[Collecting]:
        """Each as it is."""
        self._spawn(self._forget_others())
        return [self._get(name) for name in self.names]

    def get(self, name: str) -> Collecting:
        """The collection of that name; raises `DocumentsFailed`."""
        return self._get(name)

    async def close(self) -> None:
        """Nothing is read any more."""
        self.on_change = lambda _: None
        for collection in self._all.values():
            await collection.stop()
        await self._stores.close()
        for line in self._lines.values():
            await line.close()

    def _get(self, name: str) -> Collecting:
        entry = entry_named(name, self._entries())
        known = self._all.get(name)
        if known is None or known.place != self._stores.place(entry):
            if known is not None:
                self._replaced.append(known)
            known = self._all[name] = self._made(entry)
        return known

    def take_settings(self) -> None:
        """The settings have changed, or were read for the first time."""
        self._spawn(self._forget_others())

    async def _forget_others(self, *, is_used: bool = False) -> None:
        """Keep nothing of collections that are not set up any more."""
        if not self._is_known():
            return
        places = {entry.name: self._stores.place(entry) for entry in self._entries()}
        for gone in [
            name for name, collection in self._all.items() if places.get(name) != collection.place
        ]:
            self._replaced.append(self._all.pop(gone))
        while self._replaced:
            await self._replaced.pop().leave()
        wanted = frozenset(places.values())
        if wanted != self._kept:
            await self._stores.keep(self._entries())
            self._kept = wanted
        if is_used and wanted != self._cleared:
            await self._stores.forget_others()
            self._cleared = wanted

    def _made(self, entry: CollectionEntry) -> Collecting:
        async def vectors(texts: Sequence[str], asking: bool) -> list[bytes]:  # noqa: FBT001 -- a port of two
            return await self._vectors(entry, texts, asking=asking)

        ground = Ground(
            ask=self._stores.asking(entry),
            kept_at=self._stores.host,
            places=self._places,
            may_read=self._may_read,
            rules=self._rules,
            vectors=vectors,
            may_compare=lambda: entry.name in self.names and self._may_compare(entry),
            on_change=lambda: self.on_change(made),
            spawn=self._spawn,
        )
        made = Collecting(entry, self._stores.place(entry), ground)
        return made

    def _may_compare(self, entry: CollectionEntry) -> bool:
        """Whether the model that was named may have its texts as things are."""
        return entry.embed is not None and not self._refusal(host_of(entry.embed, None))

    def _refusal(self, host: Host) -> str:
        """Why a host is sent nothing; nothing where it is this machine and no rule is against."""
        if not host.near:
            return _FAR
        return "" if self._may_send(address(host)) else _DENIED

    async def _vector(self, collection: Collecting, question: str) -> tuple[str, str]:
        """What a question is compared by, and what is to be said where there is nothing."""
        from base64 import b64encode  # noqa: PLC0415 -- only where meaning is compared

        try:
            (vector,) = await self._vectors(collection.entry, [question], asking=True)
        except ModelFailed as error:
            return "", f"(by words alone: {error})"
        return b64encode(vector).decode(), ""

    async def _vectors(
        self, entry: CollectionEntry, texts: Sequence[str], *, asking: bool
    ) -> list[bytes]:
        host = await self._host(entry.embed)
        # The one place where texts are sent: judged is the very host that has them next.
        if refusal := self._refusal(host):
            raise ModelFailed(refusal)
        line = self._lines.get(entry.name)
        if line is None or line.host != host:
            line = self._lines[entry.name] = HostConnection(host=host)
        made = await embedded(line, texts, asking=asking)
        try:
            return await asyncio.to_thread(lambda: [*map(normal, made)])
        except (ValueError, OverflowError) as error:
            raise ModelFailed(f"{host.name} made vectors that point nowhere.") from error

    async def _about(self, collection: Collecting) -> About:
        paths = collection.entry.paths
        try:
            counts = await collection.ask("counts")
        except NodeFailed as error:
            return About(name=collection.entry.name, paths=paths, says=str(error))
        return About(name=collection.entry.name, paths=paths, says=state_of(collection, counts))
