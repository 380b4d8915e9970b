"""Files, what is selected and what is wrong are named with an `@` in a real editor."""

import re
import subprocess
from contextlib import suppress
from typing import Final

import pytest
from playwright.sync_api import expect

from host.waiting import press_until, until
from models.script import text
from vscode.modelhost import Models
from vscode.person import Person
from vscode.test_own_agent import AtWork, Picture, at_work, models, own_editor, picture
from vscode.test_typing import open_file

__all__ = ["at_work", "models", "own_editor", "picture"]

# What the editor brings along itself starts behind its window.
_STARTED_WITHIN: Final = 60.0


def name(person: Person, word: str, whole: str) -> None:
    """Write a word behind an `@`, and take what is offered first."""
    person.see("composer").press_sequentially(f"@{word}")
    expect(person.see("mentions").get_by_role("option").first).to_have_attribute("title", whole)
    person.see("composer").press("Enter")
    expect(person.see("references").get_by_role("button").last).to_contain_text(whole)


@pytest.mark.requirement("N-05")
def test_what_is_named_with_an_at_reaches_the_model_as_it_stands(
    models: Models, at_work: AtWork, picture: Picture
) -> None:
    person = at_work()
    page = person.window.page
    (person.folder / "rates.json").write_text('{"vat": 19,,}\n', encoding="utf-8")
    (person.folder / "tariff.py").write_text("VAT = 19\nLOW = 7\n", encoding="utf-8")
    open_file(person, "rates.json")
    expect(page.locator(".squiggly-error").first).to_be_visible(timeout=_STARTED_WITHIN * 1000)
    open_file(person, "tariff.py")
    page.locator(".editor-instance .view-lines").last.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("HIGH = 22\n")
    page.keyboard.press("Control+A")
    models.reply(text("I see."))
    person.see("composer").press_sequentially("Which holds? ")
    name(person, "tarf", "tariff.py")
    name(person, "sel", "selection")
    name(person, "prob", "problems")
    person.see("composer").press_sequentially("@")
    expect(person.see("mentions")).to_be_visible()
    picture(person, "1-named")
    person.see("composer").press("Escape")
    person.see("composer").press("Backspace")
    person.see("composer").press("Enter")
    person.wait_for_turn()
    expect(person.answer).to_contain_text("I see.")
    expect(person.see("named").get_by_role("listitem")).to_have_text(
        ["tariff.py", "tariff.py:1–4", "Problems"]
    )
    picture(person, "2-sent")
    told = str(models.asked(1)["body"]["messages"][1:])
    # The editor may have saved it by itself meanwhile.
    assert re.search(
        r"refers to tariff\.py[^:]*:\\n```\\nVAT = 19\\nLOW = 7\\nHIGH = 22\\n```", told
    )
    assert "refers to lines 1–4 of tariff.py, which are selected" in told
    assert "[The editor now finds in rates.json:\\n- line 1, error:" in told
    # The words of before come back, and go again.
    person.see("composer").press("ArrowUp")
    expect(person.see("composer")).to_have_value("Which holds?")
    person.see("composer").press("Escape")
    expect(person.see("composer")).to_have_value("")


@pytest.mark.requirement("N-05")
def test_a_folder_and_what_the_terminal_printed_last_go_with_a_message(
    models: Models, at_work: AtWork, picture: Picture
) -> None:
    person = at_work()
    page, window = person.window.page, person.window
    (person.folder / "rates").mkdir()
    (person.folder / "rates" / "vat.json").write_text("{}\n", encoding="utf-8")
    window.command("Terminal: Create New Terminal")
    screen = page.locator(".terminal-wrapper.active .xterm-screen")
    expect(screen).to_be_visible()
    # It stands there once the shell tells the editor of its commands.
    decoration = page.locator(".terminal-command-decoration")
    expect(decoration.first).to_be_attached(timeout=_STARTED_WITHIN * 1000)
    screen.click()
    page.keyboard.type("echo 4711 | tr 1 2; sleep 1; false\n")
    expect(page.locator(".terminal-command-decoration.error")).to_be_attached()
    models.reply(text("I see."))
    person.see("composer").press_sequentially("What failed? ")
    name(person, "rates", "rates/")
    name(person, "term", "terminal")
    picture(person, "3-folder-and-terminal")
    person.see("composer").press("Enter")
    person.wait_for_turn()
    told = str(models.asked(1)["body"]["messages"][1:])
    assert "what lies in rates/, two levels deep, by name:\\n```\\nvat.json\\n```" in told
    assert "$ echo 4711 | tr 1 2; sleep 1; false\\n4722" in told
    assert "which ended with 1" in told


