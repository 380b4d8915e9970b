"""Two windows of one editor, one log-in: what one forgot or made new is so for both."""

import asyncio
import json
import threading

import httpx2
import pytest

from assent.catalogue.mcp import log_in_requests
from assent.catalogue.nodes.source import NodeFailed
from catalogue.mcp.authority import Authority
from catalogue.mcp.test_logging_in import NEEDED, Person, Windows, another, at, person
from gate.admit.scene import within

__all__ = ["another", "at", "person"]

pytestmark = pytest.mark.long

ODD = [(200, {}), (403, None), (400, {"error": "invalid_request"}), (401, None), (503, None)]


async def out(it: Person) -> None:
    await within(it.servers.order("logOut", "locked"))


async def test_what_one_window_forgot_no_other_brings_back(
    person: Person, another: Windows, at: Authority
) -> None:
    at.expires = 1
    other = another()
    await person.log_in()
    assert await other.run() == "it ran"
    await out(person)
    asked = len(at.of("/token"))
    assert "it needs a log-in" in await other.why(other.run())
    assert person.kept == ""
    assert len(at.of("/token")) == asked


async def test_what_is_forgotten_while_another_window_makes_it_new_stays_forgotten(
    person: Person, another: Windows, at: Authority
) -> None:
    at.expires = 1
    await person.log_in()
    at.meanwhile = lambda: setattr(person.store, "kept", "")
    other = another()
    assert "it needs a log-in" in await other.why(other.run())
    assert person.kept == ""


async def test_two_windows_make_one_log_in_new_in_turn(
    person: Person, another: Windows, at: Authority
) -> None:
    at.expires = 1
    other = another()
    await person.log_in()
    for it in (other, person, other, person):
        assert await it.run() == "it ran"
    assert len(person.shown + other.shown) == 1


async def test_who_comes_second_with_one_token_takes_what_the_first_got(
    person: Person, another: Windows, at: Authority
) -> None:
    await person.log_in()
    before, at.expires = json.loads(person.kept), 3600
    person.store.kept = json.dumps({**before, "until": 1.0})
    at.renewable.clear()

    def first() -> None:
        person.store.kept = json.dumps({**before, "token": at.token("")})

    at.meanwhile = first
    assert await another().run() == "it ran"
    assert json.loads(person.kept)["token"]["access_token"] in at.good
    assert len(at.of("/token")) == 2


async def test_who_comes_first_keeps_what_they_got_though_the_second_was_told_it_is_over(
    person: Person, another: Windows, at: Authority
) -> None:
    await person.log_in()
    before = json.loads(person.kept)
    person.store.kept = json.dumps({**before, "until": 1.0})

    def second() -> None:
        person.store.kept = json.dumps({**before, "token": None})

    at.meanwhile = second
    assert await another().run() == "it ran"
    assert json.loads(person.kept)["token"]["refresh_token"] in at.renewable


async def test_a_window_that_was_out_is_in_once_another_one_logged_in(
    person: Person, another: Windows
) -> None:
    assert NEEDED in await person.why(person.run())
    await another().log_in()
    assert (await within(person.servers.order("restart", "locked")))["state"] == "running"
    assert await person.state() == ("running", "in")


async def test_what_could_not_be_read_is_not_taken_for_forgotten(
    person: Person, at: Authority
) -> None:
    await person.log_in()
    at.good.clear()
    person.store.fails = "kept"
    assert "it needs a log-in" in await person.why(person.run())
    person.store.fails = ""
    assert await person.state() == ("locked", "in")
    assert (await within(person.servers.order("restart", "locked")))["state"] == "running"


async def test_who_logs_out_is_told_where_the_editor_did_not_forget_it(person: Person) -> None:
    await person.log_in()
    kept, person.store.fails = person.kept, "keep"
    with pytest.raises(NodeFailed, match="did not forget your log-in at locked; try again"):
        await out(person)
    assert person.kept == kept
    assert await person.state() == ("running", "in")
    person.store.fails = ""
    await out(person)
    assert person.kept == ""


async def test_who_logs_in_is_told_where_the_editor_did_not_keep_it(person: Person) -> None:
    person.store.fails = "keep"
    with pytest.raises(NodeFailed, match="the editor did not keep it; try again"):
        await person.log_in()
    assert NEEDED in await person.why(person.run())


@pytest.mark.parametrize("odd", ODD)
async def test_a_passing_fault_where_tokens_are_made_new_costs_no_log_in(
    person: Person, at: Authority, odd: tuple[int, dict[str, str] | None]
) -> None:
    await person.log_in()
    kept = person.kept
    at.good.clear()
    at.odd = odd
    assert "it needs a log-in" in await person.why(person.run())
    assert person.kept == kept
    at.odd = None
    assert (await within(person.servers.order("restart", "locked")))["state"] == "running"
    assert len(person.shown) == 1


