"""Runs a workflow again for the person: one call, in a turn without a model."""

import asyncio
from typing import Final
from uuid import uuid4

import orjson

from assent.agent.loop.chat import Flight
from assent.agent.loop.loop import STOPPED, Ending
from assent.agent.loop.model_call import see_through
from assent.agent.loop.ports import Work
from assent.agent.loop.turn_report import report_turn
from assent.agent.models.conversation import Wanted
from assent.agent.tools.tool import MAX_RESULT_LETTERS
from assent.catalogue.workflows.runs import RunsUnkept
from assent.gate.call.calls import CallId
from assent.gate.call.errors import AgentFailed

__all__ = ["run_again"]

_GONE: Final = "Nothing is kept of this run any more. Ask the agent to run the workflow anew."
_BUSY: Final = "The agent works. Stop it, or wait until it is done."


async def run_again(work: Work, call: CallId, step: str) -> tuple[str, str]:
    """Run again from a step what a call has run: how that ended, and why; raises `AgentFailed`."""
    wanted = await _wanted(work, call, step)
    if work.chat.turn is not None:
        raise AgentFailed(_BUSY)
    return await report_turn(work.ports.speech.tell, work.chat, _turn(work, wanted))


async def _wanted(work: Work, call: CallId, step: str) -> Wanted:
    runs = work.ports.setup.runs
    try:
        run = await runs.find(call) if runs is not None else None
    except RunsUnkept as error:
        raise AgentFailed(str(error)) from error
    if run is None:
        raise AgentFailed(_GONE)
    given = {"name": run.name, "inputs": run.inputs, "from_step": step, "of_run": run.id}
    return Wanted(id=str(uuid4()), name="run_workflow", arguments=orjson.dumps(given).decode())


async def _turn(work: Work, wanted: Wanted) -> Ending:
    """A turn of this one call; the model is told of it with what is said next."""
    flight = Flight(wanted=wanted, most=MAX_RESULT_LETTERS)
    work.turn.flights.append(flight)
    work.chat.let_parts_go_on()
    with work.chat.working(work.turn):
        async with asyncio.TaskGroup() as group:
            flight.begin(group.create_task(see_through(work, flight)))
        came = flight.outcome().text
        work.chat.news.append(f"[The person ran a workflow again themselves. {came}]")
        work.turn.ending = ("done", "")
    return STOPPED if work.turn.cancellation.is_cut else Ending("done")
