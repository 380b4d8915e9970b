"""What hangs on a tether breaks off when it is cut, and nothing is begun after."""

import asyncio

import pytest

from assent.agent.loop.cancellation import Cut, Tether
from gate.admit.scene import within


async def test_what_is_held_is_broken_off() -> None:
    tether, begun = Tether(), asyncio.Event()

    async def work() -> None:
        async with tether.held():
            begun.set()
            await asyncio.get_running_loop().create_future()

    task = asyncio.ensure_future(work())
    await within(begun.wait())
    tether.cut()
    tether.cut()
    with pytest.raises(Cut):
        await within(task)


async def test_nothing_is_begun_once_it_is_cut() -> None:
    tether = Tether()
    tether.cut()
    done = []
    with pytest.raises(Cut):
        async with tether.held():
            done.append("work")
    assert done == []


async def test_work_that_is_over_when_it_is_cut_is_cut_as_well() -> None:
    tether = Tether()
    with pytest.raises(Cut):
        async with tether.held():
            tether.cut()


async def test_whoever_takes_too_long_by_themselves_is_told_so() -> None:
    tether = Tether()
    with pytest.raises(TimeoutError, match="slow"):
        async with tether.held():
            raise TimeoutError("slow")
    async with tether.held():
        pass


async def test_who_is_cancelled_otherwise_stays_cancelled() -> None:
    tether, begun = Tether(), asyncio.Event()

    async def work() -> None:
        async with tether.held():
            begun.set()
            await asyncio.get_running_loop().create_future()

    task = asyncio.ensure_future(work())
    await within(begun.wait())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await within(task)
