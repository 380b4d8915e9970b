"""History as a person lives it: found after a reload, replayed, made a rule of, taken back."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Locator, expect

from host.page import edit_settings, workspace_settings
from host.waiting import press_until, until
from vscode.person import Person, press

requirement = pytest.mark.requirement


def history(person: Person) -> FrameLocator:
    """The inside of the page, which the command opens."""
    person.window.command("Assent: Show History")
    person.window.page.locator(".tab", has_text="History").wait_for()
    return frame_with(person, "main.history")


def frame_with(person: Person, what: str) -> FrameLocator:
    """The inside of the page in a tab that has this; the view beside it is another."""
    frames = person.window.page.locator("iframe.webview.ready")
    expect(frames).to_have_count(2)
    inner = [frames.nth(at).content_frame.frame_locator("iframe#active-frame") for at in range(2)]
    found = until(
        lambda: next((it for it in inner if it.locator(what).count()), None),
        within=30,
        what=f"a page with {what}",
    )
    assert found is not None
    return found


@requirement("S-10")
@pytest.mark.walk
def test_a_decision_is_found_after_a_reload_replayed_and_made_a_rule(
    person: Person, tmp_path: Path
) -> None:
    person.say("run make it-so")
    person.deny()
    person.wait_for_turn()
    person.say("run make it-less")
    person.allow()
    person.wait_for_turn()
    person.window.reload()
    person.open_view()

    page = history(person)
    rows = page.get_by_test_id("row")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("make it-less")
    page.get_by_test_id("filter-outcome").select_option("refused")
    expect(rows).to_have_count(1)
    rows.first.click()
    record = page.get_by_test_id("record")
    expect(record).to_contain_text("make it-so")
    past = page.get_by_test_id("past-card")
    expect(past).to_contain_text("as it was shown on")
    expect(past.locator("button").first).to_be_disabled()
    past.scroll_into_view_if_needed()
    person.window.screenshot(tmp_path / "card.png")
    expect(page.get_by_test_id("replay")).to_contain_text("would be asked about")

    page.get_by_test_id("make-deny").click()
    page.get_by_test_id("rule-text").fill("shell(make:*)")
    # What was asked in other folders of the same person counts, too.
    found = re.compile(r"Matches ([2-9]|\d{2,}) of your last")
    expect(page.get_by_test_id("rule-preview")).to_contain_text(found)
    person.window.screenshot(tmp_path / "history.png")
    press(page.get_by_test_id("rule-write"))
    expect(page.get_by_test_id("replay")).to_contain_text("would be denied")
    until(
        lambda: person.setting("assent.rules") == {"deny": ["shell(make:*)"]},
        within=30,
        what="the rule in the settings",
    )
    assert workspace_settings(person.folder).exists()

    press_until(
        lambda: press(page.get_by_test_id("revoke")),
        lambda: person.window.dialog().is_visible(),
        what="it is asked once more",
    )
    person.window.answer_dialog("Take them out")
    expect(page.get_by_test_id("replay")).to_contain_text("would be asked about")
    assert person.setting("assent.rules") in ({}, {"deny": []})


@requirement("S-10")
def test_insights_are_drawn_in_the_colours_of_two_themes(person: Person, tmp_path: Path) -> None:
    for command in ("make it-so", "make it-so", "make it-less"):
        person.say(f"run {command}")
        person.allow()
        person.wait_for_turn()
    drawn = []
    for theme, kind in (("Default Dark Modern", "dark"), ("Default Light Modern", "light")):
        edit_settings(workspace_settings(person.folder), {"workbench.colorTheme": theme})
        person.window.command("Assent: Show Insights")
        page = person.window.page
        page.locator(".tab", has_text="Insights").wait_for()
        inner = frame_with(person, "ul.facts")
        expect(inner.locator("h1")).to_have_text("Insights")
        expect(inner.locator("svg.chart")).to_have_count(2)
        expect(inner.locator(".facts li").nth(1)).to_contain_text("3")
        look = "(it) => getComputedStyle(it).fill + getComputedStyle(document.body).backgroundColor"
        # The editor hears of its settings when it looks at the file; the page then says so.
        inner.locator(f"body.vscode-{kind}").wait_for()
        drawn.append(inner.locator("svg.chart rect.a").first.evaluate(look))
        person.window.screenshot(tmp_path / f"insights-{theme}.png")
    assert len(set(drawn)) == 2


@requirement("S-10")
def test_a_rule_that_insights_propose_is_added_once_it_is_picked_and_confirmed(
    person: Person, tmp_path: Path
) -> None:
    for _ in range(3):
        person.say("run make it-so")
        person.allow()
        person.wait_for_turn()
    person.window.command("Assent: Add a Rule That Insights Proposes")
    widget = person.window.page.locator(".quick-input-widget")
    rows = widget.locator(".monaco-list-row")
    expect(rows.first).to_contain_text("would have saved 3 questions", timeout=30_000)
    person.window.screenshot(tmp_path / "proposals.png")
    asks = widget.get_by_placeholder("Where is it to hold?")
    _answer(widget, asks)
    assert person.setting("assent.rules") in (None, {})
    _answer(widget, person.window.dialog())
    person.window.answer_dialog("Always allow")
    until(
        lambda: (person.setting("assent.rules") or {}).get("allow"),
        within=30,
        what="the rule in the settings",
    )
    person.say("run make it-so")
    person.wait_for_turn()
    assert person.outcomes()[-1] == "allowed"


def _answer(widget: Locator, then: Locator) -> None:
    """Press Enter until what comes then is there: a list takes none in its first moments.

    One press has its time: the next one would answer the dialog that comes.
    """
    press_until(
        lambda: widget.locator("input.input").press("Enter"),
        then.is_visible,
        what="what comes then",
    )
