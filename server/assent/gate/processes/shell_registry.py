"""The shell registry of one chat: a limited number at once, found by their id or their call.

What ended stays readable for a while. All of them together keep no more on disk than one
allowance. After `end` nothing runs of any of them, and nothing is started any more.
"""

import asyncio
import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from typing import Final

from assent.gate.call.calls import CallId, ChatId
from assent.gate.disk.executables import Executables
from assent.gate.disk.files import open_resolved
from assent.gate.processes.command_output import Listening
from assent.gate.processes.live_output import Handle, Later, Printed, Showing
from assent.gate.processes.output import Tape
from assent.gate.processes.overflow import Allowance, Spill
from assent.gate.processes.process import Leash
from assent.gate.processes.shell import Shell, ShellFailed, ShellState
from assent.gate.processes.shell_environment import BASH, STARTS, program_of, variables
from assent.gate.processes.walls import Beginning, Wall
from assent.gate.values import define, field

__all__ = ["ShellRegistry"]

_MAX_RUNNING_SHELLS: Final = 8
_MAX_ENDED_SHELLS: Final = 16
_MAX_SHELL_BYTES: Final = 64 * 1024 * 1024
"""In bytes, on disk; for each of them, and for all."""
_MAX_SHELLS_BYTES: Final = 100 * 1024 * 1024


def _by_loop(seconds: float, do: Callable[[], None]) -> Handle:
    return asyncio.get_running_loop().call_later(seconds, do)


@define
class ShellRegistry:
    """The shells that one chat started."""

    chat: ChatId
    _changed: Callable[[Shell], None]
    """Told whenever a shell began, went to the background, or ended."""
    _folder: str | None = None
    """Where output is kept that memory has no room for; None is the system's own place."""
    _later: Later = _by_loop
    _allowance: Allowance = field(factory=lambda: Allowance(left=_MAX_SHELLS_BYTES))
    _shells: dict[str, Shell] = field(factory=dict)
    _ids: Iterator[int] = field(factory=lambda: itertools.count(1))
    _is_closed: bool = False

    @property
    def shells(self) -> tuple[Shell, ...]:
        """All of them, oldest first, with those that have ended and may still be read."""
        return tuple(self._shells.values())

    def find(self, shell: str) -> Shell | None:
        """The shell of that id."""
        return self._shells.get(shell)

    def of_call(self, call: CallId) -> Shell | None:
        """The shell that a call started."""
        return next((shell for shell in self._shells.values() if shell.call == call), None)

    async def start(
        self,
        call: CallId,
        command: str,
        *,
        cwd: str,
        env: Mapping[str, str],
        printed: Printed,
        seconds: float | None = None,
        beside: Executables,
        interpreter: str = BASH,
        wall: Wall | None = None,
    ) -> Shell:
        """Start a command; raise `ShellFailed` where it cannot be started or there are too many.

        `cwd` is a resolved folder, and no other is entered; what reads the command lies `beside`.
        """
        self._check_room()
        program = program_of(interpreter, beside)
        if program is None:
            raise ShellFailed(f"There is no {interpreter} on this machine to run it.")
        plain = Beginning(
            program=program,
            args=(interpreter, *STARTS[interpreter], command),
            env=variables(os.environ, env),
        )
        with nullcontext(plain) if wall is None else wall.around(plain) as beginning:
            shell = self._listened_to(call, command, cwd, printed, beginning)
            shell.limit(seconds)
            await self._until_begun(shell)
        return shell

    def _listened_to(
        self, call: CallId, command: str, cwd: str, printed: Printed, beginning: Beginning
    ) -> Shell:
        """The shell of a command that is being started."""
        leash = _leash(cwd, beginning)
        self._make_room_on_disk()
        tape = Tape(
            spill=Spill(most=_MAX_SHELL_BYTES, allowance=self._allowance, folder=self._folder)
        )
        showing = Showing(tape=tape, printed=printed, later=self._later)
        shell = Shell(
            id=str(next(self._ids)),
            call=call,
            command=command,
            folder=cwd,
            tape=tape,
            leash=leash,
            showing=showing,
            later=self._later,
            changed=self._take_change,
            is_walled=bool(beginning.inherited),
        )
        listening = Listening(
            program=beginning.program,
            args=beginning.args,
            env=beginning.env,
            leash=leash,
            tape=tape,
            showing=showing,
            heard=shell,
            loop=asyncio.get_running_loop(),
        )
        self._shells[shell.id] = shell
        listening.start(f"shell {shell.id}")
        return shell

    async def stop(self, because: str) -> None:
        """End those that nobody let go on in the background, with everything that they started."""
        stopped = [shell for shell in self.shells if not shell.is_let_go_on]
        for shell in stopped:
            shell.end(because)
        for shell in stopped:
            await shell.ended()

    async def end(self) -> None:
        """End all of them, with everything that they started."""
        self._is_closed = True
        for shell in self.shells:
            shell.end("The chat was closed.")
        for shell in self.shells:
            await shell.ended()
            shell.forget()
        self._shells.clear()

    async def _until_begun(self, shell: Shell) -> None:
        try:
            await shell.begun()
        except ShellFailed:
            del self._shells[shell.id]
            raise
        except asyncio.CancelledError:
            shell.end("It was stopped.")
            raise

    def _check_room(self) -> None:
        if self._is_closed:
            raise ShellFailed("The chat was closed, so nothing is started in it any more.")
        running = [shell.id for shell in self.shells if shell.state is ShellState.RUNNING]
        if len(running) >= _MAX_RUNNING_SHELLS:
            ids = ", ".join(running)
            raise ShellFailed(
                f"{_MAX_RUNNING_SHELLS} commands run in this chat already, and more are not"
                f" started: shells {ids}. End one with kill_shell, or wait for one."
            )

    def _make_room_on_disk(self) -> None:
        """Where what is allowed is used up, the oldest that have ended are forgotten first."""
        for shell in self._ended():
            if self._allowance.left >= _MAX_SHELL_BYTES:
                return
            shell.forget()

    def _take_change(self, shell: Shell) -> None:
        for old in self._ended()[:-_MAX_ENDED_SHELLS]:
            old.forget()
            del self._shells[old.id]
        self._changed(shell)

    def _ended(self) -> list[Shell]:
        return [shell for shell in self.shells if shell.state is not ShellState.RUNNING]


def _leash(folder: str, beginning: Beginning) -> Leash:
    """A leash for what runs in the folder at a resolved path."""
    try:
        entered = open_resolved(folder, os.O_DIRECTORY | getattr(os, "O_PATH", os.O_RDONLY))
        return Leash(folder=entered, wall=beginning.inherited, watched_by=beginning.watched_by)
    except OSError as error:
        why = os.strerror(error.errno).lower() if error.errno else str(error)
        raise ShellFailed(f"It cannot be run in {folder} any more: {why}.") from error
