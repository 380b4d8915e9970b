"""The real house, which tells on the side channel what it has loaded."""

import ctypes
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import evolve

import assent
from assent.editor.lsp.connection import AssentServer, House
from assent.editor.protocol import chats
from assent.editor.window import server as whole

__all__ = ["compose"]

_PR_GET_DUMPABLE = 3


@asynccontextmanager
async def compose(server: AssentServer) -> AsyncIterator[House]:
    """Tells it when it is asked to stop."""

    def tell(_: chats.ChatRef) -> chats.Nothing:
        loaded = {name.partition(".")[0] for name in sys.modules}
        loaded |= {name for name in sys.modules if name.startswith("assent.telemetry")}
        os.write(int(os.environ["ASSENT_TEST_SIDE"]), f"{' '.join(sorted(loaded))}\n".encode())
        return chats.Nothing()

    def private(_: chats.Nothing) -> chats.AgentList:
        dumpable = ctypes.CDLL(None).prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)
        os.write(int(os.environ["ASSENT_TEST_SIDE"]), f"dumpable {dumpable}\n".encode())
        return chats.AgentList(agents=[])

    def where(_: chats.ChatRef) -> chats.Nothing:
        os.write(int(os.environ["ASSENT_TEST_SIDE"]), f"runs {assent.__path__[0]}\n".encode())
        return chats.Nothing()

    async with whole.compose(server) as house:
        of_ours = {"agent/stop": tell, "agent/list": private, "agent/closeChat": where}
        yield evolve(house, handlers={**house.handlers, **of_ours})
