"""What a command printed: stderr is named, places are links, and a failure is read at once."""

from pathlib import Path
from typing import Any, Final

import pytest

from assent.editor.protocol import chats, happenings
from webview import own, scenes
from webview.stage import Stage

pytestmark = pytest.mark.browser


def signs(stage: Stage, box: str) -> Any:
    """What came on standard error, and what stands beside it."""
    return stage.page.locator(f"{box} .errors").evaluate_all(
        "all => all.map((it) => [it.textContent, getComputedStyle(it, '::before').content])"
    )


def play(stage: Stage, call: Any, *, running: bool = False) -> None:
    items: list[chats.Item] = [*scenes.TALK[:1], call]
    stage.open(scenes.snapshot(talks=[own.chat(items=items, running=running)], agents=own.AGENTS))


@pytest.mark.requirement("T-06")
def test_error_lines_have_a_sign_while_a_command_runs_and_afterwards(
    stage: Stage, tmp_path: Path
) -> None:
    call = own.RUNS.model_copy(update={"output": "fine\n", "errors": []})
    play(stage, call, running=True)
    more = happenings.CallPrinted(
        call_id=call.call_id, append="bad\nworse\nfine again\n", errors=[1, 3]
    )
    stage.tell("agent/event", scenes.event(1, "chat-1", more))
    stretches = [["bad\nworse", '"stderr"']]
    assert signs(stage, ".tail") == stretches
    stage.at("record").click()
    assert signs(stage, ".output") == stretches
    assert stage.at("record").locator("pre").inner_text() == "fine\nbad\nworse\nfine again\n"
    stage.page.screenshot(path=str(tmp_path / "errors.png"))


FAILED: Final = own.run(
    "tests",
    "pytest -q",
    state="failed",
    may=[],
    exit_code=1,
    took=2_417,
    output="".join(f"test {n}\n" for n in range(40)) + "tests/test_a.py:88: wrong\n",
)


@pytest.mark.requirement("T-13")
def test_a_failed_command_says_how_it_ended_and_shows_the_end_of_its_output(stage: Stage) -> None:
    play(stage, FAILED)
    summary = stage.at("record").locator("summary")
    assert summary.locator(".outcome").inner_text() == "exit 1 · 2.4 s"
    assert summary.locator(".sign").inner_text() == "✗"
    tail = stage.at("record-tail")
    assert tail.inner_text().endswith("tests/test_a.py:88: wrong\n")
    box, drawn = tail.bounding_box(), tail.locator("span").bounding_box()
    assert box is not None
    assert drawn is not None
    assert drawn["height"] > box["height"] > 40, "its beginning is out of sight"
    summary.click()
    assert not tail.is_visible(), "all of it is there"
    assert "test 0\n" in stage.at("record").locator(".output").inner_text()


@pytest.mark.requirement("T-13")
def test_a_command_that_did_well_says_how_long_it_took_and_nothing_else(stage: Stage) -> None:
    well = {"state": "succeeded", "exit_code": 0, "took": 59_600}
    play(stage, FAILED.model_copy(update=well))
    assert stage.at("record").locator(".outcome").inner_text() == "1 min 0 s"
    assert stage.at("record-tail").count() == 0


def test_a_place_in_an_output_or_an_answer_opens_that_place(stage: Stage) -> None:
    play(stage, FAILED)
    stage.page.get_by_role("link", name="tests/test_a.py:88").click()
    said = happenings.SaidMore(
        who="agent", message_id="m9", append="It is `till.py`, not `os.path`."
    )
    stage.tell("agent/event", scenes.event(1, "chat-1", said))
    stage.page.get_by_role("link", name="till.py").focus()
    stage.page.keyboard.press("Enter")
    assert stage.posted("openPlace") == [
        {"kind": "openPlace", "place": "tests/test_a.py:88"},
        {"kind": "openPlace", "place": "till.py"},
    ]
    assert stage.page.locator("assent-prose a").count() == 1
