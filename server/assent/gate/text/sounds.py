"""The kind of a sound, by its bytes alone; only kinds that an editor plays."""

import base64
import binascii
from typing import Final

from assent.gate.values import field, frozen

__all__ = ["MAX_SOUND_BYTES", "Sound", "sound_from", "sound_in"]

MAX_SOUND_BYTES: Final = 1 << 20
"""In bytes, of a sound that stands in a chat."""
_MAX_LETTERS: Final = MAX_SOUND_BYTES * 4 // 3 + 4
_SYNC, _LAYER, _THIRD = 0xFF, 0xE6, 0xE2
"""How a stream of MP3 begins that has no tag: eleven bits, and the layer."""


@frozen(kw_only=True)
class Sound:
    """A sound, in one of the kinds that are played."""

    mime: str
    data: str = field(repr=False)
    """Its bytes, in base64."""


def sound_in(raw: bytes) -> str | None:
    """The type of the sound that these bytes are; None where they are none that is played.

    >>> sound_in(b"fLaC"), sound_in(b"<svg/>")
    ('audio/flac', None)
    """
    if raw[:4] == b"RIFF" and raw[8:12] == b"WAVE":
        return "audio/wav"
    if raw.startswith(b"OggS"):
        return "audio/ogg"
    if raw.startswith(b"fLaC"):
        return "audio/flac"
    return "audio/mpeg" if raw.startswith(b"ID3") or _is_frame(raw) else None


def sound_from(data: object) -> Sound | None:
    """A sound in base64, as somebody else gives it; None where it is none, or too large."""
    if not isinstance(data, str) or len(data) > _MAX_LETTERS:
        return None
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    mime = sound_in(raw) if len(raw) <= MAX_SOUND_BYTES else None
    # Written anew, so that what is passed on is what was looked at.
    return None if mime is None else Sound(mime=mime, data=base64.b64encode(raw).decode())


def _is_frame(raw: bytes) -> bool:
    return len(raw) > 1 and raw[0] == _SYNC and raw[1] & _LAYER == _THIRD
