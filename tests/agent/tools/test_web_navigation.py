"""A page is read without what leads around its site, where there is more to it."""

from assent.agent.tools.html_text import readable
from tables import each_row

URL = "https://a.example/docs/"
MENU = '<ul><li><a href="/other">Other pages</a></li></ul>'
LONG = "<p>" + "What it is about. " * 20 + "</p>"
LEFT_OUT = "(Links that lead around the site are left out.)"


@each_row(
    "menu",
    [
        f"<nav>{MENU}</nav>",
        f"<div role=navigation>{MENU}</div>",
        f"<div role='Navigation'>{MENU}</div>",
        f"<footer>{MENU}</footer>",
        f"<aside>{MENU}</aside>",
        f"<nav>{MENU}",
    ],
)
def test_what_leads_around_the_site_is_left_out_and_that_is_said(menu: str) -> None:
    told = readable(f"<body><main>{LONG}</main>{menu}", URL)
    assert "What it is about." in told
    assert "Other pages" not in told
    assert told.endswith(LEFT_OUT)


@each_row("element", ["aside", "footer", "header", "section"])
def test_what_belongs_to_the_text_stays(element: str) -> None:
    told = readable(f"<article>{LONG}<{element}>{MENU}</{element}></article>", URL)
    assert "Other pages" in told
    assert LEFT_OUT not in told


def test_a_page_of_links_is_told_whole() -> None:
    told = readable(f"<body><h1>All pages</h1><nav>{MENU}</nav>", URL)
    assert "All pages" in told
    assert "[Other pages](https://a.example/other)" in told
    assert LEFT_OUT not in told


def test_a_page_without_any_is_told_as_ever() -> None:
    assert readable("<p>Short.</p>", URL) == "Short."
