"""The browser's preset in a real editor: the real package, and what its card shows of a page."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from catalogue.mcp.fetch import fetched
from editor.wire.test_browser import Pages, pages
from host.profile import Setup
from models.script import Step, call, text
from vscode.conftest import StartEditor
from vscode.modelhost import Models, hosted
from vscode.person import Person

__all__ = ["pages"]

requirement = pytest.mark.requirement
pytestmark = pytest.mark.may_be_skipped


@pytest.fixture
def models() -> Iterator[Models]:
    """A host of models."""
    with hosted() as models:
        yield models


@pytest.fixture
def person(
    start_editor: StartEditor,
    enter: Callable[..., Person],
    models: Models,
    workspace: Path,
    vsix: Path,
) -> Person:
    """Somebody who has installed the package, and whose agents may use it."""
    folder = fetched()
    if folder is None:
        pytest.skip("It takes the servers that `make test-servers` fetches.")
    machine = {
        "assent.models": [models.setting("tiny")],
        "assent.mcpServers": {"web": {"preset": "browser"}},
        "assent.rules": {"allow": ["fetch(domain:127.0.0.1)"]},
    }
    path = {"PATH": f"{folder / 'node_modules' / '.bin'}:{os.environ['PATH']}"}
    return enter(workspace, start_editor(Setup(vsix=vsix, machine=machine, environment=path)))


def use(tool: str, **arguments: str) -> Step:
    return call("run_node", {"name": f"web:browser_{tool}", "arguments": arguments})


@requirement("N-08")
@requirement("N-10")
def test_a_click_is_asked_about_with_the_page_and_the_targets_own_name(
    person: Person, models: Models, pages: Pages, tmp_path: Path
) -> None:
    models.reply(use("navigate", url=pages.at()))
    models.reply(use("click", target="#del", element="Cancel"))
    models.reply(text("It was not clicked."))
    person.say("Tidy the shop.")
    person.wait_for_card("browser_navigate")
    person.window.screenshot(tmp_path / "pictures" / "going.png")
    person.allow()
    person.wait_for_card("browser_click")
    expect(person.card).to_contain_text('button "Delete everything"')
    expect(person.card).to_contain_text("The model calls it")
    picture = person.see("page").first.locator("img")
    expect(picture).to_have_js_property("complete", value=True)
    assert picture.evaluate("it => it.naturalWidth") > 100
    picture.scroll_into_view_if_needed()
    person.window.screenshot(tmp_path / "pictures" / "click.png")
    person.deny()
    person.wait_for_turn()
    assert "/deleted" not in [path for _, path in pages.asked]
