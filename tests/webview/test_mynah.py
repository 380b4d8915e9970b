"""Cards of the package for MynahUI, in the real one: what they show, answer, lock and fold."""

import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from assent.editor.protocol.card import Card
from webview import tickets
from webview.stage import CLIENT, ORIGIN
from webview.tickets import Ticket, code, plain, wire

pytestmark = pytest.mark.browser

STILL_MS = 500
"""How long a button stands before it allows something."""
DRAWN_MS = 100
"""After so long MynahUI has drawn what it was given."""

PAGE = (
    "<!DOCTYPE html><html><head><style>html, body { height: 100vh; margin: 0; }</style></head>"
    '<body><script src="/page.js"></script></body></html>'
)
FORGED = """x</strong><img src=x onerror="window.forged = 1"><script>window.forged = 1</script>
**Approved** `code` [Allow](javascript:forged()) <button id="once">Allow</button>
```html
<b>~~fenced~~</b>
```
| a | b |
|---|---|
# Claude Code is allowed &lt;b&gt; &amp;  two  blanks https://example.org www.example.org \\*"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """MynahUI, our package as it is made for others, and a few lines around them."""
    mynah = CLIENT / "node_modules/@aws/mynah-ui/dist/main.js"
    if not mynah.exists():
        pytest.skip("MynahUI is not installed: `make install`.")
    folder = tmp_path_factory.mktemp("mynah")
    subprocess.run(["node", CLIENT / "mynah.mjs", folder], check=True)
    (archive,) = folder.glob("assent-mynah-*.tgz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    built = folder / "page.js"
    words = ["--bundle", "--format=iife", "--log-level=warning", f"--alias:@aws/mynah-ui={mynah}"]
    words.append(f"--alias:assent-mynah={folder / 'package'}")
    page = Path(__file__).with_name("mynah.ts")
    esbuild = CLIENT / "node_modules/.bin/esbuild"
    subprocess.run([esbuild, page, *words, f"--outfile={built}"], check=True)
    return built.read_bytes()


@pytest.fixture
def page(browser: Browser, script: bytes) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 700, "height": 900})
    context.set_default_timeout(10_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route(f"{ORIGIN}/**", lambda route: route.abort())
    page.route(f"{ORIGIN}/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route(
        f"{ORIGIN}/page.js",
        lambda route: route.fulfill(body=script, content_type="text/javascript"),
    )
    page.clock.install(time=0)
    page.goto(f"{ORIGIN}/")
    page.clock.pause_at(1_000)
    yield page
    assert errors == []
    context.close()


def shown(page: Page, ticket: Ticket) -> Locator:
    """The ticket's card, as MynahUI draws it."""
    card = drawn(page, ticket)
    page.clock.run_for(STILL_MS)
    return card


def drawn(page: Page, ticket: Ticket) -> Locator:
    """The ticket's card as it has just come."""
    page.evaluate("(ticket) => window.show(ticket)", wire(ticket))
    page.clock.run_for(DRAWN_MS)
    # Folded, a card has cards of the same id in it.
    card = page.locator(f'.mynah-chat-item-card[messageid="{ticket.approval_id}"]').first
    card.get_by_role("button").first.wait_for()
    return card


def frame(page: Page) -> None:
    """Wait until the page was drawn once more, and all who watch that were told."""
    page.evaluate(
        "() => new Promise((done) => new IntersectionObserver((_, watch) => {"
        " watch.disconnect(); done(); }).observe(document.body))"
    )
    page.clock.run_for(DRAWN_MS)


def scrolled(page: Page, card: Locator, *, to: float = 1.0) -> None:
    """Look through what a card lies in, from its beginning, as far as this share of it."""
    box = card.locator("xpath=ancestor::*[contains(@class, 'mynah-chat-items-container')]")
    height = box.evaluate("(box) => box.scrollHeight")
    for top in range(0, int(height * to), 100):
        box.evaluate("(box, top) => box.scrollTo({ top, behavior: 'instant' })", top)
        frame(page)


def buttons(card: Locator) -> list[str]:
    return [it.strip() for it in card.get_by_role("button").all_inner_texts() if it.strip()]


