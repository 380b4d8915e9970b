"""What an agent shows beside plain text: pictures, files, links to them; each as what it is.

A picture is known by its bytes, never by the type that the agent gives it, and is shown only
within bounds; whatever is not shown leaves a line that says what it was. A link is a text.
"""

import base64
import binascii
import struct
from typing import Any, Final

from assent.history.agentwords import Image

__all__ = ["LARGEST_DATA", "images_in", "text_of_block", "texts_in"]

LARGEST_DATA: Final = (1 << 20) * 4 // 3 + 4
"""In letters: a picture of a mebibyte."""
_MOST_SIDE: Final = 8_192
_MOST_AREA: Final = 16_000_000
"""In pixels: a small file can hold a picture that takes gigabytes to draw."""
_LONGEST_LABEL: Final = 300
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_MARK: Final = 0xFF
"""What each marker of a JPEG begins with."""
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The markers of a JPEG that say how large it is."""
_JPEG_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Those that have no length."""
_UNSHOWN: Final = "[a picture that is not shown: it is no PNG, JPEG or WebP, or too large]"


def text_of_block(block: object) -> str | Image:
    """What is to be shown of one block of content.

    >>> text_of_block({"type": "resource_link", "name": "plan", "uri": "file:///a/plan.md"})
    '[plan: file:///a/plan.md]'
    >>> text_of_block({"type": "audio", "data": "AAAA"})
    '[audio]'
    """
    block = block if isinstance(block, dict) else {}
    kind = block.get("type")
    if kind == "image":
        return _image_in(block) or _UNSHOWN
    if kind == "resource_link":
        return f"[{_label(block.get('title') or block.get('name'))}: {_label(block.get('uri'))}]"
    if kind == "resource":
        return _resource(block.get("resource"))
    text = block.get("text")
    if isinstance(text, str):
        return text
    return f"[{_label(kind) or 'something that is not text'}]"


def texts_in(content: object) -> list[str]:
    """The texts of a tool call's contents, its pictures left out."""
    return [it for it in map(text_of_block, _blocks(content)) if isinstance(it, str)]


def images_in(content: object) -> list[Image]:
    """The pictures of a tool call's contents that can be shown."""
    blocks = (it for it in _blocks(content) if it.get("type") == "image")
    return [it for it in map(text_of_block, blocks) if isinstance(it, Image)]


def _blocks(content: object) -> list[dict[str, Any]]:
    items = content if isinstance(content, list) else []
    blocks = [item.get("content") for item in items if isinstance(item, dict)]
    return [block for block in blocks if isinstance(block, dict)]


def _resource(told: object) -> str:
    told = told if isinstance(told, dict) else {}
    text = told.get("text")
    if isinstance(text, str):
        return text
    return f"[a file: {_label(told.get('uri'))}]"


def _label(text: object) -> str:
    return " ".join(text[:_LONGEST_LABEL].split()) if isinstance(text, str) else ""


def _image_in(block: dict[str, Any]) -> Image | None:
    data = block.get("data")
    if not isinstance(data, str) or len(data) > LARGEST_DATA:
        return None
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    found = _size_of(raw)
    if found is None:
        return None
    mime, width, height = found
    if not 0 < width <= _MOST_SIDE or not 0 < height <= _MOST_SIDE or width * height > _MOST_AREA:
        return None
    # Written anew, so that what is passed on is what was looked at.
    return Image(mime=mime, data=base64.b64encode(raw).decode(), width=width, height=height)


def _size_of(raw: bytes) -> tuple[str, int, int] | None:
    """Which kind of picture it is by its bytes, and how large it is drawn."""
    try:
        if raw.startswith(_PNG) and raw[12:16] == b"IHDR":
            return ("image/png", *struct.unpack(">II", raw[16:24]))
        if raw.startswith(b"\xff\xd8\xff"):
            return _jpeg(raw)
        if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
            return _webp(raw)
    except (struct.error, IndexError):
        return None
    return None


def _jpeg(raw: bytes) -> tuple[str, int, int] | None:
    at = 2
    while raw[at] == _MARK:
        marker = raw[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", raw[at + 5 : at + 9])
            return "image/jpeg", width, height
        # Fill bytes stand for nothing; some markers have no length.
        step = 1 if marker == _MARK else 2
        if marker != _MARK and marker not in _JPEG_BARE:
            step += max(2, struct.unpack(">H", raw[at + 2 : at + 4])[0])
        at += step
    return None


def _webp(raw: bytes) -> tuple[str, int, int] | None:
    kind = raw[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(raw[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8 ":
        width, height = (it & 0x3FFF for it in struct.unpack("<HH", raw[26:30]))
    elif kind == b"VP8L":
        bits = int.from_bytes(raw[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        return None
    return "image/webp", width, height
