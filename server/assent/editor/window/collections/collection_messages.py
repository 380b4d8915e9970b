"""Shows collections to a person, and handles what they do with an index."""

import asyncio
from typing import Final

from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats
from assent.editor.protocol import collections as shapes
from assent.editor.window.collections.collecting import Collecting, Doing
from assent.editor.window.collections.collections import Collections
from assent.gate.values import define, field

__all__ = ["CollectionMessages"]

_PROGRESS_INTERVAL_S: Final = 0.25
"""In seconds: how far one is, is told no more often."""


@define
class CollectionMessages:
    """The collections of this window."""

    _wire: Wire
    _collections: Collections
    _last_sent: dict[str, tuple[Doing, float]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._collections.on_change = self._tell

    async def list(self, _: chats.Nothing) -> shapes.CollectionStates:
        """`collection/list`."""
        return shapes.CollectionStates(collections=[*map(_shown, self._collections.all())])

    async def index(self, params: shapes.CollectionRef) -> shapes.CollectionState:
        """`collection/index`: look at its files now, also where it was stopped."""
        collection = self._collections.get(params.name)
        collection.begin()
        return _shown(collection)

    async def stop(self, params: shapes.CollectionRef) -> shapes.CollectionState:
        """`collection/stop`."""
        collection = self._collections.get(params.name)
        await collection.stop()
        return _shown(collection)

    def _tell(self, collection: Collecting) -> None:
        """Tell how one is: whenever it does something else, and now and then how far it is."""
        now = asyncio.get_running_loop().time()
        doing, when = self._last_sent.get(collection.entry.name, ("idle", 0.0))
        if doing != collection.doing or now - when >= _PROGRESS_INTERVAL_S:
            self._last_sent[collection.entry.name] = collection.doing, now
            self._wire.notify("collection/changed", _shown(collection))


def _kept(collection: Collecting) -> str:
    return f"Its texts are kept at {collection.kept_at}." if collection.kept_at else ""


def _shown(collection: Collecting) -> shapes.CollectionState:
    return shapes.CollectionState(
        name=collection.entry.name,
        paths=[*collection.entry.paths],
        state=collection.doing,
        done=collection.done,
        total=collection.total,
        left_out=collection.left_out,
        says=collection.says or _kept(collection),
    )
