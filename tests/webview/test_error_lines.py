"""In the transcript a line of standard error is known by a sign, and not by its colour alone."""

from pathlib import Path
from typing import Any

import pytest

from assent.editor.protocol import chats, happenings
from webview import own, scenes
from webview.stage import Stage

pytestmark = pytest.mark.browser


def signs(stage: Stage, box: str) -> Any:
    """Each line that has a sign, and what stands before it."""
    return stage.page.locator(f"{box} .errline").evaluate_all(
        "all => all.map((it) => [it.textContent, getComputedStyle(it, '::before').content])"
    )


@pytest.mark.requirement("T-06")
def test_error_lines_have_a_sign_while_a_command_runs_and_afterwards(
    stage: Stage, tmp_path: Path
) -> None:
    call = own.RUNS.model_copy(update={"output": "fine\n", "errors": []})
    items: list[chats.Item] = [*scenes.TALK[:1], call]
    chat = own.chat(items=items, running=True)
    stage.open(scenes.snapshot(talks=[chat], agents=own.AGENTS))
    more = happenings.CallPrinted(
        call_id=call.call_id, append="bad\nworse\nfine again\n", errors=[1, 3]
    )
    stage.tell("agent/event", scenes.event(1, "chat-1", more))
    lines = [["bad\n", '"2> "'], ["worse\n", '"2> "']]
    assert signs(stage, ".tail") == lines
    stage.at("record").click()
    assert signs(stage, ".output") == lines
    assert stage.at("record").locator("pre").inner_text() == "fine\nbad\nworse\nfine again\n"
    stage.page.screenshot(path=str(tmp_path / "errors.png"))
