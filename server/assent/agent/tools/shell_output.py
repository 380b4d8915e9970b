"""Reads the output of a background command, running or ended."""

from typing import Final

from pydantic import Field

from assent.agent.tools.printed_output import MAX_OUTPUT_BYTES, by_lines, lost_before, standing
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect
from assent.gate.processes.shell import Shell
from assent.gate.processes.shell_registry import ShellRegistry

__all__ = ["SHELL_OUTPUT", "ShellOutput", "found_in"]


class ShellOutput(Arguments):
    """Which shell, and from where on."""

    shell: str = Field(min_length=1, max_length=20, description="The shell, such as `1`.")
    since: int | None = Field(
        default=None,
        ge=0,
        le=2**53,
        description="Read on from here, as an earlier answer says; the newest if left out.",
    )


def found_in(shell_registry: ShellRegistry, name: str) -> Shell:
    """The shell of that name."""
    shell = shell_registry.find(name)
    if shell is None:
        names = ", ".join(shell.id for shell in shell_registry.shells)
        there = f"There are: {names}." if names else "There is none."
        raise ToolFailed(f"There is no shell {name}. {there}")
    return shell


def _aim(arguments: ShellOutput, _: Bench) -> Aim:
    given = arguments.as_given()
    return Aim(tool="other", effect=Effect.CHAT, input=given, action="shellOutput")


async def _do(arguments: ShellOutput, _: Call, bench: Bench) -> Done:
    shell = found_in(bench.shell_registry, arguments.shell)
    piece = (
        shell.tail(MAX_OUTPUT_BYTES)
        if arguments.since is None
        else shell.read(arguments.since, MAX_OUTPUT_BYTES)
    )
    printed = lost_before(piece) + by_lines(piece).rstrip()
    more = "There is more" if piece.next < shell.size else "What comes next is there"
    where = f"{more}, since {piece.next}."
    said = f"{printed}\n\n" if printed else "Nothing was printed there.\n\n"
    return Done(text=f"{said}{standing(shell)} {where}", shown=standing(shell))


SHELL_OUTPUT: Final = Tool(
    name="shell_output",
    effect=Effect.CHAT,
    says=(
        "Read what a command printed that runs in the background, or that printed too much to be"
        " shown at once. It also tells whether the command still runs."
    ),
    arguments=ShellOutput,
    aim=_aim,
    do=_do,
)
