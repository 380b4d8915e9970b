"""The box in which a message is written: how high it is, what Esc does, what is added to it."""

import pytest

from assent.editor.protocol import happenings
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

AT_REST = scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)])
AT_WORK = scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, running=True)])


def lines(count: int) -> str:
    return "\n".join(f"line {number}" for number in range(count))


def height(stage: Stage) -> float:
    box = stage.at("composer").bounding_box()
    assert box is not None
    return box["height"]


def write(stage: Stage, text: str) -> float:
    """Write it, and see how high the box is then."""
    stage.at("composer").fill(text)
    stage.draw()
    return height(stage)


def test_it_grows_with_what_is_written_up_to_eight_lines_and_shrinks_again(stage: Stage) -> None:
    stage.open(AT_REST)
    at_rest = height(stage)
    assert write(stage, lines(2)) == at_rest
    heights = [write(stage, lines(count)) for count in (3, 5, 8, 9, 40)]
    assert at_rest < heights[0] < heights[1] < heights[2] == heights[3] == heights[4]
    # Of eight lines none is scrolled away.
    write(stage, lines(8))
    assert stage.at("composer").evaluate("box => box.scrollHeight <= box.clientHeight")
    assert write(stage, "wide " * 60) > at_rest
    assert write(stage, "") == at_rest


def test_it_keeps_its_height_while_something_is_asked_so_that_no_button_moves(stage: Stage) -> None:
    stage.open(AT_WORK)
    written, ticket = write(stage, lines(4)), tickets.shell()
    stage.ask(1, ticket)
    stage.arm()
    buttons = stage.page.locator("[data-acts]")
    before = buttons.bounding_box()
    for text in (lines(8), "", lines(2)):
        assert write(stage, text) == written
        assert buttons.bounding_box() == before
    stage.tell("tool/approvalSettled", scenes.settled(2, ticket))
    stage.draw()
    assert stage.at("card").count() == 0
    assert write(stage, lines(8)) > written


def test_escape_stops_the_turn_where_nothing_is_asked(stage: Stage) -> None:
    stage.open(AT_WORK)
    stage.at("composer").fill("and then")
    stage.at("composer").press("Escape")
    stage.let_pass(20)
    assert [each["params"] for each in stage.requests("agent/stop")] == [{"chatId": "chat-1"}]
    assert stage.at("composer").input_value() == "and then"


@pytest.mark.parametrize("is_asked", [True, False])
def test_escape_stops_nothing_where_something_is_asked_or_nothing_runs(
    stage: Stage, *, is_asked: bool
) -> None:
    stage.open(AT_WORK if is_asked else AT_REST)
    if is_asked:
        stage.ask(1, tickets.shell())
        stage.arm()
    stage.at("composer").press("Escape")
    stage.let_pass(20)
    assert stage.requests("agent/stop") == []


def test_what_is_written_meanwhile_is_sent_by_a_button_beside_stop_and_waits(
    stage: Stage,
) -> None:
    eliza = {"agent_id": "eliza", "agent_name": "Eliza"}
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, running=True, **eliza)]))
    before = stage.at("stop").bounding_box()
    assert stage.at("send").count() == 0
    write(stage, "Not that file.")
    assert stage.at("stop").bounding_box() == before
    stage.arm()
    stage.at("send").click()
    stage.let_pass(20)
    waits = stage.at("queued")
    assert waits.inner_text().startswith("Sent as soon as Eliza is done:\nNot that file.")
    assert stage.requests("agent/prompt") == []
    stage.arm()
    stage.at("take-back").click()
    stage.let_pass(20)
    assert waits.count() == 0
    assert stage.at("composer").input_value() == "Not that file."
    stage.arm()
    stage.at("send").click()
    stage.let_pass(20)
    ended = happenings.TurnEnded(kind="turnEnded", reason="done", because="")
    stage.tell("agent/event", scenes.event(1, "chat-1", ended))
    [prompt] = stage.requests("agent/prompt")
    assert prompt["params"] == {"chatId": "chat-1", "text": "Not that file."}
    assert waits.count() == 0


def test_stop_leaves_the_keyboard_in_the_composer(stage: Stage) -> None:
    stage.open(AT_WORK)
    stage.arm()
    stage.at("stop").click()
    stage.let_pass(20)
    assert len(stage.requests("agent/stop")) == 1
    assert stage.at("composer").evaluate("box => box === document.activeElement")


def test_what_is_chosen_in_the_editor_goes_with_the_message(stage: Stage) -> None:
    stage.open(AT_REST)
    found = [
        {"reference": {"kind": kind, "path": f"/till/{name}"}, "name": name, "says": ""}
        for kind, name in (("file", "src/till.py"), ("folder", "docs"))
    ]
    stage.say({"kind": "addReferences", "found": found})
    stage.say({"kind": "addReferences", "found": found[:1]})
    stage.let_pass(20)
    chips = stage.at("references").get_by_role("button")
    assert chips.all_text_contents() == ["src/till.py", "docs"]
    assert stage.at("composer").evaluate("box => box === document.activeElement")
    stage.at("composer").fill("Explain")
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    [prompt] = stage.requests("agent/prompt")
    assert prompt["params"]["references"] == [each["reference"] for each in found]
