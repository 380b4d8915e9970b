"""Writes the agent's plan, which the person sees."""

from typing import Annotated, Final, Literal

from pydantic import Field

from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool
from assent.gate.call.calls import Call, Effect
from assent.gate.journal.events import PlanLine

__all__ = ["TODO_WRITE", "Item", "TodoWrite"]

_STATES: Final = {"pending": "pending", "in_progress": "inProgress", "done": "done"}
"""As models say it, and as it is told."""


class Item(Arguments):
    """One step."""

    text: str = Field(min_length=1, max_length=500)
    state: Literal["pending", "in_progress", "done"]


class TodoWrite(Arguments):
    """The plan."""

    items: Annotated[list[Item], Field(max_length=100)] = Field(
        description="The whole plan, also the steps that stay as they are."
    )


def _aim(arguments: TodoWrite, _: Bench) -> Aim:
    return Aim(tool="other", effect=Effect.CHAT, input=arguments.as_given(), action="plan")


async def _do(arguments: TodoWrite, _: Call, bench: Bench) -> Done:
    lines = [PlanLine(text=item.text, state=_STATES[item.state]) for item in arguments.items]
    bench.planned(tuple(lines))
    done = sum(line.state == "done" for line in lines)
    progress = f"{done} of {len(lines)} steps are done"
    return Done(text=f"The plan is written: {progress}.", shown=progress)


TODO_WRITE: Final = Tool(
    name="todo_write",
    effect=Effect.CHAT,
    says=(
        "Write down the plan for work of several steps, and keep it up to date: one step in"
        " progress at a time, done as soon as it is. The person sees it."
    ),
    arguments=TodoWrite,
    aim=_aim,
    do=_do,
)
