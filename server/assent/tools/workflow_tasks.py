"""The tasks of a project as calls: the runner's call, bound to the file that says what it runs."""

from typing import Final

from assent.calls import Call
from assent.disk.freshness import code_at
from assent.tools.run_command import RUN_COMMAND, RunCommand
from assent.tools.tool import Aim, Bench, Done, ToolFailed
from assent.workflows.tasks import Listing, Task, tasks_in

__all__ = ["aim", "listed", "named", "run", "told"]

_CHANGED: Final = "{0} has changed since this was judged, so nothing was run. Try again."


def listed(bench: Bench) -> Listing:
    """All of them."""
    return tasks_in(bench.places().roots, bench.may_read)


def named(name: str, bench: Bench) -> Task | None:
    """The one of that name; None where there is none."""
    # Each has its runner before its name, which no graph has.
    if ":" not in name:
        return None
    return next((it for it in listed(bench).tasks if it.name == name), None)


def told(task: Task) -> str:
    """What is known of one."""
    texts = [f"{it.name}:\n{it.text}" for it in task.scripts]
    return "\n\n".join([f"{task.name} is a task of {task.shown}. It runs: {task.command}", *texts])


def aim(task: Task, bench: Bench) -> Aim:
    """The call of its runner."""
    # The file is looked at before what it says: what changes in between is found changed later.
    code = code_at(task.file, task.shown)
    again = named(task.name, bench) or task
    given = RunCommand(command=again.command, cwd=again.folder)
    made = RUN_COMMAND.aim(given, bench)
    return Aim(
        tool=made.tool,
        effect=made.effect,
        input={**made.input, "workflow": task.name},
        cwd=made.cwd,
        folder=made.folder,
        detachable=made.detachable,
        code=(code,),
        scripts=again.scripts,
    )


async def run(call: Call, bench: Bench) -> Done:
    """Run what was judged, if its file still says that."""
    for it in call.code:
        if code_at(it.path, it.shown) != it:
            raise ToolFailed(_CHANGED.format(it.shown))
    given = RunCommand(command=call.input["command"], cwd=call.input.get("cwd"))
    return await RUN_COMMAND.do(given, call, bench)
