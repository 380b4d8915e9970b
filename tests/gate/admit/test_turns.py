"""Calls that come at once are prepared one by one, and others are heard between them."""

import asyncio
from itertools import pairwise
from typing import Final

from assent.gate.approvals.tickets import Outcome
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor
from gate.admit.scene import Scene, within
from gate.ruling.samples import running

_MANY: Final = 60


async def test_in_one_round_of_the_loop_one_call_at_most_is_judged_and_one_shown(
    scene: Scene,
) -> None:
    admitted = [scene.admit(running()) for _ in range(_MANY)]
    judged, shown = [0], [0]
    async with asyncio.timeout(30):
        while shown[-1] < _MANY:
            await asyncio.sleep(0)
            judged.append(sum(each.state is State.WAITING for each in scene.told))
            shown.append(scene.shown.qsize())
    assert max(after - before for before, after in pairwise(judged)) == 1
    assert max(after - before for before, after in pairwise(shown)) == 1
    scene.gate.stop(running().chat, Actor.USER, "You stopped it.")
    ended = await within(asyncio.gather(*admitted))
    assert {each.settlement.because for each in ended} == {"You stopped it."}


async def test_a_call_that_is_stopped_or_dropped_before_its_turn_runs_nothing_and_holds_none_up(
    scene: Scene,
) -> None:
    first, dropped, last = (scene.admit(running()) for _ in range(3))
    await asyncio.sleep(0)
    dropped.cancel()
    scene.gate.stop(running().chat, Actor.USER, "You stopped it.")
    for passage in (await within(first), await within(last)):
        assert (passage.settlement.outcome, passage.ended) == (Outcome.REFUSED, None)
    assert isinstance((await asyncio.gather(dropped, return_exceptions=True))[0], BaseException)
    assert scene.entered == {}
    assert scene.shown.empty()
    after = scene.admit(running())
    await scene.answer(await scene.card())
    assert (await within(after)).ended is not None
