"""The card on which a server asks something: filled in, opened or left, and what is sent."""

from typing import Any

import pytest

from webview import scenes, tickets
from webview.stage import ORIGIN, Stage

pytestmark = [pytest.mark.browser, pytest.mark.requirement("N-08")]


def opened(stage: Stage, ticket: tickets.Ticket) -> None:
    stage.open(scenes.snapshot(tickets=[ticket]))
    stage.arm()


def applied(stage: Stage, **more: Any) -> None:
    told = {"kind": "applied", "outcome": "answered", "by": "user", "because": "So.", **more}
    stage.answer(stage.asked("tool/approvalResponse"), told)


def test_what_stands_in_it_is_sent_and_by_the_keyboard_alone(stage: Stage) -> None:
    opened(stage, tickets.form())
    place = stage.page.get_by_label("Place")
    place.focus()
    keys = stage.page.keyboard
    keys.press("ControlOrMeta+A")
    keys.type("Bergen")
    keys.press("Tab")
    assert stage.page.get_by_label("Day", exact=True).evaluate(
        "(each) => each === document.activeElement"
    )
    stage.page.get_by_label("Days").fill("3")
    stage.page.get_by_label("Wind").press("Space")
    stage.page.get_by_label("Metric").press("ArrowDown")
    stage.page.get_by_label("Rain").press("Space")
    stage.at("option-answerForm").focus()
    keys.press("Enter")
    (sent,) = stage.answers()
    assert sent["optionId"] == "answer"
    assert sent["values"] == {
        "place": "Bergen",
        "day": "",
        "days": "3",
        "wind": False,
        "unit": "imperial",
        "parts": ["rain", "snow"],
    }


def test_what_nobody_touched_is_sent_as_it_stands_there(stage: Stage) -> None:
    opened(stage, tickets.form())
    stage.at("option-answerForm").click()
    (sent,) = stage.answers()
    assert sent["values"]["place"] == "Oslo"
    assert (sent["values"]["wind"], sent["values"]["parts"]) == (True, ["snow"])


def test_what_does_not_fit_is_told_and_what_was_written_stays(stage: Stage) -> None:
    opened(stage, tickets.form())
    stage.page.get_by_label("Days").fill("many")
    stage.at("option-answerForm").click()
    because = "“Days” takes a whole number."
    stage.answer(stage.asked("tool/approvalResponse"), {"kind": "stillOpen", "because": because})
    stage.arm()
    assert stage.at("remark").inner_text() == because
    assert stage.page.get_by_label("Days").input_value() == "many"
    stage.page.get_by_label("Days").fill("3")
    stage.arm()
    stage.at("option-answerForm").click()
    assert stage.answers()[-1]["values"]["days"] == "3"


@pytest.mark.parametrize("option", ["decline", "cancel"])
def test_who_does_not_want_to_sends_nothing_of_it(stage: Stage, option: str) -> None:
    opened(stage, tickets.form())
    stage.at(f"option-{option}").click()
    (sent,) = stage.answers()
    assert sent["optionId"] == option
    assert "values" not in sent


def test_enter_in_a_field_answers_nothing_and_leaves_nothing(stage: Stage) -> None:
    opened(stage, tickets.form())
    stage.page.get_by_label("Place").press("Enter")
    stage.let_pass(20)
    assert stage.answers() == []
    assert stage.at("form").count() == 1


def test_a_page_is_opened_once_its_answer_is_kept_and_not_before(stage: Stage) -> None:
    opened(stage, tickets.page())
    assert "example.org" in stage.at("form").inner_text()
    stage.at("option-openPage").click()
    assert stage.posted("openLink") == []
    applied(stage)
    (link,) = stage.posted("openLink")
    assert link["url"] == "https://example.org/log-in?x=1"


def test_a_page_whose_answer_came_too_late_is_not_opened(stage: Stage) -> None:
    opened(stage, tickets.page())
    stage.at("option-openPage").click()
    told = {"kind": "alreadyDecided", "outcome": "refused", "by": "stop"}
    stage.answer(stage.asked("tool/approvalResponse"), told)
    assert stage.posted("openLink") == []


@pytest.mark.parametrize(
    ("outcome", "by"), [("withdrawn", "stop"), ("refused", "error"), ("refused", "stop")]
)
def test_a_page_whose_answer_came_to_nothing_is_not_opened(
    stage: Stage, outcome: str, by: str
) -> None:
    opened(stage, tickets.page())
    stage.at("option-openPage").click()
    applied(stage, outcome=outcome, by=by, because="It came to nothing.")
    assert stage.posted("openLink") == []


def test_what_draws_fields_is_fetched_for_the_first_form_and_not_before(stage: Stage) -> None:
    fetched: list[str] = []
    stage.page.on("request", lambda request: fetched.append(request.url.removeprefix(ORIGIN)))
    stage.open(scenes.snapshot(tickets=[tickets.page()]))
    assert "/drawings.js" not in fetched
    stage.ask(1, tickets.form())
    stage.command("next")
    stage.read()
    assert stage.page.get_by_label("Place").input_value() == "Oslo"
    assert "/drawings.js" in fetched
    assert stage.violations() == []


def test_no_form_is_answered_before_it_can_be_seen(stage: Stage) -> None:
    stage.open(scenes.snapshot(tickets=[tickets.page()]))
    stage.page.route(f"{ORIGIN}/drawings.js", lambda route: route.abort())
    stage.ask(1, tickets.form())
    stage.command("next")
    stage.arm()
    assert "not here yet" in stage.at("form").inner_text()
    stage.at("option-answerForm").click()
    stage.command("allowOnce")
    assert stage.answers() == []
    stage.at("option-decline").click()
    (sent,) = stage.answers()
    assert sent["optionId"] == "decline"
