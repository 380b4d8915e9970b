"""Our own agent in a real editor: what a person asks of it, sees of it, and can do about it."""

import base64
import os
import re
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil
import pytest
from playwright.sync_api import Locator, expect

from host.editor import Editor
from host.install import Host
from host.page import edit_settings
from host.processes import living
from host.profile import Setup
from host.waiting import until
from models.script import Step, call, hold, text
from pictures import png
from vscode.conftest import StartEditor
from vscode.modelhost import Models, hosted
from vscode.person import Person, press
from vscode.test_calls import choose_in_list

requirement = pytest.mark.requirement
Enter = Callable[..., Person]
Picture = Callable[[Person, str], None]
AtWork = Callable[..., Person]
_SOON: Final = 30.0
_KEY: Final = "THE_KEY"


@pytest.fixture
def models() -> Iterator[Models]:
    """A host of models."""
    with hosted() as models:
        yield models


@pytest.fixture(scope="module")
def own_editor(host: Host, vsix: Path) -> Iterator[Editor]:
    """An editor for these tests alone: each writes its models into the settings."""
    with Editor(host, Setup(vsix=vsix)) as editor:
        yield editor


@pytest.fixture
def at_work(models: Models, own_editor: Editor, enter: Enter, workspace: Path) -> AtWork:
    """Enter a workspace in which our own agent has the model `tiny`, and perhaps others."""

    def come(*others: dict[str, object], sandbox: str = "auto") -> Person:
        given = [models.setting("tiny"), *others]
        settings = {"assent.models": given, "assent.sandbox": sandbox}
        edit_settings(own_editor.machine_settings, settings)
        person = enter(workspace, own_editor)
        # Until the settings are read, the view offers who needs none.
        expect(person.partner).to_have_text("Assent · tiny")
        return person

    return come


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    """Keep a picture of the window beside what else the test leaves."""
    return lambda person, name: person.window.screenshot(tmp_path / "pictures" / f"{name}.png")


def run(command: str, **more: object) -> Step:
    """The model runs a command."""
    return call("run_command", {"command": command, **more})


def edit(path: str, old: str, new: str) -> Step:
    """The model changes a file."""
    return call("edit_file", {"path": path, "edits": [{"old": old, "new": new}]})


def height(part: Locator) -> float:
    """How high it is drawn."""
    box = part.bounding_box()
    return box["height"] if box is not None else 0


def started(person: Person, *words: str) -> psutil.Process:
    """The process below this window's server that was started by these words."""
    server = psutil.Process(person.server().pid)

    def found() -> psutil.Process | None:
        for process in server.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if process.cmdline() == list(words):
                    return process
        return None

    return until(found, within=_SOON, what=f"{' '.join(words)} runs")


def wait_for_end(process: psutil.Process) -> None:
    """Wait until nothing is left of it."""
    until(lambda: not process.is_running(), within=_SOON, what=f"{process} is gone")


_WRONG: Final = "sum(prices) - discount"
_RIGHT: Final = "sum(prices) * (100 - discount) // 100"
_SERVE: Final = "python3 -u -m http.server 0 --bind 127.0.0.1"


