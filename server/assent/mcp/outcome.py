"""What came of a call, as a server answered: a text, pictures, sounds, and no more than fits."""

import json
from collections.abc import Iterator
from typing import Any, Final

from assent.mcp.sdk import types
from assent.text.shortening import shortened
from assent.text.sounds import Sound, sound_from

__all__ = ["outcome_of"]

_LONGEST: Final = 2_000_000
"""So many letters are passed on at most; a model is given far fewer."""
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
_MOST_PICTURES: Final = 4
_MOST_SOUNDS: Final = 4
_LARGEST_PICTURE: Final = 5_000_000
"""In letters of base64."""


def outcome_of(result: types.CallToolResult) -> dict[str, Any]:
    """The outcome, as the hub tells it."""
    images = [it for it in result.content if _is_shown(it)][:_MOST_PICTURES]
    sounds = list(filter(None, map(_sound, result.content)))[:_MOST_SOUNDS]
    texts = [text for it in result.content if it not in images for text in _texts(it)]
    if result.structured_content is not None and not texts:
        texts = [json.dumps(result.structured_content, ensure_ascii=False, indent=1)]
    return {
        "text": shortened("\n\n".join(texts), _LONGEST),
        "failed": bool(result.is_error),
        "images": [
            {"mime": it.mime_type, "data": it.data}
            for it in images
            if isinstance(it, types.ImageContent)
        ],
        "sounds": [it.data for it in sounds],
    }


def _is_shown(content: Any) -> bool:
    return (
        isinstance(content, types.ImageContent)
        and content.mime_type in _PICTURES
        and len(content.data) <= _LARGEST_PICTURE
    )


def _sound(content: Any) -> Sound | None:
    return sound_from(content.data) if isinstance(content, types.AudioContent) else None


def _texts(content: Any) -> Iterator[str]:
    match content:
        case types.TextContent(text=text):
            yield text
        case types.AudioContent() if (sound := _sound(content)) is not None:
            yield f"[a sound, {sound.mime}, which the person alone can hear]"
        case types.ImageContent(mime_type=mime) | types.AudioContent(mime_type=mime):
            yield f"[{mime[:80]}, which is not shown]"
        case types.ResourceLink(uri=uri, name=name):
            yield f"[{name[:200]}: {str(uri)[:2_000]}]"
        case types.EmbeddedResource(resource=types.TextResourceContents(text=text)):
            yield text
        case types.EmbeddedResource(resource=resource):
            yield f"[{str(resource.uri)[:2_000]}, which is no text]"
        case _:
            yield "[something of a kind that nobody here knows]"
