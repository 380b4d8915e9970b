"""Stop refuses all that waits at once, however much that is."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from assent.gate.call.lifecycle import State
from assent.gate.journal.events import CallMoved
from assent.gate.journal.journal import Journal
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.requests import MAX_OPEN_REQUESTS
from hosting.eliza.rig import BOUND, Rig

ASKING = f"""
number = begin()
waiting = set(range({MAX_OPEN_REQUESTS}))
for at in waiting:
    given = {{"command": f"make {{at}}"}}
    ask(at, {{"toolCallId": f"t{{at}}", "kind": "execute", "rawInput": given}})
while waiting:
    waiting.discard(hear().get("id"))
end(number, "cancelled")
until("never")
"""


async def test_as_many_questions_as_may_be_open_are_refused_in_few_writes(
    rig: Rig, scripted: Callable[..., AgentSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.agent = scripted(ASKING)
    rig.patience = None
    await rig.open()
    turn = asyncio.ensure_future(rig.say("go"))
    await rig.ticket(MAX_OPEN_REQUESTS)
    written: list[int] = []
    insert = Journal._insert

    def counted(journal: Journal, database: Any, rows: list[Any]) -> list[int]:
        written.append(len(rows))
        return insert(journal, database, rows)

    monkeypatch.setattr(Journal, "_insert", counted)
    async with asyncio.timeout(BOUND):
        await rig.fleet.stop(rig.chat)
        assert (await turn)[0] == "stopped"
    assert sum(written) == MAX_OPEN_REQUESTS
    assert len(written) < MAX_OPEN_REQUESTS / 10
    refused = [
        moved
        for moved in rig.happened
        if isinstance(moved, CallMoved) and moved.state is State.REFUSED
    ]
    assert len(refused) == MAX_OPEN_REQUESTS
