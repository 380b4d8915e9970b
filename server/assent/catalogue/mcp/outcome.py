"""The result of a call, as a server answered: text, pictures and sounds, up to a bound."""

import json
from collections.abc import Iterator
from typing import Any, Final

from assent.catalogue.mcp.sdk import types
from assent.gate.text.redactor import Redactor
from assent.gate.text.shortening import shortened
from assent.gate.text.sounds import Sound, sound_from

__all__ = ["outcome_of"]

NOTHING: Final = Redactor()
_MAX_TEXT_LETTERS: Final = 2_000_000
"""So many letters are passed on at most; a model is given far fewer."""
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
_MAX_PICTURES: Final = 4
_MAX_SOUNDS: Final = 4
_MAX_PICTURE_LETTERS: Final = 5_000_000
"""In letters of base64."""


def outcome_of(result: types.CallToolResult, clean: Redactor = NOTHING) -> dict[str, Any]:
    """The outcome, as the hub tells it, without the secrets that `clean` takes out."""
    images = [content for content in result.content if _is_shown(content)][:_MAX_PICTURES]
    contents = [(content, _sound(content)) for content in result.content]
    sounds = [sound for _, sound in contents if sound is not None][:_MAX_SOUNDS]
    has_words = any(map(_is_said, result.content))
    rest = (
        (_cleaned(content, clean), sound) for content, sound in contents if content not in images
    )
    texts = [text for content, sound in rest for text in _texts(content, sound, sounds)]
    if result.structured_content is not None and not has_words:
        texts.insert(0, json.dumps(result.structured_content, ensure_ascii=False, indent=1))
    return {
        "text": shortened(clean("\n\n".join(texts)), _MAX_TEXT_LETTERS),
        "has_words": has_words or result.structured_content is not None,
        "failed": bool(result.is_error),
        "images": [
            {"mime": image.mime_type, "data": image.data}
            for image in images
            if isinstance(image, types.ImageContent)
        ],
        "sounds": [sound.data for sound in sounds],
    }


def _cleaned(content: Any, clean: Redactor) -> Any:
    """A link without secrets: of a long one only the beginning is told."""
    if isinstance(content, types.ResourceLink):
        name, uri = clean(content.name), clean(str(content.uri))
        return content.model_copy(update={"name": name, "uri": uri})
    return content


def _is_shown(content: Any) -> bool:
    return (
        isinstance(content, types.ImageContent)
        and content.mime_type in _PICTURES
        and len(content.data) <= _MAX_PICTURE_LETTERS
    )


def _sound(content: Any) -> Sound | None:
    return sound_from(content.data) if isinstance(content, types.AudioContent) else None


def _is_said(content: Any) -> bool:
    """Whether it is the server's own word, and not only ours for what it gave."""
    match content:
        case types.TextContent() | types.ResourceLink():
            return True
        case types.EmbeddedResource(resource=types.TextResourceContents()):
            return True
        case _:
            return False


def _texts(content: Any, sound: Sound | None, played: list[Sound]) -> Iterator[str]:
    match content:
        case types.TextContent(text=text):
            yield text
        case _ if sound is not None:
            is_played = any(sound_played is sound for sound_played in played)
            why = "the person alone can hear" if is_played else "is one too many to be played"
            yield f"[a sound, {sound.mime}, which {why}]"
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