def test_what_git_finds_changed_goes_with_a_message(models: Models, at_work: AtWork) -> None:
    person = at_work()
    (person.folder / "README.md").write_text("Another beginning.\n", encoding="utf-8")
    subprocess.run(["git", "add", "README.md"], cwd=person.folder, check=True)
    # To git such a name is a pattern for others, too.
    (person.folder / "till.*").write_text("Odd.\n", encoding="utf-8")
    with (person.folder / "till.py").open("a", encoding="utf-8") as till:
        till.write("# changed\n")
    (person.folder / "new.md").write_text("New.\n", encoding="utf-8")
    # The editor looks at the repository by itself, and its icon counts what it found.
    count = re.compile(r"Source Control.* 4 pending changes")
    icon = person.window.page.get_by_role("tab", name=count)
    expect(icon).to_be_attached(timeout=_STARTED_WITHIN * 1000)
    models.reply(text("I see."))
    person.see("composer").press_sequentially("Review this: ")
    name(person, "chan", "changes")
    person.see("composer").press("Enter")
    person.wait_for_turn()
    told = str(models.asked(1)["body"]["messages"][1:])
    assert "README.md (modified)" in told
    assert "+Another beginning." in told
    assert "+New." in told
    assert told.count("+# changed") == 1


def test_a_function_that_a_language_server_knows_goes_with_a_message(
    models: Models, at_work: AtWork
) -> None:
    person = at_work()
    written = "export function vatRate() {\n  return 19;\n}\n"
    (person.folder / "rates.ts").write_text(written, encoding="utf-8")
    open_file(person, "rates.ts")
    offer = person.see("mentions").get_by_title("vatRate")

    def is_offered() -> bool:
        person.see("composer").fill("")
        person.see("composer").press_sequentially("Explain @vatR")
        with suppress(AssertionError):
            expect(offer).to_have_count(1, timeout=5_000)
        return offer.count() == 1

    # The language server is only just starting.
    until(is_offered, within=_STARTED_WITHIN, what="the function is offered")
    expect(offer).to_contain_text("rates.ts")
    models.reply(text("It is a rate."))
    offer.click()
    person.see("composer").press("Enter")
    person.wait_for_turn()
    told = str(models.asked(1)["body"]["messages"][1:])
    assert "vatRate(), in lines 1–3 of rates.ts" in told
    assert "return 19;" in told


def test_what_is_chosen_in_the_explorer_and_in_the_editor_is_added_to_the_message(
    person: Person, picture: Picture
) -> None:
    person.hide_view()
    page = person.window.page
    files = page.get_by_role("treeitem")
    item = page.get_by_role("menuitem", name="Add to Chat")

    def add() -> None:
        # A menu that has just come takes no click.
        press_until(item.click, lambda: item.count() == 0, what="it is chosen")

    files.and_(page.get_by_label("till.py", exact=True)).click(button="right")
    add()
    expect(person.see("references")).to_have_text("till.py")
    expect(person.see("composer")).to_be_focused()

    person.hide_view()
    files.filter(has_text="README.md").first.dblclick()
    lines = page.locator(".monaco-editor .view-line")
    expect(lines.first).to_contain_text("Till")
    page.keyboard.press("ControlOrMeta+A")
    lines.first.click(button="right")
    add()
    expect(person.see("composer")).to_have_value(
        re.compile(r"^From `README\.md`, lines? 1.*Till", re.DOTALL)
    )
    picture(person, "added")
    person.say(person.see("composer").input_value() + "\nWhat is this?")
    expect(person.see("message-user").last).to_contain_text("What is this?")
    expect(person.see("named").last).to_have_text("till.py")