class Held:
    """The place that makes tokens new, which has done it and does not answer yet."""

    def __init__(self, at: Authority) -> None:
        self._loop, self._go_on = asyncio.get_running_loop(), threading.Event()
        self._asked = asyncio.Event()
        at.meanwhile = self._hold

    async def asked(self) -> None:
        await within(self._asked.wait())

    def answer(self) -> None:
        self._go_on.set()

    def _hold(self) -> None:
        self._loop.call_soon_threadsafe(self._asked.set)
        self._go_on.wait(30)


async def held(it: Person, at: Authority) -> tuple[Held, asyncio.Task[str]]:
    """Somebody logged in, whose token is being made new."""
    await it.log_in()
    at.good.clear()
    hold = Held(at)
    running = asyncio.ensure_future(it.run())
    await hold.asked()
    return hold, running


async def test_who_logs_out_does_not_wait_for_a_token_that_is_being_made_new(
    person: Person, at: Authority
) -> None:
    hold, running = await held(person, at)
    await out(person)
    hold.answer()
    await asyncio.wait({running})
    assert running.exception() is not None
    assert person.kept == ""


async def test_what_is_being_made_new_outlives_the_server_that_it_was_made_new_for(
    person: Person, at: Authority
) -> None:
    hold, running = await held(person, at)
    await within(person.servers.order("stop", "locked"))
    await asyncio.wait({running})
    hold.answer()
    assert (await within(person.servers.order("restart", "locked")))["state"] == "running"
    assert json.loads(person.kept)["token"]["refresh_token"] in at.renewable
    assert len(person.shown) == 1


async def test_a_window_that_is_closed_keeps_first_what_is_being_made_new(
    person: Person, at: Authority
) -> None:
    hold, running = await held(person, at)
    closing = asyncio.ensure_future(person.servers.close())
    await asyncio.sleep(0)  # It is begun.
    hold.answer()
    await within(closing)
    await asyncio.wait({running})
    assert json.loads(person.kept)["token"]["refresh_token"] in at.renewable


async def test_a_host_that_never_comes_to_an_end_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = asyncio.Event()

    async def stay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        left.set()

    async def nothing(_: str) -> str:
        return ""

    monkeypatch.setattr(log_in_requests, "_REQUEST_TIMEOUT_S", 0.1)
    async with await asyncio.start_server(stay, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        with pytest.raises(log_in_requests.LogInFailed, match="takes too long to answer"):
            await log_in_requests.LogInRequests(url, nothing).send(httpx2.Request("GET", url))
        await within(left.wait())


NEW = "The editor did not keep what was made new of your log-in at locked"


async def says(it: Person) -> str:
    (state,) = await within(it.servers.states())
    return str(state["says"])


@pytest.mark.parametrize("fails", ["keep", "kept"])
async def test_what_was_made_new_while_the_editor_failed_is_used_and_kept_at_the_next_use(
    person: Person, at: Authority, fails: str
) -> None:
    await person.log_in()
    before = person.kept
    at.good.clear()
    at.meanwhile = lambda: setattr(person.store, "fails", fails)
    assert await person.run() == "it ran"
    assert person.kept == before
    assert (await says(person)).startswith(NEW)
    # Nor is it lost where that token is over, too, before the editor is well again.
    at.good.clear()
    assert await person.run() == "it ran"
    assert person.kept == before
    person.store.fails = ""
    assert await person.run() == "it ran"
    await within(person.servers.close())
    assert json.loads(person.kept)["token"]["refresh_token"] in at.renewable
    assert len(at.of("/token")) == 3
    assert await person.run() == "it ran"
    assert await says(person) == ""
    assert len(person.shown) == 1


async def test_a_window_that_is_closed_keeps_first_what_the_editor_did_not_keep_before(
    person: Person, at: Authority
) -> None:
    await person.log_in()
    at.good.clear()
    at.meanwhile = lambda: setattr(person.store, "fails", "keep")
    assert await person.run() == "it ran"
    person.store.fails = ""
    await within(person.servers.close())
    assert json.loads(person.kept)["token"]["refresh_token"] in at.renewable


async def test_what_was_not_kept_brings_nothing_back_that_another_window_forgot(
    person: Person, another: Windows, at: Authority
) -> None:
    other = another()
    await person.log_in()
    at.good.clear()
    at.meanwhile = lambda: setattr(person.store, "fails", "keep")
    assert await person.run() == "it ran"
    person.store.fails = ""
    await out(other)
    await within(person.servers.close())
    assert person.kept == ""
