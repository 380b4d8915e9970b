"""What is measured on our side: the real transport, a real card, and the real journal."""

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from assent.editor.lsp.connection import AssentServer, House
from assent.editor.protocol import approvals, chats, happenings
from assent.gate.journal.journal import Entry, Journal

__all__ = ["compose"]


@asynccontextmanager
async def compose(server: AssentServer) -> AsyncIterator[House]:
    """A house that opens tickets and streams text as fast as it is answered."""
    state = Path(os.environ["ASSENT_STATE_DIR"])
    journal = Journal(state / "bench.db", "bench", lambda: time.time_ns() // 1_000_000)
    rooms = _Rooms(server, journal)
    yield House(handlers={"agent/prompt": rooms.prompt, "tool/approvalResponse": rooms.answer})
    journal.close()


class _Rooms:
    def __init__(self, server: AssentServer, journal: Journal) -> None:
        self._wire = server.wire
        self._journal = journal
        self._is_durable = False
        self._waiting: dict[str, asyncio.Future[str]] = {}
        told = json.loads(Path(os.environ["ASSENT_BENCH_CARD"]).read_bytes())
        self._first = approvals.ApprovalRequest.model_validate(told)

    async def prompt(self, params: chats.Prompt) -> chats.TurnEnd:
        word, _, count = params.text.partition(" ")
        done = await getattr(self, f"_{word}")(int(count))
        return chats.TurnEnd(reason="done", because=done)

    async def answer(self, params: approvals.ApprovalResponse) -> approvals.Receipt:
        waiting = self._waiting.get(params.approval_id)
        if waiting is None or params.digest != self._first.digest or params.revision != 1:
            return approvals.Unknown(because="There is no such ticket.")
        if self._is_durable:
            body = {"ticket": params.approval_id, "outcome": "allowed", "by": "user"}
            await self._journal.keep(Entry(kind="decided", chat=params.chat_id, body=body))
        waiting.set_result(params.option_id)
        return approvals.Applied(outcome="allowed", by="user", because="You allowed it.")

    async def _bare(self, count: int) -> str:
        for number in range(count):
            await self._ask(number)
        return ""

    async def _durable(self, count: int) -> str:
        self._is_durable = True
        await self._bare(count)
        self._is_durable = False
        return ""

    async def _ask(self, number: int) -> str:
        ticket = f"a{number:06}"
        waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting[ticket] = waiting
        first = self._first
        request = approvals.ApprovalRequest(
            epoch=first.epoch,
            seq=number,
            approval_id=ticket,
            chat_id=first.chat_id,
            call_id=first.call_id,
            revision=1,
            digest=first.digest,
            card=first.card,
            asked_at=first.asked_at,
            now=first.now,
            expires_at=first.expires_at,
        )
        self._wire.notify("tool/approvalRequest", request)
        answer = await waiting
        del self._waiting[ticket]
        return answer

    async def _stream(self, count: int) -> str:
        text = "a few words of what an agent says "
        for number in range(count):
            # Not `stream`, which loses some where the reader gets no processor: each is counted.
            self._wire.notify("agent/event", _event(number, text))
            if number % 100 == 99:
                await asyncio.sleep(0)
        return ""

    async def _flood(self, size: int) -> str:
        """Stream that many bytes; the longest time in ms that the loop did not get around."""
        ticks = _Ticks()
        text = "x" * 1000
        for number in range(size // len(text)):
            self._wire.stream("agent/event", _event(number, text))
            await asyncio.sleep(0)
        await asyncio.sleep(1)
        return str(ticks.end())


class _Ticks:
    """Every 5 ms, for as long as the loop gets around to it."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._longest = 0.0
        self._next = asyncio.get_running_loop().call_later(0.005, self._tick)

    def end(self) -> float:
        """The longest time between two, in ms."""
        self._next.cancel()
        return self._longest * 1000

    def _tick(self) -> None:
        now = time.perf_counter()
        self._longest = max(self._longest, now - self._last)
        self._last = now
        self._next = asyncio.get_running_loop().call_later(0.005, self._tick)


def _event(number: int, text: str) -> happenings.AgentEvent:
    said = happenings.SaidMore(who="agent", message_id="m1", append=text)
    return happenings.AgentEvent(epoch="e1", seq=number, chat_id="c1", event=said)
