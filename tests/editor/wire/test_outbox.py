"""What waits for an editor is bounded, and nothing is lost that there is room for."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from assent.editor.lsp.outbox import Limits, Outbox
from editor.wire.client import PATIENCE

LIMITS = Limits(frames=4, size=100_000, most=1_000_000)


class Editor:
    """Reads what is sent, when it is told to."""

    def __init__(self) -> None:
        self._fd, writes = os.pipe()
        os.set_blocking(self._fd, False)
        self.lost: list[int] = []
        self.broken: list[str] = []
        self.outbox = Outbox(
            writes, caught_up=self.lost.append, broken=self.broken.append, limits=LIMITS
        )

    async def reads(self, count: int) -> bytes:
        """So many bytes."""
        came = bytearray()
        readable = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._fd, readable.set)
        try:
            async with asyncio.timeout(PATIENCE):
                while len(came) < count:
                    await readable.wait()
                    readable.clear()
                    with suppress(BlockingIOError):
                        came += os.read(self._fd, count - len(came))
        finally:
            loop.remove_reader(self._fd)
        return bytes(came)

    def leave(self) -> None:
        self.outbox.close()
        os.close(self._fd)


@pytest.fixture
async def editor() -> AsyncIterator[Editor]:
    editor = Editor()
    yield editor
    editor.leave()


async def test_a_frame_of_any_size_is_sent_where_nothing_else_waits(editor: Editor) -> None:
    editor.outbox.offer(b"x" * 400_000)
    assert await editor.reads(400_000) == b"x" * 400_000
    assert (editor.lost, editor.broken) == ([], [])


async def test_behind_a_large_frame_others_are_lost_until_it_is_gone(editor: Editor) -> None:
    editor.outbox.offer(b"x" * 400_000)
    editor.outbox.offer(b"lost")
    editor.outbox.offer(b"y" * 400_000)
    editor.outbox.put(b"kept")
    assert (await editor.reads(400_004))[-4:] == b"kept"
    await editor.outbox.drained()
    assert editor.lost == [2]
    editor.outbox.offer(b"again")
    assert await editor.reads(5) == b"again"


async def test_what_would_leave_no_room_for_what_may_not_be_lost_is_lost(editor: Editor) -> None:
    editor.outbox.offer(b"x" * 500_001)
    editor.outbox.put(b"y" * 600_000)
    assert await editor.reads(600_000) == b"y" * 600_000
    await editor.outbox.drained()
    assert (editor.lost, editor.broken) == ([1], [])