@requirement("M-04")
@requirement("C-04")
@requirement("C-05")
@requirement("T-06")
@requirement("T-14")
@pytest.mark.walk
def test_it_mends_the_failing_test_and_starts_a_server_in_the_background(  # noqa: PLR0917 -- pytest names them
    models: Models,
    start_editor: StartEditor,
    enter: Enter,
    vsix: Path,
    workspace: Path,
    picture: Picture,
) -> None:
    go = workspace.parent / "go"
    os.mkfifo(go)
    tell_the_story(models)
    found_by_itself = {"OLLAMA_HOST": models.address}
    person = enter(workspace, start_editor(Setup(vsix=vsix, environment=found_by_itself)))

    expect(person.partner).to_have_text("Assent · tiny (Ollama)")
    person.say("Fix the failing test.")
    # The model still speaks, and what it has called for is done.
    models.held("looking")
    expect(person.record("Read till.py")).to_have_attribute("data-state", "succeeded")
    assert models.asked(1)["over"] is False
    models.release("looking")

    person.wait_for_card("python3 -m unittest")
    assert person.rows("asked")[0]["body"]["tool"] == "shell"
    picture(person, "1-asks-to-run-the-tests")
    person.allow()
    see_the_output_come(person, go, picture)
    person.wait_for_card("till.py")
    expect(person.see("card-body")).to_contain_text(_WRONG)
    expect(person.see("card-body")).to_contain_text(_RIGHT)
    assert _WRONG in (workspace / "till.py").read_text(encoding="utf-8")
    picture(person, "3-the-edit-as-hunks")
    person.allow()

    # The tests change nothing, so they run without a question. To begin with, they also read a
    # file outside.
    person.wait_for_card("http.server")
    assert _RIGHT in (workspace / "till.py").read_text(encoding="utf-8")
    assert "\n2> OK\n" in models.asked(5)["last"]
    picture(person, "4-asks-to-serve")
    person.allow()
    expect(person.answer).to_contain_text("the folder is served")
    person.wait_for_turn()

    kill_from_the_list(person, picture)
    assert person.outcomes() == ["allowed"] * 7


def tell_the_story(models: Models) -> None:
    """What the model says in answer to each request."""
    models.reply(
        text("I look at the project first.", pieces=4),
        call("list_files", {"path": "."}),
        call("read_file", {"path": "till.py"}),
        hold("looking"),
        call("read_file", {"path": "test_till.py"}),
    )
    models.reply(text("Now its tests."), run("python3 -m unittest -v; cat ../go"))
    models.reply(text("The discount is in percent."), edit("till.py", _WRONG, _RIGHT))
    models.reply(text("Once more."), run("python3 -m unittest -v"))
    models.reply(text("And now I serve it."), run(_SERVE, background=True))
    models.reply(text("The test passes, and the folder is served."))


def see_the_output_come(person: Person, go: Path, picture: Picture) -> None:
    """See what the running tests print, and let them end."""
    tail = person.see("record-tail")
    expect(tail).to_contain_text("FAILED (failures=1)")
    # It is there at once, and has a height once the command has run for a while.
    expect(tail).to_be_visible()
    until(lambda: height(tail) > 50, within=_SOON, what="the output can be read")
    picture(person, "2-their-output-comes")
    go.write_text("that was all\n", encoding="utf-8")


def kill_from_the_list(person: Person, picture: Picture) -> None:
    """See in the list of what runs what the server prints, and kill it there."""
    server = started(person, *_SERVE.split())
    shells = person.see("shells")
    expect(shells).to_have_text(re.compile(r"1 running in the background"))
    shells.locator("summary").click()
    shells.get_by_role("button", name="Output").click()
    document = person.window.page.locator(".monaco-editor .view-lines")
    expect(document).to_contain_text("Serving")
    port = re.search(r"port\s(\d+)", document.inner_text().replace("\xa0", " "))
    assert port is not None
    assert "A till that adds up prices" in served(f"http://127.0.0.1:{port[1]}/README.md")
    picture(person, "5-served-and-listed")
    press(shells.get_by_role("button", name="Kill"))
    expect(shells).to_have_count(0)
    wait_for_end(server)
    expect(document).to_contain_text("killed")
    picture(person, "6-killed")


