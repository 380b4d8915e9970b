"""An editor in which nothing is typed."""

from assent.gate.disk.buffers import Buffer, Buffers
from assent.gate.disk.places import Places

__all__ = ["nothing_typed"]


def nothing_typed() -> Buffers:
    """Buffers that stay empty."""

    async def apply(_: Buffer, __: str) -> bool:
        raise AssertionError("nothing is typed, so nothing is changed in the editor")

    return Buffers(lambda: Places(roots=(), home="/"), apply)
