"""The numbered entries of one chat: the last ones in memory, older ones on disk.

A call that has not ended is kept in memory wherever it stands, since there is more to come of it.
"""

from collections.abc import Callable
from typing import Final

from pydantic import ConfigDict, TypeAdapter

from assent.editor.lsp.wire import unwritten, written
from assent.editor.protocol import chats, records
from assent.editor.protocol.agents import Picture, Sound
from assent.editor.window.chats.archive import Archive
from assent.gate.call.calls import ChatId
from assent.gate.call.lifecycle import State, is_end
from assent.gate.values import define, field

__all__ = [
    "MAX_HELD_BYTES",
    "PAGE_BYTES",
    "Entries",
    "Item",
    "beside",
    "entry_of",
    "shares_of",
    "weight_of",
]

MAX_HELD_BYTES: Final = 1024 * 1024
"""In bytes, as they are written; from here on the older half goes to disk."""
MAX_ENTRIES: Final = 400
PAGE_BYTES: Final = 1024 * 1024
"""So much is told at once of what is on disk."""

Item = chats.Item

_ITEM: Final[TypeAdapter[Item]] = TypeAdapter(Item, config=ConfigDict(defer_build=True))


def weight_of(item: Item) -> int:
    """How many bytes an entry takes on the wire."""
    return len(written(item))


@define(eq=False)
class Entries:
    """What was said and done, in order."""

    _archive: Archive
    first: int = 0
    """The number of the first that is in memory with all that follow."""
    _recent: list[Item] = field(factory=list)
    _weights: list[int] = field(factory=list)
    _weight: int = 0
    _open: dict[int, records.CallRecord] = field(factory=dict)
    """The calls before those that have not ended."""
    changed: set[int] = field(factory=set)
    """The numbers of those that are others than when this was emptied last."""

    def __len__(self) -> int:
        return self.first + len(self._recent)

    @property
    def weight(self) -> int:
        """How many bytes those in memory are on the wire."""
        return self._weight

    @property
    def last(self) -> Item | None:
        """The newest."""
        return self._recent[-1] if self._recent else None

    def add(self, item: Item) -> int:
        """Put one behind all others; its number."""
        self._recent.append(item)
        self._weights.append(0)
        self._weigh(-1, weight_of(item))
        self.changed.add(len(self) - 1)
        return len(self) - 1

    def get(self, number: int) -> Item | None:
        """The entry of that number; None where it is no longer kept."""
        if number >= self.first:
            return self._recent[number - self.first]
        if number in self._open:
            return self._open[number]
        entry = self._archive.get(number)
        return None if entry is None else unwritten(_ITEM, entry)

    def put(self, number: int, item: Item) -> None:
        """Put an entry in the place of the one that has this number."""
        self.changed.add(number)
        if number >= self.first:
            self._recent[number - self.first] = item
            self._weigh(number - self.first, weight_of(item))
        else:
            self._put_away(number, item)

    def grow(self, item: chats.Said, by: int) -> None:
        """Put what was said in the place of the newest, which was shorter by so many bytes."""
        self.changed.add(len(self) - 1)
        self._recent[-1] = item
        self._weigh(-1, self._weights[-1] + by)

    def trim(self, gone: Callable[[int, Item], None]) -> bool:
        """Put older entries away where there are too many; whether there were."""
        if self._weight <= MAX_HELD_BYTES and len(self._recent) <= MAX_ENTRIES:
            return False
        count = 0
        # The newest stays: it may still grow.
        while count < len(self._recent) - 1 and (
            self._weight > MAX_HELD_BYTES // 2 or len(self._recent) - count > MAX_ENTRIES // 2
        ):
            self._weight -= self._weights[count]
            self._put_away(self.first + count, self._recent[count])
            gone(self.first + count, self._recent[count])
            count += 1
        del self._recent[:count], self._weights[:count]
        self.first += count
        return count > 0

    def newest(self, most: int) -> tuple[int, list[Item]]:
        """The last of them that weigh no more than that, and the number of the first of these.

        The newest is always there, since it may still grow; but no picture or sound does.
        """
        start, weight = len(self._recent), 0
        grows = not isinstance(self.last, Picture | Sound)
        while start > 0 and ((not weight and grows) or weight + self._weights[start - 1] <= most):
            start -= 1
            weight += self._weights[start]
        return self.first + start, self._recent[start:]

    def page(self, before: int, limit: int) -> tuple[int, list[Item]]:
        """Those before a number, so many or as many as are told at once; and the first's number."""
        items: list[Item] = []
        number, weight = min(before, len(self)), 0
        while number > 0 and len(items) < limit:
            item = self.get(number - 1)
            weight += 0 if item is None else weight_of(item)
            if item is None or (items and weight > PAGE_BYTES):
                break
            items.append(item)
            number -= 1
        return number, items[::-1]

    @property
    def kept_from(self) -> int:
        """The number of the first that is still kept, with all that follow."""
        return self._archive.kept_from(self.first)

    def close(self) -> None:
        """The chat is gone."""
        self._archive.close()

    def _weigh(self, place: int, weight: int) -> None:
        self._weight += weight - self._weights[place]
        self._weights[place] = weight

    def _put_away(self, number: int, item: Item) -> None:
        if isinstance(item, records.CallRecord) and not is_end(State(item.state)):
            self._open[number] = item
        else:
            self._open.pop(number, None)
        # Also what is not over: nobody is to find a hole where it stands.
        if number not in self._open or self._archive.get(number) is None:
            self._archive.put(number, written(item))


def shares_of(wanted: dict[ChatId, int], most: int) -> dict[ChatId, int]:
    """How much each chat may have of it: as much as it wants where the others leave enough."""
    shares: dict[ChatId, int] = {}
    for chat in sorted(wanted, key=lambda chat_id: wanted[chat_id]):
        shares[chat] = min(wanted[chat], most // (len(wanted) - len(shares)))
        most -= shares[chat]
    return shares


def beside(entry: bytes, kept: bytes) -> bytes:
    """An entry with the call of it, as both are kept; the one has no line break in it."""
    return b"%b\n%b" % (entry, kept) if kept else entry


def entry_of(body: bytes) -> bytes:
    """The entry alone."""
    return body.partition(b"\n")[0]
