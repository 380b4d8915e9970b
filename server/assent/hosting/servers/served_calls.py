"""The calls that an agent makes of server tools through us: each is ruled on, and run, here.

One that the agent's hook was handed, or that it asked for, is joined to that: it is one question,
and what was allowed there lets one call run, the very same and of the very same tool. Every other
passes the gate as it comes. Nothing that an agent says of a call is taken for an answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from assent.catalogue.mcp.frames import MAX_FRAME_BYTES
from assent.catalogue.mcp.server_requests import ServerRequest
from assent.catalogue.nodes.catalogue import Catalogue, Seen
from assent.catalogue.nodes.source import NodeFailed, Outcome, ReportProgress
from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import Call, CallId
from assent.gate.call.errors import AssentError
from assent.gate.call.lifecycle import State
from assent.gate.journal.agent_events import Shown
from assent.gate.passage import Ended
from assent.gate.values import define, field, frozen
from assent.hosting.connection.shown_contents import shown_in
from assent.hosting.hooks.gate_hook import MAX_SERVER_MESSAGE_BYTES
from assent.hosting.permission.calls import Reader
from assent.hosting.permission.coverage import Coverage
from assent.hosting.permission.in_flight import CallInFlight
from assent.hosting.permission.mcp_tool_names import ServerTool
from assent.hosting.permission.repliers import reason_of
from assent.hosting.permission.requests import MAX_OPEN_REQUESTS, STOPPED, Questions
from assent.hosting.permission.toolcall import Asking
from assent.hosting.permission.toolcalls import ToolCalls

__all__ = ["MAX_ARGUMENTS_BYTES", "NotRun", "ServedCalls", "Wanted"]

MAX_ARGUMENTS_BYTES: Final = MAX_SERVER_MESSAGE_BYTES // 4
"""In bytes: what the arguments of one call may have."""
_ROOM: Final = MAX_FRAME_BYTES
"""In bytes: what all calls of a session may hold that are open at once, as much as one message to
the hub may have."""
_LARGE: Final = f"Its arguments are larger than {MAX_ARGUMENTS_BYTES:,} bytes, so it was not run."
_FULL: Final = "Too many calls of this chat are open already, so it was not run. Try again later."
_CHANGED: Final = "It was changed, so it was not run."
_REFUSED: Final = "It was refused where it was asked about before."


class NotRun(AssentError):
    """Why a call was not run; a sentence for the model."""


@frozen(kw_only=True)
class Wanted:
    """A call as it came."""

    served: ServerTool
    call: str = ""
    """The agent's own id of it, where it tells one."""
    size: int = 0
    """In bytes: how large its arguments are."""


