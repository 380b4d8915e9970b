"""How a card is answered, and what is no answer."""

import random
import string

import pytest

from webview import scenes
from webview.stage import Stage

pytestmark = pytest.mark.browser


def opened(stage: Stage, *tickets: scenes.Ticket) -> None:
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=tickets))


def keep_composing(stage: Stage) -> None:
    stage.at("composer").click()
    stage.at("composer").fill("not yet")
    stage.let_pass(20)


@pytest.mark.requirement("T-02", "S-04", "N-04")
@pytest.mark.parametrize(
    ("way", "option"),
    [
        (["allow-once"], "once"),
        (["deny"], "deny"),
        (["allow-menu", "option-allowChat"], "chat"),
        (["allow-menu", "option-bypassAgent"], "bypass"),
    ],
)
def test_an_answer_names_exactly_the_card_that_was_shown(
    stage: Stage, way: list[str], option: str
) -> None:
    ticket = scenes.edit(revision=2)
    opened(stage, ticket)
    for name in way:
        stage.arm()
        stage.at(name).click()
        stage.let_pass(20)

    [answer] = stage.answers()
    assert answer.pop("shownMs") >= 500
    assert answer == {
        "approvalId": ticket.approval_id,
        "chatId": "chat-1",
        "revision": 2,
        "digest": ticket.digest,
        "optionId": option,
    }


@pytest.mark.requirement("T-02", "T-05")
@pytest.mark.parametrize("by", ["button", "enter"])
def test_words_for_the_agent_go_with_the_refusal(stage: Stage, by: str) -> None:
    opened(stage, scenes.shell())
    stage.arm()
    stage.at("deny-menu").click()
    stage.arm()
    stage.at("option-denyTell").click()
    stage.arm()
    assert stage.answers() == []

    stage.at("deny-words").fill("use the docs")
    stage.let_pass(20)
    if by == "enter":
        stage.at("deny-words").press("Enter")
    else:
        stage.at("deny-words-send").click()
    stage.let_pass(20)

    [answer] = stage.answers()
    assert (answer["optionId"], answer["feedback"]) == ("tell", "use the docs")


@pytest.mark.requirement("T-02")
def test_only_what_the_server_offers_is_drawn(stage: Stage) -> None:
    opened(stage, scenes.trust())
    stage.arm()

    names = stage.at("card").get_by_role("button").all_inner_texts()
    assert names == ["Keep asking", "Stop asking for Eliza"]
    stage.at("option-grantWish").click()
    stage.let_pass(20)
    assert [answer["optionId"] for answer in stage.answers()] == ["grant"]


@pytest.mark.requirement("T-13", "S-05")
def test_a_card_stays_until_the_server_says_that_it_is_settled(stage: Stage) -> None:
    ticket = scenes.edit()
    opened(stage, ticket)
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)

    assert stage.at("hint").inner_text() == "Sending…"
    assert stage.at("allow-once").is_disabled()
    applied = {"kind": "applied", "outcome": "allowed", "by": "user", "because": "You allowed it."}
    stage.answer(stage.asked("tool/approvalResponse"), applied)
    assert stage.at("card").is_visible()
    stage.tell("tool/approvalSettled", scenes.settled(1, ticket))
    assert stage.at("dock").count() == 0
    assert len(stage.answers()) == 1


@pytest.mark.requirement("T-13")
def test_a_card_without_a_receipt_can_be_answered_again_after_ten_seconds(stage: Stage) -> None:
    opened(stage, scenes.edit())
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(9_900)
    assert stage.at("allow-once").is_disabled()
    stage.let_pass(200)
    assert "has not confirmed" in stage.at("remark").inner_text()
    stage.arm()
    stage.at("deny").click()
    stage.let_pass(20)

    assert [answer["optionId"] for answer in stage.answers()] == ["once", "deny"]


@pytest.mark.requirement("T-01", "T-13")
def test_a_stale_answer_shows_the_new_card_and_asks_for_a_new_look(stage: Stage) -> None:
    opened(stage, scenes.edit())
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    changed = scenes.edit(lines=6, revision=1)
    current = scenes.wire(changed)
    stage.answer(stage.asked("tool/approvalResponse"), {"kind": "stale", "current": current})

    assert stage.at("card").get_attribute("data-digest") == changed.digest
    assert stage.at("card").get_attribute("data-armed") == "false"
    assert "Look again" in stage.at("remark").inner_text()
    stage.at("allow-once").click()
    assert len(stage.answers()) == 1
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    assert stage.answers()[-1]["digest"] == changed.digest


