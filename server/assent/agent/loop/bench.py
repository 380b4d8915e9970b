"""Builds what a tool may use while it works on one call of one turn.

A step that a call turns out to need is taken within the gate, so that what is told of it is what
came of it.
"""

from functools import partial
from uuid import uuid4

from assent.agent.loop.attachments import image_of
from assent.agent.loop.chat import Flight
from assent.agent.loop.conversation import Approved
from assent.agent.loop.execution import carried_out, edited
from assent.agent.loop.offered_tools import offered_tools
from assent.agent.loop.ports import Printed, Work
from assent.agent.loop.wording import discarding, refusal, unreached
from assent.agent.loop.workflow_steps import WorkflowSteps
from assent.agent.tools.registry import call_for
from assent.agent.tools.tool import Aim, Bench, Done, Step, StepRefused
from assent.catalogue.mcp.server_requests import ServerRequest
from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import APPLY, Call, CallId
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.journal.agent_events import MAX_MEDIA_A_TURN, MORE_SHOWN, Pictured, Sounded
from assent.gate.journal.events import CallPrinted, Noticed, PlanLine, PlanMade
from assent.gate.journal.flows import FlowMoved, FlowStep
from assent.gate.passage import Ended
from assent.gate.ruling.policy import grant_for, rules_about
from assent.gate.sandbox.hosts import Answer, Leave
from assent.gate.text.addresses import host_of
from assent.gate.values import evolve

__all__ = ["bench_for", "picture_of", "print_of"]


def bench_for(work: Work, flight: Flight) -> Bench:
    """The bench for one call."""
    chat, ports = work.chat, work.ports

    async def ask(aim: Aim, do: Step) -> Done:
        call = call_for(aim, bench, chat=chat.id, agent=chat.agent, id=CallId(str(uuid4())))
        return await _stepped(work, flight, evolve(call, part=work.turn.part), do)

    async def leave(aim: Aim) -> Answer:
        call = call_for(aim, bench, chat=chat.id, agent=chat.agent, id=CallId(str(uuid4())))
        return await _leave_for(work, flight, evolve(call, part=work.turn.part))

    async def subtask(name: str, prompt: str, printed: Printed) -> Done:
        return await ports.subtask(work, flight, name, prompt, printed)

    mind = work.turn.mind
    bench = Bench(
        cwd=chat.cwd,
        places=ports.places,
        buffers=ports.setup.buffers,
        may_read=partial(ports.setup.may_read, chat.id, chat.agent),
        denies_none=partial(ports.setup.denies_none, chat.id, chat.agent),
        shell_registry=chat.shell_registry,
        printed=partial(print_of, work, flight),
        planned=partial(_plan, work),
        ask=ask,
        leave=leave,
        subtask=subtask,
        most=flight.most,
        offered=lambda: [card.name for card in offered_tools(work)],
        search_url=ports.setup.search_url(),
        interpreter=ports.setup.interpreter(),
        takes=mind.takes if mind is not None else frozenset(),
        exhibit=mind.exhibit if mind is not None else None,
        is_part=bool(work.turn.part),
        skill=partial(ports.setup.skill, chat.id),
        nodes=ports.setup.nodes,
        asked_for=partial(ServerRequest, ports.gate.admit),
        documents=ports.setup.documents,
        runs=ports.setup.runs,
        flowing=partial(_flow, work, flight),
        maker=ports.setup.maker,
        trials=ports.setup.trials,
        tried_before=chat.tried_before,
        go_by=partial(_go_by, work, flight),
    )
    in_steps = evolve(bench, in_workflow=True)
    return evolve(bench, steps=WorkflowSteps(work=work, flight=flight, bench=in_steps))


def _flow(work: Work, flight: Flight, name: str, steps: tuple[FlowStep, ...]) -> None:
    """Show how the workflow stands that a call runs."""
    work.ports.speech.tell(FlowMoved(chat=work.chat.id, call=flight.id, name=name, steps=steps))


