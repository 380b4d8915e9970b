"""Runs a shell command: waits for its end, or leaves it in the background."""

import os
import re
from functools import partial
from typing import Any, Final

from pydantic import Field, field_validator

from assent.agent.tools.printed_output import MAX_OUTPUT_BYTES, printed_by, standing
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.agent.tools.trial_run import run_as_trial, run_key
from assent.gate.call.calls import Call, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.lifecycle import State
from assent.gate.processes.shell import Shell, ShellFailed, ShellState
from assent.gate.processes.shell_environment import BASH, interpreter
from assent.gate.processes.walls import Wall
from assent.gate.text.error_lines import MARK, PLAIN

__all__ = ["RUN_COMMAND", "RunCommand"]

_DEFAULT_TIMEOUT_S: Final = 600
"""How long a command may take that says nothing of it, unless it is in the background."""
_NO_SHELL: Final = (
    "the person has commands run by {0} (assent.shell), and there is no {0} on this machine."
)
_CHANGED: Final = "It was not run, since files changed while it was looked at. Run it again."
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class RunCommand(Arguments):
    """What to run."""

    command: str = Field(
        min_length=1,
        description="A command line for bash, or the shell that notes name.",
    )
    cwd: str | None = Field(
        default=None,
        min_length=1,
        max_length=4_096,
        description="The folder to run it in; the working folder if left out.",
    )
    env: dict[str, str] | None = Field(
        default=None, description="Variables to set for it, besides the usual ones."
    )
    timeout_seconds: int | None = Field(
        default=None,
        ge=1,
        le=86_400,
        description="It is ended after so long; 600 if left out, never in the background.",
    )
    background: bool | None = Field(
        default=None,
        description="Start it and go on at once: for servers, watchers and the like.",
    )
    outside_sandbox: bool | None = Field(
        default=None,
        description="Run it outside the sandbox. Say so if it failed there for want of keys, of"
        " other programs or of the network; the person may have to agree.",
    )
    description: str | None = Field(
        default=None, max_length=500, description="What it does, in a few words for the person."
    )

    @field_validator("command")
    @classmethod
    def _says_something(cls, command: str) -> str:
        if not command.strip():
            raise ValueError("it is blank")
        if "\0" in command:
            raise ValueError("it holds a zero byte")
        return command

    @field_validator("env")
    @classmethod
    def _are_variables(cls, env: dict[str, str] | None) -> dict[str, str] | None:
        for name, value in (env or {}).items():
            if not _VARIABLE.fullmatch(name):
                raise ValueError("a variable is named by letters, digits and underscores")
            if "\0" in value:
                raise ValueError("it holds a zero byte")
        return env


def _aim(arguments: RunCommand, bench: Bench) -> Aim:
    target = bench.places().locate(arguments.cwd or ".", bench.cwd)
    if not os.path.isdir(target.resolved):  # noqa: PTH112 -- a string in
        raise CallUnreadable(f"there is no folder {target.shown}.")
    given = arguments.as_given()
    # The agent's words for it are not judged: the same command is the same, whatever is said of it.
    says = given.pop("description", None) or ""
    reader = interpreter(bench.places().executables, bench.interpreter)
    if reader is None:
        raise CallUnreadable(_NO_SHELL.format(bench.interpreter))
    if reader != BASH:
        given["shell"] = reader
    return Aim(
        tool="shell",
        effect=Effect.EXECUTE,
        input=given,
        cwd=target.resolved,
        folder=target.shown,
        detachable=True,
        untried=_why_untried(arguments, target.resolved, bench),
        has_sandbox=bench.trials is not None and bench.trials.can(bench.cwd),
        as_of=0 if bench.trials is None else bench.trials.state,
        tried_before=bench.tried_before.get(run_key(given, target.resolved), ""),
        editable="command",
        says=says,
    )


def _back(given: dict[str, Any]) -> object:
    return {name: value for name, value in given.items() if name != "shell"}


