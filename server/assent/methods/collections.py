"""The collections of documents of one window, and whom their texts may be sent to."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from attrs import define, field

from assent.calls import AgentId, ChatId
from assent.catalogue.source import NodeFailed
from assent.disk.places import Places
from assent.documents.meaning import normal
from assent.documents.passages import PassageFound
from assent.documents.port import About, Answer, DocumentsFailed, Sending
from assent.mcp.link import Link
from assent.methods.agreed_hosts import AgreedHosts
from assent.methods.collecting import Collecting, Ground
from assent.methods.collection_files import bases_of
from assent.methods.collection_words import notes_of, state_of
from assent.methods.spawn import Spawn
from assent.providers.embedding import address, embedded
from assent.providers.hosts import Host, host_of
from assent.providers.line import Line
from assent.providers.provider import ModelFailed
from assent.settings.collections import CollectionEntry
from assent.verdicts import Ruling

__all__ = ["Collections"]

_PATIENCE: Final = 20.0
"""In seconds: so long a question waits for an index that is being made."""
_MORE: Final = 4
"""So many times as many are looked for as are wanted, since some may not be told of."""


@define(eq=False)
class Collections:
    """All of them; see `documents.port.Documents`."""

    _entries: Callable[[], Sequence[CollectionEntry]]
    _places: Callable[[], Places]
    _may_read: Callable[[str, Places], bool]
    _may_send: Callable[[str], bool]
    """Whether no rule is against sending texts to an address."""
    _fetching: Callable[[ChatId, AgentId, str], Ruling]
    _spawn: Spawn
    _rules: Callable[[], object]
    _host: Callable[[Any], Any]
    """The host of a model, with its key."""
    _folder: Path
    _link: Link
    _agreed: AgreedHosts
    told: Callable[[Collecting], None] = lambda _: None
    """Is told where one is otherwise."""
    _all: dict[str, Collecting] = field(factory=dict)
    _lines: dict[str, Line] = field(factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """See `Documents`."""
        return tuple(it.name for it in self._entries())

    def bases(self, name: str) -> tuple[str, ...]:
        """See `Documents`."""
        places = self._places()
        found = (it.resolved for area in self._entry(name).areas for it in bases_of(area, places))
        bases = tuple(dict.fromkeys(found))
        if not bases:
            raise DocumentsFailed(f"the files of {name} lie nowhere in the workspace.")
        return bases

    async def about(self) -> tuple[About, ...]:
        """See `Documents`."""
        return tuple([await self._about(self._one(name)) for name in self.names])

    def fetching(self, chat: ChatId, agent: AgentId, url: str) -> Ruling:
        """See `Documents`."""
        return self._fetching(chat, agent, url)

    def sending(self, name: str) -> Sending | None:
        """See `Documents`."""
        model = self._entry(name).embed
        if model is None:
            return None
        host = host_of(model, None)
        return Sending(url=address(host), host=host.name, is_agreed=self._is_agreed(name, host))

    async def agree(self, name: str) -> None:
        """See `Documents`."""
        model = self._entry(name).embed
        if model is not None:
            await self._agreed.agree(self._key(name), address(host_of(model, None)))

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
        one = self._one(name)
        if by_meaning:
            one.let_pass()
        vector, note = await self._vector(one, question) if by_meaning else ("", "")
        try:
            asked = {"question": question, "vector": vector, "limit": limit * _MORE}
            found = await one.find(_PATIENCE, **asked)
        except NodeFailed as error:
            raise DocumentsFailed(f"{name} could not be searched: {error}") from error
        kept = islice((it for it in found if may_read(it["path"])), limit)
        return Answer(
            found=tuple(PassageFound(**it) for it in kept),
            notes=tuple(filter(None, (*notes_of(one), note))),
        )

    def all(self) -> list[Collecting]:
        """Each as it is."""
        return [self._one(name) for name in self.names]

    def one(self, name: str) -> Collecting:
        """The one of that name; raises `DocumentsFailed`."""
        return self._one(name)

    async def close(self) -> None:
        """Nothing is read any more."""
        self.told = lambda _: None
        for it in self._all.values():
            await it.stop()
        await self._link.close()
        for line in self._lines.values():
            await line.close()

    def _entry(self, name: str) -> CollectionEntry:
        entries = {it.name: it for it in self._entries()}
        if name not in entries:
            there = ", ".join(entries) or "none"
            raise DocumentsFailed(f"there is no collection `{name}`. There are: {there}.")
        return entries[name]

    def _one(self, name: str) -> Collecting:
        entry = self._entry(name)
        known = self._all.get(name)
        if known is None or known.entry != entry:
            if known is not None and known.is_at_work:
                self._spawn(known.stop())
            known = self._all[name] = self._made(entry)
        return known

    def _made(self, entry: CollectionEntry) -> Collecting:
        async def vectors(texts: Sequence[str], asking: bool) -> list[bytes]:  # noqa: FBT001 -- a port of two
            return await self._vectors(entry, texts, asking=asking)

        ground = Ground(
            ask=self._link.ask,
            places=self._places,
            may_read=self._may_read,
            rules=self._rules,
            vectors=vectors,
            may_send=lambda: self._may_embed(made),
            told=lambda: self.told(made),
            spawn=self._spawn,
        )
        made = Collecting(entry, str(self._folder / f"{entry.name}.db"), ground)
        return made

    def _may_embed(self, one: Collecting) -> bool:
        """Whether its texts may be sent: somebody said so, and no rule is against it now."""
        sending = self.sending(one.entry.name) if one.entry.name in self.names else None
        if sending is None or not (sending.is_agreed or one.is_passed):
            return False
        return self._may_send(sending.url)

    def _is_agreed(self, name: str, host: Host) -> bool:
        return host.near or self._agreed.has(self._key(name), address(host))

    def _key(self, name: str) -> str:
        """A collection of this workspace, among those of all."""
        return f"{self._folder.name}/{name}"

    async def _vector(self, one: Collecting, question: str) -> tuple[str, str]:
        """What a question is compared by, and what is to be said where there is nothing."""
        from base64 import b64encode  # noqa: PLC0415 -- only where meaning is compared

        try:
            (vector,) = await self._vectors(one.entry, [question], asking=True)
        except ModelFailed as error:
            return "", f"(by words alone: {error})"
        return b64encode(vector).decode(), ""

    async def _vectors(
        self, entry: CollectionEntry, texts: Sequence[str], *, asking: bool
    ) -> list[bytes]:
        host = await self._host(entry.embed)
        line = self._lines.get(entry.name)
        if line is None or line.host != host:
            line = self._lines[entry.name] = Line(host=host)
        made = await embedded(line, texts, asking=asking)
        try:
            return await asyncio.to_thread(lambda: [*map(normal, made)])
        except (ValueError, OverflowError) as error:
            raise ModelFailed(f"{host.name} made vectors that point nowhere.") from error

    async def _about(self, one: Collecting) -> About:
        paths = one.entry.paths
        try:
            counts = await one.ask("counts")
        except NodeFailed as error:
            return About(name=one.entry.name, paths=paths, says=str(error))
        return About(name=one.entry.name, paths=paths, says=state_of(one, counts))
