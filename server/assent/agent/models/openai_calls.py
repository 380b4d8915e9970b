"""Finds the call that a streamed piece belongs to, where hosts number and name calls loosely.

Most number them. Some give all the same number, some none; some name a call in its first piece,
some in all, some never; some send a call whole. A piece that can only be another call's is one;
one that could be either goes on with the call that it names.
"""

from collections.abc import Iterator

from assent.agent.models.conversation import Given
from assent.agent.models.drafts import Draft, see_room
from assent.agent.models.events import Event
from assent.agent.models.growing_json import BLANK
from assent.agent.models.host_errors import Garbled
from assent.agent.models.openai_shapes import CallPiece
from assent.gate.values import define, field

__all__ = ["Calls"]


@define
class Calls:
    """The calls of one reply, in the order in which they began.

    However many there are, the one that a piece belongs to is found without looking through them.
    """

    _by: str = ""
    """Who gives what comes with a call."""
    _drafts: list[Draft] = field(factory=list)
    _unready: list[Draft] = field(factory=list)
    """Those that may not be ready; at its end only such as are not."""
    _by_index: dict[int, Draft] = field(factory=dict)
    """The last call that each number stood for."""
    _by_id: dict[tuple[int | None, str], Draft] = field(factory=dict)
    """The last call of each name, by the number that it had as well as without."""
    _unnamed: dict[int, list[Draft]] = field(factory=dict)
    """The calls of each number that may have no name; at its end only such as have none."""

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._drafts)

    @property
    def open(self) -> bool:
        """Whether one of them is not whole yet."""
        return not all(draft.ready for draft in self._drafts)

    def take(self, piece: CallPiece) -> Iterator[Event]:
        """The events of one piece."""
        draft = self._whose(piece)
        if draft is None and not (piece.id or piece.name):
            if piece.written.strip(BLANK):
                raise Garbled("there are arguments of no call in it")
            return
        draft = draft or self._begun(piece)
        if piece.id and not draft.id:
            self._give_id(draft, piece.id, piece.index)
        draft.name = draft.name or piece.name
        if piece.extra_content is not None:
            yield from draft.sign(Given.of(self._by, {"extra_content": piece.extra_content}))
        yield from draft.start()
        yield from draft.more(piece.written)
        if draft.whole and draft.name and not draft.may_be_argued:
            yield from draft.close()

    def close(self) -> Iterator[Event]:
        """The reply is whole, and so is each call in it."""
        for draft in self._drafts:
            yield from draft.close()

    def _whose(self, piece: CallPiece) -> Draft | None:
        """The call that a piece goes on with; None where it begins another."""
        draft = self._numbered(piece) if piece.index is not None else self._unnumbered(piece)
        if draft is None and not (piece.id or piece.name):
            # Without a name it can begin nothing, whatever its number.
            return self._last_unready()
        is_same = draft is not None and bool(piece.id) and piece.index is not None
        if draft is not None and draft.ready and piece.name and not is_same:
            return None
        return draft

    def _numbered(self, piece: CallPiece) -> Draft | None:
        index = piece.index or 0
        if not piece.id:
            return self._by_index.get(index)
        unnamed = self._unnamed.get(index, [])
        while unnamed and unnamed[-1].id:
            unnamed.pop()
        same = self._by_id.get((index, piece.id))
        fits = [*unnamed[-1:], *([] if same is None else [same])]
        return max(fits, key=lambda fit: fit.key, default=None)

    def _unnumbered(self, piece: CallPiece) -> Draft | None:
        if piece.id:
            return self._by_id.get((None, piece.id))
        last = self._drafts[-1] if self._drafts else None
        return last if last is not None and piece.name in {"", last.name} else None

    def _last_unready(self) -> Draft | None:
        while self._unready and self._unready[-1].ready:
            self._unready.pop()
        return self._unready[-1] if self._unready else None

    def _begun(self, piece: CallPiece) -> Draft:
        see_room(len(self._drafts))
        draft = Draft(key=len(self._drafts))
        self._drafts.append(draft)
        self._unready.append(draft)
        if piece.index is not None:
            self._by_index[piece.index] = draft
            self._unnamed.setdefault(piece.index, []).append(draft)
        return draft

    def _give_id(self, draft: Draft, id: str, index: int | None) -> None:  # noqa: A002 -- its name
        draft.id = id
        for key in ((index, id), (None, id)):
            if key not in self._by_id or self._by_id[key].key < draft.key:
                self._by_id[key] = draft
