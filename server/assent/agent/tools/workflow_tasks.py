"""The tasks of a project as calls of their runner, bound to the file that defines them.

The texts that it runs come with it as they come with the same words in `run_command`: the gate
has them looked up (`workflows.called`). What of them cannot be followed to its end is asked about.
"""

import asyncio
from typing import Final

from assent.agent.tools.run_command import RUN_COMMAND, RunCommand
from assent.agent.tools.tool import Aim, Bench, Done, ToolFailed
from assent.gate.call.calls import AgentId, Call, CallId, ChatId
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.freshness import code_at
from assent.gate.tasks.called_tasks import UNREAD, called_by
from assent.gate.tasks.task_files import FileUnfit
from assent.gate.tasks.tasks import Listing, Task, task_named, tasks_in
from assent.gate.values import evolve

__all__ = ["aim", "describe", "listed", "named", "ready", "run"]

_CHANGED: Final = "{0} has changed since this was judged, so nothing was run. Try again."


async def listed(bench: Bench) -> Listing:
    """All of them."""
    return await asyncio.to_thread(tasks_in, bench.places().roots, bench.may_read)


def named(name: str, bench: Bench) -> Task | None:
    """The one of that name; None where there is none."""
    # Each has its runner before its name, which no graph has.
    if ":" not in name:
        return None
    try:
        return task_named(name, bench.places().roots, bench.may_read)
    except FileUnfit as error:
        raise CallUnreadable(f"{name} could not be read: {error}") from error


async def ready(name: str, bench: Bench) -> Task | None:
    """The task of that name, read in a thread: a long file is at hand from then on."""
    return await asyncio.to_thread(named, name, bench)


def describe(task: Task) -> str:
    """What is known of one."""
    texts = [f"{script.name}:\n{script.text}" for script in task.scripts]
    return "\n\n".join([f"{task.name} is a task of {task.shown}. It runs: {task.command}", *texts])


def aim(task: Task, bench: Bench) -> Aim:
    """The call of its runner."""
    # The file is looked at before what it says: what changes in between is found changed later.
    code = code_at(task.file, task.shown)
    again = named(task.name, bench) or task
    given = RunCommand(command=again.command, cwd=again.folder)
    made = RUN_COMMAND.aim(given, bench)
    unread = again.unread or _unread(made, bench)
    return evolve(
        made,
        input={**made.input, "workflow": task.name},
        editable="",
        code=(code,),
        scripts=again.scripts,
        caution=UNREAD.format(unread, task.shown) if unread else "",
    )


def _unread(made: Aim, bench: Bench) -> str:
    """What is not followed of the tasks that its command runs."""
    call = Call(
        id=CallId(""),
        chat=ChatId(""),
        agent=AgentId(""),
        tool=made.tool,
        effect=made.effect,
        input=made.input,
        cwd=made.cwd or bench.cwd,
    )
    return called_by(call, bench.places()).unread


async def run(call: Call, bench: Bench) -> Done:
    """Run what was judged, if its file still says that."""
    for code in call.code:
        if code_at(code.path, code.shown) != code:
            raise ToolFailed(_CHANGED.format(code.shown))
    given = RunCommand(command=call.input["command"], cwd=call.input.get("cwd"))
    return await RUN_COMMAND.do(given, call, bench)
