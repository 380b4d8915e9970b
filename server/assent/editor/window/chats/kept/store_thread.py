"""The thread that reads and writes the file of the chats."""

from collections.abc import Callable
from typing import TypeVar

from assent.agent.chats.chats_file import ChatsUnkept, trouble_in
from assent.gate.call.errors import AssentError
from assent.gate.journal.writer_thread import WriterThread
from assent.gate.values import define, field

__all__ = ["Result", "StoreThread"]

Result = TypeVar("Result")


@define(eq=False)
class StoreThread:
    """One for each window."""

    _writer_thread: WriterThread = field(factory=WriterThread, init=False)

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Have something done in the store's thread."""
        return await self._writer_thread.ask(work)

    async def asked(self, work: Callable[[], Result]) -> Result:
        """Have something done for a person who waits: what goes wrong is one sentence."""
        try:
            return await self.ask(work)
        except AssentError as error:
            if not isinstance(error, ChatsUnkept):
                raise
            why = str(error)
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is told
            why = trouble_in(error)
        raise AssentError(f"What is kept of chats cannot be used: {why!s}.")
