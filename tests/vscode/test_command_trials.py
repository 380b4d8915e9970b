"""A command in a real editor, tried from its card: discarded, applied, undone, applied unasked."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from host.page import edit_settings
from host.profile import Setup
from models.script import Step, call, text
from vscode.conftest import StartEditor
from vscode.modelhost import Models, hosted
from vscode.person import Person, press

Enter = Callable[..., Person]

_COMMAND = "rm README.md; echo '# tried' >> till.py; mkdir made; echo n > made/new.txt"


@pytest.fixture
def models() -> Iterator[Models]:
    """A host of models."""
    with hosted() as models:
        yield models


def listing(folder: Path) -> dict[str, bytes]:
    """The files of a folder, with what is in them."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def wanted() -> Step:
    """The model wants to run the command."""
    return call("run_command", {"command": _COMMAND})


@pytest.fixture
def person(
    models: Models, start_editor: StartEditor, enter: Enter, vsix: Path, workspace: Path
) -> Person:
    """Somebody in a workspace in which our own agent has a model."""
    editor = start_editor(Setup(vsix=vsix))
    edit_settings(editor.machine_settings, {"assent.models": [models.setting("tiny")]})
    person = enter(workspace, editor)
    expect(person.partner).to_have_text("Assent · tiny")
    return person


def test_a_command_is_tried_discarded_applied_and_undone(
    models: Models, person: Person, workspace: Path, tmp_path: Path
) -> None:
    def picture(name: str) -> None:
        person.window.screenshot(tmp_path / "pictures" / f"{name}.png")

    before = listing(workspace)
    models.reply(wanted())
    models.reply(text("It was discarded."))
    person.say("Tidy up.")
    person.choose("try")
    person.wait_for_card("Apply the changes of")
    expect(person.see("countdown")).to_contain_text("Discards in")
    body = person.see("card-body")
    expect(body).to_contain_text("README.md")
    expect(body).to_contain_text("# tried")
    assert body.inner_text().index("README.md") < body.inner_text().index("# tried")
    assert listing(workspace) == before
    picture("1-what-it-changed")
    person.deny()
    expect(person.answer).to_contain_text("It was discarded.")
    person.wait_for_turn()
    assert listing(workspace) == before

    models.reply(wanted())
    models.reply(text("It was applied."))
    person.say("Once more.")
    person.choose("try")
    person.wait_for_card("Apply the changes of")
    person.allow()
    expect(person.answer).to_contain_text("It was applied.")
    person.wait_for_turn()
    assert "README.md" not in listing(workspace)
    assert listing(workspace)["made/new.txt"] == b"n\n"
    picture("2-applied")

    applied = person.record("Apply the changes of").last
    press(applied.get_by_test_id("record-undo"))
    expect(applied.get_by_test_id("record-undo")).to_have_count(0)
    assert listing(workspace) == before
    assert person.outcomes() == ["allowed", "refused", "allowed", "allowed"]

    models.reply(call("run_command", {"command": f"{_COMMAND}; true"}))
    models.reply(text("It ran in the sandbox."))
    person.say("Now without asking.")
    person.choose("allowBoxed")
    expect(person.answer).to_contain_text("It ran in the sandbox.")
    person.wait_for_turn()
    assert "README.md" not in listing(workspace)
    picture("3-in-the-sandbox")


def test_only_what_is_ticked_is_applied(
    models: Models, person: Person, workspace: Path, tmp_path: Path
) -> None:
    before = listing(workspace)
    models.reply(wanted())
    models.reply(text("Some of it was applied."))
    person.say("Not all of it.")
    person.choose("try")
    person.wait_for_card("Apply the changes of")
    person.choose("allowSome")
    person.wait_for_card()
    part = person.see("choose").get_by_role("checkbox", name="README.md")
    part.uncheck()
    expect(person.see("choose-confirm")).to_have_text("Apply 2 of 3")
    person.window.screenshot(tmp_path / "pictures" / "some-of-it.png")
    person.wait_for_card()
    person.see("choose-confirm").click()
    expect(person.answer).to_contain_text("Some of it was applied.")
    person.wait_for_turn()
    after = listing(workspace)
    assert after.pop("made/new.txt") == b"n\n"
    assert after.pop("till.py").endswith(b"# tried\n")
    assert after == {name: content for name, content in before.items() if name != "till.py"}


_AUTO = "mkdir -p made; echo x > made/new.txt; python3 -c '{}' && echo done > made/end.txt"
_CONNECTS = 'import urllib.request as r; r.urlopen("http://registry.example:443")'


def test_in_auto_what_leaves_the_sandbox_is_a_question(
    models: Models, person: Person, workspace: Path, tmp_path: Path
) -> None:
    def picture(name: str) -> None:
        person.window.screenshot(tmp_path / "pictures" / f"{name}.png")

    models.reply(text("Hello."))
    person.say("Hello.")
    person.wait_for_turn()
    person.see("mode-select").select_option("auto")
    person.window.answer_dialog("Turn on Auto")
    expect(person.see("auto-strip")).to_be_visible()
    command = _AUTO.format(_CONNECTS)
    models.reply(call("run_command", {"command": command}))
    models.reply(call("run_command", {"command": command, "outside_sandbox": True}))
    models.reply(text("It needs the registry."))
    person.say("Install it.")
    person.wait_for_card("wants registry.example:443")
    picture("1-a-host")
    person.deny()
    person.wait_for_card("It would run outside the sandbox.")
    expect(person.see("card")).to_contain_text("It wanted registry.example:443")
    picture("2-outside")
    assert listing(workspace)["made/new.txt"] == b"x\n"
    person.deny()
    expect(person.answer).to_contain_text("It needs the registry.")
    person.wait_for_turn()
    assert "made/end.txt" not in listing(workspace)
