"""The time of a call: it runs while its server works, and stands still while a person is asked."""

import asyncio

import pytest
from attrs import define

from assent.catalogue.mcp.call_clock import CallClock, TookTooLong
from gate.admit.scene import within

HOUR = 3_600.0


@define
class Time:
    """The loop's own time, which the test puts on."""

    shift: float = 0.0

    async def pass_by(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self.shift += seconds
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
async def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    loop, made = asyncio.get_running_loop(), Time()
    now = loop.time
    monkeypatch.setattr(loop, "time", lambda: now() + made.shift)
    return made


async def waits(clock: CallClock) -> None:
    async with clock.running():
        await asyncio.Event().wait()


async def test_a_call_that_takes_too_long_is_given_up(time: Time) -> None:
    call = asyncio.ensure_future(waits(CallClock(600)))
    await time.pass_by(599)
    assert not call.done()
    await time.pass_by(2)
    with pytest.raises(TookTooLong, match="it did not answer within 600 seconds"):
        await within(call)


async def test_what_a_person_takes_is_not_counted_and_the_rest_is_as_it_was(time: Time) -> None:
    clock = CallClock(600)
    call = asyncio.ensure_future(waits(clock))
    await time.pass_by(400)
    with clock.stopped(), clock.stopped():
        await time.pass_by(HOUR)
    await time.pass_by(190)
    assert not call.done()
    await time.pass_by(20)
    with pytest.raises(TookTooLong, match="within 600 seconds"):
        await within(call)


async def test_it_stands_still_until_the_last_of_several_questions_is_answered(time: Time) -> None:
    clock = CallClock(600)
    call = asyncio.ensure_future(waits(clock))
    await time.pass_by(1)
    with clock.stopped():
        with clock.stopped():
            await time.pass_by(HOUR)
        await time.pass_by(HOUR)
    await time.pass_by(1)
    assert not call.done()
    call.cancel()


async def test_people_are_not_waited_for_for_ever_however_often_they_are_asked(time: Time) -> None:
    clock = CallClock(600)
    call = asyncio.ensure_future(waits(clock))
    await time.pass_by(1)
    for _ in range(3):
        with clock.stopped():
            await time.pass_by(7 * HOUR)
    assert not call.done()
    with clock.stopped():
        await time.pass_by(4 * HOUR)
        with pytest.raises(TookTooLong, match="nobody answered what it asked within 24 hours"):
            await within(call)


async def test_a_question_that_ends_after_its_call_changes_nothing() -> None:
    clock = CallClock(600)
    async with clock.running():
        question = clock.stopped()
        question.__enter__()
    question.__exit__(None, None, None)
    with clock.stopped():
        pass


async def test_another_time_out_stays_what_it_is() -> None:
    with pytest.raises(TimeoutError):
        async with CallClock(600).running():
            await within(asyncio.Event().wait(), 0)
