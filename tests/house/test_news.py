"""Waiting for news: all are woken, and one that is cancelled ends at once."""

import asyncio

from news import News


async def test_all_who_wait_are_woken_and_go_on_waiting_until_it_holds() -> None:
    news, come = News(), list[int]()
    waiting = [asyncio.create_task(news.until(lambda at=at: len(come) > at)) for at in (0, 0, 1)]
    await asyncio.sleep(0)
    come.append(1)
    news.came()
    await asyncio.gather(*waiting[:2])
    assert not waiting[2].done()
    come.append(2)
    news.came()
    await waiting[2]


async def test_one_that_is_cancelled_while_it_is_woken_ends_at_once() -> None:
    news = News()
    waiting = asyncio.create_task(news.until(lambda: False))
    await asyncio.sleep(0)
    news.came()
    waiting.cancel()
    await asyncio.wait({waiting})
    assert waiting.cancelled()
