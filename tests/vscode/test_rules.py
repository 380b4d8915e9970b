"""Rules as a person lives them: on cards, in the settings file, and in their list."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Error, Locator, expect

from host.page import edit_settings, read_settings, workspace_settings
from host.profile import Setup
from host.waiting import press_until, until
from vscode.conftest import StartEditor
from vscode.person import Person

requirement = pytest.mark.requirement
Enter = Callable[..., Person]
_SOON: Final = 30.0
_RULES: Final = "assent.rules"
_NEXT_FRAME: Final = "() => new Promise((done) => requestAnimationFrame(done))"
_IN_MENU: Final = 3_000


def confirm_rule(person: Person) -> None:
    """Write the rule, once what it would do is known and the card has stood still."""
    # What was ticked or typed just now is drawn with the next frame, and then looked at anew.
    person.see("rule-confirm").evaluate(_NEXT_FRAME)
    expect(person.see("rule-confirm")).not_to_have_attribute("aria-disabled", "true")
    person.wait_for_card()
    person.see("rule-confirm").click()


def ask_for_list(person: Person, title: str) -> Locator:
    """The rows of the list of the side bar that is called so, shown by its command."""
    person.window.command(f"Assent: Focus on {title} View")
    header = person.window.page.locator(".pane-header", has_text=title)
    return person.window.page.locator(".pane", has=header).locator(".monaco-list-row")


@requirement("T-04")
@requirement("S-08")
@pytest.mark.walk
def test_a_card_says_which_parts_pass_and_always_with_an_edited_rule_closes_the_next(
    start_editor: StartEditor, enter: Enter, vsix: Path, workspace: Path
) -> None:
    allowed = {_RULES: {"allow": ["shell(git status:*)"]}}
    person = enter(workspace, start_editor(Setup(vsix=vsix, settings=allowed)))
    person.say("run git status && ls -a | head -3 && make it-so")
    person.wait_for_card("make it-so")
    parts = person.see("part")
    assert [part.get_attribute("data-verdict") for part in parts.all()] == [
        *["allow"] * 3,
        "ask",
    ]
    expect(parts.nth(0)).to_contain_text("shell(git status:*)")
    expect(parts.nth(0)).to_contain_text("line")
    assert "".join(parts.locator("[data-exact]").all_text_contents()) == (
        "git status && ls -a | head -3 && make it-so"
    )
    person.new_chat()
    person.say("run make it-less")
    expect(person.see("waiting-count")).to_contain_text("2")

    person.choose("allowAlways")
    assert person.see("rule-text").input_value().startswith("shell(make")
    person.see("rule-text").fill("shell(make:*)")
    expect(person.see("rule-preview")).to_contain_text("calls")
    confirm_rule(person)
    # It is wider than what was suggested, so the editor asks once more.
    expect(person.window.dialog()).to_contain_text("shell(make:*)")
    person.window.answer_dialog("Always allow")

    expect(person.card).to_have_count(0)
    until(lambda: person.setting(_RULES), within=_SOON, what="the rule in the settings")
    assert person.setting(_RULES) == {"allow": ["shell(make:*)"]}
    until(lambda: len(person.outcomes()) == 2, within=_SOON, what="both calls are decided")
    first, second = (row["body"] for row in person.rows("decided"))
    assert [first["outcome"], second["outcome"]] == ["allowed", "allowed"]
    assert first["by"] == "user"
    assert (second["by"], second["rule"]) == ("rule", "shell(make:*)")
    assert "line" in second["because"]
    expect(person.record("shell(make:*)").last).to_be_visible()


@requirement("T-04")
def test_a_line_that_needs_three_rules_is_offered_all_of_them_and_asks_no_more(
    enter: Enter, workspace: Path
) -> None:
    person = enter(workspace)
    person.say("run make it-so; npm test; cp README.md notes/copy.md")
    person.wait_for_card("make it-so")
    person.choose("allowAlways")
    expect(person.see("rule-tick")).to_have_count(3)
    texts = [rule.input_value() for rule in person.see("rule-text").all()]
    assert texts == ["shell(make it-so:*)", "shell(npm test:*)", "write(./notes/**)"]
    expect(person.see("rule-preview")).to_contain_text("calls")
    confirm_rule(person)
    expect(person.card).to_have_count(0)
    person.wait_for_turn()
    person.say("run mkdir -p notes/deep && cp README.md notes/other.md")
    until(lambda: len(person.outcomes()) == 2, within=_SOON, what="both calls are decided")
    person.wait_for_turn()
    assert [row["body"]["by"] for row in person.rows("decided")] == ["user", "rule"]
    assert (workspace / "notes" / "other.md").exists()


@requirement("T-04")
def test_a_projects_commands_are_ticked_on_its_first_card_and_kept_for_its_folder_alone(
    start_editor: StartEditor, enter: Enter, vsix: Path, workspace: Path, tmp_path: Path
) -> None:
    makefile = "test:\n\t@echo tested\nlint:\n\t@echo linted\nbuild:\n\t@echo built\n"
    (workspace / "Makefile").write_text(makefile, "utf-8")
    editor = start_editor(Setup(vsix=vsix))
    person = enter(workspace, editor)
    person.say("run make test")
    person.wait_for_card("make test")
    person.choose("allowAlways", at=1)
    ticks = person.see("rule-tick")
    expect(ticks).to_have_count(5)
    expect(person.see("rule-preview")).to_contain_text("calls")
    person.window.screenshot(tmp_path / "ticks.png")
    ticks.nth(2).uncheck()
    confirm_rule(person)
    expect(person.card).to_have_count(0)
    person.wait_for_turn()
    here = str(workspace.resolve())
    words = ("make test", "make lint", "git add", "git commit")
    rules = [{"rule": f"shell({each}:*)", "in": here} for each in words]
    written = until(
        lambda: read_settings(editor.user_settings).get(_RULES), within=_SOON, what="the rules"
    )
    assert written == {"allow": rules}
    assert person.setting(_RULES) is None
    person.say("run make lint")
    person.wait_for_turn()
    assert [row["body"]["by"] for row in person.rows("decided")] == ["user", "rule"]


@requirement("T-04")
def test_a_broken_rule_is_underlined_in_the_settings_and_its_tool_asks(
    enter: Enter, workspace: Path
) -> None:
    rules = {"deny": [{"rule": "shell(git push:*)", "matches": ["git pull"]}]}
    edit_settings(workspace_settings(workspace), {_RULES: rules})
    person = enter(workspace)
    person.say("run git status")
    person.wait_for_card("git status")
    person.deny()
    person.wait_for_turn()

    page = person.window.page
    person.window.choose("ControlOrMeta+P", ".vscode/settings.json", "settings.json")
    wave = page.locator(".squiggly-error, .squiggly-warning")
    expect(wave.first).to_be_visible(timeout=_SOON * 1000)
    person.window.command("View: Focus Problems")
    problem = page.locator(".markers-panel .monaco-list-row", has_text="git pull")
    expect(problem.first).to_be_visible()


@requirement("T-04")
@requirement("S-08")
def test_rules_are_listed_shown_where_they_are_written_and_taken_out(
    enter: Enter, workspace: Path
) -> None:
    rules = {"deny": ["shell(curl:*)", "shell(wget:*)"]}
    edit_settings(workspace_settings(workspace), {_RULES: rules})
    person = enter(workspace)
    rows = ask_for_list(person, "Rules")
    row = rows.filter(has_text="shell(wget:*)")
    expect(row).to_contain_text("denies")
    row.click()
    tab = person.window.page.locator(".tab.active", has_text="settings.json")
    expect(tab).to_be_visible()
    lines = workspace_settings(workspace).read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, start=1) if "wget" in text)
    expect(person.window.status(f"Ln {line},")).to_be_visible()

    row.hover()
    row.get_by_role("button", name="Take the Rule Out").click()
    person.window.answer_dialog("Take It Out")
    expect(row).to_have_count(0)
    expect(rows.filter(has_text="shell(curl:*)")).to_be_visible()
    settings = json.loads(workspace_settings(workspace).read_text(encoding="utf-8"))
    assert settings[_RULES] == {"deny": ["shell(curl:*)"]}
    # What was taken out by mistake comes back to its place.
    told = person.window.notification("The rule shell(wget:*) was taken out.")
    told.get_by_role("button", name="Undo").click()
    expect(rows.filter(has_text="shell(wget:*)")).to_be_visible()
    settings = json.loads(workspace_settings(workspace).read_text(encoding="utf-8"))
    assert settings[_RULES] == rules


@requirement("T-04")
@requirement("S-08")
def test_a_rule_is_switched_off_and_on_in_the_list_by_its_box(
    enter: Enter, workspace: Path, tmp_path: Path
) -> None:
    rules = {"deny": ["shell(wget:*)"]}
    edit_settings(workspace_settings(workspace), {_RULES: rules})
    person = enter(workspace)
    row = ask_for_list(person, "Rules").filter(has_text="shell(wget:*)")
    box = row.get_by_role("checkbox")
    expect(box).to_be_checked()
    # What was said while the server was starting does not stay.
    bar = person.window.page.locator(".part.auxiliarybar")
    expect(bar).not_to_contain_text("server is starting")
    box.click()
    # Who draws back finds the box as it was.
    person.window.answer_dialog("Cancel")
    expect(box).to_be_checked()
    assert person.setting(_RULES) == rules
    box.click()
    expect(person.window.dialog()).to_contain_text("deny shell(wget:*)")
    person.window.answer_dialog("Switch it off")
    expect(box).not_to_be_checked()
    expect(row).to_contain_text("switched off")
    person.window.screenshot(tmp_path / "off.png")
    off = {"deny": [{"rule": "shell(wget:*)", "off": True}]}
    until(lambda: person.setting(_RULES) == off, within=_SOON, what="the rule switched off")
    # What tightens needs no second question.
    press_until(
        lambda: switch_in_menu(person, row), box.is_checked, what="the rule is switched on again"
    )
    until(lambda: person.setting(_RULES) == rules, within=_SOON, what="the rule switched on")


def switch_in_menu(person: Person, row: Locator) -> None:
    """Switch the rule by the menu of its row, which closes where the row is drawn anew."""
    row.click(button="right")
    item = person.window.page.get_by_role("menuitem", name="Switch the Rule On or Off")
    # A menu that has closed is opened anew by who asked for it.
    with suppress(Error):
        # A key before the menu has the focus goes to the list, and opens the settings.
        press_until(
            lambda: item.hover(timeout=_IN_MENU),
            lambda: bool(item.evaluate("it => it.matches(':focus')", timeout=_IN_MENU)),
            what="the item",
        )
        person.window.page.keyboard.press("Enter")


@requirement("S-08")
def test_no_list_comes_or_goes_before_somebody_asks_for_it(person: Person) -> None:
    lists = person.window.page.locator(".auxiliarybar .pane-header .title")
    there = person.see("composer").bounding_box()
    person.say("run make it-so")
    person.wait_for_card("make it-so")
    expect(lists.filter(visible=True)).to_have_count(0)
    assert person.see("composer").bounding_box() == there
    expect(ask_for_list(person, "Waiting").filter(has_text="make it-so")).to_be_visible()
    person.deny()
    person.wait_for_turn()
    edit_settings(workspace_settings(person.folder), {_RULES: {"deny": ["shell(wget:*)"]}})
    rows = ask_for_list(person, "Rules")
    expect(rows.filter(has_text="shell(wget:*)")).to_be_visible()
    expect(lists.filter(visible=True)).to_have_text(["run make it-so", "Waiting", "Rules"])
