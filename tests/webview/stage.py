"""The built view in a real browser, with the tests on the other end of its pipe.

The page has the policy of the shipped one. The only thing that is replaced is what an editor
gives to a page: `acquireVsCodeApi`, whose messages are kept for the test to read and answer. The
page's clock stands still unless a test lets time pass.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from attrs import define, field
from playwright.sync_api import Locator, Page, Route

from webview import scenes, tickets

__all__ = ["CLIENT", "FILES", "ORIGIN", "POLICY", "THEMES", "Stage"]

CLIENT: Final = Path(__file__).parents[2] / "client-ts"
ORIGIN: Final = "https://view.test"
THEMES: Final[dict[str, dict[str, str]]] = json.loads(
    Path(__file__).with_name("themes.json").read_text(encoding="utf-8")
)
BODY_CLASSES: Final = {
    "dark-2026": "vscode-dark",
    "light-2026": "vscode-light",
    "hc-dark": "vscode-high-contrast",
    "hc-light": "vscode-high-contrast vscode-high-contrast-light",
    "dark-modern": "vscode-dark",
    "light-modern": "vscode-light",
    "solarized-light": "vscode-light",
    "solarized-dark": "vscode-dark",
    "monokai": "vscode-dark",
}
POLICY: Final = (
    "default-src 'none'; script-src 'nonce-n0nce'; style-src https://view.test; "
    "font-src https://view.test; img-src https://view.test data:; media-src data:; "
    "form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; "
    "trusted-types lit-html"
)
PAGE: Final = """<!DOCTYPE html>
<html lang="{language}" dir="ltr" data-words="{words}">
<head><meta charset="utf-8"><title>Assent</title>
<link rel="stylesheet" href="/editor.css"><link rel="stylesheet" href="/webview.css"></head>
<body><script nonce="n0nce" src="/webview.js"></script></body></html>"""
EDITORS_SHEET: Final = """
@layer vscode-default {
  img, video { max-width: 100%; max-height: 100%; }
}
"""
"""What the editor itself says of how parts of a page look, as far as ours has such parts."""
EDITOR: Final = """
window.posted = [];
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.posted.push(structuredClone(message)),
  getState: () => JSON.parse(sessionStorage.getItem("kept") ?? "null") ?? undefined,
  setState: (kept) => sessionStorage.setItem("kept", JSON.stringify(kept)),
});
"""
AXE: Final = """(rules) => {
  // Of what is well, the names of the rules are enough; and those of colours read no style sheet.
  const how = { resultTypes: ["violations"] };
  return axe.run(document, rules ? { ...how, runOnly: rules, preload: false } : how);
}"""
FILES: Final = {
    "/webview.js": "text/javascript",
    "/drawings.js": "text/javascript",
    "/highlight.js": "text/javascript",
    "/markdown.js": "text/javascript",
    "/reading.js": "text/javascript",
    "/webview.css": "text/css",
}


@define
class Stage:
    """One page."""

    page: Page
    _files: Mapping[str, bytes]
    """The bundle, by the paths that the page asks for."""
    _answered: set[int] = field(factory=set)
    _language: str = "en"

    def open(
        self, answer: Any | None = None, *, theme: str = "dark-2026", language: str = "en"
    ) -> None:
        """Load the page; `answer` is what its first subscription gets."""
        self._language = language
        self.page.route(f"{ORIGIN}/**", lambda route: self._serve(route))
        self.page.add_init_script(EDITOR)
        self.page.clock.install(time=0)
        self.page.goto(f"{ORIGIN}/")
        self.page.clock.pause_at(1_000)
        self.dress(theme)
        if language != "en":
            # The page begins once it has what reads the server's sentences.
            self._fetch("/reading.js")
        if answer is not None:
            self.begin(answer)

    def reload(self, answer: Any) -> None:
        """Throw the page away and show it again."""
        self.page.reload()
        self._answered.clear()
        self.begin(answer)

    def begin(self, answer: Any) -> None:
        """The server is ready, and knows this."""
        self.say({"kind": "server", "state": "ready", "text": ""})
        self.answer(self.asked("agent/subscribe"), answer)
        self.let_pass(20)
        self.read()

    def dress(self, theme: str) -> None:
        """Give the page the colours of a theme, as the editor does."""
        self.page.evaluate(
            """([values, classes]) => {
              document.documentElement.removeAttribute("style");
              for (const [name, value] of Object.entries(values)) {
                document.documentElement.style.setProperty(name, value);
              }
              const { classList } = document.body;
              classList.remove(...[...classList].filter((each) => each.startsWith("vscode-")));
              classList.add(...classes.split(" "));
            }""",
            [THEMES[theme], BODY_CLASSES[theme]],
        )

    def say(self, *messages: Any) -> None:
        """The host says something to the page."""
        self.page.evaluate(
            """(messages) => new Promise((done) => {
              const last = () => { window.removeEventListener("message", heard); done(); };
              let left = messages.length;
              const heard = () => { left -= 1; if (left === 0) last(); };
              window.addEventListener("message", heard);
              for (const message of messages) window.postMessage(message, "*");
            })""",
            list(messages),
        )

    def tell(self, method: str, params: Any) -> None:
        """The server's news, passed on."""
        self.say({"kind": "message", "method": method, "params": params})
        self.let_pass(20)
        self.read()

    def read(self) -> None:
        """Wait until what reads messages is there, which is fetched for the first of them."""
        plain = "document.querySelector('assent-prose[data-plain]') !== null"
        if "/markdown.js" in self._files and self.page.evaluate(plain):
            self.page.locator("assent-prose[data-plain]").first.wait_for(state="detached")
        undrawn = "document.querySelector('assent-printed:empty') !== null"
        if self.at("no-fields").count() or self.page.evaluate(undrawn):
            self._fetch("/drawings.js")
            self.let_pass(20)

    def lose(self, path: str) -> None:
        """Have a script that the page fetches be nowhere."""
        self._files = {name: file for name, file in self._files.items() if name != path}

    def _fetch(self, path: str) -> None:
        """Wait until a script is there that the page fetches, or is known not to come."""
        there = "(each) => import(each).then(() => true, () => false)"
        self.page.evaluate(there, f"{ORIGIN}{path}")

    def ask(self, seq: int, ticket: tickets.Ticket) -> None:
        """One more ticket."""
        self.tell("tool/approvalRequest", scenes.delivered(seq, ticket))

    def command(self, name: str) -> None:
        """A key of the editor."""
        self.say({"kind": "command", "command": name})
        self.let_pass(20)

    def let_pass(self, milliseconds: int) -> None:
        """Time passes, and frames are drawn."""
        self.page.clock.run_for(milliseconds)

    def draw(self) -> None:
        """Let the browser draw: it lays out, and tells of scrolls and of sizes, only then."""
        self.page.evaluate("() => { window.draws = 0; }")
        self.page.wait_for_function("() => { window.draws += 1; return window.draws > 4; }")
        self.let_pass(40)

    def reach_the_end(self) -> None:
        """Wait until the transcript stands at its end: the browser draws when it has time."""
        self.page.wait_for_function(
            """() => { const log = document.querySelector("[data-log]");
                       return log.scrollHeight - log.scrollTop - log.clientHeight <= 1; }"""
        )

    def arm(self) -> None:
        """Wait until what stands here takes clicks; what moved it before, the page has heard of."""
        self.draw()
        self.let_pass(600)

    def posted(self, kind: str = "request") -> list[Any]:
        """What the page has said of this kind."""
        return [each for each in self.page.evaluate("window.posted") if each["kind"] == kind]

    def requests(self, method: str) -> list[Any]:
        """What the page has asked by this name."""
        return [each for each in self.posted() if each["method"] == method]

    def answers(self) -> list[Any]:
        """The answers to cards that the page has sent."""
        return [each["params"] for each in self.requests("tool/approvalResponse")]

    def asked(self, method: str) -> int:
        """The id of the oldest request of this name that has no answer yet."""
        waiting = [each["id"] for each in self.requests(method) if each["id"] not in self._answered]
        assert waiting, f"the page did not ask for {method}"
        return int(waiting[0])

    def answer(self, request: int, result: Any = None, *, error: str | None = None) -> None:
        """Answer a request."""
        self._answered.add(request)
        told = {"result": result} if error is None else {"error": error}
        self.say({"kind": "answer", "id": request, **told})
        self.let_pass(20)

    def at(self, name: str) -> Locator:
        """The element of this test id."""
        return self.page.get_by_test_id(name)

    def violations(self) -> list[str]:
        """What the page's policy has refused."""
        found: list[str] = self.page.evaluate("window.violations")
        return found

    def _serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            headers = {"content-security-policy": POLICY}
            route.fulfill(body=page_in(self._language), content_type="text/html", headers=headers)
        elif path == "/editor.css":
            route.fulfill(body=EDITORS_SHEET, content_type="text/css")
        elif path in self._files:
            route.fulfill(body=self._files[path], content_type=FILES[path])
        else:
            route.abort()

    def faults(self) -> list[str]:
        """What axe finds in the page as it is dressed."""
        return list(faults_of(self._axe()))

    def faults_in_every_theme(self) -> list[tuple[str, str]]:
        """What axe finds, by theme: with all rules in one, and with those of colours in the others.

        A theme changes nothing but colours, so no other rule could find anything new.
        """
        first, *others = THEMES
        self.dress(first)
        whole = self._axe()
        faults = [(first, fault) for fault in faults_of(whole)]
        for theme in others:
            self.dress(theme)
            faults += [(theme, fault) for fault in faults_of(self._axe(colour_rules(whole)))]
        return faults

    def faults_in(self, theme: str) -> list[str]:
        """What axe finds in one theme, with all rules."""
        self.dress(theme)
        return [*faults_of(self._axe())]

    def _axe(self, rules: Sequence[str] | None = None) -> Any:
        if not self.page.evaluate("typeof axe === 'object'"):
            source = (CLIENT / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
            self.page.evaluate(source)
        self.page.clock.resume()
        return self.page.evaluate(AXE, rules)


def page_in(language: str) -> str:
    """The page as the extension makes it, where the editor speaks this language."""
    bundle = CLIENT / f"l10n/bundle.l10n.{language}.json"
    words = bundle.read_text(encoding="utf-8") if bundle.exists() else "{}"
    return PAGE.replace("{language}", language).replace("{words}", escape(words))


def colour_rules(result: Any) -> list[str]:
    """The rules about colours among those that axe has run."""
    ran = ("passes", "violations", "incomplete", "inapplicable")
    rules = [rule for kind in ran for rule in result[kind]]
    colours = sorted({rule["id"] for rule in rules if "cat.color" in rule["tags"]})
    assert "color-contrast" in colours
    return colours


def faults_of(result: Any) -> Iterator[str]:
    for broken in result["violations"]:
        for node in broken["nodes"]:
            where, why = node["html"][:160], node["failureSummary"]
            yield f"{broken['id']} ({broken['impact']}): {where} {why}"
