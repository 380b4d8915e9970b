"""A person at the Assent view of a real VS Code: what they do, and what is then on the disk."""

import json
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import FrameLocator, Locator, expect

from host.editor import Editor
from host.page import Window, workspace_settings
from host.processes import Process
from host.waiting import press_until, until

__all__ = ["Person", "press"]

_SOON: Final = 30.0
_SAID_WITHIN: Final = 5_000


def press(button: Locator) -> None:
    """Press a button that acts at one click, once it has stood still."""
    button.scroll_into_view_if_needed()
    expect(button).to_have_attribute("data-armed", "true", timeout=_SOON * 1000)
    button.click()


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who has opened the view in one window."""

    window: Window
    editor: Editor

    @property
    def view(self) -> FrameLocator:
        return self.window.view

    @property
    def folder(self) -> Path:
        return self.window.folder

    @property
    def card(self) -> Locator:
        return self.see("card")

    def see(self, name: str) -> Locator:
        """The part of the view that is called so."""
        return self.view.get_by_test_id(name)

    @property
    def partner(self) -> Locator:
        """The agent that is chosen, with its model."""
        return self.see("agent-select").locator("option:checked")

    @property
    def answer(self) -> Locator:
        """What the agent said last."""
        return self.see("message-agent").last

    def open_view(self) -> None:
        """Open the view and wait until one can write in it to somebody."""
        self.window.open_view()
        expect(self.see("composer")).to_be_editable(timeout=_SOON * 1000)
        # One can write before the server, which says to whom, has started; if it starts at all.
        with suppress(AssertionError):
            expect(self.partner).to_be_attached(timeout=_SOON * 1000)

    def hide_view(self) -> None:
        """Hide the view, which throws its page away."""
        self.window.hide_view()
        expect(self.window.page.locator("iframe.webview.ready")).to_have_count(0)

    def say(self, text: str) -> None:
        """Write to the agent."""
        composer = self.see("composer")
        composer.fill(text)
        press_until(
            lambda: composer.press("Enter"),
            lambda: composer.input_value() != text,
            what=f"{text!r} is sent",
        )
        if not text.startswith("/"):
            # The box is empty at once; that a turn runs, the server has yet to say. What waits for
            # a turn or a log-in is said later.
            first = text.strip().splitlines()[0][:200]
            with suppress(AssertionError):
                expect(self.see("message-user").last).to_contain_text(first, timeout=_SAID_WITHIN)

    def wait_for_card(self, text: str = "") -> None:
        """Wait until a card with this text is shown and takes an answer."""
        expect(self.card).to_contain_text(text, timeout=_SOON * 1000)
        expect(self.card).to_have_attribute("data-armed", "true")
        expect(self.card).not_to_have_attribute("aria-busy", "true")

    def press(self, name: str) -> None:
        """Press a button that acts at one click, once it has stood still."""
        press(self.see(name).first)

    def allow(self) -> None:
        """Allow what the card shows, once."""
        self.wait_for_card()
        self.see("allow-once").click()

    def deny(self) -> None:
        """Deny what the card shows."""
        self.wait_for_card()
        self.see("deny").click()

    def choose(self, kind: str, at: int = 0) -> None:
        """Open the list that has this option, and choose it, or a later one of its kind."""
        self.wait_for_card()
        menu = self.see("deny-menu" if kind.startswith("deny") else "allow-menu")
        menu.click()
        # An open list is a new layout, so the card takes nothing for a moment once it is drawn.
        expect(menu).to_have_attribute("aria-expanded", "true")
        self.wait_for_card()
        self.see(f"option-{kind}").nth(at).click()

    def new_chat(self) -> None:
        """Open another chat, by the editor's own button above the view."""
        self.window.page.locator('.composite.title a.action-label[aria-label^="New Chat"]').click()
        # Left there, the pointer would cover the view with the button's tooltip.
        self.window.page.mouse.move(640, 400)
        expect(self.see("message-user")).to_have_count(0)

    def record(self, text: str) -> Locator:
        """The line in the transcript that contains this text."""
        return self.see("record").filter(has_text=text)

    def wait_for_turn(self) -> None:
        """Wait until the agent is done."""
        expect(self.see("stop")).to_have_count(0, timeout=_SOON * 1000)

    def wait_for_file(self, name: str) -> Path:
        """Wait until a file is in the workspace."""
        until((self.folder / name).exists, within=_SOON, what=f"{name} in the workspace")
        return self.folder / name

    def setting(self, key: str) -> Any:
        """What stands in the workspace's settings file."""
        path = workspace_settings(self.folder)
        if not path.exists():
            return None
        # The editor empties the file before it fills it, and we may look between the two.
        text = until(lambda: path.read_text(encoding="utf-8"), within=_SOON, what="settings")
        return json.loads(text).get(key)

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """The rows that this workspace has in the journal, read from the disk."""
        path = self.editor.home / ".local/state/assent/journal.db"
        with sqlite3.connect(path) as database:
            database.row_factory = sqlite3.Row
            found = database.execute("select * from entries order by seq")
            rows = [{**row, "body": json.loads(row["body"])} for row in map(dict, found)]
        database.close()
        # What is written of a call after a server was killed no longer says where it was.
        ours = {row["call"] for row in rows if row["body"].get("cwd") == str(self.folder)}
        return [row for row in rows if row["kind"] == kind and row["call"] in ours]

    def noted(self, what: str) -> list[dict[str, Any]]:
        """The rows about something that is no call, in order: none of them names a workspace."""
        path = self.editor.home / ".local/state/assent/journal.db"
        with sqlite3.connect(path) as database:
            found = database.execute("select body from entries where kind = 'noted' order by seq")
            bodies = [json.loads(body) for (body,) in found]
        database.close()
        return [it for it in bodies if it.get("what") == what]

    def outcomes(self) -> list[str]:
        """How the calls of this workspace were decided, in order."""
        return [row["body"]["outcome"] for row in self.rows("decided")]

    def server(self) -> Process:
        """The process of this window's server, which is the one that started last."""
        return until(self._newest_server, within=_SOON, what="a server")

    def agents_of(self, server: Process) -> frozenset[Process]:
        """The processes of Eliza that a server has started, each below one that keeps it."""
        running = self.editor.processes()
        below = {server.pid}
        while more := {one.pid for one in running if one.parent in below} - below:
            below |= more
        return frozenset(
            one for one in running if one.pid in below and "assent.hosting.eliza" in one.command
        )

    def _newest_server(self) -> Process | None:
        servers = [one for one in self.editor.processes() if "start.py serve" in one.command]
        return max(servers, key=lambda one: one.started, default=None)
