"""What a replica is told when it comes, when it comes back, and when it missed something."""

from typing import Any

import pytest

from editor.wire.scene import Stage

requirement = pytest.mark.requirement


async def subscribe(scene: Any, have: Any = None) -> Any:
    params = {"viewId": "view"} | ({"have": have} if have else {})
    return await scene.client.request("agent/subscribe", params)


async def test_a_replica_that_knows_nothing_gets_every_open_ticket(stage: Stage) -> None:
    scene = await stage()
    chat = await scene.chat(mode="ask")
    turn = scene.say(chat, "two calls")
    tickets = [await scene.card(), await scene.card()]
    told = await subscribe(scene)
    assert [it.approval_id for it in told.snapshot.tickets] == [it.approval_id for it in tickets]
    assert [it.chat_id for it in told.snapshot.chats] == [chat]
    for ticket in told.snapshot.tickets:
        assert (await scene.answer(ticket, "deny")).kind == "applied"
    await turn


async def test_a_replica_that_missed_a_little_gets_just_that(stage: Stage) -> None:
    scene = await stage()
    before = await subscribe(scene)
    await scene.chat()
    told = await subscribe(scene, {"epoch": before.epoch, "seq": before.seq})
    assert told.snapshot is None
    assert [it.message.seq for it in told.events] == list(range(before.seq + 1, told.seq + 1))


@pytest.mark.parametrize("have", [{"epoch": "another", "seq": 1}, {"epoch": None, "seq": 10**9}])
async def test_a_replica_of_another_run_or_of_the_future_gets_everything(
    stage: Stage, have: dict[str, Any]
) -> None:
    scene = await stage()
    epoch = (await subscribe(scene)).epoch
    told = await subscribe(scene, {**have, "epoch": have["epoch"] or epoch})
    assert told.snapshot is not None


@requirement("T-06")
async def test_what_is_said_and_done_is_told_in_order(stage: Stage) -> None:
    scene = await stage()
    chat = await scene.chat()
    await scene.turn(chat, "read README.md")
    kinds = [
        told.event.call.state
        for told in scene.client.told("agent/event")
        if told.event.kind == "call"
    ]
    assert kinds == ["proposed", "running", "succeeded"]
    seqs = [told.seq for told in scene.client.told("agent/event")]
    assert seqs == sorted(set(seqs))
