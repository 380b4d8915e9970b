"""A model that another extension brings to the editor, at work as our own agent's."""

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from host.profile import Setup
from pictures import png
from vscode.conftest import StartEditor
from vscode.lmvendor import lmvendor
from vscode.person import Person

requirement = pytest.mark.requirement
Enter = Callable[..., Person]

_PASTE = """(box, data) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
  box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
}"""


def offering(vsix: Path, folder: Path) -> Setup:
    """An editor that offers a model of its own, where no other is."""
    return Setup(
        vsix=vsix,
        beside=lmvendor(folder),
        settings={"chat.disableAIFeatures": False},
        environment={"OLLAMA_HOST": "http://127.0.0.1:1"},
    )


@requirement("M-04")
def test_it_is_offered_speaks_calls_sees_and_says_why_it_fails(
    start_editor: StartEditor, enter: Enter, vsix: Path, workspace: Path, tmp_path: Path
) -> None:
    person = enter(workspace, start_editor(offering(vsix, tmp_path)))
    expect(person.partner).to_have_text("Assent · Parrot (lmvendor, in the editor)", timeout=60_000)
    person.see("composer").evaluate(_PASTE, base64.b64encode(png()).decode())
    expect(person.see("attachments").get_by_role("button")).to_have_count(1)
    person.say("What is this project?")
    expect(person.see("message-agent").first).to_contain_text("tools and see a picture.")
    expect(person.record("Read README.md")).to_have_attribute("data-state", "succeeded")
    expect(person.answer).to_contain_text("It begins with")
    expect(person.answer).to_contain_text("1")
    person.wait_for_turn()
    assert person.outcomes() == ["allowed"]
    person.window.screenshot(tmp_path / "pictures" / "editor-model.png")
    person.say("Fail.")
    expect(person.see("waiting")).to_contain_text("lmvendor in the editor failed: it is off line.")
    person.window.screenshot(tmp_path / "pictures" / "editor-model-fails.png")


@requirement("M-04")
def test_it_stands_on_the_start_page_and_is_talked_to_by_one_press(
    start_editor: StartEditor, enter: Enter, vsix: Path, workspace: Path, tmp_path: Path
) -> None:
    person = enter(workspace, start_editor(offering(vsix, tmp_path)))
    expect(person.partner).to_have_text("Assent · Parrot (lmvendor, in the editor)", timeout=60_000)
    person.see("agent-select").select_option(label="Eliza")
    person.see("choose").click()
    row = person.see("start-found").filter(has_text="This editor")
    expect(row).to_contain_text("signed in there")
    person.window.screenshot(tmp_path / "pictures" / "editor-models-offered.png")
    row.get_by_role("button", name="Use This editor: Parrot").click()
    expect(person.partner).to_have_text("Assent · Parrot (lmvendor, in the editor)")
    person.say("What is this project?")
    expect(person.see("message-agent").first).to_contain_text("I have")
