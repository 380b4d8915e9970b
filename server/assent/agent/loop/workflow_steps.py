"""Makes the calls of a workflow's steps like a model's calls, and takes them to the gate.

Each has an id by its place in the workflow's call, so that what its card showed is what is asked
for when the step is reached, or is found to be something else.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

import orjson

from assent.agent.loop.chat import Flight
from assent.agent.loop.execution import carried_out, edited
from assent.agent.loop.ports import Work
from assent.agent.loop.wording import refusal
from assent.agent.models.conversation import Wanted
from assent.agent.tools import registry
from assent.agent.tools.registry import ArgumentsWrong, Made
from assent.agent.tools.tool import MAX_RESULT_LETTERS, Bench, Done, StepRefused
from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import Call, CallId, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.journal.events import CallPrinted
from assent.gate.passage import Ended
from assent.gate.text.shortening import shortened
from assent.gate.values import evolve, frozen

__all__ = ["WorkflowSteps"]

_BY_NAME: Final = frozenset(tool.name for tool in registry.BELT if tool.is_step)


@frozen(kw_only=True)
class WorkflowSteps:
    """The steps of one call; see `tools.tool.StepCalls`."""

    work: Work
    flight: Flight
    bench: Bench
    """What a step's tool may reach for; a step runs no workflow of its own."""

    @property
    def tools(self) -> frozenset[str]:
        """See there."""
        return _BY_NAME

    def effect(self, run: str) -> Effect:
        """See there."""
        name = "run_node" if ":" in run else run
        return next(tool.effect for tool in registry.BELT if tool.name == name)

    async def ready(self, run: str, arguments: dict[str, Any]) -> None:
        """See there."""
        try:
            await registry.ready(_wanted("", run, arguments), self.bench)
        except ArgumentsWrong as error:
            raise CallUnreadable(str(error)) from error

    def made(self, run: str, arguments: dict[str, Any], key: str, caution: str = "") -> Call:
        """See there."""
        return self._made(run, arguments, key, caution).call

    async def take(
        self,
        run: str,
        arguments: dict[str, Any],
        key: str,
        begun: Callable[[bool], Awaitable[None]],
        caution: str = "",
    ) -> Done:
        """See there."""
        await self.ready(run, arguments)
        made = self._made(run, arguments, key, caution)
        call = made.call
        too_many = self.work.turn.count(call)
        if too_many is not None:
            raise StepRefused(too_many)
        came: Done | None = None
        has_begun = False

        async def carry_out(judged: Call, _: Settlement) -> Ended:
            nonlocal came, has_begun
            await begun(judged.input == call.input)
            has_begun = True
            came, ended = await carried_out(self.work, judged, partial(self._used, made))
            self.flight.edited = (*self.flight.edited, *edited(judged, came))
            return ended

        self.work.ports.speech.flush(self.work.chat.id)
        try:
            passage = await self.work.ports.gate.admit(call, carry_out, partial(self._again, made))
        finally:
            if not has_begun:
                self.work.turn.budget.uncount(call)
        if came is None:
            raise StepRefused(refusal(passage.settlement))
        self.flight.hear(passage.remark)
        return came

    def _again(self, made: Made, given: dict[str, Any]) -> Call:
        """The step with another input, as a hook or the person wants it."""
        return registry.remake(made, given, self.bench).call

    async def _used(self, made: Made, call: Call) -> Done:
        """Carry it out; what it prints and comes to stands at its own call."""
        has_printed = False

        def printed(text: str, *, is_error: bool = False) -> None:
            nonlocal has_printed
            if text:
                has_printed = True
                said = CallPrinted(
                    chat=self.work.chat.id, call=call.id, text=text, is_error=is_error
                )
                self.work.ports.speech.tell(said)

        done = await registry.carry_out(made.tool, call, evolve(self.bench, printed=printed))
        unseen = "" if has_printed else done.text
        printed(shortened(unseen if done.shown is None else done.shown, MAX_RESULT_LETTERS))
        return done

    def _made(self, run: str, arguments: dict[str, Any], key: str, caution: str) -> Made:
        """A step as a call of the agent's own, for the part of its work that the workflow is."""
        chat, flight = self.work.chat, self.flight
        if ":" not in run and run not in _BY_NAME:
            raise CallUnreadable(f"no step can run `{run}`.")
        id_ = CallId(str(uuid5(NAMESPACE_URL, f"{flight.id}/{key}")))
        before = f"{self.work.turn.part} › " if self.work.turn.part else ""
        try:
            return registry.made(
                _wanted(id_, run, arguments),
                self.bench,
                chat=chat.id,
                agent=chat.agent,
                id=id_,
                part=f"{before}{key}",
                caution=caution,
            )
        except ArgumentsWrong as error:
            raise CallUnreadable(str(error)) from error


def _wanted(id_: str, run: str, arguments: dict[str, Any]) -> Wanted:
    """A step, as a model would write it."""
    if ":" in run:
        given: dict[str, Any] = {"name": run, "arguments": arguments}
        return Wanted(id=id_, name="run_node", arguments=orjson.dumps(given).decode())
    return Wanted(id=id_, name=run, arguments=orjson.dumps(arguments).decode())
