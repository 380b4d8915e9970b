"""An agent's process: its pipes, its last words, its end.

It lives in a session of its own, gets pipes of its own and a few variables, and is never told
of our descriptors. It starts in the person's home, so that no file of the workspace has a say in
how it starts. Its errors are always read, so that it cannot be held up by writing them. If this
server is killed, a watcher that only holds a pipe sees that pipe close and ends the agent.
"""

import asyncio
import contextlib
import os
import shutil
from collections import deque
from pathlib import Path
from typing import Final
from uuid import uuid4

from attrs import define, field

from assent.acp.family import MARK, Family
from assent.acp.spec import AgentSpec
from assent.errors import AgentFailed

__all__ = ["AgentProcess", "start"]

_INHERITED: Final = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "TMPDIR")
_WORDS_KEPT: Final = 64 * 1024
_LINES_SHOWN: Final = 6

# `read` succeeds when we say that all is well, and fails when we are gone without a word.
# What left the agent's group still carries its mark, and may have children while it is looked for.
_WATCHER: Final = """
marked() {
    for found in $(grep -lszxF -e "$2" /proc/[0-9]*/environ); do
        found=${found%/environ}
        kill -s "$1" "${found#/proc/}"
    done
}
read -r _ || {
    kill -s TERM -- "-$1"
    marked TERM "$2"
    sleep 2
    kill -s KILL -- "-$1"
    for round in 1 2 3 4 5; do marked KILL "$2"; done
}
"""


@define
class AgentProcess:
    """One running agent."""

    _process: asyncio.subprocess.Process
    _watcher: asyncio.subprocess.Process
    _family: Family
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
    def pid(self) -> int:
        """The agent's own process."""
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The last lines that it wrote to its standard error."""
        text = b"".join(self._words).decode("utf-8", "replace")
        return "\n".join(text.strip().splitlines()[-_LINES_SHOWN:])

    async def drain_errors(self) -> None:
        """Read the standard error until it closes, and keep the end of it."""
        assert self._process.stderr is not None  # noqa: S101 -- it was started with a pipe
        while chunk := await self._process.stderr.read(_WORDS_KEPT):
            self._words.append(chunk)
            self._words_length += len(chunk)
            while self._words_length - len(self._words[0]) >= _WORDS_KEPT:
                self._words_length -= len(self._words.popleft())

    async def linger(self, seconds: float) -> None:
        """Wait for the agent to end by itself, but not for long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._process.wait()

    async def end(self, grace: float) -> int:
        """End the agent and all that it started: first by asking, after the grace by force."""
        self.writer.close()
        self._look()
        self._family.terminate()
        try:
            await self.linger(grace)
        finally:
            # Also when we are cancelled in the middle: nothing of it may stay.
            self._look()
            self._family.kill()
            self._release_watcher()
        code = await self._process.wait()
        await self._watcher.wait()
        return code

    def _look(self) -> None:
        self._family.leader_ended = self._process.returncode is not None

    def _release_watcher(self) -> None:
        assert self._watcher.stdin is not None  # noqa: S101 -- it was started with a pipe
        with contextlib.suppress(OSError, RuntimeError):
            self._watcher.stdin.write(b"well\n")
            self._watcher.stdin.close()


async def start(spec: AgentSpec, cwd: str, limit: int = 256 * 1024) -> AgentProcess:
    """Start an agent's process, or say in a sentence why that cannot be done.

    `cwd` is the folder from which the path of its program leads.
    """
    mark = uuid4().hex
    env = {**_environment(), **spec.env, MARK: mark}
    program = _found(spec, cwd, env)
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            *spec.args,
            cwd=_home(),
            env=env,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,
            limit=limit,
        )
    except (OSError, ValueError) as error:
        raise AgentFailed(_not_started(spec, f"{_why(error)}.")) from error
    family = Family(leader=process.pid, mark=mark)
    try:
        watcher = await _watch(process.pid, mark)
    except BaseException:
        family.kill()
        await process.wait()
        raise
    return AgentProcess(process=process, watcher=watcher, family=family)


async def _watch(leader: int, mark: str) -> asyncio.subprocess.Process:
    """Start the watcher: it has no part in our session, so no signal meant for us reaches it."""
    return await asyncio.create_subprocess_exec(
        "/bin/sh",
        "-c",
        _WATCHER,
        "assent-watcher",
        str(leader),
        f"{MARK}={mark}",
        cwd="/",
        env={"PATH": os.defpath},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )


def _home() -> str:
    """The person's home, or where there is none the root, in which no agent is configured."""
    home = os.path.expanduser("~")  # noqa: PTH111 -- pathlib raises where there is no home
    return home if Path(home).is_dir() else "/"


def _environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name in _INHERITED or name.startswith("XDG_")
    }


def _found(spec: AgentSpec, cwd: str, env: dict[str, str]) -> str:
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
    found = shutil.which(spec.command, path=env.get("PATH", os.defpath))
    if found is None:
        raise AgentFailed(
            _not_started(spec, f"there is no program `{spec.command}` on the PATH; {change}")
        )
    return found


def _not_started(spec: AgentSpec, why: str) -> str:
    return f"{spec.name} could not be started: {why}"


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    return str(error)