@define(eq=False)
class ServedCalls:
    """Those of one session."""

    _gate: Gate
    _nodes: Catalogue
    _questions: Questions
    _calls: ToolCalls
    _coverage: Coverage
    _reader: Callable[[], Reader]
    _flush: Callable[[], None]
    """Tells what was said so far, so that it stands before what happens next."""
    _printed: Callable[[CallId, str], None]
    _pictured: Callable[[CallId, Shown], None]
    _running: set[asyncio.Task[object]] = field(factory=set)
    _open: list[int] = field(factory=list)
    """How large each is that has come and has not ended, whichever server it is of."""

    async def run(self, wanted: Wanted, report_progress: ReportProgress) -> Outcome:
        """What comes of a call; raises `NotRun` where it was not let, and `NodeFailed`."""
        self._insist()
        with self._held(wanted.size):
            return await self._run(wanted, report_progress)

    @contextmanager
    def _held(self, size: int) -> Iterator[None]:
        """Have room for it until it has ended; raises `NotRun` where there is none."""
        if size > MAX_ARGUMENTS_BYTES:
            raise NotRun(_LARGE)
        if len(self._open) >= MAX_OPEN_REQUESTS or sum(self._open) + size > _ROOM:
            raise NotRun(_FULL)
        self._open.append(size)
        try:
            yield
        finally:
            self._open.remove(size)

    async def _run(self, wanted: Wanted, report_progress: ReportProgress) -> Outcome:
        seen = await self._looked(wanted.served)
        self._insist()
        before = self._questions.asked_for(wanted.served, seen.described, wanted.call)
        if before is not None:
            return await self._joined(before, wanted, seen, report_progress)
        return await self._ruled(wanted, seen, report_progress)

    async def _looked(self, served: ServerTool) -> Seen:
        """What the tool is by now; a stop breaks off what may take its server long."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- it is awaited
        self._running.add(task)
        try:
            return await self._nodes.look(served.name)
        finally:
            self._running.discard(task)

    def stop(self) -> None:
        """Break off what runs; what waits is refused where it waits."""
        for task in self._running:
            task.cancel()

    async def _carried(
        self, served: ServerTool, seen: Seen, report_progress: ReportProgress, call: Call
    ) -> Outcome:
        """What comes of a call that may run."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- it is awaited
        self._insist()
        self._running.add(task)
        try:
            asked = ServerRequest(self._gate.admit, call)
            return await asked.finish(
                self._nodes.run(seen.node, call, served.arguments, report_progress, asked.ask)
            )
        finally:
            self._running.discard(task)

    def _insist(self) -> None:
        if self._questions.is_over:
            raise NotRun(STOPPED)

    async def _joined(
        self, before: CallInFlight, wanted: Wanted, seen: Seen, report_progress: ReportProgress
    ) -> Outcome:
        """Run what was asked about before, once it was answered and if it was allowed."""
        before.is_used = True
        settlement = await asyncio.shield(before.settled)
        if settlement is None or before.request.asking is not Asking.ALLOWED:
            raise NotRun(_REFUSED if settlement is None else reason_of(settlement))
        # While its card was open its agent may have told of it again, as another call.
        call = before.call
        if call is None or not _is_about(call, wanted.served, seen):
            raise NotRun(_CHANGED)
        return await self._carried(wanted.served, seen, report_progress, call)

    async def _ruled(self, wanted: Wanted, seen: Seen, report_progress: ReportProgress) -> Outcome:
        """Have it ruled on, and run it if it may."""
        call = self._reader().read({**wanted.served.whole, "toolCallId": wanted.call})
        if call.described is None or call.described.digest != seen.described.digest:
            raise NotRun("Its server changed it in the meantime, so it was not run. Try again.")
        self._calls.serve(wanted.served)
        self._flush()
        self._coverage.ruled(wanted.served.name)
        running = _Running(
            wanted.served, partial(self._carried, wanted.served, seen, report_progress)
        )
        passage = await self._gate.admit(call, running.run)
        if passage.ended is None:
            raise NotRun(reason_of(passage.settlement))
        if running.outcome is None:
            raise NodeFailed(passage.ended.output)
        self._show(call.id, running.outcome)
        remark = passage.remark and f"\n\nThe person's hook says: {passage.remark}"
        return Outcome(
            text=running.outcome.text + remark,
            failed=running.outcome.failed,
            images=running.outcome.images,
        )

    def _show(self, call: CallId, outcome: Outcome) -> None:
        """Show a person what came of it, since no agent need tell that."""
        if outcome.text:
            self._printed(call, outcome.text)
        shown = [{"type": "image", "data": image.data} for image in outcome.images]
        for image in (*shown_in([{"content": content} for content in shown]), *outcome.sounds):
            self._pictured(call, image)


def _is_about(call: Call, served: ServerTool, seen: Seen) -> bool:
    """Whether what was let run is this very call, of the tool as it is."""
    if call.described is None:
        return False
    return call.described.digest == seen.described.digest and served.is_asked_by(call)


@define(eq=False)
class _Running:
    """One call, from its ruling on."""

    _served: ServerTool
    _carried: Callable[[Call], Awaitable[Outcome]]
    outcome: Outcome | None = None

    async def run(self, call: Call, _: Settlement) -> Ended:
        """Run it as it was ruled on."""
        if not self._served.is_asked_by(call):
            return Ended(state=State.FAILED, output=_CHANGED)
        try:
            came = await self._carried(call)
        except (NodeFailed, NotRun) as error:
            return Ended(state=State.FAILED, output=str(error))
        self.outcome = came
        return Ended(state=State.FAILED if came.failed else State.SUCCEEDED, output=came.text)
