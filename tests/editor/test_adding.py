"""Adding an agent in a real VS Code: from a list to a chat with it."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from editor.conftest import StartEditor
from editor.person import Person
from host.page import Window
from host.profile import Setup
from wire.packages import packages


def choose(window: Window) -> None:
    """Press Enter until it is taken: a list takes none in its first moments."""
    for _ in range(30):
        window.page.keyboard.press("Enter")
        with suppress(PlaywrightTimeout):
            window.dialog().wait_for(timeout=500)
            return
    raise AssertionError("the list took no answer")


def test_an_agent_is_chosen_from_the_list_installed_and_talked_to(
    start_editor: StartEditor,
    enter: Callable[..., Person],
    workspace: Path,
    vsix: Path,
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with packages() as served:
        served.publish("parrot", "1.2.3")
        served.offer("parrot", "1.2.3")
        (home / ".npmrc").write_text(f"registry={served.address}/\n", "utf-8")
        told = {"ASSENT_AGENT_REGISTRY": f"{served.address}/registry.json"}
        editor = start_editor(Setup(vsix=vsix, home=home, environment=told))
        person = enter(workspace, editor)
        window = person.window
        window.command("Assent: Add an Agent…")
        window.page.get_by_role("option", name="Parrot").wait_for()
        window.page.keyboard.type("parrot")
        expect(window.page.get_by_role("option")).to_have_count(1)
        choose(window)
        window.answer_dialog("Install")
        composer = person.see("composer")
        expect(composer).to_have_attribute("placeholder", "Message Parrot…", timeout=60_000)
        person.say("who are you?")
        expect(person.answer).to_contain_text("I am --acp now")
