"""What nobody waits for, at the end of the window."""

import asyncio
from contextlib import suppress

from assent.editor.window.spawn import spawn_in


async def test_what_is_wanted_after_the_end_does_not_begin_and_raises_nothing() -> None:
    begun: list[str] = []

    async def work() -> None:
        begun.append("late")

    async with asyncio.TaskGroup() as group:
        spawn = spawn_in(group)
    late = spawn(work())
    assert late.cancelled()
    await asyncio.sleep(0)
    assert begun == []


async def test_what_the_end_overtakes_is_cancelled_before_it_begins() -> None:
    begun: list[str] = []

    async def work() -> None:
        begun.append("overtaken")

    with suppress(ExceptionGroup):
        async with asyncio.TaskGroup() as group:
            overtaken = spawn_in(group)(work())
            raise ValueError
    assert overtaken.cancelled()
    assert begun == []
