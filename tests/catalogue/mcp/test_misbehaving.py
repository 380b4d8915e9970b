"""Servers that break what was agreed: each is a real process, and others are answered meanwhile."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Outcome
from catalogue.mcp.served import entry
from gate.admit.scene import within
from host.waiting import until

Open = Callable[..., Servers]


async def run(servers: Servers, name: str) -> Outcome:
    return await within(servers.run(await servers.describe(name), {}, lambda _: None))


async def why(servers: Servers, name: str) -> str:
    with pytest.raises(NodeFailed) as failed:
        await run(servers, name)
    return str(failed.value)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("dies", "dies:t0 failed: it ended: out of luck."),
        ("leaves-a-child", "leaves-a-child:t0 failed: it ended."),
        ("endless", "endless:t0 failed: it sent a line of more than 64 MB."),
        ("floods", "floods:t0 failed: it sent more than 2,000 messages in a second."),
        ("deep", "deep:t0 failed: its answer could not be read."),
        ("odd", "odd:t0 failed: its answer could not be read."),
        ("fails", "fails:t0 failed: no such thing."),
    ],
)
async def test_a_call_of_a_server_that_breaks_it_ends_with_the_reason(
    servers: Open, kind: str, told: str
) -> None:
    assert await why(servers(entry(kind)), f"{kind}:t0") == told


async def test_a_server_that_ended_is_left_alone_for_a_while_and_others_are_not(
    servers: Open,
) -> None:
    both = servers(entry("dies"), entry("plain"))
    await why(both, "dies:t0")
    # The first time it is started anew at once.
    assert (await run(both, "dies:t1")).text == "t1 ran"
    await why(both, "dies:t0")
    assert "is not there" in await why(both, "dies:t0")
    assert (await run(both, "plain:t1")).text == "t1 ran"


async def test_while_a_server_hangs_and_another_sends_fifty_megabytes_a_third_is_answered(
    servers: Open,
) -> None:
    three = servers(entry("hangs"), entry("big"), entry("plain"))
    hanging = asyncio.ensure_future(run(three, "hangs:t0"))
    large = asyncio.ensure_future(run(three, "big:t0"))
    for _ in range(20):
        assert (await run(three, "plain:t1")).text == "t1 ran"
    assert not hanging.done()
    whole = (await large).text
    assert 2_000_000 <= len(whole) < 2_001_000
    hanging.cancel()


async def test_a_call_that_is_cancelled_is_cancelled_at_its_server(
    servers: Open, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    told.write_text("")
    some = servers(entry("hangs", told))
    node = await some.describe("hangs:t0")
    task = asyncio.ensure_future(some.run(node, {}, lambda _: None))
    await asyncio.sleep(0)
    await run(some, "hangs:t1")
    task.cancel()
    await asyncio.to_thread(
        until, lambda: told.read_text() == "cancelled", within=20.0, what="it was told"
    )


async def test_of_two_answers_the_first_counts(servers: Open) -> None:
    some = servers(entry("twice"))
    assert (await run(some, "twice:t0")).text == "first"
    assert (await run(some, "twice:t1")).text == "t1 ran"


async def test_letters_that_are_none_are_replaced(servers: Open) -> None:
    assert (await run(servers(entry("no-letters")), "no-letters:t0")).text == "a�b"


async def test_half_of_a_letter_is_replaced_and_spoils_nothing_else(servers: Open) -> None:
    some = servers(entry("half-letters"))
    assert (await run(some, "half-letters:t0")).text == "?ok"


async def test_what_fills_every_bound_at_once_is_still_passed_on(servers: Open) -> None:
    some = servers(entry("heavy"), entry("plain"))
    came = await run(some, "heavy:t0")
    assert (len(came.text), len(came.images)) == (2_000_000, 4)
    # Nobody else's servers were ended for it.
    assert some.link.generation == 1


async def test_a_server_of_which_too_much_is_said_offers_what_fits(servers: Open) -> None:
    found = await servers(entry("bulky"), entry("plain")).search("thing", 10)
    assert 100 < found.total < 400
    assert "more than 16 MB are said of them" in found.notes[0]


async def test_a_schema_that_is_deep_and_wide_is_described_without_the_space_before_it(
    servers: Open,
) -> None:
    node = await within(servers(entry("deep-schema")).describe("deep-schema:t0"))
    assert len(node.text) < 100_000


@pytest.mark.long
async def test_a_server_whose_tools_change_again_and_again_keeps_nobody_waiting(
    servers: Open,
) -> None:
    some = servers(entry("restless"), entry("plain"))
    found = await some.search("", 10)
    assert found.notes == ("The server restless is still starting.",)
    assert (await run(some, "plain:t1")).text == "t1 ran"


async def test_a_list_that_cannot_be_read_is_told_of_as_that(servers: Open) -> None:
    found = await servers(entry("unreadable-list")).search("", 10)
    assert found.notes == (
        "The server unreadable-list is not there: its answer could not be read.",
    )


async def test_it_is_given_no_folders_and_no_model(servers: Open) -> None:
    told = (await run(servers(entry("asks")), "asks:t0")).text
    assert "List roots not supported" in told
    assert "Sampling not supported" in told


async def test_a_tool_that_nobody_could_be_asked_about_is_left_out_alone(servers: Open) -> None:
    found = await servers(entry("names")).search("", 50)
    assert [it.name for it in found.nodes] == ["names:good"]
    (note,) = found.notes
    for why_not in ("it has no name", "“x�y”: its name has letters", "longer than 300", "and 5"):
        assert why_not in note


async def test_ten_thousand_tools_are_looked_through_and_ten_are_told(servers: Open) -> None:
    many = servers(entry("many"), entry("plain"))
    found = await many.search("thing", 10)
    assert (len(found.nodes), found.total) == (10, 10_002)


async def test_pages_without_an_end_come_to_one(servers: Open) -> None:
    found = await servers(entry("pages")).search("", 10)
    assert found.total == 0
    assert "there are more than 100 pages of them" in found.notes[0]


async def test_a_server_that_ends_at_once_is_told_of_with_its_last_words(servers: Open) -> None:
    found = await servers(entry("ends-at-once"), entry("plain")).search("", 10)
    assert [it.name for it in found.nodes] == ["plain:t0", "plain:t1"]
    assert found.notes == ("The server ends-at-once is not there: it ended: no key is set.",)


async def test_a_tool_that_changed_after_it_was_looked_at_is_not_run(
    servers: Open, tmp_path: Path
) -> None:
    says = tmp_path / "says"
    says.write_text("Pays.")
    some = servers(entry("rug", says))
    before = await some.describe("rug:pay")
    assert (await within(some.run(before, {}, lambda _: None))).text == "paid"
    with pytest.raises(NodeFailed, match="changed what it says of `pay`"):
        await within(some.run(before, {}, lambda _: None))
    after = await some.describe("rug:pay")
    assert after.fingerprint != before.fingerprint
    assert "id_rsa" in after.text


@pytest.mark.parametrize("kind", ["listened-to", "listened-to-once"])
async def test_a_server_of_2026_that_changed_is_seen_by_listening_and_by_listening_again(
    servers: Open, tmp_path: Path, kind: str
) -> None:
    says = tmp_path / "says"
    says.write_text("Pays.")
    some = servers(entry(kind, says))
    before = await some.describe(f"{kind}:pay")
    assert (await within(some.run(before, {}, lambda _: None))).text == "paid"
    async with asyncio.timeout(20):
        while (after := await some.describe(f"{kind}:pay")).fingerprint == before.fingerprint:
            pass
    assert "id_rsa" in after.text
    with pytest.raises(NodeFailed, match="changed what it says of `pay`"):
        await within(some.run(before, {}, lambda _: None))


async def test_a_server_that_wants_other_headers_is_listed_anew_and_nothing_is_sent_again(
    servers: Open, tmp_path: Path
) -> None:
    says = tmp_path / "says"
    says.write_text("Pays.")
    some = servers(entry("mismatches", says))
    before = await some.describe("mismatches:pay")
    with pytest.raises(NodeFailed, match="the headers are other ones"):
        await within(some.run(before, {}, lambda _: None))
    assert "id_rsa" in (await some.describe("mismatches:pay")).text
    with pytest.raises(NodeFailed, match="changed what it says of `pay`"):
        await within(some.run(before, {}, lambda _: None))


async def test_a_hub_that_is_killed_fails_what_waits_and_another_takes_its_place(
    servers: Open,
) -> None:
    some = servers(entry("hangs"))
    waiting = asyncio.ensure_future(run(some, "hangs:t0"))
    assert (await run(some, "hangs:t1")).text == "t1 ran"
    first = some.link.pid
    assert first is not None
    server = psutil.Process(first).children(recursive=True)
    psutil.Process(first).kill()
    with pytest.raises(NodeFailed, match="try again"):
        await waiting
    assert (await run(some, "hangs:t1")).text == "t1 ran"
    assert some.link.pid != first
    await asyncio.to_thread(
        until,
        lambda: not any(it.is_running() for it in server),
        within=20.0,
        what="its servers are gone",
    )


async def test_closing_leaves_no_process(servers: Open) -> None:
    some = servers(entry("plain"), entry("leaves-a-child"))
    await some.search("", 10)
    await why(some, "leaves-a-child:t0")
    assert some.link.pid is not None
    hub = psutil.Process(some.link.pid)
    below = [hub, *hub.children(recursive=True)]
    await some.close()
    assert not [it for it in below if it.is_running() and it.status() != psutil.STATUS_ZOMBIE]
