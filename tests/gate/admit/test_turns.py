"""Calls that come at once are prepared one by one, and others are heard between them."""

import asyncio
from itertools import pairwise
from typing import Final

from gate.admit.scene import Scene, within
from gate.ruling.samples import running

_MANY: Final = 60


async def test_in_one_round_of_the_loop_one_goes_on_at_most_and_each_in_its_turn(
    scene: Scene,
) -> None:
    went = list[int]()

    async def come(number: int) -> None:
        await scene.gate.wait_for_turn()
        went.append(number)

    waiting = [asyncio.ensure_future(come(number)) for number in range(_MANY)]
    gone = [0]
    await asyncio.sleep(0)
    waiting[1].cancel()
    async with asyncio.timeout(30):
        while not all(each.done() for each in waiting):
            await asyncio.sleep(0)
            gone.append(len(went))
    assert max(after - before for before, after in pairwise(gone)) == 1
    assert went == [number for number in range(_MANY) if number != 1]


async def test_in_one_round_of_the_loop_one_card_at_most_is_shown(scene: Scene) -> None:
    admitted = [scene.admit(running()) for _ in range(_MANY)]
    shown = [0]
    async with asyncio.timeout(30):
        while shown[-1] < _MANY:
            await asyncio.sleep(0)
            shown.append(scene.shown.qsize())
    assert max(after - before for before, after in pairwise(shown)) == 1
    for _ in admitted:
        await scene.answer(await scene.card(), "deny")
    assert {(await within(each)).ended for each in admitted} == {None}
