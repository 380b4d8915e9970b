"""Sounds that are what they say, made here and small."""

import math
import struct
import wave
from io import BytesIO

__all__ = ["wav"]

_RATE = 8_000


def wav(seconds: float = 0.2) -> bytes:
    """A tone, whole."""
    file = BytesIO()
    count = int(_RATE * seconds)
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(1)
        written.setframerate(_RATE)
        tone = (int(128 + 60 * math.sin(at * 440 * math.tau / _RATE)) for at in range(count))
        written.writeframes(struct.pack(f"{count}B", *tone))
    return file.getvalue()
