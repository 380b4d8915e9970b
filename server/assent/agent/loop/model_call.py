"""Takes one call of the model from its request through the gate to its result.

Whatever happens, it comes to one result and no other call suffers. Of one reply only reads run
beside what changes something else: whatever would meet a change that an earlier call makes is
made when that one is over, since it would otherwise be judged by what is no longer there.
"""

import asyncio
import logging
from functools import partial
from typing import Any

from assent.agent.loop import wording
from assent.agent.loop.bench import bench_for, picture_of, print_of
from assent.agent.loop.chat import Flight
from assent.agent.loop.execution import carried_out, edited
from assent.agent.loop.ports import Work
from assent.agent.loop.reach import Reach
from assent.agent.tools import registry
from assent.agent.tools.registry import ArgumentsWrong, Made
from assent.agent.tools.tool import MAX_RESULT_LETTERS, Bench, Done, Tool
from assent.gate.approvals.tickets import OptionKind, Outcome, Settlement
from assent.gate.call.calls import Call, Effect
from assent.gate.call.verdicts import Actor
from assent.gate.passage import Ended
from assent.gate.text.shortening import shortened
from assent.gate.values import evolve

__all__ = ["see_through"]

_LOG = logging.getLogger(__name__)


async def see_through(work: Work, flight: Flight) -> None:
    """Bring a call to its result."""
    try:
        made = await _made(work, flight)
        too_many = work.turn.count(made.call)
        if too_many is None:
            await _pass(work, flight, made)
        else:
            flight.come_to(too_many)
    except ArgumentsWrong as error:
        flight.come_to(str(error))
    except Exception as error:  # noqa: BLE001 -- a supervisor: what ails one call ends no other
        _LOG.exception("a call of %s failed", flight.wanted.name)
        failure = wording.failure(error, has_run=flight.has_run)
        flight.come_to(failure)
        print_of(work, flight, failure)
    finally:
        flight.is_running = False


async def _made(work: Work, flight: Flight) -> Made:
    """The call, once no earlier one is about to change what it would look at."""
    await registry.ready(flight.wanted, bench_for(work, flight))
    made = _make(work, flight)
    flight.reached.set()
    if _is_on_page(made.call):
        await _earlier_looked(work, flight)
    while before := _in_its_way(work, flight):
        await asyncio.wait(before)
        # What was looked at may be another since.
        await registry.ready(flight.wanted, bench_for(work, flight))
        made = _make(work, flight)
    caution = work.turn.repeats.caution(made.call)
    return evolve(made, call=evolve(made.call, caution=made.call.caution or caution))


async def _earlier_looked(work: Work, flight: Flight) -> None:
    """Wait for earlier calls that perhaps look still which page they will act on."""
    for earlier in list(work.turn.before(flight)):
        if earlier.task is not None:
            await earlier.reached.wait()


def _make(work: Work, flight: Flight) -> Made:
    """The call as things stand."""
    chat = work.chat
    made = registry.made(
        flight.wanted,
        bench_for(work, flight),
        chat=chat.id,
        agent=chat.agent,
        id=flight.id,
        part=work.turn.part,
    )
    flight.reach = _reach(made)
    return evolve(made, call=evolve(made.call, tool_call_id=flight.tool_call_id))


def _is_on_page(call: Call) -> bool:
    return bool(call.beside) or (call.tool == "mcp" and "page" in call.input)


def _reach(made: Made) -> Reach:
    """What the call would look at and change."""
    call = made.call
    paths = frozenset(target.resolved for target in call.targets)
    if _is_on_page(call):
        # Two calls of one browser act on one page, whatever else each does.
        paths |= {f"{call.tool}:{call.input['server']}"}
        return Reach(looks_at=paths, changes=paths)
    # Also where a change does not fit yet: an earlier one may make it fit.
    may_change = Effect.WRITE in {made.tool.effect, call.effect}
    # Nobody knows which files a command or a part of the work looks at and changes.
    is_part = call.tool == "agent"
    return Reach(
        looks_at=paths,
        changes=paths if may_change else frozenset(),
        roams=is_part or call.effect is Effect.EXECUTE,
        is_part=is_part,
    )


