"""Gives a part of the work to another agent, whose calls pass the same gate."""

from typing import Any, Final

from pydantic import Field

from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool
from assent.gate.call.calls import Call, Effect

__all__ = ["RUN_SUBTASK", "RunSubtask"]

_NAME: Final = "subtask"
"""What rules call it; the name that a model gives it decides nothing."""


class RunSubtask(Arguments):
    """What to hand over."""

    name: str = Field(
        min_length=1, max_length=60, description="A few words that the person will see on cards."
    )
    prompt: str = Field(
        min_length=1,
        max_length=100_000,
        description="All that it needs to know, and what it is to tell you in the end.",
    )


def _aim(arguments: RunSubtask, _: Bench) -> Aim:
    return Aim(
        tool="agent",
        effect=Effect.CHAT,
        input={"name": _NAME, "arguments": arguments.as_given()},
        action="subtask",
    )


def _back(given: dict[str, Any]) -> object:
    return given["arguments"] if given.keys() == {"name", "arguments"} else given


async def _do(arguments: RunSubtask, _: Call, bench: Bench) -> Done:
    return await bench.subtask(arguments.name, arguments.prompt, bench.printed)


RUN_SUBTASK: Final = Tool(
    name="run_subtask",
    effect=Effect.CHAT,
    says=(
        "Let another agent do a part of the work that stands by itself, such as looking through"
        " much code. It has your tools and knows nothing of this conversation; you get its last"
        " answer. Several can run side by side."
    ),
    arguments=RunSubtask,
    aim=_aim,
    do=_do,
    back=_back,
)
