"""What still has to be written about chats; only the store's thread uses it."""

from collections.abc import Iterable
from typing import Final

from assent.agent.chats.chats_file import trouble_in
from assent.agent.chats.store import Store
from assent.agent.chats.values import Batch, Head
from assent.gate.values import define, field

__all__ = ["LOST", "Backlog"]

LOST: Final = (
    "Another window has this chat by now, as the file of the chats says, so what is said here is"
    " not kept any more."
)


@define(eq=False)
class Backlog:
    """One for each window."""

    store: Store
    _batches: dict[str, Batch] = field(factory=dict)
    _left: dict[str, Head] = field(factory=dict)
    """The chats that this window is to have no longer, once they are kept."""

    @property
    def waits(self) -> bool:
        """Whether there is something to be done again."""
        return bool(self._batches or self._left) or not self.store.is_wiped

    def keep(self, batches: Iterable[Batch], left: Iterable[Head]) -> tuple[str, list[str]]:
        """Keep these, and what could not be kept before: what went wrong, and what others have."""
        for batch in batches:
            before = self._batches.get(batch.head.id)
            self._batches[batch.head.id] = batch if before is None else before.followed_by(batch)
        self._left |= {head.id: head for head in left}
        try:
            return "", self.empty()
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is told and tried again
            self.store.close()
            return trouble_in(error), []

    def empty(self) -> list[str]:
        """Keep what could not be kept before; the chats that another run has by now."""
        lost: list[str] = []
        if self._batches:
            lost = self.store.put(self._batches.values())
            self._batches = {}
        if self._left:
            self.store.let_go(self._left.values())
            self._left = {}
        if not self.store.is_wiped:
            self.store.wipe()
        return lost

    def delete(self, chat: str, workspace: str) -> bool:
        """Delete a chat, and what was still to be kept of it; False where another run has it."""
        gone = bool(self.store.delete([chat], workspace))
        waited = self._batches.pop(chat, None) is not None
        self._left.pop(chat, None)
        return gone or (waited and self.store.load(chat, workspace, 1) is None)
