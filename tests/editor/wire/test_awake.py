"""The loop that stays awake for a moment hears everything, and nothing later than another."""

import asyncio
import os

import pytest

from assent.editor.lsp.awake_loop import new_loop


@pytest.fixture
def loop() -> asyncio.AbstractEventLoop:
    return new_loop()


def test_what_comes_while_it_is_awake_and_while_it_sleeps_is_heard(
    loop: asyncio.AbstractEventLoop,
) -> None:
    reading, writing = os.pipe()
    heard: list[bytes] = []

    async def hear() -> None:
        came = asyncio.Event()

        def take() -> None:
            heard.append(os.read(reading, 1))
            came.set()

        asyncio.get_running_loop().add_reader(reading, take)
        # At once, and after timers have passed in which nothing came.
        for pause in (None, None, 0.001, 0.01, None):
            if pause is not None:
                await asyncio.wait([asyncio.ensure_future(asyncio.Event().wait())], timeout=pause)
            os.write(writing, b"x")
            await asyncio.wait_for(came.wait(), 5)
            came.clear()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    try:
        loop.run_until_complete(hear())
    finally:
        loop.close()
        os.close(reading)
        os.close(writing)
    assert heard == [b"x"] * 5


def test_a_call_from_another_thread_wakes_it(loop: asyncio.AbstractEventLoop) -> None:
    async def wait_for_a_thread() -> int:
        return await asyncio.get_running_loop().run_in_executor(None, lambda: 7)

    try:
        assert loop.run_until_complete(wait_for_a_thread()) == 7
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()


def test_where_there_is_one_processor_it_sleeps_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    alone = new_loop()
    try:
        assert type(alone._selector).__module__ == "selectors"  # type: ignore[attr-defined]
    finally:
        alone.close()