def _in_its_way(work: Work, flight: Flight) -> list[asyncio.Task[None]]:
    """The earlier calls that it has to wait for, and that are not over."""
    tasks = [
        earlier.task for earlier in work.turn.before(flight) if flight.reach.meets(earlier.reach)
    ]
    return [task for task in tasks if task is not None and not task.done()]


async def _pass(work: Work, flight: Flight, made: Made) -> None:
    """Bring a call to the gate, and hold on to what comes of it."""
    work.ports.speech.flush(work.chat.id)
    run = partial(_run, work, flight, made)
    try:
        passage = await work.ports.gate.admit(made.call, run, partial(_remade, work, flight, made))
    finally:
        if not flight.has_run:
            work.turn.budget.uncount(made.call)
    if passage.ended is None:
        _end_unrun(flight, made.call, passage.settlement)
        return
    flight.hear(passage.remark)
    flight.hear(await _problems(work, flight))
    if len(passage.ended.output) > flight.most:
        path = await work.ports.outputs.keep(flight.id, passage.ended.output)
        print_of(work, flight, f"\n[All of it: {path}]\n" if path else "")


def _end_unrun(flight: Flight, call: Call, settlement: Settlement) -> None:
    """What is told of a call that did not run: an answer to its question, or why it was refused."""
    if settlement.outcome is Outcome.ANSWERED:
        flight.come_to(wording.answered(settlement), failed=False)
    else:
        flight.come_to(wording.refusal(settlement, of_plan=call.tool == "plan"))


async def _problems(work: Work, flight: Flight) -> str:
    """What the editor finds wrong in what was changed; the change is done whatever comes of it."""
    if not flight.edited:
        return ""
    try:
        return await work.ports.setup.problems(work.chat.id, flight.edited)
    except Exception:  # noqa: BLE001 -- the edit is done, and that is what counts
        _LOG.exception("the editor could not be asked what is wrong")
        return ""


def _remade(work: Work, flight: Flight, made: Made, given: dict[str, Any]) -> Call:
    """Build the call again with another input."""
    return registry.remake(made, given, bench_for(work, flight)).call


async def _run(work: Work, flight: Flight, made: Made, call: Call, settlement: Settlement) -> Ended:
    """Carry out the call that was judged. After the tool nothing waits: what is done is done."""
    flight.is_running = flight.has_run = True
    chosen = settlement.option
    kind, mode = (None, None) if chosen is None else (chosen.kind, chosen.mode)
    is_boxed = kind is OptionKind.ALLOW_BOXED
    bench = evolve(
        bench_for(work, flight),
        backgrounded=kind is OptionKind.ALLOW_BACKGROUND,
        tried=kind is OptionKind.TRY,
        unasked=settlement.by is Actor.MODE or (is_boxed and settlement.by is Actor.RULE),
        boxed=is_boxed,
        chosen_mode=mode,
    )
    with work.ports.gate.covered.under(call, settlement):
        done, ended = await carried_out(work, call, partial(_used, made.tool, bench))
    if done.is_whole:
        flight.most = max(flight.most, len(done.text))
    text = _cut(done.text, flight.most)
    flight.come_to(text, failed=done.failed, attached=done.attached)
    flight.edited = (*flight.edited, *edited(call, done))
    flight.hear(wording.changed(made.call, call))
    _show(work, flight, call, done)
    return ended


async def _used(tool: Tool[Any], bench: Bench, call: Call) -> Done:
    return await registry.carry_out(tool, call, bench)


def _show(work: Work, flight: Flight, call: Call, done: Done) -> None:
    """Show the person what came of a call, unless they saw it come."""
    unseen = "" if flight.has_printed else done.text
    print_of(work, flight, _cut(unseen if done.shown is None else done.shown, MAX_RESULT_LETTERS))
    picture_of(work, flight, call, done)
    work.ports.speech.flush(work.chat.id)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{shortened(text, most)}\n\n{wording.SHORTENED}"
