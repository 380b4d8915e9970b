"""Servers that are reached by an address: the same tools, and nothing sent to anybody else."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Outcome
from catalogue.mcp.served import entry
from catalogue.mcp.web import Site, site
from gate.admit.scene import within
from host.waiting import until

Open = Callable[..., Servers]


@pytest.fixture
def web() -> Iterator[Site]:
    with site() as here:
        yield here


async def run(servers: Servers, name: str, **given: object) -> Outcome:
    return await within(servers.run(await servers.describe(name), given, lambda _: None))


async def why(servers: Servers, name: str) -> str:
    with pytest.raises(NodeFailed) as failed:
        await run(servers, name)
    return str(failed.value)


async def test_a_tool_at_an_address_is_found_and_run_beside_one_of_a_program(
    servers: Open, web: Site
) -> None:
    some = servers(web.entry("plain"), entry("helpful"))
    assert "plain:t0" in [it.name for it in (await some.search("", 10)).nodes]
    assert (await run(some, "plain:t0", a=1)).text == '{"a": 1}'
    assert "127.0.0.1" in (await some.describe("plain:t0")).text
    # What follows the beginning is of the session that began there.
    assert [it[2].get("mcp-session-id") for it in web.of("tools/call")] == ["s1"]


async def test_its_headers_are_sent_with_their_secrets_and_told_to_nobody_else(
    servers: Open, web: Site
) -> None:
    some = servers(web.entry("locked", Authorization="Bearer ${secret:KNOWN}"))
    assert (await run(some, "locked:t0")).text == "{}"
    node = await some.describe("locked:t0")
    assert "KNOWN" not in node.text
    assert "Authorization" in node.text


async def test_one_that_lets_nobody_in_is_told_of_as_that(servers: Open, web: Site) -> None:
    (note,) = (await servers(web.entry("locked")).search("", 10)).notes
    assert "it needs a log-in" in note
    mistaken = web.entry("locked", Authorization="Bearer mistaken")
    (note,) = (await servers(mistaken).search("", 10)).notes
    assert "does not let us in (status 401); see to its `headers`" in note


async def test_nobody_goes_where_it_sends_us_on_to(servers: Open, web: Site) -> None:
    (note,) = (await servers(web.entry("moved", Key="${secret:KNOWN}")).search("", 10)).notes
    assert f"sends us on to {web.url}/plain, and nobody went there" in note
    assert {path for _, path, _, _ in web.asked} == {"/moved"}


async def test_a_proxy_of_the_environment_is_told_nothing_of_this_machine(
    servers: Open, web: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with site() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert (await run(servers(web.entry("plain")), "plain:t0")).text == "{}"
        assert proxy.asked == []


async def test_nobody_at_an_address_is_told_of_as_that(servers: Open) -> None:
    with site() as gone:
        nobody = gone.entry("plain")
    (note,) = (await servers(nobody).search("", 10)).notes
    assert note == "The server plain is not there: nobody answers at its address."


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("events", "by events"),
        ("breaks-off", "the rest"),
        ("another", "for another"),
    ],
)
async def test_an_answer_comes_as_events_and_is_asked_for_again_where_it_broke_off(
    servers: Open, web: Site, kind: str, told: str
) -> None:
    assert (await run(servers(web.entry(kind)), f"{kind}:t0")).text == told


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("lost", "lost:t0 failed: it broke its answer off."),
        ("endless", "endless:t0 failed: it sent more than 64 MB."),
        ("odd", "odd:t0 failed: its answer could not be read."),
    ],
)
async def test_a_call_whose_answer_breaks_a_bound_or_off_ends_with_the_reason(
    servers: Open, web: Site, kind: str, told: str
) -> None:
    some = servers(web.entry(kind), entry("plain"))
    assert await why(some, f"{kind}:t0") == told
    assert (await run(some, "plain:t1")).text == "t1 ran"


async def test_a_session_that_was_forgotten_is_begun_anew(servers: Open, web: Site) -> None:
    some = servers(web.entry("forgets"))
    await run(some, "forgets:t0")
    web.forgets = True
    assert "forgotten what was agreed" in await why(some, "forgets:t0")
    assert (await run(some, "forgets:t0")).text == "{}"
    assert len(web.of("initialize")) == 2


async def test_a_call_that_is_cancelled_is_cancelled_there(servers: Open, web: Site) -> None:
    some = servers(web.entry("hangs"))
    node = await some.describe("hangs:t0")
    task = asyncio.ensure_future(some.run(node, {}, lambda _: None))
    await asyncio.to_thread(until, lambda: web.of("tools/call"), within=20.0, what="it was called")
    task.cancel()
    await asyncio.to_thread(
        until, lambda: web.of("notifications/cancelled"), within=20.0, what="it was told"
    )


async def test_a_secret_that_no_header_can_hold_is_neither_sent_nor_told(
    servers: Open, web: Site
) -> None:
    some = servers(web.entry("plain", Key=" ${secret:KNOWN} "))
    (note,) = (await some.search("", 10)).notes
    assert note == "plain was not asked: what stands in its header Key cannot be sent in one."
    assert web.asked == []


async def test_what_a_server_of_2026_changed_there_is_seen_by_listening(
    servers: Open, web: Site
) -> None:
    some = servers(web.entry("listened-to"))
    assert "Does a thing." in (await some.describe("listened-to:t0")).text
    await asyncio.to_thread(
        until, lambda: web.of("subscriptions/listen"), within=20.0, what="it is listened to"
    )
    web.changed.set()
    async with asyncio.timeout(20):
        while "Does another." not in (await some.describe("listened-to:t0")).text:
            pass
