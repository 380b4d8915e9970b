"""A call that is still being written is a calm line, and neither a card nor a record."""

from pathlib import Path

import pytest

from assent.editor.protocol import happenings
from assent.editor.window.chats.agent_shapes import draft_shape
from assent.gate.call.calls import ChatId
from assent.gate.journal.agent_events import Drafted
from webview import own, scenes
from webview.stage import Stage

pytestmark = pytest.mark.browser


@pytest.mark.requirement("T-06")
def test_a_long_call_is_seen_while_it_is_written_and_is_gone_afterwards(
    stage: Stage, tmp_path: Path
) -> None:
    chat = own.chat(items=scenes.TALK[:1], running=True)
    stage.open(scenes.snapshot(talks=[chat], agents=own.AGENTS))
    told = Drafted(
        chat=ChatId("chat-1"), what="to write", path="src/<b>x</b>\u202e.py “done”", size=12_345
    )
    line = list(draft_shape(told))
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.Drafted(line=line)))
    assert stage.at("draft").inner_text() == (
        "Assent proposes to write src/<b>x</b>U+202E.py “done” … 12 kB so far"
    )
    assert stage.at("draft").locator("code").all_inner_texts() == ["src/<b>x</b>", ".py “done”"]
    assert stage.at("draft").locator(".boxed").inner_text() == "U+202E"
    assert stage.at("record").count() == 0
    assert stage.at("card").count() == 0
    stage.page.screenshot(path=str(tmp_path / "draft.png"))
    stage.tell("agent/event", scenes.event(2, "chat-1", happenings.Drafted(line=[])))
    assert stage.at("draft").count() == 0
