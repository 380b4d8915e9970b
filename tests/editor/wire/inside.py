"""The whole server in the test's own process, so that what it holds in memory can be looked at.

It is the house that is shipped, on a real pipe whose other end reads everything; what it asks of
the editor is answered. A test calls the handlers of `METHODS` and looks at what is behind them.
"""

import asyncio
import json
import os
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from attrs import define, field
from pydantic import TypeAdapter

from assent.editor.lsp.connection import AssentServer, House
from assent.editor.lsp.frames import Frames, framed
from assent.editor.protocol.methods import BY_NAME
from assent.editor.window.server import Window, house_of, open_window
from editor.wire.client import opening
from editor.wire.editor import Editor

__all__ = ["Inside", "inside"]

_KEPT = 2_000


@define(eq=False, repr=False)
class Inside:
    """One window, from within."""

    server: AssentServer
    built: Window
    house: House
    folder: Path
    editor: Editor
    told: deque[dict[str, Any]] = field(factory=lambda: deque(maxlen=_KEPT))
    """The last messages that the editor read."""
    longest: int = 0
    """The longest body of a message that the editor read."""
    _came: asyncio.Event = field(factory=asyncio.Event)

    async def ask(self, method: str, **params: Any) -> Any:
        """Ask as an editor does, by the shapes of the table."""
        read = TypeAdapter(BY_NAME[method].params).validate_python
        answer: Any = self.house.handlers[method](read(params, by_alias=True, by_name=False))
        return await answer if asyncio.iscoroutine(answer) else answer

    async def chat(self, agent: str = "assent", mode: str = "auto") -> str:
        """Open a chat."""
        opened = await self.ask("agent/newChat", agentId=agent, mode=mode)
        # Over a pipe nothing can be said in it before the loop has gone round.
        await asyncio.sleep(0)
        return str(opened.chat_id)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds after something that was told."""
        async with asyncio.timeout(20):
            while not holds():
                self._came.clear()
                await self._came.wait()

    def hear(self, body: bytes) -> None:
        """Read one message of the server, and answer it where it asks."""
        self.longest = max(self.longest, len(body))
        message = json.loads(body)
        self.told.append(message)
        self._came.set()
        if "method" in message and "id" in message:
            row = BY_NAME.get(message["method"])
            head = {"jsonrpc": "2.0", "id": message["id"]}
            if row is None:
                answer = {**head, "error": {"code": -32601, "message": "not here"}}
            else:
                params = TypeAdapter(row.params).validate_python(message.get("params") or {})
                told = self.editor.answer(params).model_dump(mode="json", by_alias=True)
                answer = {**head, "result": told}
            self.server.protocol.feed(framed(json.dumps(answer).encode()))


@asynccontextmanager
async def inside(home: Path, editor: Editor) -> AsyncIterator[Inside]:
    """A window on an empty folder below `home`, whose settings have been read."""
    folder = home / "workspace"
    folder.mkdir()
    (folder / "README.md").write_text("A small workspace.\n", encoding="utf-8")
    reading, writing = os.pipe()
    server = AssentServer(frames=Frames(), writer=writing)
    server.welcome({"id": 1, "params": opening([folder.as_uri()], {"clientFeatures": []})})
    async with open_window(server) as built:
        house = house_of(built)
        window = Inside(server=server, built=built, house=house, folder=folder, editor=editor)
        listener = asyncio.ensure_future(_listen(reading, window))
        server.serve(house)
        await built.begin(None)
        yield window
        server.protocol.end(0, "The test is over.")
        await server.protocol.finish()
    server._outbox.close()
    await listener


async def _listen(reading: int, window: Inside) -> None:
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", 0)
    )
    frames = Frames()
    while data := await reader.read(64 * 1024):
        for body in frames.feed(data):
            window.hear(body)
    transport.close()