def print_of(work: Work, flight: Flight, text: str, *, is_error: bool = False) -> None:
    """Tell more of what a call prints."""
    if text:
        flight.has_printed = True
        printed = CallPrinted(chat=work.chat.id, call=flight.id, text=text, is_error=is_error)
        work.ports.speech.tell(printed)


def picture_of(work: Work, flight: Flight, call: Call, done: Done) -> None:
    """Show the person the pictures and sounds of a result that are small enough for a chat.

    Those too that the model is not shown: what it takes is nothing that a person should notice.
    """
    path = call.targets[0].resolved if len(call.targets) == 1 else ""
    for attachment in (*done.attached, *done.unseen):
        image = image_of(attachment)
        if image is not None:
            at = path if attachment.name else ""
            _show(work, Pictured(chat=work.chat.id, image=image, call=flight.id, path=at))
    for sound in done.sounds:
        _show(work, Sounded(chat=work.chat.id, sound=sound, call=flight.id))


def _show(work: Work, what: Pictured | Sounded) -> None:
    """Show it, unless there were too many in this turn."""
    count = work.turn.budget.show()
    if count <= MAX_MEDIA_A_TURN:
        work.ports.speech.tell(what)
    elif count == MAX_MEDIA_A_TURN + 1:
        text = MORE_SHOWN.format("Assent")
        work.ports.speech.tell(Noticed(chat=work.chat.id, level="info", text=text))


async def _stepped(work: Work, flight: Flight, call: Call, do: Step) -> Done:
    """Bring a step to the gate, and take it there if it may be."""
    too_many = work.turn.count(call)
    if too_many is not None:
        raise StepRefused(too_many)
    came: Done | None = None
    has_begun = False

    async def run(judged: Call, settlement: Settlement) -> Ended:
        nonlocal came, has_begun
        has_begun = True
        judged = evolve(judged, choices=settlement.chosen or judged.choices)
        came, ended = await carried_out(work, judged, do)
        # Whatever breaks its call off from here on, this has been done.
        flight.come_to(came.text, failed=came.failed)
        flight.edited = edited(judged, came)
        return ended

    work.ports.speech.flush(work.chat.id)
    try:
        passage = await work.ports.gate.admit(call, run)
    finally:
        if not has_begun:
            work.turn.budget.uncount(call)
    if came is None:
        why = discarding if call.action == APPLY else refusal
        raise StepRefused(why(passage.settlement))
    flight.hear(passage.remark)
    return came


async def _leave_for(work: Work, flight: Flight, call: Call) -> Answer:
    """Bring a connection to the gate; the command that wants it has an outcome of its own."""
    work.ports.speech.flush(work.chat.id)
    passage = await work.ports.gate.admit(call, _nothing_more)
    settlement = passage.settlement
    flight.hear(passage.remark)
    if passage.ended is None:
        return Answer(Leave.NONE, unreached(settlement))
    address = host_of(str(call.input["host"]))
    # Of a name that seems to lie elsewhere, no card says that it leads to this machine.
    said_so = address is not None and address.near
    by_card = settlement.by is Actor.USER or settlement.rule == grant_for(call).text
    is_meant = said_so if by_card else settlement.rule in rules_about(call)
    return Answer(Leave.INSIDE if is_meant else Leave.OUTSIDE)


async def _nothing_more(_call: Call, _settlement: Settlement) -> Ended:
    return Ended(state=State.SUCCEEDED)


def _plan(work: Work, lines: tuple[PlanLine, ...]) -> None:
    """The plan of a part is that part's own; the person sees the plan of the whole."""
    work.turn.conversation.plan = "\n".join(f"- [{line.state}] {line.text}" for line in lines)
    if not work.turn.part:
        work.ports.speech.tell(PlanMade(chat=work.chat.id, lines=lines))


def _go_by(work: Work, flight: Flight, plan: str, mode: Mode) -> None:
    """The person approved this plan: the chat goes on in its mode, and the model keeps it."""
    work.ports.setup.go_in(work.chat.id, mode)
    work.turn.conversation.approved = Approved(call=flight.id, plan=plan, mode=mode)
