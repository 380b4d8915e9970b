"""What a person has typed in a real editor and not saved is what the model reads and edits."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from host.editor import Editor
from host.install import Host
from host.page import edit_settings
from host.profile import Setup
from models.script import call, text
from vscode.modelhost import Models, hosted
from vscode.person import Person

requirement = pytest.mark.requirement
Enter = Callable[..., Person]
_CALM = {"files.autoSave": "off", "editor.autoClosingBrackets": "never"}


@pytest.fixture
def models() -> Iterator[Models]:
    """A host of models."""
    with hosted() as models:
        yield models


@pytest.fixture(scope="module")
def typing_editor(host: Host, vsix: Path) -> Iterator[Editor]:
    """An editor that saves nothing by itself."""
    with Editor(host, Setup(vsix=vsix, settings=_CALM)) as editor:
        yield editor


def open_file(person: Person, name: str) -> None:
    """Open a file in the editor's own way."""
    person.window.choose("Control+P", name, name)
    expect(person.window.page.get_by_role("tab", name=name)).to_be_visible()


@requirement("M-04")
def test_an_unsaved_text_is_what_the_model_reads_and_edits(
    models: Models, typing_editor: Editor, enter: Enter, workspace: Path, tmp_path: Path
) -> None:
    edit_settings(typing_editor.machine_settings, {"assent.models": [models.setting("tiny")]})
    saved = "VAT = 19\n"
    (workspace / "rates.py").write_text(saved, encoding="utf-8")
    models.reply(call("read_file", {"path": "rates.py"}))
    models.reply(
        call("edit_file", {"path": "rates.py", "edits": [{"old": "REDUCED = 7", "new": "LOW = 7"}]})
    )
    models.reply(text("It is done."))
    person = enter(workspace, typing_editor)
    expect(person.partner).to_have_text("Assent · tiny")
    open_file(person, "rates.py")
    page = person.window.page
    lines = page.locator(".monaco-editor .view-lines")
    lines.click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("REDUCED = 7\n")
    expect(page.locator(".tab.dirty")).to_have_count(1)

    person.say("Give it a shorter name.")
    person.wait_for_card("rates.py")
    expect(person.see("card-body")).to_contain_text("REDUCED = 7")
    expect(person.card).to_contain_text("in the editor, where it is not saved")
    person.window.screenshot(tmp_path / "pictures" / "1-the-card.png")
    # What is typed while the card is open is asked about anew.
    lines.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("LUXURY = 25")
    person.allow()
    expect(person.card).to_contain_text("has changed since this was shown")
    assert lines.inner_text().replace("\xa0", " ").startswith("REDUCED = 7")
    person.allow()
    expect(person.answer).to_contain_text("It is done.")
    expect(lines).to_contain_text("LOW = 7")
    expect(lines).to_contain_text("LUXURY = 25")
    person.window.screenshot(tmp_path / "pictures" / "2-the-edit.png")
    assert "REDUCED = 7" in models.asked(2)["last"]
    assert "not saved" in models.asked(3)["last"]
    assert (workspace / "rates.py").read_text(encoding="utf-8") == saved
    page.keyboard.press("Control+S")
    expect(page.locator(".tab.dirty")).to_have_count(0)
    now = (workspace / "rates.py").read_text(encoding="utf-8")
    assert now == "LOW = 7\nVAT = 19\nLUXURY = 25"


@requirement("M-04")
@requirement("N-05")
def test_what_is_open_and_what_an_edit_broke_is_told_without_asking(
    models: Models, typing_editor: Editor, enter: Enter, workspace: Path, tmp_path: Path
) -> None:
    edit_settings(typing_editor.machine_settings, {"assent.models": [models.setting("tiny")]})
    (workspace / "rates.ts").write_text("export const low: number = 7;\n", encoding="utf-8")
    change = {"path": "rates.ts", "edits": [{"old": "= 7", "new": '= "seven"'}]}
    models.reply(call("edit_file", change))
    models.reply(text("I see that it is wrong."))
    person = enter(workspace, typing_editor)
    expect(person.partner).to_have_text("Assent · tiny")
    open_file(person, "rates.ts")
    page = person.window.page
    page.locator(".monaco-editor .view-lines").click()
    page.keyboard.press("Control+End")
    # Until somebody has found something in a language, nobody is waited for.
    page.keyboard.type("export const high: number = true;")
    expect(page.locator(".monaco-editor .squiggly-error")).to_have_count(1, timeout=60_000)

    person.say("Make it worse.")
    person.wait_for_card("rates.ts")
    person.allow()
    expect(person.answer).to_contain_text("I see that it is wrong.")
    person.window.screenshot(tmp_path / "pictures" / "3-the-error.png")
    first, second = models.asked(1)["body"], models.asked(2)["body"]
    said = first["messages"][1]["content"]
    assert "In front: rates.ts, the cursor in line 2." in str(said)
    assert "Changed and not saved: rates.ts." in str(said)
    assert "Git branch: main." in str(said)
    assert "rates.ts (untracked)" in str(said)
    last = models.asked(2)["last"]
    assert "line 1, error: Type 'string' is not assignable to type 'number'." in last
    assert "line 2, error: Type 'boolean' is not assignable to type 'number'." in last
    # What was sent before is sent again as it was.
    assert second["messages"][: len(first["messages"])] == first["messages"]
