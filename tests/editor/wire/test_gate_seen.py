"""What passes the gate is told to every replica, and stands in the next snapshot."""

from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.modes import Mode
from assent.gate.journal.events import ChatOpened, GateSeen
from editor.wire.inside import Inside

CHAT = ChatId("1")


async def test_how_many_tools_pass_the_gate_is_told_and_kept(window: Inside) -> None:
    tell = window.built.run.board.tell
    tell(ChatOpened(chat=CHAT, agent=AgentId("eliza"), mode=Mode.DEFAULT))
    (before,) = window.built.run.board.snapshot(0).chats
    assert (before.gate, before.passed, before.tools) == ("advisory", 0, 0)
    tell(GateSeen(chat=CHAT, gate="verified", passed=3, tools=4))
    (after,) = window.built.run.board.snapshot(0).chats
    assert (after.gate, after.passed, after.tools) == ("verified", 3, 4)
    await window.until(
        lambda: any(
            it["params"]["event"] == {"kind": "gate", "gate": "verified", "passed": 3, "tools": 4}
            for it in window.told
            if it.get("method") == "agent/event"
        )
    )
