"""A card in the real MynahUI: its three buttons give the three answers, its words stay words."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from webview import tickets
from webview.stage import CLIENT, ORIGIN
from webview.tickets import Ticket, code, plain, wire

pytestmark = pytest.mark.browser

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
    """MynahUI, the adapter and a few lines around them."""
    mynah = CLIENT / "node_modules/@aws/mynah-ui/dist/main.js"
    if not mynah.exists():
        pytest.skip("MynahUI is not installed: `make install`.")
    built = tmp_path_factory.mktemp("mynah") / "page.js"
    words = ["--bundle", "--format=iife", "--log-level=warning", f"--alias:@aws/mynah-ui={mynah}"]
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
    page.goto(f"{ORIGIN}/")
    yield page
    assert errors == []
    context.close()


def shown(page: Page, ticket: Ticket) -> Locator:
    """The ticket's card, as MynahUI draws it."""
    page.evaluate("(ticket) => window.show(ticket)", wire(ticket))
    card = page.locator(f'.mynah-chat-item-card[messageid="{ticket.approval_id}"]')
    card.get_by_role("button").first.wait_for()
    return card


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


def test_what_must_be_seen_whole_is_not_allowed_there(page: Page) -> None:
    high = [it for it in tickets.CARDS.values() if it.card.level == "high"]
    assert high
    card = shown(page, high[0])
    assert len(buttons(card)) == 1
    assert "Open Assent to allow this" in card.inner_text()
