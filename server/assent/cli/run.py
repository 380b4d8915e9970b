"""`assent run`: our own agent at one task, without an editor, for scripts and for CI.

It is the same house as an editor's: the same settings, the same gate, the same journal. The
workspace is not trusted; only what is said on the command line loosens anything. Where a person
would be asked, whoever `--ask` names is, and nobody by default, which denies.
"""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from assent.cli.run_options import Misused, Run, run_of
from assent.editor.lsp.process_privacy import keep_private
from assent.editor.window.unattended import Unattended, unattended
from assent.gate.call.errors import AssentError

__all__ = ["main"]

_DONE, _FAILED, _USAGE, _DENIED, _BY_SIGNAL = 0, 1, 2, 3, 128
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def main(rest: Sequence[str]) -> int:
    """Work on one task; what the process should exit with."""
    try:
        run = run_of(rest)
    except Misused as error:
        sys.stderr.write(f"assent: {error}\n")
        return _USAGE
    # Commands run as this person, and must not find a model's key in this process.
    keep_private()
    return asyncio.run(_work(run))


async def _work(run: Run) -> int:
    """Work on it to its end, and tell how that was."""
    stopped: list[int] = []
    async with unattended(run.given, run.ask, run.report.hear, run.terms) as house:
        for banner in house.banners:
            run.report.notice(banner)
        async with asyncio.TaskGroup() as group:
            work = group.create_task(_ended(house, run))
            with _stopping(house, work, group, stopped):
                reason, because = await work
    code = _code(reason, run.report.denied, stopped)
    run.report.end("stopped" if stopped else reason, because, code)
    return code


async def _ended(house: Unattended, run: Run) -> tuple[str, str]:
    """How the work ended, and why."""
    try:
        return await house.work(run.prompt, run.model)
    except asyncio.CancelledError:
        return "stopped", "It was stopped."
    except (AssentError, ValueError) as error:
        return "error", str(error)


@contextlib.contextmanager
def _stopping(
    house: Unattended,
    work: "asyncio.Task[tuple[str, str]]",
    group: asyncio.TaskGroup,
    stopped: list[int],
) -> Iterator[None]:
    """A signal stops the agent in order, with all that it runs; a second one waits for nothing."""
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        stopped.append(number)
        if len(stopped) > 1 or not house.has_begun:
            work.cancel()
        else:
            group.create_task(house.stop())

    for number in _SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


def _code(reason: str, denied: int, stopped: list[int]) -> int:
    if stopped:
        return _BY_SIGNAL + stopped[0]
    if reason != "done":
        return _FAILED
    return _DENIED if denied else _DONE
