"""Starts a keeper from an event loop, and ends it; if its program does not run, neither is left."""

import asyncio
from collections.abc import Callable
from typing import Final

from assent.gate.processes.process import Leash
from assent.gate.processes.subprocesses import shield_until_done

__all__ = ["begun", "ended", "kept"]

_KEEPER_TIMEOUT_S: Final = 1.0
"""In seconds: how long a keeper that was told to end is waited for."""
_KEEPER_TIMEOUT_AFTER_GRACE_S: Final = 5.0
"""The same, where it ends a program that runs."""


async def kept(leash: Leash, limit: int) -> asyncio.subprocess.Process:
    """The keeper, whose pipes are the program's."""
    pipe = asyncio.subprocess.PIPE
    try:
        return await shield_until_done(
            asyncio.create_subprocess_exec(
                *leash.arguments,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                limit=limit,
                **leash.terms,
            )
        )
    except BaseException:
        leash.drop()
        raise


async def begun(
    leash: Leash,
    process: asyncio.subprocess.Process,
    words: list[str],
    env: dict[str, str],
    check: Callable[[], None] = lambda: None,
) -> None:
    """Wait until the program runs; where it does not, or nobody wants it any more, none is left.

    `check` is called last before that, beside the loop; where it raises, nothing is started.
    """

    def begin() -> None:
        check()
        leash.begin(words[0], words[1:], env)

    leash.keeper = process.pid
    loop = asyncio.get_running_loop()
    beginning = loop.run_in_executor(None, begin)
    try:
        await asyncio.shield(beginning)
    except BaseException:
        leash.end(0)
        _, late = await asyncio.wait([beginning], timeout=_KEEPER_TIMEOUT_S)
        if late:
            await asyncio.to_thread(leash.force)
            await asyncio.wait([beginning])
        if beginning.exception() is not None:
            leash.drop()
        await process.wait()
        leash.drop()
        raise


async def ended(leash: Leash, process: asyncio.subprocess.Process, grace: float) -> None:
    """End the program with all that it started: by closing its pipe, by asking, by force."""
    if process.stdin is not None:
        process.stdin.close()
    leash.end(grace)
    try:
        async with asyncio.timeout(grace + _KEEPER_TIMEOUT_AFTER_GRACE_S):
            await process.wait()
    except TimeoutError:
        await asyncio.to_thread(leash.force)
        await process.wait()
    await asyncio.to_thread(leash.drop)
