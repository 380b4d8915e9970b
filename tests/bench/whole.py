"""The whole server with its own gate, desk, journal and board; only the agent is played.

An agent that asks again at once is what keeps it busiest. A round puts three rows on the disk:
that a call was asked about, how it was decided, and how the one before it ended.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from assent.editor.lsp.connection import AssentServer, House
from assent.editor.protocol import chats
from assent.editor.window.server import Window, open_window
from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.journal.events import ChatOpened
from assent.gate.passage import Ended

__all__ = ["compose"]

_AGENT: Final = AgentId("eliza")
_COMMAND: Final = "git fetch origin && npm run build -- --mode production 2>&1 | tee build.log"


@asynccontextmanager
async def compose(server: AssentServer) -> AsyncIterator[House]:
    """A house that puts calls through its gate as fast as they are allowed."""
    async with open_window(server) as window:
        yield House(
            handlers={
                "agent/prompt": _Agent(window).prompt,
                "tool/approvalResponse": window.rules.answers.respond,
            }
        )


class _Agent:
    def __init__(self, window: Window) -> None:
        self._window = window

    async def prompt(self, params: chats.Prompt) -> chats.TurnEnd:
        """Want one call after the other, each as soon as the one before it has run."""
        chat = ChatId(params.chat_id)
        self._window.run.board.tell(ChatOpened(chat=chat, agent=_AGENT, mode=Mode.ASK))
        for number in range(int(params.text)):
            passage = await self._window.rules.gate.admit(_call(chat, number), _run)
            if passage.ended is None:
                raise AssertionError("a call that was allowed did not run")
        return chats.TurnEnd(reason="done", because="")


async def _run(_: Call, __: Settlement) -> Ended:
    return Ended(state=State.SUCCEEDED)


def _call(chat: ChatId, number: int) -> Call:
    return Call(
        id=CallId(f"call-{number}"),
        chat=chat,
        agent=_AGENT,
        tool="shell",
        effect=Effect.EXECUTE,
        input={"command": _COMMAND},
        cwd="/projects/shop",
    )
