"""The History page in a real browser: filters, rows, an open record, by mouse and by keyboard."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from webview import tickets
from webview.stage import CLIENT, Stage

pytestmark = pytest.mark.browser
requirement = pytest.mark.requirement
_FILES = {"/webview.js": "history.js", "/webview.css": "history.css"}
HOSTILE = '<img src=x onerror="alert(1)">\u202e'


@pytest.fixture
def history(browser: Browser) -> Iterator[Stage]:
    """The page, before anything has answered it."""
    if not (CLIENT / "dist" / "history.js").exists():
        pytest.skip("The view is not built: `node build.mjs` in client-ts.")
    context = browser.new_context(viewport={"width": 900, "height": 900})
    context.set_default_timeout(20_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    files = {path: (CLIENT / "dist" / name).read_bytes() for path, name in _FILES.items()}
    stage = Stage(page, files)
    stage.open()
    stage.say({"kind": "ready"})
    yield stage
    assert errors == []
    assert stage.violations() == []
    context.close()


def row(number: int, **more: Any) -> dict[str, Any]:
    return {
        "recordId": number,
        "hash": f"{number:064}",
        "at": 1_790_000_000_000 + number,
        "title": [{"kind": "code", "text": f"make {number}", "shown": None}],
        "agent": "Eliza",
        "tool": "shell",
        "outcome": "allowed",
        "by": "user",
        "because": "You allowed it",
        "rule": "",
        "wasAsked": True,
        **more,
    }


def page_of(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "rows": rows,
        "more": False,
        "agents": [{"id": "eliza", "name": "Eliza"}],
        "tools": ["shell"],
        "lookedThrough": 1,
        "isWorkspace": True,
        **more,
    }


def record(of: dict[str, Any], **more: Any) -> dict[str, Any]:
    span = {"kind": "code", "text": HOSTILE, "shown": None}
    return {
        "row": of,
        "members": [{"name": [span], "value": [span]}],
        "isWhole": True,
        "facts": [],
        "card": None,
        "shownAt": 0,
        "cardNote": "",
        "mayAskAgain": False,
        "replay": {
            "verdict": "deny",
            "because": HOSTILE,
            "rule": None,
            "source": HOSTILE,
            "parts": [],
            "effects": [],
        },
        "noReplay": "",
        "allow": ["shell(make:*)"],
        "deny": ["shell(make:*)"],
        "scopes": ["workspace", "user"],
        "gave": [{"rule": HOSTILE, "verdict": "allow", "where": HOSTILE, "holds": True}],
        **more,
    }


def answer(stage: Stage, method: str, result: Any = None, **more: Any) -> None:
    stage.answer(stage.asked(method), result, **more)


def open_first(stage: Stage, **more: Any) -> None:
    answer(stage, "history/list", page_of(row(2), row(1)))
    stage.at("row").first.click()
    answer(stage, "history/show", record(row(2), **more))


@requirement("S-10")
def test_rows_are_reached_opened_and_closed_by_keys(history: Stage) -> None:
    answer(history, "history/list", page_of(row(3), row(2), row(1)))
    rows = history.at("row")
    rows.first.focus()
    for key, at in (("ArrowDown", 1), ("End", 2), ("ArrowUp", 1), ("Home", 0)):
        history.page.keyboard.press(key)
        expect(rows.nth(at)).to_be_focused()
    history.page.keyboard.press("Enter")
    answer(history, "history/show", record(row(3)))
    expect(rows.first).to_have_attribute("aria-expanded", "true")
    expect(history.at("record")).to_be_visible()
    history.page.keyboard.press("Enter")
    expect(history.at("record")).to_have_count(0)


@requirement("S-10")
def test_filters_are_asked_together_and_an_answer_that_comes_too_late_is_passed_by(
    history: Stage,
) -> None:
    answer(history, "history/list", page_of(row(1)))
    history.at("filter-agent").select_option("eliza")
    history.at("filter-text").fill(" push ")
    history.at("filter-text").press("Enter")
    asked = history.requests("history/list")
    assert asked[-1]["params"] == {
        "filter": {"agent": "eliza", "text": "push", "everywhere": False}
    }
    history.answer(asked[-1]["id"], page_of(row(9)))
    history.answer(asked[-2]["id"], page_of(row(8)))
    expect(history.at("row")).to_have_count(1)
    expect(history.at("row")).to_contain_text("make 9")


@requirement("S-10")
def test_filters_that_few_need_are_folded_until_one_is_set(history: Stage) -> None:
    answer(history, "history/list", page_of(row(1)))
    more = history.at("more-filters")
    expect(history.at("filter-host")).to_be_hidden()
    more.locator("summary").press("Enter")
    history.at("filter-host").fill("example.org")
    history.at("filter-host").press("Enter")
    expect(more.locator("summary")).to_have_text("More filters (1 set)")
    answer(history, "history/list", page_of(row(1)))
    assert history.faults() == []
    # Who comes back to the page sees what it is asked for.
    history.page.reload()
    expect(history.at("filter-host")).to_have_value("example.org")
    expect(history.at("filter-host")).to_be_visible()
    # Who empties the only one goes on to the next field.
    history.at("filter-path").fill("")
    history.at("filter-host").fill("")
    history.at("filter-host").press("Shift+Tab")
    expect(history.at("filter-path")).to_be_focused()
    expect(more.locator("summary")).to_have_text("More filters")
    history.at("filter-path").fill("src")
    history.at("filter-path").press("Enter")
    history.at("clear").click()
    expect(history.at("filter-path")).to_have_value("")


@requirement("S-10")
def test_older_records_are_asked_for_behind_the_last(history: Stage) -> None:
    answer(history, "history/list", page_of(row(9), row(8), more=True))
    history.at("more").click()
    assert history.requests("history/list")[-1]["params"]["before"] == 8
    answer(history, "history/list", page_of(row(7)))
    expect(history.at("row")).to_have_count(3)
    expect(history.at("more")).to_have_count(0)


@requirement("S-10")
def test_how_far_the_journal_is_looked_through_is_said_until_it_is_done(history: Stage) -> None:
    answer(history, "history/list", page_of(lookedThrough=0.42))
    expect(history.at("status")).to_contain_text("42 %")
    history.let_pass(1_100)
    answer(history, "history/list", page_of(row(1)))
    expect(history.at("status")).to_have_text("One record in this workspace")


@requirement("S-10")
def test_what_an_agent_wrote_is_drawn_as_text_and_a_rule_takes_its_preview(history: Stage) -> None:
    open_first(history)
    assert history.at("record").locator("img, script").count() == 0
    expect(history.at("record")).to_contain_text("<img src=x")
    expect(history.at("replay")).to_contain_text("would be denied")
    history.at("make-allow").click()
    expect(history.at("rule-text")).to_be_focused()
    history.at("rule-back").click()
    expect(history.at("make-deny")).to_be_focused()
    history.at("make-allow").click()
    history.at("rule-write").click(force=True)
    history.arm()
    history.at("rule-write").click(force=True)
    assert history.requests("history/makeRule") == []
    known = {"rule": "shell(make:*)", "problem": None, "wouldMatch": [HOSTILE], "wouldSpare": []}
    foreseen = {"rules": [known], "covers": True, "matched": 3, "denied": 1, "of": 9}
    answer(history, "history/previewRule", foreseen)
    expect(history.at("rule-preview")).to_contain_text("Matches 3 of your last 9 calls, 1 that")
    history.at("rule-scope").select_option("user")
    history.let_pass(300)
    answer(history, "history/previewRule", foreseen)
    history.at("rule-write").scroll_into_view_if_needed()
    history.arm()
    history.at("rule-write").click()
    (made,) = history.requests("history/makeRule")
    assert made["params"]["scope"] == "user"
    assert made["params"]["rules"] == ["shell(make:*)"]
    answer(history, "history/makeRule", error="You drew back, so nothing was changed.")
    expect(history.at("told")).to_have_text("You drew back, so nothing was changed.")


@requirement("S-10")
def test_a_fault_is_said_and_the_page_can_be_asked_again(history: Stage) -> None:
    answer(history, "history/list", error="The journal cannot be read: it is damaged.")
    expect(history.at("problem")).to_contain_text("it is damaged")
    history.say({"kind": "changed"})
    history.at("reload").click()
    answer(history, "history/list", page_of())
    expect(history.at("problem")).to_have_count(0)
    expect(history.at("status")).to_have_text("No record fits in this workspace.")


TICKETS = (tickets.grave, tickets.edit, tickets.read, tickets.other, tickets.long, tickets.trust)


def card_of(ticket: tickets.Ticket) -> Any:
    return tickets.wire(ticket.card)


@requirement("S-10")
@pytest.mark.parametrize("ticket", TICKETS)
def test_a_record_shows_its_card_whole_with_nothing_to_press(
    history: Stage, ticket: Callable[[], tickets.Ticket]
) -> None:
    open_first(
        history, card=card_of(ticket()), shownAt=1_790_000_000_000, cardNote="It was cut here."
    )
    past = history.at("past-card")
    expect(past).to_contain_text("as it was shown on")
    expect(past.locator("button").first).to_be_disabled()
    assert past.locator("button:enabled").count() == 0
    expect(history.at("card-note")).to_have_text("It was cut here.")
    before = len(history.posted())
    for button in past.locator("button").all():
        button.click(force=True)
    assert len(history.posted()) == before
    assert past.locator("[data-testid=open-middle]").count() == 0


@requirement("S-10")
def test_nobody_is_kept_out_in_any_theme(history: Stage) -> None:
    open_first(history, card=card_of(tickets.grave()), shownAt=1_790_000_000_000)
    history.at("make-deny").click()
    assert history.faults_in_every_theme() == []


@requirement("S-10")
def test_what_was_written_is_taken_back_and_the_focus_stays_with_its_record(history: Stage) -> None:
    open_first(history)
    history.arm()
    history.at("revoke").focus()
    history.page.keyboard.press("Enter")
    answer(history, "history/revoke", {})
    answer(history, "history/show", record(row(2), gave=[]))
    expect(history.at("told")).to_contain_text("taken back")
    expect(history.at("revoke")).to_have_count(0)
    expect(history.at("row").first).to_be_focused()


@requirement("S-10")
def test_a_question_that_ended_with_its_chat_is_asked_again_and_what_comes_of_it_is_said(
    history: Stage,
) -> None:
    open_first(history, mayAskAgain=True)
    history.arm()
    history.at("ask-again").click()
    (asked,) = history.requests("history/askAgain")
    assert asked["params"] == {"recordId": 2, "hash": f"{2:064}"}
    expect(history.at("told")).to_contain_text("said once more")
    answer(history, "history/askAgain", error="There is no agent called x in assent.agents.")
    expect(history.at("told")).to_contain_text("There is no agent called x")


@requirement("S-10")
def test_what_a_person_answered_is_not_offered_to_be_asked_again(history: Stage) -> None:
    open_first(history)
    expect(history.at("record")).to_be_visible()
    expect(history.at("ask-again")).to_have_count(0)
