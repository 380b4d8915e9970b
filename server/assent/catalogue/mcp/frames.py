"""The messages between the server and its hub: a length, then that many bytes of JSON."""

import asyncio
from typing import Any, Final

import orjson

from assent.gate.call.errors import AssentError

__all__ = ["MAX_FRAME_BYTES", "FrameBroken", "frame", "read"]

MAX_FRAME_BYTES: Final = 40 * 1024 * 1024
"""In bytes: four large pictures, and a text of which each letter takes six."""
_HEAD_BYTES: Final = 4


class FrameBroken(AssentError):
    """What came is no frame."""


def frame(message: dict[str, Any]) -> bytes:
    """A message as it is sent; raises `FrameBroken` where the other end would not take it."""
    try:
        body = orjson.dumps(message)
    except TypeError as error:
        raise FrameBroken("It is nested too deeply, or holds what is no JSON.") from error
    if len(body) > MAX_FRAME_BYTES:
        raise FrameBroken(f"It is longer than {MAX_FRAME_BYTES} bytes.")
    return len(body).to_bytes(_HEAD_BYTES, "big") + body


async def read(stream: asyncio.StreamReader) -> dict[str, Any] | None:
    """The next message; None where nothing comes any more."""
    try:
        length = int.from_bytes(await stream.readexactly(_HEAD_BYTES), "big")
        if length > MAX_FRAME_BYTES:
            raise FrameBroken(f"It is longer than {MAX_FRAME_BYTES} bytes.")
        message = orjson.loads(await stream.readexactly(length))
    except asyncio.IncompleteReadError:
        return None
    except orjson.JSONDecodeError as error:
        raise FrameBroken("It is no JSON.") from error
    if not isinstance(message, dict):
        raise FrameBroken("It is no object.")
    return message
