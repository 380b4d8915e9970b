"""A real agent at a terminal of its own, where a person sits."""

import asyncio
import fcntl
import json
import os
import pty
import re
import struct
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from attrs import define, field

from hosting.real.fetch import fetched
from hosting.terminals.real import BOUND, Session

__all__ = ["Screen", "at_terminal"]

_ROWS, _COLUMNS = 40, 160
_STEERING: Final = re.compile(r"\x1b\[[0-9;?>]*[a-zA-Z]|\x1b\][^\x07]*\x07|[\x00-\x1f]")


@define(eq=False)
class Screen:
    """What it has shown so far, and the keys."""

    _master: int
    _shown: bytearray = field(factory=bytearray)
    _came: asyncio.Condition = field(factory=asyncio.Condition)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    async def shows(self, *words: str) -> None:
        """Wait until all these words were shown, whatever stands between them."""
        async with asyncio.timeout(BOUND), self._came:
            await self._came.wait_for(lambda: all(it in self.text for it in words))

    @property
    def text(self) -> str:
        """All that was shown, without what only moves and colours it, and without blanks."""
        return "".join(_STEERING.sub("", self._shown.decode("utf-8", "replace")).split())

    async def listen(self) -> None:
        """Take in what comes."""
        loop = asyncio.get_running_loop()
        while more := await _read(loop, self._master):
            async with self._came:
                self._shown += more
                self._came.notify_all()


async def _read(loop: asyncio.AbstractEventLoop, descriptor: int) -> bytes:
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(descriptor, lambda: ready.done() or ready.set_result(None))
    try:
        await ready
        return os.read(descriptor, 65_536)
    except OSError:
        return b""  # Nobody has the other end any more.
    finally:
        loop.remove_reader(descriptor)


def _trusted_by_claude(session: Session) -> None:
    home = session.home / "claude"
    home.mkdir(exist_ok=True)
    trust = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "bypassPermissionsModeAccepted": True,
        "customApiKeyResponses": {"approved": ["sk-ant-played"], "rejected": []},
        "projects": {str(session.folder): trust},
    }
    (home / ".claude.json").write_text(json.dumps(known), "utf-8")


@asynccontextmanager
async def at_terminal(session: Session, *words: str) -> AsyncIterator[Screen]:
    """An agent in a folder that the person trusts, started with these words."""
    if session.real.id == "claude":
        _trusted_by_claude(session)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
    process = await asyncio.create_subprocess_exec(
        str(fetched(session.real.id) / session.real.program),
        *words,
        cwd=session.folder,
        env={**session.env, "TERM": "xterm-256color"},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    screen = Screen(master)
    listening = asyncio.ensure_future(screen.listen())
    try:
        yield screen
    finally:
        process.kill()
        await process.wait()
        listening.cancel()
        await asyncio.wait([listening])
        os.close(master)