def served(url: str) -> str:
    """What this machine serves there."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url, timeout=_SOON) as answer:
        page: bytes = answer.read()
    return page.decode()


@requirement("C-04")
def test_a_running_command_is_killed_by_its_button(at_work: AtWork, models: Models) -> None:
    models.reply(run("echo begun; exec sleep 1001"))
    models.reply(text("Well then."))
    person = at_work()
    person.say("Take your time.")
    expect(person.see("record-tail")).to_contain_text("begun")
    process = started(person, "sleep", "1001")
    person.press("record-kill")
    wait_for_end(process)
    expect(person.answer).to_contain_text("Well then.")
    expect(person.record("sleep 1001")).to_have_attribute("data-state", "killed")
    expect(person.see("record-kill")).to_have_count(0)
    assert "ended" in models.asked(2)["last"]


@requirement("C-04")
@requirement("C-05")
def test_a_running_command_is_moved_to_the_background_and_ends_with_the_chat(
    at_work: AtWork, models: Models
) -> None:
    models.reply(run("echo begun; exec sleep 1002"))
    models.reply(text("It goes on without me."))
    person = at_work()
    person.say("Take your time.")
    expect(person.see("record-tail")).to_contain_text("begun")
    process = started(person, "sleep", "1002")
    person.press("record-background")
    expect(person.answer).to_contain_text("It goes on without me.")
    person.wait_for_turn()
    expect(person.see("shells")).to_contain_text("1 running in the background")
    assert process.is_running()
    person.press("close-chat")
    wait_for_end(process)


@requirement("C-04")
@requirement("T-08")
def test_stop_ends_the_running_command(at_work: AtWork, models: Models) -> None:
    models.reply(run("setsid sleep 1003 & echo begun; exec sleep 1004"))
    person = at_work()
    person.say("Take your time.")
    expect(person.see("record-tail")).to_contain_text("begun")
    processes = [started(person, "sleep", each) for each in ("1003", "1004")]
    person.press("stop")
    person.wait_for_turn()
    for process in processes:
        wait_for_end(process)
    expect(person.record("setsid")).to_have_attribute("data-state", "killed")


def test_an_edit_is_undone_by_its_button_unless_the_file_has_changed_since(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    models.reply(edit("till.py", _WRONG, _RIGHT), edit("README.md", "# Till", "# The Till"))
    models.reply(text("Both are changed."))
    person = at_work()
    before = (person.folder / "till.py").read_text(encoding="utf-8")
    person.say("Change two files.")
    person.wait_for_card("till.py")
    person.allow()
    person.wait_for_card("README.md")
    person.allow()
    expect(person.answer).to_contain_text("Both are changed.")
    person.wait_for_turn()
    (person.folder / "README.md").write_text("Mine.\n", encoding="utf-8")

    till, readme = person.record("till.py"), person.record("README.md")
    press(till.get_by_test_id("record-undo"))
    expect(till.get_by_test_id("record-undo")).to_have_count(0)
    assert (person.folder / "till.py").read_text(encoding="utf-8") == before
    press(readme.get_by_test_id("record-undo"))
    expect(person.see("note")).to_contain_text("has changed since")
    assert (person.folder / "README.md").read_text(encoding="utf-8") == "Mine.\n"
    picture(person, "undone")


@requirement("M-04")
def test_of_two_models_the_one_that_was_picked_is_asked(at_work: AtWork, models: Models) -> None:
    models.reply(text("I am the other one."))
    person = at_work(models.setting("huge", "anthropic"))
    person.see("agent-select").select_option(label="Assent · huge")
    person.say("Who are you?")
    expect(person.answer).to_contain_text("I am the other one.")
    asked = models.asked(1)
    assert asked["path"] == "/v1/messages"
    assert asked["body"]["model"] == "huge"


@requirement("M-04")
def test_a_key_goes_from_the_input_box_to_its_models_host_and_nowhere_else(
    at_work: AtWork, models: Models, own_editor: Editor, picture: Picture
) -> None:
    models.reply(text("I know you."))
    person = at_work(models.setting("locked", key=_KEY))
    person.window.command("Assent: Set a Model's Key…")
    choose_in_list(person, "Set a model's key", _KEY)
    box = person.window.page.locator(".quick-input-widget input")
    expect(box).to_have_attribute("type", "password")
    expect(box).to_be_focused()
    person.window.page.keyboard.type(" a-secret ")
    picture(person, "a-key")
    person.window.page.keyboard.press("Enter")
    expect(box).not_to_be_visible()
    # The box closes at once; the key is there when the editor says so.
    expect(person.window.notification(f"{_KEY} is stored")).to_be_visible()
    person.see("agent-select").select_option(label="Assent · locked")
    person.say("Do you know me?")
    expect(person.answer).to_contain_text("I know you.")
    assert models.asked(1)["headers"]["authorization"] == "Bearer a-secret"
    written = own_editor.user_settings.parents[1].rglob("*.json")
    assert not [path for path in written if "a-secret" in path.read_text(encoding="utf-8")]
    assert "a-secret" not in own_editor.log()


@requirement("C-05")
def test_the_reload_of_a_window_ends_what_ran_in_the_background(
    at_work: AtWork, models: Models
) -> None:
    models.reply(
        call("run_command", {"command": "setsid sleep 1005 & exec sleep 1006", "background": True})
    )
    models.reply(text("It runs."))
    person = at_work()
    person.say("Run something.")
    expect(person.answer).to_contain_text("It runs.")
    person.wait_for_turn()
    processes = [started(person, "sleep", each) for each in ("1005", "1006")]
    old = person.server()
    person.window.reload()
    for process in processes:
        wait_for_end(process)
    until(lambda: not living(frozenset({old})), within=_SOON, what="the old server is gone")
    person.open_view()
    expect(person.see("shells")).to_have_count(0)
    sleeping = [one for one in person.editor.processes() if "sleep 100" in one.command]
    assert sleeping == []


_PASTE: Final = """async (box, data) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
  box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
}"""


@requirement("M-04")
def test_a_picture_that_is_pasted_is_seen_by_the_model_and_stands_in_the_chat(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    data = base64.b64encode(png(240, 120, shade=160)).decode()
    models.reply(text("I see the drawing that you gave me."), call("read_file", {"path": "b.png"}))
    models.reply(text("And b.png is darker."))
    person = at_work()
    (person.folder / "b.png").write_bytes(png(200, 100, shade=60))
    person.see("composer").evaluate(_PASTE, data)
    expect(person.see("attachments").get_by_role("button")).to_have_count(1)
    picture(person, "picture-1-pasted")
    person.say("Is b.png like this?")
    expect(person.answer).to_contain_text("And b.png is darker.")
    person.wait_for_turn()
    expect(person.see("attachments")).to_have_count(0)
    drawn = person.view.locator("img[src^='data:image/png']")
    expect(drawn).to_have_count(2)
    assert drawn.first.evaluate("each => [each.naturalWidth, each.naturalHeight]") == [240, 120]
    picture(person, "picture-2-seen")
    assert data in str(models.asked(1)["body"])
    assert base64.b64encode(png(200, 100, shade=60)).decode() in str(models.asked(2)["body"])


@requirement("M-04")
def test_a_model_that_takes_no_pictures_leaves_all_as_it_was_written(
    at_work: AtWork, models: Models, picture: Picture
) -> None:
    person = at_work({**models.setting("blind"), "model": "gpt-oss-20b"})
    person.see("agent-select").select_option(label="Assent · blind")
    person.see("composer").evaluate(_PASTE, base64.b64encode(png()).decode())
    expect(person.see("attachments").get_by_role("button")).to_have_count(1)
    person.see("composer").fill("What is this?")
    person.see("composer").press("Enter")
    expect(person.see("note")).to_contain_text("takes no such pictures, so nothing was sent")
    expect(person.see("composer")).to_have_value("What is this?")
    expect(person.see("attachments").get_by_role("button")).to_have_count(1)
    picture(person, "picture-3-not-taken")


@requirement("T-13")
def test_what_a_call_changed_opens_from_its_record_in_the_editors_own_diff(
    models: Models, at_work: AtWork, workspace: Path, picture: Picture
) -> None:
    models.reply(edit("till.py", _WRONG, _RIGHT))
    models.reply(text("It is mended."))
    person = at_work()
    # Where it has less room, the editor draws both sides as one.
    person.window.page.set_viewport_size({"width": 1600, "height": 800})
    person.say("Mend the discount.")
    person.wait_for_card("till.py")
    person.allow()
    person.wait_for_turn()
    # What has become of the file since is no part of what was done.
    (workspace / "till.py").write_text("nothing is left\n", encoding="utf-8")

    # It has opened by itself.
    expect(person.see("recorded")).to_contain_text(_RIGHT)
    picture(person, "record-opened")
    person.see("open-diff").click()
    diff = person.window.page.locator(".monaco-diff-editor")
    expect(diff.locator(".original .view-lines")).to_contain_text(_WRONG)
    expect(diff.locator(".modified .view-lines")).to_contain_text(_RIGHT)
    expect(
        person.window.page.get_by_role("tab", name=re.compile("as it was changed"))
    ).to_be_visible()
    picture(person, "record-diff")
