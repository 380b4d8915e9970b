"""A workflow in the chat: drawn as one image, and run again from the step that failed."""

from typing import Any

import pytest

from assent.editor.protocol import chats, happenings, records
from webview import own, scenes
from webview.stage import ORIGIN, Stage
from webview.tickets import plain

pytestmark = pytest.mark.browser


def step(name: str, state: str, level: int, *needs: int, note: str = "") -> records.FlowStep:
    told: dict[str, Any] = {"state": state, "level": level, "needs": list(needs), "note": note}
    return records.FlowStep(name=name, run="run_command", **told)


STEPS = [
    step("commits", "done", 0),
    step("issues", "kept", 1, 0),
    step("screenshots", "failed", 1, 0, note="It took longer than 60 seconds."),
    step("translate", "running", 2, 1, note="5/9"),
    step("backport", "skipped", 2, 1, note="Its condition is not so."),
    step("announce", "unreached", 3, 2, 3, note="It needs `screenshots`."),
]


def record(state: str, steps: list[records.FlowStep]) -> records.CallRecord:
    flow = records.Flow(name="release-notes", steps=steps)
    title = plain("Run the workflow release-notes (6 steps)")
    return scenes.record("flow", title, state=state, flow=flow)


def play(stage: Stage, state: str, steps: list[records.FlowStep]) -> None:
    items: list[chats.Item] = [*scenes.TALK[:1], record(state, steps)]
    chat = own.chat(items=items, running=state == "running")
    stage.open(scenes.snapshot(talks=[chat], agents=own.AGENTS))


def test_a_workflow_is_one_image_that_tells_how_each_step_stands(stage: Stage) -> None:
    play(stage, "running", STEPS)
    drawn = stage.at("flow")
    assert drawn.get_attribute("role") == "img"
    told = str(drawn.get_attribute("aria-label"))
    assert told.startswith("Workflow release-notes, 6 steps. commits: done. issues: kept from")
    assert "screenshots: failed: It took longer than 60 seconds." in told
    assert "translate: runs: 5/9" in told
    assert drawn.locator("rect").count() == len(STEPS)
    assert drawn.locator("path").count() == sum(len(it.needs) for it in STEPS)
    assert stage.at("flow-again").count() == 0, "nothing is begun again while it runs"


def test_a_workflow_is_run_again_from_the_step_that_failed(stage: Stage) -> None:
    play(stage, "failed", STEPS)
    # What draws it is fetched, and the button has to stand still once it is there.
    stage.at("flow-again").wait_for(state="attached")
    stage.arm()
    stage.at("flow-again").click()
    stage.let_pass(20)
    [asked] = stage.requests("tool/again")
    assert asked["params"] == {"chatId": "chat-1", "callId": "call-flow", "step": "screenshots"}


def test_of_a_run_that_was_broken_off_nothing_runs_any_more(stage: Stage) -> None:
    play(stage, "killed", [step("one", "done", 0), step("two", "running", 1, 0)])
    assert "two: failed: broken off" in str(stage.at("flow").get_attribute("aria-label"))
    assert stage.at("flow-again").inner_text() == "Run again from two"


def test_what_draws_workflows_is_fetched_for_the_first_and_without_it_the_call_stands_there(
    stage: Stage,
) -> None:
    fetched: list[str] = []
    stage.page.on("request", lambda request: fetched.append(request.url.removeprefix(ORIGIN)))
    chat = own.chat(items=[*scenes.TALK[:1]])
    stage.open(scenes.snapshot(talks=[chat], agents=own.AGENTS))
    assert "/drawings.js" not in fetched
    stage.page.route(f"{ORIGIN}/drawings.js", lambda route: route.abort())
    came = happenings.CallMoved(entry=1, call=record("failed", STEPS))
    # That something is fetched is told by another process than the page's.
    with stage.page.expect_request(f"{ORIGIN}/drawings.js"):
        stage.tell("agent/event", scenes.event(1, chat.chat_id, came))
    stage.let_pass(20)
    assert "/drawings.js" in fetched
    assert stage.at("record").count() == 1
    assert stage.at("flow").count() == 0