@pytest.mark.requirement("T-11")
@pytest.mark.parametrize(
    ("receipt", "words"),
    [
        ({"kind": "alreadyDecided", "outcome": "refused", "by": "timeout"}, "already"),
        ({"kind": "unknown", "because": "There is no such ticket."}, "no such ticket"),
        ({"kind": "stillOpen", "because": "You drew back."}, "drew back"),
    ],
)
def test_a_receipt_that_settles_nothing_is_told_on_the_card(
    stage: Stage, receipt: dict[str, str], words: str
) -> None:
    opened(stage, scenes.edit())
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    stage.answer(stage.asked("tool/approvalResponse"), receipt)

    assert words in stage.at("remark").inner_text()
    # Where the two sides differ on what there is, the view asks for the truth.
    again = len(stage.requests("agent/subscribe")) - 1
    assert again == (0 if receipt["kind"] == "stillOpen" else 1)


@pytest.mark.requirement("T-01")
def test_a_card_takes_no_answer_in_its_first_half_second(stage: Stage) -> None:
    opened(stage)
    stage.ask(1, scenes.edit())
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
    opened(stage, scenes.edit())
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
    ticket = scenes.edit("first")
    opened(stage, ticket, scenes.edit("second"))
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
    first = scenes.edit("first")
    opened(stage, first, scenes.edit("second"))
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
    opened(stage, scenes.edit())
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
        stage.ask(seq, scenes.shell(f"t{seq}") if seq % 2 else scenes.edit(f"t{seq}"))
        for _ in range(10):
            stage.page.keyboard.press("Space" if (key := chance.choice(keys)) == " " else key)
        stage.let_pass(300)

    assert stage.at("waiting-count").inner_text() == "20 waiting"
    assert stage.answers() == []
    assert stage.at("card").get_attribute("data-approval-id") == "t1"


@pytest.mark.requirement("T-01")
def test_a_key_that_is_held_down_on_a_button_answers_once(stage: Stage) -> None:
    first = scenes.edit("first")
    opened(stage, first, scenes.edit("second"))
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
def test_the_middle_of_a_long_text_is_opened_before_it_can_be_allowed(stage: Stage) -> None:
    ticket = scenes.long()
    opened(stage, ticket)
    stage.arm()
    body = stage.at("card-body")
    assert "| sh" in body.inner_text()
    assert "⟨188 spaces⟩" in body.inner_text()
    assert "U+202E" in body.inner_text()
    assert stage.at("allow-once").is_disabled()
    assert stage.at("allow-menu").is_disabled()
    assert stage.at("deny").is_enabled()
    stage.command("allowOnce")
    stage.arm()
    stage.command("allowOnce")
    assert stage.answers() == []

    stage.at("open-middle").click()
    stage.arm()
    assert stage.at("allow-once").is_enabled()
    assert stage.at("open-middle").count() == 0
    drawn = stage.page.evaluate(
        """() => {
          const pre = document.querySelector(".card pre.raw");
          for (const box of pre.querySelectorAll("[data-copy]")) {
            box.textContent = box.dataset.copy;
          }
          return pre.textContent;
        }"""
    )
    assert drawn == "".join(span.text for span in ticket.card.body.command)  # type: ignore[union-attr]  # it is a shell


@pytest.mark.requirement("T-02")
def test_the_end_of_a_long_text_can_be_reached_without_opening_it(stage: Stage) -> None:
    opened(stage, scenes.long())
    stage.at("card-body").locator(".hot").last.scroll_into_view_if_needed()

    assert stage.at("card-body").locator(".hot").last.is_visible()
    assert stage.at("open-middle").is_visible()


@pytest.mark.requirement("T-02")
def test_what_is_copied_is_the_exact_text(stage: Stage) -> None:
    opened(stage, scenes.long())
    copied = stage.page.evaluate(
        """() => {
          const pre = document.querySelector(".card pre.raw");
          getSelection().selectAllChildren(pre);
          const data = new DataTransfer();
          const copy = new ClipboardEvent("copy", { clipboardData: data, bubbles: true,
            cancelable: true });
          pre.dispatchEvent(copy);
          return data.getData("text/plain");
        }"""
    )

    assert 'Release notes \u202etxt.etadpu\u202c"' in copied
    assert "U+202E" not in copied


@pytest.mark.requirement("T-02")
def test_nothing_moves_when_another_card_arrives(stage: Stage) -> None:
    opened(stage, scenes.edit("first"))
    stage.arm()
    boxes = [stage.at(name).bounding_box() for name in ("allow-once", "deny", "allow-menu")]
    stage.ask(1, scenes.shell("second"))
    stage.ask(2, scenes.edit("third", agent="eliza"))

    after = [stage.at(name).bounding_box() for name in ("allow-once", "deny", "allow-menu")]
    assert after == boxes
    assert stage.at("card").get_attribute("data-approval-id") == "first"
    assert stage.at("card").get_attribute("data-armed") == "true"
    assert stage.at("pager").inner_text().split() == ["‹", "1", "/", "3", "›"]


