"""How soon the view can be used after a window was opened on it, in a real VS Code.

From loading the window until its view shows what a person uses. The peer is an extension whose view
is one empty paragraph: VS Code itself takes most of the time.
"""

import statistics
import time
from pathlib import Path
from typing import Final

from playwright.sync_api import Playwright, sync_playwright

from bench.felt import Ratio, holds
from host import AbsentError
from host.demo import scripted_model
from host.editor import Editor
from host.extension import packaged
from host.install import find_host
from host.packages import find_chromium
from host.page import Window, open_browser
from host.profile import Setup
from host.sample import make_sample

__all__ = ["measure"]

_DIST: Final = Path(__file__).resolve().parents[2] / "dist"
_LOADS: Final = 7
_MAX_RATIO: Final = 1.5
_OURS, _PEERS = "[data-testid=send]:enabled", "p"
"""What a person uses of each view: a message that was typed before can be sent."""

_PEER: Final = """
const vscode = require("vscode");
exports.activate = (context) => {
  context.subscriptions.push(vscode.window.registerWebviewViewProvider("empty.view", {
    resolveWebviewView: ({ webview }) => { webview.html = "<p>Empty</p>"; },
  }));
};
"""
_CONTRIBUTES: Final = {
    # The tests open a view of that name.
    "viewsContainers": {
        "secondarySidebar": [{"id": "empty", "title": "Assent, empty", "icon": "$(circle)"}]
    },
    "views": {"empty": [{"id": "empty.view", "name": "Empty", "type": "webview"}]},
}


def measure() -> bool:
    """Measure and print; whether the bar is met."""
    try:
        find_host()
        find_chromium()
        _package()
    except AbsentError as absence:
        print(f"Not all is measured. {absence}")
        return False
    return holds(
        Ratio(
            name="window opened until the view can be used",
            peer="an empty view",
            most=_MAX_RATIO,
            measure=_both,
        )
    )


def _package() -> Path:
    packages = sorted(_DIST.glob("*.vsix"), key=lambda it: it.stat().st_mtime)
    if not packages:
        raise AbsentError("The extension is not packaged: run `make vsix`.")
    return packages[-1]


def _both(home: Path) -> tuple[float, float]:
    peer = packaged(home, "empty", _PEER, contributes=_CONTRIBUTES)
    with sync_playwright() as playwright:
        ours = _median(playwright, home / "ours", _package(), _OURS)
        return ours, _median(playwright, home / "peer", peer, _PEERS)


def _median(playwright: Playwright, home: Path, package: Path, used: str) -> float:
    """Seconds from loading a window, in which the view stands open, until it can be used."""
    folder, models = make_sample(home / "till"), scripted_model(home / "script.json")
    with (
        Editor(find_host(), Setup(vsix=package, machine=models)) as editor,
        open_browser(playwright, find_chromium(), home / "caches") as browser,
    ):
        window = browser.open(editor, folder)
        view = window.open_view()
        if used == _OURS:
            view.locator("textarea").fill("Hello")
        view.locator(used).first.wait_for(timeout=60_000)
        return statistics.median(_load(window, used) for _ in range(_LOADS))


def _load(window: Window, used: str) -> float:
    began = time.perf_counter()
    window.page.reload()
    window.view.locator(used).first.wait_for(timeout=60_000)
    return time.perf_counter() - began