def _why_untried(arguments: RunCommand, folder: str, bench: Bench) -> str | None:
    """Why it cannot be run on a copy of the workspace; see `Call`."""
    if bench.trials is None:
        return None
    in_background = bool(arguments.background)
    return bench.trials.why_not(folder, in_background=in_background, in_step=bench.in_workflow)


async def _ready(arguments: RunCommand, bench: Bench) -> None:
    if bench.trials is not None:
        await bench.trials.ready(bench.cwd)
        await bench.trials.ready(bench.places().locate(arguments.cwd or ".", bench.cwd).resolved)


async def _do(arguments: RunCommand, call: Call, bench: Bench) -> Done:
    if bench.tried or bench.boxed:
        return await run_as_trial(call, bench, partial(_ended, arguments, call, bench), _done)
    is_detached = bool(arguments.background) or bench.backgrounded
    outside = partial(_ended, arguments, call, bench, None, is_detached=is_detached)
    if bench.trials is None or not (bench.unasked and call.has_sandbox):
        return _done(await outside())
    with bench.trials.outside(call.as_of) as is_unchanged:
        if not is_unchanged:
            raise ToolFailed(_CHANGED)
        return _done(await outside())


async def _ended(
    arguments: RunCommand,
    call: Call,
    bench: Bench,
    wall: Wall | None,
    *,
    is_detached: bool = False,
) -> Shell:
    """Start the command, and wait until it has ended or went to the background."""
    seconds = arguments.timeout_seconds or (None if is_detached else _DEFAULT_TIMEOUT_S)
    try:
        shell = await bench.shell_registry.start(
            call.id,
            arguments.command,
            cwd=call.cwd,
            env=arguments.env or {},
            printed=bench.printed,
            interpreter=call.input.get("shell", BASH),
            beside=bench.places().executables,
            wall=wall,
        )
    except ShellFailed as error:
        raise ToolFailed(str(error)) from error
    if is_detached:
        shell.to_background()
    shell.limit(seconds)
    try:
        # A trial is over when nothing of it runs any more: then its changes are whole.
        await (shell.settled() if wall is None else shell.ended())
    except BaseException:
        # Whoever waits no longer wants it, and all that it started goes with it.
        shell.end("It was stopped.")
        if wall is not None:
            await shell.ended()
        raise
    return shell


def _done(shell: Shell) -> Done:
    printed, stands = printed_by(shell), standing(shell)
    return Done(
        text=f"{printed.rstrip()}\n\n{stands}" if printed.strip() else stands,
        failed=_has_failed(shell),
        shown=_shown(shell, stands),
        state=_state(shell),
        gives=_said(shell),
    )


def _said(shell: Shell) -> str:
    """What it printed on its standard output, without the line end behind it."""
    stream_tags = shell.read(0, MAX_OUTPUT_BYTES).stream_tags
    return "".join(tagged.text for tagged in stream_tags if not tagged.is_error).rstrip("\r\n")


def _has_failed(shell: Shell) -> bool:
    return shell.state is not ShellState.RUNNING and shell.code != 0


def _state(shell: Shell) -> State | None:
    if shell.state is ShellState.RUNNING:
        return State.BACKGROUNDED
    return State.KILLED if shell.state is ShellState.KILLED else None


def _shown(shell: Shell, stands: str) -> str:
    """What the person did not see coming: they saw what it printed, and its row tells the code."""
    if shell.code is not None and shell.state is ShellState.EXITED:
        return "" if shell.size else "It printed nothing."
    return f"\n{stands}" if shell.size else stands


RUN_COMMAND: Final = Tool(
    name="run_command",
    effect=Effect.EXECUTE,
    says=(
        "Run a command in a shell, and get what it prints and the code it exits with. Each command"
        " starts anew in the working folder, without a terminal and without input. Before a line"
        f" that it wrote to standard error stands `{MARK}`, and `{PLAIN}` before another that"
        " begins with such a mark itself. Start what does"
        " not end by itself, such as a server, with background. For reading, searching and editing"
        " files use the tools for that."
    ),
    arguments=RunCommand,
    aim=_aim,
    do=_do,
    ready=_ready,
    back=_back,
    is_step=True,
)