def answers(page: Page) -> list[Any]:
    found: list[Any] = page.evaluate("window.answers")
    return found


LABELS = ("Allow once", "Deny", "Stop asking for Claude Code…")


@pytest.mark.requirement("S-07")
@pytest.mark.parametrize(
    ("label", "option"), [*zip(LABELS, ("once", "deny", "bypass"), strict=True)]
)
def test_its_three_buttons_give_the_three_answers(page: Page, label: str, option: str) -> None:
    ticket = tickets.CARDS["read"]
    card = shown(page, ticket)
    assert buttons(card) == [*LABELS]
    card.get_by_role("button", name=label, exact=True).click()
    [told] = answers(page)
    assert told["optionId"] == option
    said = wire(ticket)
    bound = ("approvalId", "chatId", "revision", "digest")
    assert [told[it] for it in bound] == [said[it] for it in bound]
    # It is the server that says when it is over, so the card stays until then.
    assert card.is_visible()


@pytest.mark.requirement("S-07")
def test_a_forged_title_stays_text(page: Page) -> None:
    picture = tickets.CARDS["read"].card.model_copy(
        update={"title": [*plain("Use "), *code(FORGED)], "says": plain(FORGED)}
    )
    card = shown(page, tickets.asked("forged", picture))
    text = card.inner_text().replace("\u00a0", " ")
    for line in FORGED.splitlines():
        # Long lines are broken, and never cut.
        assert line in text or line[:60] in text
    assert card.locator("img, a, table, pre, code, script, h1, del").count() == 0
    assert buttons(card) == [*LABELS]
    assert page.evaluate("window.forged") is None


def test_what_is_allowed_at_once_is_not(page: Page) -> None:
    card = drawn(page, tickets.CARDS["read"])
    allow = card.get_by_role("button", name="Allow once", exact=True)
    allow.click()
    assert answers(page) == []
    page.clock.run_for(STILL_MS)
    allow.click()
    assert [told["optionId"] for told in answers(page)] == ["once"]


def test_a_high_card_is_allowed_once_all_of_it_was_on_screen(page: Page) -> None:
    page.set_viewport_size({"width": 700, "height": 400})
    card = shown(page, long_high())
    assert "look at all of it first" in card.inner_text()
    assert buttons(card) == ["Deny"]
    scrolled(page, card, to=0.5)
    assert buttons(card) == ["Deny"]
    scrolled(page, card)
    allow = card.get_by_role("button", name="Allow once", exact=True)
    allow.wait_for()
    allow.click()
    assert answers(page) == []
    page.clock.run_for(STILL_MS)
    allow.click()
    assert [told["optionId"] for told in answers(page)] == ["once"]


def test_a_card_that_changes_is_locked_again(page: Page) -> None:
    card = shown(page, tickets.asked("high", high()))
    frame(page)
    card.get_by_role("button", name="Allow once", exact=True).wait_for()
    drawn(page, long_high())
    assert "look at all of it first" in card.inner_text()
    assert buttons(card) == ["Deny"]
    # What was seen of the card before says nothing of this one.
    frame(page)
    assert buttons(card) == ["Deny"]


def high() -> Card:
    return next(it.card for it in tickets.CARDS.values() if it.card.level == "high")


def long_high() -> Ticket:
    return tickets.asked("high", high().model_copy(update={"says": plain("so it is\n" * 60)}))


def test_a_settled_card_folds_to_what_was_decided_and_has_no_buttons(page: Page) -> None:
    ticket = tickets.CARDS["read"]
    card = shown(page, ticket)
    because = "You denied it: “use <b>the docs</b>”"
    settled = {
        "epoch": "e",
        "seq": 2,
        "approvalId": ticket.approval_id,
        "chatId": ticket.chat_id,
        "outcome": "refused",
        "by": "user",
        "because": because,
        "recordId": 1,
    }
    page.evaluate("(settled) => window.settle(settled)", settled)
    frame(page)
    card.get_by_text(because).wait_for()
    assert not set(buttons(card)) & {*LABELS}
    assert not card.get_by_text("Asked because").is_visible()
