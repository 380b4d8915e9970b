"""Runs a hook in a thread of its own, and ends it when nobody waits for it any more."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Mapping

from assent.gate.disk.executables import Executables
from assent.gate.hooks.hook_process import Finished, HookProcess, unstarted
from assent.gate.processes.process import Leash
from assent.gate.processes.shell_environment import home, variables

__all__ = ["run_hook"]


async def run_hook(
    command: str,
    given: bytes,
    named: Mapping[str, str],
    seconds: float,
    programs: Executables,
) -> Finished:
    """Run a command and wait for its end; when cancelled, too, nobody is left of it.

    What it finds by name is no program of the workspace, which could say anything in its place.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[Finished] = loop.create_future()
    try:
        leash = Leash(folder=os.open(home(), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    except OSError as error:
        return unstarted(error)
    env = variables(os.environ, {**named, "PATH": programs.outside()})
    run = HookProcess(
        leash=leash, command=command, env=env, given=memoryview(given), seconds=seconds
    )

    def live() -> None:
        try:
            finished = run.live()
        except BaseException as error:  # noqa: BLE001 -- raised again where it is waited for
            _tell(loop, ended, error)
        else:
            _tell(loop, ended, finished)

    try:
        threading.Thread(target=live, name="assent-hook", daemon=True).start()
    except RuntimeError as error:
        leash.drop()
        return unstarted(error)
    try:
        return await asyncio.shield(ended)
    except asyncio.CancelledError:
        leash.end(0)
        await asyncio.wait([ended])
        raise


def _tell(
    loop: asyncio.AbstractEventLoop,
    ended: "asyncio.Future[Finished]",
    outcome: Finished | BaseException,
) -> None:
    def settle() -> None:
        if ended.done():
            return
        if isinstance(outcome, BaseException):
            ended.set_exception(outcome)
        else:
            ended.set_result(outcome)

    # A loop that has ended has nobody left to tell.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(settle)
