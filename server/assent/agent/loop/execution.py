"""Runs a judged call, for the model and for the gate alike."""

from assent.agent.loop.ports import Work
from assent.agent.tools.tool import Done, Step, ToolFailed
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.passage import Ended

__all__ = ["carried_out", "edited"]


async def carried_out(work: Work, call: Call, do: Step) -> tuple[Done, Ended]:
    """Do what was judged, for the model and for the gate; what it changed can be undone."""
    try:
        done = await do(call)
    except ToolFailed as error:
        done = Done(text=str(error), failed=True)
    state = done.state or (State.FAILED if done.failed else State.SUCCEEDED)
    if state is State.SUCCEEDED:
        work.chat.shelf.put(call, new=done.new, applied=done.applied)
    return done, Ended(state=state, output=done.text)


def edited(call: Call, done: Done) -> tuple[str, ...]:
    """The files that a call has changed."""
    return () if done.failed else tuple(edit.path for edit in call.edits)
