"""Shows the person a plan; the agent follows it as edited, in the mode that they choose.

The mode is set here, when the decision is on the disk, and nowhere earlier.
"""

from typing import Final

from pydantic import Field

from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.modes import NAMES

__all__ = ["MAX_PLAN_LETTERS", "PRESENT_PLAN", "PresentPlan"]

MAX_PLAN_LETTERS: Final = 20_000
"""In letters, as the model wrote it and as the person leaves it: it reaches the model whole."""


class PresentPlan(Arguments):
    """The plan."""

    plan: str = Field(
        min_length=1,
        max_length=MAX_PLAN_LETTERS,
        description=(
            "The plan in Markdown: what changes in which files, in which order, how it is checked,"
            " and what you left open."
        ),
    )


def _aim(arguments: PresentPlan, bench: Bench) -> Aim:
    if bench.is_part:
        raise CallUnreadable("a part of the work hands its plan back as its result.")
    return Aim(
        tool="plan",
        effect=Effect.CHAT,
        input=arguments.as_given(),
        action="presentPlan",
        editable="plan",
    )


async def _do(arguments: PresentPlan, _: Call, bench: Bench) -> Done:
    mode = bench.chosen_mode
    if mode is None:
        raise ToolFailed("Nobody approved the plan, so nothing of it is to be done.")
    bench.go_by(arguments.plan, mode)
    name = NAMES[mode]
    return Done(
        text=(
            f"The person approved the plan. The mode is {name} now. Carry out the plan as the"
            f" person left it, and only that:\n\n{arguments.plan}"
        ),
        shown=f"Approved, to be carried out in {name} mode.",
        is_whole=True,
    )


PRESENT_PLAN: Final = Tool(
    name="present_plan",
    effect=Effect.CHAT,
    says=(
        "Show the person your plan, who may edit it, approve it and choose the mode to carry it"
        " out in, or have it changed. This ends the planning in Plan mode; in other modes, use it"
        " before work that is large or hard to take back."
    ),
    arguments=PresentPlan,
    aim=_aim,
    do=_do,
)
