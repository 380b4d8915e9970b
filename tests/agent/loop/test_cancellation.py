"""What hangs on a tether breaks off when it is cut, and nothing is begun after."""

import asyncio

import pytest

from assent.agent.loop.cancellation import Cancellation, Cut
from gate.admit.scene import within


async def test_what_is_held_is_broken_off() -> None:
    cancellation, begun = Cancellation(), asyncio.Event()

    async def work() -> None:
        async with cancellation.held():
            begun.set()
            await asyncio.get_running_loop().create_future()

    task = asyncio.ensure_future(work())
    await within(begun.wait())
    cancellation.cut()
    cancellation.cut()
    with pytest.raises(Cut):
        await within(task)


async def test_nothing_is_begun_once_it_is_cut() -> None:
    cancellation = Cancellation()
    cancellation.cut()
    done = []
    with pytest.raises(Cut):
        async with cancellation.held():
            done.append("work")
    assert done == []


async def test_work_that_is_over_when_it_is_cut_is_cut_as_well() -> None:
    cancellation = Cancellation()
    with pytest.raises(Cut):
        async with cancellation.held():
            cancellation.cut()


async def test_whoever_takes_too_long_by_themselves_is_told_so() -> None:
    cancellation = Cancellation()
    with pytest.raises(TimeoutError, match="slow"):
        async with cancellation.held():
            raise TimeoutError("slow")
    async with cancellation.held():
        pass


async def test_who_is_cancelled_otherwise_stays_cancelled() -> None:
    cancellation, begun = Cancellation(), asyncio.Event()

    async def work() -> None:
        async with cancellation.held():
            begun.set()
            await asyncio.get_running_loop().create_future()

    task = asyncio.ensure_future(work())
    await within(begun.wait())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await within(task)
