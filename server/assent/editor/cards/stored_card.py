"""A card as it is stored: as it was sent, cut to a bound, with a note of what was cut.

It is cut in its long texts and lists alone, so what is left is a card still.
"""

import hashlib
import json
from typing import Any, Final

from pydantic import ValidationError

from assent.editor.protocol.card import Card
from assent.gate.call.errors import AssentError
from assent.gate.journal.card_store import MAX_CARD_BYTES
from assent.gate.values import define, frozen

__all__ = ["Kept", "kept_of", "read_kept"]

_MIN_CUT_LETTERS: Final = 256
"""In letters: what is shorter is never cut, such as the names of kinds."""
_CUT: Final = (
    "It was too long to be kept whole, so it is cut here: it took {:,} bytes, and the SHA-256 of"
    " all of them is {}."
)
_NO_ROOM: Final = "The picture of the page is too large to be shown."
_UNREAD: Final = "It was kept by another version of Assent, so it cannot be shown."


@frozen
class Kept:
    """A card that was kept."""

    card: Card
    bytes: int
    """How many it took; more than are left where it was cut."""
    whole: str
    """The digest of all of it; nothing where nothing was cut."""

    @property
    def note(self) -> str:
        """What was cut of it, in a sentence; nothing where nothing was."""
        return _CUT.format(self.bytes, self.whole) if self.whole else ""


def kept_of(sent: bytes, most: int = MAX_CARD_BYTES) -> str:
    """What is kept of the card of a question, as that was sent."""
    card = json.loads(sent)["card"]
    text = _written({"card": card})
    size = len(text.encode())
    if size <= most:
        return text
    original = {"bytes": size, "whole": hashlib.sha256(text.encode()).hexdigest()}
    if _leave_picture(card):
        text = _written({"card": card, **original})
    room = most
    while len(text.encode()) > most:
        room //= 2
        text = _written({"card": _cut_card(card, room), **original})
    return text


def _leave_picture(card: dict[str, Any]) -> bool:
    """Leave a picture out whole: the half of one is none."""
    body = card["body"]
    if not body.get("picture"):
        return False
    body["picture"] |= {"mime": None, "data": "", "boxes": [], "lacks": _NO_ROOM}
    return True


def read_kept(text: str) -> Kept:
    """What was kept; raise where that is no card."""
    try:
        members = json.loads(text)
        card = Card.model_validate_json(_written(members["card"]))
        whole = str(members.get("whole", ""))
        return Kept(card, int(members.get("bytes", len(text.encode()))), whole)
    except (ValidationError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise AssentError(_UNREAD) from None


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cut_card(card: dict[str, Any], room: int) -> dict[str, Any]:
    """The body has most of the room, and takes none from what is said beside it."""
    beside = _Room(room // 4)
    return {
        name: _Room(room - room // 4).cut(value) if name == "body" else beside.cut(value)
        for name, value in card.items()
    }


@define
class _Room:
    """So many letters may still be taken."""

    left: int

    def cut(self, value: Any) -> Any:
        """As much of a value as there is room for."""
        if isinstance(value, str):
            text = value[: max(_MIN_CUT_LETTERS, self.left)]
            self.left -= len(json.dumps(text))
            return text
        if isinstance(value, list):
            return self._some(value)
        if isinstance(value, dict):
            self.left -= sum(map(len, value)) + 4 * len(value)
            return {name: self.cut(member) for name, member in value.items()}
        return value

    def _some(self, values: list[Any]) -> list[Any]:
        cut_values = []
        for value in values:
            if self.left <= 0:
                break
            cut_values.append(self.cut(value))
        return cut_values
