"""What a person sees of collections, and does about the index of one."""

import asyncio
from typing import Final

from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats
from assent.editor.protocol import collections as shapes
from assent.editor.window.collections.collecting import Collecting, Doing
from assent.editor.window.collections.collections import Collections
from assent.gate.values import define, field

__all__ = ["CollectionMessages"]

_OFTEN: Final = 0.25
"""In seconds: how far one is, is told no more often."""


@define
class CollectionMessages:
    """The collections of this window."""

    _wire: Wire
    _collections: Collections
    _told: dict[str, tuple[Doing, float]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._collections.told = self._tell

    async def list(self, _: chats.Nothing) -> shapes.CollectionStates:
        """`collection/list`."""
        return shapes.CollectionStates(collections=[*map(_shown, self._collections.all())])

    async def index(self, params: shapes.CollectionRef) -> shapes.CollectionState:
        """`collection/index`: look at its files now, also where it was stopped."""
        one = self._collections.one(params.name)
        one.begin()
        return _shown(one)

    async def stop(self, params: shapes.CollectionRef) -> shapes.CollectionState:
        """`collection/stop`."""
        one = self._collections.one(params.name)
        await one.stop()
        return _shown(one)

    def _tell(self, collecting: Collecting) -> None:
        """Tell how one is: whenever it does something else, and now and then how far it is."""
        now = asyncio.get_running_loop().time()
        doing, when = self._told.get(collecting.entry.name, ("idle", 0.0))
        if doing != collecting.doing or now - when >= _OFTEN:
            self._told[collecting.entry.name] = collecting.doing, now
            self._wire.notify("collection/changed", _shown(collecting))


def _kept(collecting: Collecting) -> str:
    return f"Its texts are kept at {collecting.kept_at}." if collecting.kept_at else ""


def _shown(collecting: Collecting) -> shapes.CollectionState:
    return shapes.CollectionState(
        name=collecting.entry.name,
        paths=[*collecting.entry.paths],
        state=collecting.doing,
        done=collecting.done,
        total=collecting.total,
        left_out=collecting.left_out,
        says=collecting.says or _kept(collecting),
    )
