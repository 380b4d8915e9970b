"""A plan as a document, and a question whose card allows nothing, in a real editor."""

from contextlib import suppress
from pathlib import Path

from playwright.sync_api import expect

from models.script import call, text
from vscode.modelhost import Models
from vscode.test_own_agent import AtWork, Picture, at_work, edit, models, own_editor, picture

__all__ = ["at_work", "models", "own_editor", "picture"]

_PLAN = "1. Mend `total` in `till.py`\n2. Rewrite everything else"


def test_a_plan_is_edited_as_a_document_approved_and_carried_out(
    models: Models, at_work: AtWork, workspace: Path, picture: Picture
) -> None:
    models.reply(call("present_plan", {"plan": _PLAN}))
    person = at_work()
    person.see("mode-select").select_option("plan")
    person.say("Plan how to mend the till.")
    person.wait_for_card("Rewrite everything else")
    expect(person.see("allow-once")).to_have_count(0)
    picture(person, "1-the-plan")
    person.see("edit-plan").click()
    page = person.window.page
    editor = page.locator(".monaco-editor[data-uri^='assent-text:']")
    expect(editor).to_be_visible()
    editor.click()
    page.keyboard.press("Control+End")
    for _ in "Rewrite everything else":
        page.keyboard.press("Backspace")
    page.keyboard.type("Leave the rest alone")
    person.wait_for_card("Leave the rest alone")
    picture(person, "2-the-plan-as-it-was-edited")
    models.reply(edit("till.py", "- discount", "* (100 - discount) // 100"))
    person.see("option-approvePlan").first.click()
    person.wait_for_card("till.py")
    expect(person.see("mode-select")).to_have_value("default")
    expect(editor).to_have_count(0)
    told = str(models.asked(2)["body"])
    assert "Leave the rest alone" in told
    models.reply(text("Mended."))
    person.allow()
    person.wait_for_turn()
    assert "(100 - discount)" in (workspace / "till.py").read_text(encoding="utf-8")
    picture(person, "3-carried-out")


def test_what_is_typed_into_a_plan_in_the_moment_before_approve_is_what_the_model_gets(
    models: Models, at_work: AtWork
) -> None:
    models.reply(call("present_plan", {"plan": _PLAN}))
    person = at_work()
    person.see("mode-select").select_option("plan")
    person.say("Plan how to mend the till.")
    person.wait_for_card("Rewrite everything else")
    person.see("edit-plan").click()
    page = person.window.page
    editor = page.locator(".monaco-editor[data-uri^='assent-text:']")
    expect(editor).to_be_visible()
    editor.click()
    page.keyboard.press("Control+A")
    models.reply(text("So I will."))
    # Nobody waits for the card to show it. One that is drawn anew under the hand takes nothing.
    page.keyboard.insert_text("1. Leave all of it as it is")
    approve = person.see("option-approvePlan")
    approve.first.click()
    with suppress(AssertionError):
        expect(approve).to_have_count(0, timeout=3_000)
    if approve.count():
        person.wait_for_card()
        approve.first.click()
    person.wait_for_turn()
    asked = models.asked(2)["body"]["messages"]
    told = str([it["content"] for it in asked if it["role"] == "tool"])
    assert "1. Leave all of it as it is" in told
    assert "Rewrite everything else" not in told


def test_a_question_is_answered_by_the_keyboard_and_allows_nothing(
    models: Models, at_work: AtWork, picture: Picture
) -> None:
    choices = [
        {"label": "Round down", "detail": "As the receipts do."},
        {"label": "Round to even"},
    ]
    question = {"question": "How should the till round half a cent?", "choices": choices}
    models.reply(call("ask_person", question))
    person = at_work()
    person.say("Mend the rounding.")
    person.wait_for_card("How should the till round")
    card = person.card
    expect(card.get_by_role("button", name="Allow")).to_have_count(0)
    expect(card).to_contain_text("in its own words")
    expect(person.see("countdown")).to_have_count(0)
    picture(person, "1-the-question")
    models.reply(text("Down it is."))
    person.see("choice").first.focus()
    person.window.page.keyboard.press("Enter")
    person.wait_for_turn()
    expect(person.record("Round down")).to_have_attribute("data-state", "answered")
    assert "The person chose: Round down" in str(models.asked(2)["body"])
    models.reply(call("ask_person", {"question": "And then?"}))
    models.reply(text("Good."))
    person.say("Go on.")
    person.wait_for_card("And then?")
    person.see("option-answerWords").click()
    person.see("deny-words").fill("Ship it.")
    person.wait_for_card()
    picture(person, "2-in-other-words")
    person.see("deny-words").press("Enter")
    person.wait_for_turn()
    assert "The person says: Ship it." in str(models.asked(4)["body"])
    assert person.outcomes() == ["answered", "answered"]