@pytest.mark.requirement("T-02")
def test_the_buttons_stay_where_they_are_when_a_list_opens(stage: Stage) -> None:
    opened(stage, scenes.shell())
    stage.arm()
    before = stage.at("allow-menu").bounding_box()
    stage.at("allow-menu").click()
    stage.let_pass(20)

    assert stage.at("option-allowChat").is_visible()
    assert stage.at("allow-menu").bounding_box() == before
    assert stage.at("card-title").is_visible()
    assert stage.at("card").get_attribute("data-armed") == "false"


@pytest.mark.requirement("T-02")
def test_escape_closes_a_list_and_answers_nothing(stage: Stage) -> None:
    opened(stage, scenes.shell())
    stage.arm()
    stage.at("deny-menu").focus()
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert stage.at("option-denyTell").evaluate("(each) => each === document.activeElement")
    stage.page.keyboard.press("Escape")
    stage.let_pass(20)
    stage.page.keyboard.press("Escape")
    stage.arm()

    assert stage.at("option-denyTell").count() == 0
    assert stage.at("card").is_visible()
    assert stage.answers() == []


@pytest.mark.requirement("T-02")
def test_a_command_answers_the_shown_card_and_a_high_one_only_at_the_second_press(
    stage: Stage,
) -> None:
    low = scenes.edit("low")
    opened(stage, low, scenes.shell("high"))
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
    first = scenes.edit("first")
    opened(stage, first, scenes.edit("second"))
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
    opened(stage, scenes.edit())
    keep_composing(stage)
    stage.arm()
    stage.command(command)

    assert stage.answers() == []
    assert "text in the composer" in stage.at("note").inner_text()


@pytest.mark.requirement("T-02")
def test_the_card_never_takes_the_focus_from_what_is_being_written(stage: Stage) -> None:
    opened(stage)
    keep_composing(stage)
    ticket = scenes.edit()
    stage.ask(1, ticket)
    stage.tell("tool/approvalSettled", scenes.settled(2, ticket))
    stage.ask(3, scenes.shell())

    focused = "(each) => each === document.activeElement"
    assert stage.at("composer").evaluate(focused)
    assert stage.at("composer").input_value() == "not yet"


@pytest.mark.requirement("T-02")
def test_after_an_answer_the_focus_goes_to_the_next_card_if_it_was_in_the_dock(
    stage: Stage,
) -> None:
    first, second = scenes.edit("first"), scenes.edit("second")
    opened(stage, first, second)
    stage.arm()
    stage.at("deny").click()
    stage.let_pass(20)
    stage.tell("tool/approvalSettled", scenes.settled(1, first))
    focused = "(each) => each === document.activeElement"
    assert stage.at("card").get_attribute("data-approval-id") == "second"
    assert stage.at("card").evaluate(focused)
    stage.tell("tool/approvalSettled", scenes.settled(2, second))

    assert stage.at("composer").evaluate(focused)


@pytest.mark.requirement("T-07")
def test_the_pager_and_the_chips_show_other_cards_and_each_must_stand_still(stage: Stage) -> None:
    opened(stage, scenes.edit("a"), scenes.edit("b"), scenes.edit("c", agent="eliza"))
    stage.arm()
    stage.page.get_by_role("button", name="Next waiting call").click()
    stage.let_pass(20)
    assert stage.at("card").get_attribute("data-approval-id") == "b"
    assert stage.at("card").get_attribute("data-armed") == "false"
    stage.page.get_by_role("button", name="Eliza 1").click()
    stage.let_pass(20)
    assert stage.at("card").get_attribute("data-approval-id") == "c"
    stage.command("next")

    assert stage.at("card").get_attribute("data-approval-id") == "a"


@pytest.mark.requirement("T-09")
def test_the_countdown_follows_the_server_and_can_be_taken_away(stage: Stage) -> None:
    ticket = scenes.edit(expires_in=62_000)
    opened(stage, ticket)
    assert stage.at("countdown").inner_text() == "Denies in 1:02"
    timer = stage.page.locator(".timer")
    assert timer.get_attribute("data-soon") == "false"
    stage.let_pass(3_000)
    assert stage.at("countdown").inner_text() == "Denies in 0:59"
    assert timer.get_attribute("data-soon") == "true"
    assert "1 minute" in stage.at("live").inner_text()
    stage.at("keep-waiting").click()
    stage.let_pass(20)
    [asked] = stage.requests("agent/answerLater")
    assert asked["params"] == {"approvalId": ticket.approval_id}
    stage.answer(asked["id"], {})
    stage.ask(1, scenes.edit(expires_in=None))

    assert stage.at("countdown").count() == 0
    assert stage.at("keep-waiting").count() == 0


@pytest.mark.requirement("T-13")
def test_keeping_waiting_does_not_unsettle_the_card(stage: Stage) -> None:
    ticket = scenes.edit(expires_in=62_000)
    opened(stage, ticket)
    stage.arm()
    stage.ask(1, ticket.model_copy(update={"expires_at": None}))

    assert stage.at("card").get_attribute("data-armed") == "true"
