"""Which presses and keys are an answer, and which are none."""

import random
import string

import pytest

from webview import scenes, tickets
from webview.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.walk]


def opened(stage: Stage, *asked: tickets.Ticket) -> None:
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked))


def keep_composing(stage: Stage) -> None:
    stage.at("composer").click()
    stage.at("composer").fill("not yet")
    stage.let_pass(20)


@pytest.mark.requirement("T-01")
def test_a_card_takes_no_answer_in_its_first_half_second(stage: Stage) -> None:
    opened(stage)
    stage.ask(1, tickets.edit())
    # What can be seen is known once a frame was drawn.
    stage.let_pass(20)
    for _ in range(3):
        stage.at("allow-once").click()
        stage.let_pass(100)
    assert stage.answers() == []
    assert stage.at("card").get_attribute("data-armed") == "false"
    stage.arm()
    assert stage.at("card").get_attribute("data-armed") == "true"
    stage.at("allow-once").click()
    stage.let_pass(20)

    assert len(stage.answers()) == 1


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize(("first", "counted"), [("focus", 0), ("press", 1)])
def test_a_click_that_raises_the_window_is_no_answer_and_one_from_the_editor_is(
    stage: Stage, first: str, counted: int
) -> None:
    opened(stage, tickets.edit())
    stage.arm()
    stage.at("allow-once").hover()
    focus = "window.dispatchEvent(new Event('focus'))"
    if first == "focus":
        # A window that is raised has the focus before the press reaches the page.
        stage.page.evaluate(focus)
        stage.page.mouse.down()
    else:
        stage.page.mouse.down()
        stage.page.evaluate(focus)
    stage.page.mouse.up()
    stage.let_pass(20)

    assert len(stage.answers()) == counted


@pytest.mark.requirement("T-01")
def test_a_press_that_began_on_an_earlier_card_does_not_answer_a_later_one(stage: Stage) -> None:
    ticket = tickets.edit("first")
    opened(stage, ticket, tickets.edit("second"))
    stage.arm()
    stage.at("allow-once").hover()
    stage.page.mouse.down()
    stage.tell("tool/approvalSettled", scenes.settled(1, ticket))
    stage.arm()
    stage.page.mouse.up()
    stage.let_pass(20)

    assert stage.at("card").get_attribute("data-approval-id") == "second"
    assert stage.answers() == []


@pytest.mark.requirement("T-01")
def test_a_double_click_answers_one_card_once(stage: Stage) -> None:
    first = tickets.edit("first")
    opened(stage, first, tickets.edit("second"))
    stage.arm()
    box = stage.at("allow-once").bounding_box()
    assert box is not None
    stage.page.mouse.dblclick(box["x"] + 5, box["y"] + 5)
    stage.let_pass(20)
    stage.tell("tool/approvalSettled", scenes.settled(1, first))
    stage.page.mouse.click(box["x"] + 5, box["y"] + 5)
    stage.let_pass(20)

    assert [answer["approvalId"] for answer in stage.answers()] == ["first"]


@pytest.mark.requirement("T-01")
def test_a_click_that_no_person_made_is_no_answer(stage: Stage) -> None:
    opened(stage, tickets.edit())
    stage.arm()
    stage.page.evaluate(
        """() => {
          for (const each of document.querySelectorAll("[data-testid=card] button")) {
            each.click();
            each.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
          }
        }"""
    )
    stage.let_pass(20)

    assert stage.answers() == []
    assert stage.at("allow-menu").get_attribute("aria-expanded") == "false"


@pytest.mark.requirement("T-01")
def test_stray_keys_answer_nothing_while_twenty_cards_arrive(stage: Stage) -> None:
    opened(stage)
    stage.at("composer").click()
    chance = random.Random(7)  # noqa: S311 -- which keys are pressed is no secret
    keys = [*string.ascii_letters, *string.digits, "Enter", " ", "Escape", "ArrowDown", "Backspace"]
    for seq in range(1, 21):
        stage.ask(seq, tickets.shell(f"t{seq}") if seq % 2 else tickets.edit(f"t{seq}"))
        for _ in range(10):
            stage.page.keyboard.press("Space" if (key := chance.choice(keys)) == " " else key)
        stage.let_pass(300)

    assert stage.at("waiting-count").inner_text() == "20 waiting"
    assert stage.answers() == []
    assert stage.at("card").get_attribute("data-approval-id") == "t1"


@pytest.mark.requirement("T-01")
def test_a_key_that_is_held_down_on_a_button_answers_once(stage: Stage) -> None:
    first = tickets.edit("first")
    opened(stage, first, tickets.edit("second"))
    stage.arm()
    stage.at("allow-once").focus()
    for _ in range(5):
        stage.page.keyboard.down("Enter")
    stage.let_pass(20)
    stage.tell("tool/approvalSettled", scenes.settled(1, first))
    stage.arm()
    for _ in range(5):
        stage.page.keyboard.down("Enter")
    stage.page.keyboard.up("Enter")
    stage.let_pass(20)

    assert [answer["approvalId"] for answer in stage.answers()] == ["first"]


@pytest.mark.requirement("T-02")
def test_a_command_answers_the_shown_card_and_a_high_one_only_at_the_second_press(
    stage: Stage,
) -> None:
    low = tickets.edit("low")
    opened(stage, low, tickets.shell("high"))
    stage.arm()
    stage.command("allowOnce")
    stage.tell("tool/approvalSettled", scenes.settled(1, low))
    stage.let_pass(1_000)
    stage.command("allowOnce")
    assert [answer["approvalId"] for answer in stage.answers()] == ["low"]
    assert stage.at("allow-once").evaluate("(each) => each === document.activeElement")
    assert stage.at("hint").inner_text() == "Press again to allow"
    stage.let_pass(1_000)
    stage.command("allowOnce")

    assert [answer["approvalId"] for answer in stage.answers()] == ["low", "high"]


@pytest.mark.requirement("T-01")
def test_a_command_that_repeats_because_its_key_is_held_answers_one_card(stage: Stage) -> None:
    first = tickets.edit("first")
    opened(stage, first, tickets.edit("second"))
    stage.arm()
    stage.command("allowOnce")
    stage.tell("tool/approvalSettled", scenes.settled(1, first))
    for _ in range(60):
        stage.say({"kind": "command", "command": "allowOnce"})
        stage.let_pass(30)

    assert [answer["approvalId"] for answer in stage.answers()] == ["first"]


@pytest.mark.requirement("T-01")
@pytest.mark.parametrize("command", ["allowOnce", "deny", "allowChat", "stopAsking"])
def test_no_command_answers_while_something_is_being_written(stage: Stage, command: str) -> None:
    opened(stage, tickets.edit())
    keep_composing(stage)
    stage.arm()
    stage.command(command)

    assert stage.answers() == []
    assert "text in the composer" in stage.at("note").inner_text()
