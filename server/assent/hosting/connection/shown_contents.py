"""Contents that an agent shows beside plain text: pictures, sounds, files, links.

A picture or a sound is known by its bytes, never by the type that the agent gives it, and is shown
only within bounds; whatever is not shown leaves a line that says what it was. A link is a text.
"""

import base64
import binascii
from typing import Any, Final

from assent.gate.journal.agent_events import Image, Shown
from assent.gate.text.animation import moves
from assent.gate.text.pictures import picture_in
from assent.gate.text.sounds import sound_from
from assent.gate.values import define, field

__all__ = ["MAX_DATA_LETTERS", "Contents", "pieces_of", "shown_in", "text_of_block"]

MAX_DATA_LETTERS: Final = (1 << 20) * 4 // 3 + 4
"""In letters: a picture of a mebibyte."""
_MAX_LABEL_LETTERS: Final = 300
_UNSHOWN: Final = "[a picture that is not shown: it is no PNG, JPEG, WebP or GIF, or too large]"
_UNHEARD: Final = "[a sound that is not played: it is no WAV, MP3, Ogg or FLAC, or too large]"


def text_of_block(block: object) -> str | Shown:
    """What is to be shown of one block of content.

    >>> text_of_block({"type": "resource_link", "name": "plan", "uri": "file:///a/plan.md"})
    '[plan: file:///a/plan.md]'
    >>> text_of_block({"type": "audio", "data": "ZkxhQw=="})
    Sound(mime='audio/flac')
    """
    block = block if isinstance(block, dict) else {}
    kind = block.get("type")
    if kind == "image":
        return _image_in(block) or _UNSHOWN
    if kind == "audio":
        return sound_from(block.get("data")) or _UNHEARD
    if kind == "resource_link":
        return f"[{_label(block.get('title') or block.get('name'))}: {_label(block.get('uri'))}]"
    if kind == "resource":
        return _resource(block.get("resource"))
    text = block.get("text")
    if isinstance(text, str):
        return text
    return f"[{_label(kind) or 'something that is not text'}]"


def pieces_of(content: object) -> list[str | Shown]:
    """What is to be shown of each of a tool call's contents."""
    return [*map(text_of_block, _blocks(content))]


def shown_in(content: object) -> list[Shown]:
    """The pictures and sounds of a tool call's contents that can be shown."""
    return [piece for piece in pieces_of(content) if not isinstance(piece, str)]


@define
class Contents:
    """What a call shows: looked at once, and not at each word about it."""

    _content: object = None
    _pieces: list[str | Shown] = field(factory=list)

    def texts(self, whole: dict[str, Any]) -> list[str]:
        """The texts among it."""
        return [piece for piece in self._of(whole) if isinstance(piece, str)]

    def media(self, whole: dict[str, Any]) -> list[Shown]:
        """The pictures and sounds among it."""
        return [piece for piece in self._of(whole) if not isinstance(piece, str)]

    def _of(self, whole: dict[str, Any]) -> list[str | Shown]:
        content = whole.get("content")
        if content is not self._content:
            self._content, self._pieces = content, pieces_of(content)
        return self._pieces


def _blocks(content: object) -> list[dict[str, Any]]:
    items = content if isinstance(content, list) else []
    blocks = [item.get("content") for item in items if isinstance(item, dict)]
    return [block for block in blocks if isinstance(block, dict)]


def _resource(resource: object) -> str:
    resource = resource if isinstance(resource, dict) else {}
    text = resource.get("text")
    if isinstance(text, str):
        return text
    return f"[a file: {_label(resource.get('uri'))}]"


def _label(text: object) -> str:
    return " ".join(text[:_MAX_LABEL_LETTERS].split()) if isinstance(text, str) else ""


def _image_in(block: dict[str, Any]) -> Image | None:
    data = block.get("data")
    if not isinstance(data, str) or len(data) > MAX_DATA_LETTERS:
        return None
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    picture = picture_in(raw)
    if picture is None:
        return None
    # Written anew, so that what is passed on is what was looked at.
    data = base64.b64encode(raw).decode()
    return Image(
        mime=picture.mime, data=data, width=picture.width, height=picture.height, moves=moves(raw)
    )
