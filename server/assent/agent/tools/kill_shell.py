"""Ends a background command with everything that it started."""

from typing import Final

from pydantic import Field

from assent.agent.tools.printed_output import standing
from assent.agent.tools.shell_output import found_in
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool
from assent.gate.call.calls import Call, Effect
from assent.gate.processes.shell import ShellState

__all__ = ["KILL_SHELL", "KillShell"]

_BY_AGENT: Final = "The agent ended it."


class KillShell(Arguments):
    """Which shell."""

    shell: str = Field(min_length=1, max_length=20, description="The shell, such as `1`.")


def _aim(arguments: KillShell, _: Bench) -> Aim:
    given = arguments.as_given()
    return Aim(tool="other", effect=Effect.CHAT, input=given, action="killShell")


async def _do(arguments: KillShell, _: Call, bench: Bench) -> Done:
    shell = found_in(bench.shell_registry, arguments.shell)
    if shell.state is not ShellState.RUNNING:
        return Done(text=f"Shell {shell.id} runs no more. {standing(shell)}")
    await shell.kill(_BY_AGENT)
    return Done(text=f"Shell {shell.id} runs no more. {standing(shell)}", shown=standing(shell))


KILL_SHELL: Final = Tool(
    name="kill_shell",
    effect=Effect.CHAT,
    says="End a command that runs in the background, with everything that it started.",
    arguments=KillShell,
    aim=_aim,
    do=_do,
)
