"""A window of VS Code in Chromium, with the gestures that a person would make.

Playwright's objects stay reachable (`page`, `view`): a test asserts with `expect` on them, which
waits for what it expects.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import (
    BrowserContext,
    Error,
    FrameLocator,
    Locator,
    Page,
    Playwright,
    ViewportSize,
    expect,
)

from .editor import Editor
from .waiting import press_until, until

# The extension host starts behind the window; on a busy machine it is slow.
_READY_WITHIN = 60_000
_GESTURE_WITHIN = 15_000
_KEPT_WITHIN = 30.0
_TYPED_WITHIN = 3_000
_LISTED_WITHIN = 8_000
_STARTED = "() => performance.getEntriesByName('code/didStartWorkbench').length > 0"
# What a window in a browser keeps of itself lies in databases of the browser, written every 5 s.
_KEPT = """async ([key, words]) => {
  const asked = (request) => new Promise((done) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => done([]);
  });
  const all = await indexedDB.databases();
  for (const { name: called } of all.filter((each) => each.name.startsWith("vscode-web-state"))) {
    const database = await asked(indexedDB.open(called));
    const table = database.transaction("ItemTable").objectStore("ItemTable");
    const kept = await asked(table.get(key));
    database.close();
    if (words.every((word) => String(kept).includes(word))) return true;
  }
  return false;
}"""
_SIZE = ViewportSize(width=1280, height=800)
_CACHES = ("Cache", "Code Cache")
# Chromium compiles a script that it reads as a stream anew each time.
_SWITCHES = ("--disable-features=ScriptStreaming",)
_BLANK = "about:blank"


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """One window of VS Code on one folder."""

    page: Page
    folder: Path

    @property
    def view(self) -> FrameLocator:
        """The inside of the Assent view; it has to be open."""
        outer = self.page.frame_locator("iframe.webview.ready")
        return outer.frame_locator("iframe#active-frame")

    def wait(self) -> None:
        """Wait until the workbench has restored its parts."""
        self.page.wait_for_function(_STARTED, timeout=_READY_WITHIN)

    def open_view(self) -> FrameLocator:
        """Open the view unless it is, and wait until its page is there."""
        if not self._side_bar.is_visible():
            # It may be shown by itself at that moment, and the click then hides it.
            toggle = self.page.locator('a[aria-label^="Toggle Secondary Side Bar"]')
            press_until(toggle.click, self._side_bar.is_visible, what="the side bar")
        self._tab.wait_for(timeout=_READY_WITHIN)
        if not self.shows_view:
            self._tab.click()
            # Left there, the pointer would cover the view with the tab's tooltip.
            self.page.mouse.move(_SIZE["width"] / 2, _SIZE["height"] / 2)
        self.view.locator("body").wait_for(timeout=_READY_WITHIN)
        return self.view

    @property
    def shows_view(self) -> bool:
        """Whether the view is open."""
        return self._side_bar.is_visible() and self._tab.get_attribute("aria-expanded") == "true"

    def hide_view(self) -> None:
        """Hide the bar in which the view stands, which throws the view's page away."""
        self._side_bar.locator("a.codicon-auxiliarybar-close").click()
        self._side_bar.wait_for(state="hidden")

    def wait_until_kept(self, *words: str, key: str = "memento/workbench.parts.editor") -> None:
        """Wait until the window has written down these words, by default about its editors.

        It does so in a while, and what a page says of itself is known to it later still.
        """
        what = f"{words} is kept"
        until(lambda: self.page.evaluate(_KEPT, [key, words]), within=_KEPT_WITHIN, what=what)

    def reload(self) -> None:
        """Load the window anew, as the command Reload Window does."""
        self.page.reload()
        self.wait()

    def command(self, title: str) -> None:
        """Run the command that is called so in the command palette."""
        self.choose("F1", f">{title}", title)

    def choose(self, key: str, text: str, name: str) -> None:
        """Open the editor's list by its key, type the text, and click the row of that name.

        A list that is just closing has the same box, and one that loses the focus closes at once.
        """
        palette = self.page.locator(".quick-input-widget")
        box = palette.locator("input")
        chosen: list[str] = []

        def open_and_type() -> None:
            self.page.keyboard.press(key)
            with suppress(Error):
                box.fill(text, timeout=_TYPED_WITHIN)

        def open_and_click() -> None:
            press_until(
                open_and_type,
                lambda: box.is_visible() and box.input_value() == text,
                what="the list",
            )
            # It may lose the focus before its rows are there, too.
            with suppress(Error):
                palette.get_by_role("option", name=name).first.click(timeout=_LISTED_WITHIN)
                chosen.append(name)

        press_until(open_and_click, lambda: bool(chosen), what=f"{name} is chosen")

    def notifications(self) -> tuple[str, ...]:
        """The texts of the notifications that are shown now."""
        shown = self.page.locator(".notifications-toasts .notification-list-item-message")
        return tuple(shown.all_inner_texts())

    def notification(self, text: str) -> Locator:
        """The notification that contains the text; its buttons are inside."""
        return self.page.locator(".notifications-toasts .notification-toast", has_text=text)

    def status(self, text: str) -> Locator:
        """The entry of the status bar that contains the text."""
        return self.page.locator(".statusbar .statusbar-item", has_text=text)

    def dialog(self) -> Locator:
        """The modal dialog; its buttons have the role `button`."""
        return self.page.locator(".monaco-dialog-box")

    def answer_dialog(self, button: str) -> None:
        """Press the button of the modal dialog that is called so."""
        self.dialog().get_by_role("button", name=button, exact=True).click()
        self.dialog().wait_for(state="detached")

    def grant_trust(self) -> None:
        """Leave Restricted Mode, as a person does it: by the banner and the button."""
        self.page.locator(".part.banner").get_by_role("button", name="Manage").click()
        self.page.locator(".workspace-trust-editor").get_by_text("Trust", exact=True).click()
        self.page.locator(".part.banner").wait_for(state="hidden")
        modal = self.page.locator(".monaco-modal-editor-block")
        modal.get_by_role("button", name="Close Modal Editor").click()
        modal.wait_for(state="hidden")

    def screenshot(self, path: Path) -> None:
        """Keep a picture of the whole window."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)

    def close(self) -> None:
        """Close the window, as closing a browser tab does."""
        self.page.close()

    @property
    def _side_bar(self) -> Locator:
        return self.page.locator(".part.auxiliarybar")

    @property
    def _tab(self) -> Locator:
        return self._side_bar.locator('li[role="tab"]:has(a.action-label[aria-label^="Assent"])')


@dataclass(frozen=True, kw_only=True, slots=True)
class Browser:
    """Chromium with one profile, in which the windows of one test open."""

    context: BrowserContext

    def open(self, editor: Editor, folder: Path) -> Window:
        """Open a window on the folder and wait until it can be used."""
        window = Window(page=self.context.new_page(), folder=folder)
        window.page.goto(editor.url(folder))
        window.wait()
        return window

    def keep_evidence(self, folder: Path) -> None:
        """Save a picture of every open window."""
        windows = (page for page in self.context.pages if page.url != _BLANK)
        for number, page in enumerate(windows, start=1):
            Window(page=page, folder=folder).screenshot(folder / f"window-{number}.png")


@contextmanager
def open_browser(playwright: Playwright, executable: Path, caches: Path) -> Iterator[Browser]:
    """Start Chromium; when the block is left, nothing of it remains but its caches.

    Its profile is new. Only the scripts of VS Code that an earlier browser has fetched and
    compiled lie in the folder of the caches: a window opens in half the time with them. One
    browser at a time may use that folder.
    """
    # An edit on disk took VS Code more than three seconds to notice on a busy machine.
    expect.set_options(timeout=_GESTURE_WITHIN)
    with TemporaryDirectory(prefix="assent-browser-", ignore_cleanup_errors=True) as profile:
        own = Path(profile, "Default")
        _move_caches(caches, own)
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=executable, args=_SWITCHES, viewport=_SIZE
        )
        context.set_default_timeout(_GESTURE_WITHIN)
        yield Browser(context=context)
        context.close()
        _move_caches(own, caches)


def _move_caches(here: Path, there: Path) -> None:
    there.mkdir(exist_ok=True)
    for name in _CACHES:
        if (here / name).is_dir():
            shutil.move(here / name, there / name)


def workspace_settings(folder: Path) -> Path:
    """The settings.json of a workspace."""
    return folder / ".vscode" / "settings.json"


def read_settings(path: Path) -> dict[str, object]:
    """What is written in a settings.json; nothing if there is none."""
    if not path.exists():
        return {}
    settings: dict[str, object] = json.loads(path.read_text())
    return settings


def edit_settings(path: Path, changes: Mapping[str, object]) -> None:
    """Change a settings.json on disk, as a person does with another program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps({**read_settings(path), **changes}, indent=2))
    beside.replace(path)
