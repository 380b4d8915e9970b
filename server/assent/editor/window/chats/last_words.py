"""The person's last message, complete, however many entries of a transcript it takes.

What is long goes on in entries of its own, which are called after the message and their place.
"""

from collections.abc import Sequence
from typing import Final

from assent.agent.tools.folder_view import plainly
from assent.editor.protocol import chats
from assent.editor.protocol.agents import Picture
from assent.gate.text.shortening import shortened
from assent.gate.values import frozen

__all__ = ["LastWords", "last_words"]

_GOES_ON: Final = "+"
_MAX_NAMES_LETTERS: Final = 400
"""In letters: so much is said of what was named."""


@frozen(kw_only=True)
class LastWords:
    """One message of the person, and what is not said again with it."""

    text: str
    names: tuple[str, ...] = ()
    pictures: int = 0

    @property
    def left_out(self) -> str:
        """That what went with it is not said again; nothing where nothing did."""
        pictures = "a picture" if self.pictures == 1 else f"{self.pictures} pictures"
        named = [*map(plainly, self.names), *([pictures] if self.pictures else [])]
        listed = shortened(", ".join(named), _MAX_NAMES_LETTERS)
        return f"What was named beside it is not said again: {listed}." if named else ""


def last_words(items: Sequence[chats.Item]) -> LastWords | None:
    """The last of them; None where they, or their beginning, are not in these entries."""
    for at in range(len(items) - 1, -1, -1):
        item = items[at]
        if isinstance(item, chats.Said) and item.kind == "user" and item.text:
            return _whole(items, at)
    return None


def _whole(items: Sequence[chats.Item], last: int) -> LastWords | None:
    pieces = list[chats.Said]()
    for item in reversed(items[: last + 1]):
        if not isinstance(item, chats.Said) or item.kind != "user":
            return None
        message, goes_on, _ = item.message_id.partition(_GOES_ON)
        if pieces and message != pieces[0].message_id.partition(_GOES_ON)[0]:
            return None
        pieces.insert(0, item)
        if not goes_on:
            shown = [
                picture
                for picture in items[last + 1 :]
                if isinstance(picture, Picture) and picture.is_own
            ]
            return LastWords(
                text="".join(piece.text for piece in pieces),
                names=tuple(item.references),
                pictures=len(shown),
            )
    return None
