"""An agent's process: its pipes, its last words on stderr, its end.

It lives in a session of its own, gets pipes of its own and a few variables, and is never told
of our descriptors. It starts in the person's home, so that no file of the workspace has a say in
how it starts. Its errors are always read, so that it cannot be held up by writing them. A keeper
stands over it, which ends it with all that it started, also if this server is killed.
"""

import asyncio
import contextlib
import os
from collections import deque
from pathlib import Path
from typing import Final

from assent.gate.call.errors import AgentFailed
from assent.gate.disk.executables import Executables
from assent.gate.processes.keeper_start import begun, kept
from assent.gate.processes.process import Leash
from assent.gate.processes.shell_environment import home, inherited
from assent.gate.values import define, field
from assent.hosting.connection.spec import AgentSpec

__all__ = ["AgentProcess", "briefly", "program_of", "start"]

_MAX_ERROR_BYTES: Final = 64 * 1024
_MAX_LINES_SHOWN: Final = 6
_KEEPER_TIMEOUT_S: Final = 1.0
"""In seconds: how long after the grace the keeper is waited for."""


@define
class AgentProcess:
    """One running agent."""

    _process: asyncio.subprocess.Process
    _leash: Leash
    _words: deque[bytes] = field(factory=deque)
    _words_length: int = 0

    @property
    def reader(self) -> asyncio.StreamReader:
        """What the agent says."""
        assert self._process.stdout is not None  # noqa: S101 -- it was started with a pipe
        return self._process.stdout

    @property
    def writer(self) -> asyncio.StreamWriter:
        """What the agent hears."""
        assert self._process.stdin is not None  # noqa: S101 -- it was started with a pipe
        return self._process.stdin

    @property
    def pid(self) -> int | None:
        """The agent's own process, until it has ended."""
        return self._leash.pid

    @property
    def keeper(self) -> int | None:
        """The process below which is all that the agent started."""
        return self._leash.keeper

    @property
    def last_words(self) -> str:
        """The last lines that it wrote to its standard error."""
        text = b"".join(self._words).decode("utf-8", "replace")
        return "\n".join(text.strip().splitlines()[-_MAX_LINES_SHOWN:])

    async def drain_errors(self) -> None:
        """Read the standard error until it closes, and keep the end of it."""
        assert self._process.stderr is not None  # noqa: S101 -- it was started with a pipe
        while chunk := await self._process.stderr.read(_MAX_ERROR_BYTES):
            self._words.append(chunk)
            self._words_length += len(chunk)
            while self._words_length - len(self._words[0]) >= _MAX_ERROR_BYTES:
                self._words_length -= len(self._words.popleft())

    async def linger(self, seconds: float) -> None:
        """Wait for the agent to end by itself, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._process.wait()

    async def end(self, grace: float) -> int:
        """End the agent and all that it started: first by asking, after the grace by force."""
        self.writer.close()
        self._leash.end(grace)
        try:
            async with asyncio.timeout(grace + _KEEPER_TIMEOUT_S):
                await self._process.wait()
        except TimeoutError:
            # The keeper itself is held up.
            await asyncio.to_thread(self._leash.force)
        code = await self._process.wait()
        # Where the keeper was killed, it looks through all processes, which takes its time.
        await asyncio.to_thread(self._leash.drop)
        await self._read_out()
        return code

    async def _read_out(self) -> None:
        """Read what nobody reads any more, since only then the pipe is closed."""
        # Somebody may be reading it still, or hold its other end who is none of the agent's.
        with contextlib.suppress(RuntimeError, TimeoutError):
            async with asyncio.timeout(_KEEPER_TIMEOUT_S):
                while await self.reader.read(_MAX_ERROR_BYTES):
                    pass


def program_of(spec: AgentSpec, cwd: str, roots: tuple[str, ...]) -> str:
    """The file that would be started; raise where there is none, with the reason in a sentence."""
    return _find_program(spec, cwd, _programs(spec, roots))


async def start(
    spec: AgentSpec, cwd: str, roots: tuple[str, ...], limit: int = 256 * 1024
) -> AgentProcess:
    """Start an agent's process, or say in a sentence why that cannot be done.

    `cwd` is the folder from which the path of its program leads. What is found by its name lies
    outside of `roots`, the workspace, and so does what it finds by name while it starts.
    """
    programs = _programs(spec, roots)
    env = {**inherited(os.environ), **spec.env, "PATH": programs.outside()}
    program = _find_program(spec, cwd, programs)
    leash = Leash(folder=os.open(home(), os.O_RDONLY))
    try:
        process = await kept(leash, limit)
        await begun(leash, process, [program, program, *spec.args], env)
    except OSError as error:
        raise AgentFailed(_not_started(spec, f"{_why(error)}.")) from error
    return AgentProcess(process=process, leash=leash)


def _programs(spec: AgentSpec, roots: tuple[str, ...]) -> Executables:
    env = {**inherited(os.environ), **spec.env}
    return Executables(roots=roots, path=env.get("PATH", os.defpath))


def _find_program(spec: AgentSpec, cwd: str, programs: Executables) -> str:
    """The program's path, looked for on the agent's own PATH."""
    if not Path(cwd).is_dir():
        raise AgentFailed(_not_started(spec, f"the folder `{cwd}` does not exist."))
    change = f"install it or change assent.agents.{spec.id}.command."
    if "/" in spec.command:
        # A relative one is relative to the workspace, where the person wrote it down.
        path = Path(cwd, spec.command)
        if not path.is_file():
            raise AgentFailed(_not_started(spec, f"there is no file `{spec.command}`; {change}"))
        if not os.access(path, os.X_OK):
            raise AgentFailed(_not_started(spec, f"`{spec.command}` may not be executed."))
        return str(path)
    program = programs.find(spec.command)
    if program is None:
        inside = programs.stand(spec.command).path is not None
        where = "outside of this workspace" if inside else "on the PATH"
        raise AgentFailed(
            _not_started(spec, f"there is no program `{spec.command}` {where}; {change}")
        )
    return program


def _not_started(spec: AgentSpec, why: str) -> str:
    return f"{spec.name} could not be started: {why}"


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return str(error)


async def briefly(task: asyncio.Task[None], seconds: float) -> None:
    """Wait for a task, but cancel it where that takes long."""
    _, late = await asyncio.wait([task], timeout=seconds)
    for late_task in late:
        late_task.cancel()
