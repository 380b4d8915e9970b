"""Reads a skill: instructions that the person wrote for the agent."""

from typing import Final

from pydantic import Field

from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect
from assent.gate.call.errors import CallUnreadable

__all__ = ["USE_SKILL", "UseSkill"]


class UseSkill(Arguments):
    """Which one."""

    name: str = Field(min_length=1, max_length=60, description="As it stands among the skills.")


def _aim(arguments: UseSkill, bench: Bench) -> Aim:
    if bench.skill(arguments.name) is None:
        raise CallUnreadable(f"there is no skill `{arguments.name}`.")
    return Aim(tool="other", effect=Effect.CHAT, input=arguments.as_given(), action="skill")


async def _do(arguments: UseSkill, _: Call, bench: Bench) -> Done:
    text = bench.skill(arguments.name)
    if text is None:
        raise ToolFailed("That skill is not there any more.")
    return Done(text=text, shown=f"{arguments.name}: {len(text):,} letters")


USE_SKILL: Final = Tool(
    name="use_skill",
    effect=Effect.CHAT,
    says="Read a skill before you do what its description is about.",
    arguments=UseSkill,
    aim=_aim,
    do=_do,
)
