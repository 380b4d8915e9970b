"""Searching the web: what the endpoint is asked, and what is made of its answer."""

import json
from collections.abc import AsyncIterator

import pytest

from agent.tools.browsing import Asked, bench, use
from agent.tools.site import Site, answer
from assent.agent.tools.tool import ToolFailed
from assent.agent.tools.web_requests import Web
from assent.agent.tools.web_search import WEB_SEARCH, WebSearch
from assent.gate.call.errors import CallUnreadable
from tables import each_row

ASKED = "/search?q=a%20%26%20b%3F%23%C3%BC&format=json"
QUERY = "a & b?#ü"


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site().open() as site:
        yield site


def found(*results: object) -> bytes:
    return answer(json.dumps({"query": "x", "results": results}), "application/json")


@pytest.mark.requirement("N-07")
async def test_results_come_with_title_address_and_a_few_words(site: Site) -> None:
    site.pages[ASKED] = found(
        {"title": "One", "url": "https://one.example", "content": "first\n\x1b[1mwords", "x": 1},
        {"title": "Two", "url": "https://two.example", "content": None},
    )
    done = await use(WEB_SEARCH, at=site.url("/search"), query=QUERY)
    assert done.text == (
        f"Found for “{QUERY}”, written by others:\n\n"
        "1. One\nhttps://one.example\nfirst [1mwords\n\n"
        "2. Two\nhttps://two.example"
    )


async def test_what_is_judged_is_the_whole_address_with_the_words() -> None:
    table = bench(Asked(), "https://search.example/find?lang=en#top")
    aim = WEB_SEARCH.aim(WebSearch(query=QUERY), table)
    url = "https://search.example/find?lang=en&q=a%20%26%20b%3F%23%C3%BC&format=json"
    assert aim.input == {"url": url, "query": QUERY}


async def test_without_an_endpoint_the_setting_is_named() -> None:
    with pytest.raises(CallUnreadable, match=r"in the setting assent\.searchUrl\.$"):
        WEB_SEARCH.aim(WebSearch(query=QUERY), bench(Asked()))


@each_row("endpoint", ["ftp://a/", "https://you:secret@a.example/", "search"])
async def test_an_endpoint_that_is_no_plain_web_address_is_not_asked(endpoint: str) -> None:
    with pytest.raises(CallUnreadable, match="no plain web address"):
        WEB_SEARCH.aim(WebSearch(query=QUERY), bench(Asked(), endpoint))


async def test_no_more_results_come_than_were_wanted(site: Site) -> None:
    results = [{"title": f"T{number}", "url": f"https://{number}.example"} for number in range(30)]
    site.pages[ASKED] = found(*results)
    for most, count in ((3, 3), (20, 20), (None, 8)):
        given = {} if most is None else {"most": most}
        done = await use(WEB_SEARCH, at=site.url("/search"), query=QUERY, **given)
        assert done.text.count("https://") == count


async def test_results_that_cannot_be_used_are_left_out(site: Site) -> None:
    site.pages[ASKED] = found({"title": "no address"}, {"title": 3, "url": 4}, {"url": "https://a"})
    done = await use(WEB_SEARCH, at=site.url("/search"), query=QUERY)
    assert done.text.endswith("others:\n\n1. \nhttps://a")


async def test_a_long_result_is_shortened(site: Site) -> None:
    site.pages[ASKED] = found({"title": "t" * 9_000, "url": "u" * 9_000, "content": "c" * 900_000})
    done = await use(WEB_SEARCH, at=site.url("/search"), query=QUERY)
    assert len(done.text) < 2_000


async def test_nothing_found_is_told(site: Site) -> None:
    site.pages[ASKED] = found()
    done = await use(WEB_SEARCH, at=site.url("/search"), query=QUERY)
    assert done.text == f"Nothing was found for “{QUERY}”."


@pytest.mark.parametrize(
    "page",
    [
        answer("<html>", "text/html"),
        answer("[]", "application/json"),
        answer('{"results": [1]}', "application/json"),
        answer("no", "text/plain", "403 No"),
    ],
)
async def test_an_endpoint_that_gives_no_json_is_told_of_with_the_usual_cause(
    site: Site, page: bytes
) -> None:
    site.pages[ASKED] = page
    with pytest.raises(ToolFailed, match=r"`json` stands in its `search\.formats`\.$"):
        await use(WEB_SEARCH, at=site.url("/search"), query=QUERY)


async def test_other_refusals_are_told_as_they_are(site: Site) -> None:
    site.pages[ASKED] = answer("slow down", status="429 X")
    with pytest.raises(ToolFailed, match=r"answered 429 Too Many Requests\.$"):
        await use(WEB_SEARCH, at=site.url("/search"), query=QUERY)


def test_the_usual_way_to_the_web_is_the_systems() -> None:
    assert Web().seconds == 30
