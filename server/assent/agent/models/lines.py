"""Cuts a host's stream into lines, and lines into events, wherever the network cut it.

Lines are cut before they are decoded, so that a letter of several bytes is never torn, and have
bounds. Of server-sent events only the data are read, in these few lines instead of a library:
names, ids and reconnection have no use here.
"""

from collections.abc import AsyncGenerator, AsyncIterable
from typing import Final

from assent.agent.models.host_errors import Garbled

__all__ = ["data_of", "lines"]

_MAX_LINE_BYTES: Final = 2 * 1024 * 1024
_MAX_REPLY_BYTES: Final = 32 * 1024 * 1024
"""The most bytes that one line, and one reply, may have."""
_BOM: Final = b"\xef\xbb\xbf"


async def lines(
    pieces: AsyncIterable[bytes], *, longest: int = _MAX_LINE_BYTES, most: int = _MAX_REPLY_BYTES
) -> AsyncGenerator[bytes, None]:
    """Each line without its end; the last one may have none."""
    held = bytearray()
    taken = 0
    async for piece in pieces:
        taken += len(piece)
        if taken > most:
            raise Garbled(f"it is longer than {most // 1024**2} MB")
        *whole, rest = piece.split(b"\n")
        for line in whole:
            held += line
            _bound(held, longest)
            yield bytes(held).removesuffix(b"\r")
            held.clear()
        held += rest
        _bound(held, longest)
    if held:
        yield bytes(held).removesuffix(b"\r")


async def data_of(cut: AsyncIterable[bytes]) -> AsyncGenerator[bytes, None]:
    """The data of each event; what follows the last blank line counts as well."""
    data: list[bytes] = []
    spread: list[bytes] = []
    first = True
    async for line in cut:
        read = line.removeprefix(_BOM) if first else line
        first = False
        if spread or _opens(read):
            spread.append(read)
            continue
        if not read and data:
            yield b"\n".join(data)
            data = []
        if read.startswith(b"{"):
            # A host that does not stream, or refuses to, answers with its JSON alone.
            yield read
        # A line that begins with a colon is a comment, such as hosts send to keep a line warm.
        name, _, value = read.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
    if data:
        yield b"\n".join(data)
    if spread:
        yield b"\n".join(spread)


def _opens(line: bytes) -> bool:
    """Whether a JSON object begins here that goes on in the lines behind it."""
    return line.startswith(b"{") and not line.rstrip().endswith(b"}")


def _bound(held: bytearray, longest: int) -> None:
    if len(held) > longest:
        raise Garbled(f"a line of it is longer than {longest // 1024**2} MB")
