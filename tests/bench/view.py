"""The real view in a real Chromium, fed with what a server says as the extension feeds it.

Unlike a test's page, this one has its own clock, which runs. It notes when each number was drawn.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from assent.editor.protocol.methods import METHODS
from bench.window import Came, Window
from host import AbsentError
from host.packages import find_chromium
from webview.stage import CLIENT, EDITOR, FILES, ORIGIN, Stage

__all__ = ["Live", "live", "missing"]

_NEWS: Final = {row.name for row in METHODS if row.webview and row.sender == "server"}

_SEEING: Final = r"""
window.drawn = [];
document.addEventListener("DOMContentLoaded", () => {
  const last = () => {
    let at = [...document.querySelectorAll("assent-prose")].at(-1) ?? null;
    while (at !== null && at.lastChild !== null) at = at.lastChild;
    return /(\d+)\s*$/.exec((at?.textContent ?? "").slice(-40))?.[1];
  };
  new MutationObserver(() => {
    const number = last();
    if (number !== undefined) window.drawn.push([performance.now(), Number(number)]);
  }).observe(document.documentElement, { childList: true, characterData: true, subtree: true });
});
"""


class Live(Stage):
    """One page at a server."""

    def open(self, answer: Any | None = None, *, theme: str = "dark-2026") -> None:
        """Load the page, with a clock that runs."""
        self.page.route(f"{ORIGIN}/**", lambda route: self._serve(route))
        self.page.add_init_script(EDITOR)
        self.page.add_init_script(_SEEING)
        self.page.goto(f"{ORIGIN}/")
        self.dress(theme)
        if answer is not None:
            self.begin(answer)

    def let_pass(self, milliseconds: int) -> None:
        """It passes by itself."""

    def connect(self, opened: Window) -> None:
        """Subscribe to what the server tells."""
        self.say({"kind": "server", "state": "ready", "text": ""})
        request = self.requests("agent/subscribe")[0]
        told = opened.answer(opened.ask("agent/subscribe", request["params"]))
        self.answer(request["id"], told.message["result"])

    def feed(self, news: list[Came]) -> None:
        """Pass on what the server said, as far as it may pass."""
        messages = [
            {"kind": "message", "method": it.method, "params": it.params}
            for it in news
            if it.method in _NEWS
        ]
        if messages:
            self.page.evaluate(_FEED, messages)

    def settle(self, number: int) -> None:
        """Wait until a number is drawn."""
        self.page.wait_for_function(
            "(number) => window.drawn.some((it) => it[1] === number)", arg=number
        )

    def numbers(self) -> list[int]:
        """All numbers that stand in what was said, in order; a long reply stands in pieces."""
        text: str = self.page.evaluate(
            "[...document.querySelectorAll('assent-prose')].map((it) => it.textContent).join('')"
        )
        return [int(number) for number in re.findall(r"\d+", text)]

    def drawn(self) -> list[tuple[int, int]]:
        """When each drawing was seen, in ns on the machine's clock, and its last number."""
        ahead = min((self._ahead() for _ in range(50)), key=lambda it: it[0])[1]
        seen: list[tuple[float, int]] = self.page.evaluate("window.drawn")
        return [(int(at * 1e6) + ahead, number) for at, number in seen]

    def _ahead(self) -> tuple[int, int]:
        """How long it took to ask for the page's time, and the machine's clock less that, in ns."""
        before = time.monotonic_ns()
        page = self.page.evaluate("performance.now()")
        after = time.monotonic_ns()
        return after - before, (before + after) // 2 - int(page * 1e6)


_FEED: Final = "(messages) => { for (const it of messages) window.postMessage(it, '*'); }"


def missing() -> str:
    """What there would have to be to draw a page; nothing where all is there."""
    try:
        find_chromium()
    except AbsentError as absence:
        return str(absence)
    if not all((CLIENT / "dist" / path.strip("/")).exists() for path in FILES):
        return "The view is not built: `node build.mjs` in client-ts."
    return ""


@contextmanager
def live() -> Iterator[Page]:
    """An empty page in a browser of its own."""
    with sync_playwright() as playwright:
        chromium = find_chromium()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_context(viewport={"width": 420, "height": 900}).new_page()
        browser.close()
