"""Logging in at a server: a person opens its page, and nothing is sent where it must not go."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest
from attrs import define, field

from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.link import Link
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Reply
from assent.gate.call.errors import EditorRefused
from catalogue.mcp.authority import Authority, authority
from gate.admit.scene import within

requirement = pytest.mark.requirement

NEEDED = "The server locked is not there: it needs a log-in"


class Anywhere(list[str]):
    """Where a program may be sent back to that was agreed with the server beforehand."""

    def __contains__(self, _: object) -> bool:
        return True


@define
class Store:
    """What the editor keeps, for all of its windows."""

    each: dict[str, str] = field(factory=dict)
    """By what it is kept as."""
    fails: str = ""
    """What it does not do."""
    keeping: asyncio.Event = field(factory=asyncio.Event)
    """Whether it was told to keep something."""
    goes_on: asyncio.Event | None = None
    """Until then it does not."""

    @property
    def kept(self) -> str:
        """What is kept of the only one."""
        return next(iter(self.each.values()), "")

    @kept.setter
    def kept(self, text: str) -> None:
        self.each = dict.fromkeys(self.each, text)


@define
class Person:
    """Somebody at a window of an editor, and the rules that they wrote."""

    store: Store = field(factory=Store)
    servers: Servers = field(init=False)
    denied: tuple[str, ...] = ()
    shown: list[dict[str, Any]] = field(factory=list)
    """The pages that they were asked to open."""
    page: dict[str, str] = field(factory=dict)
    """What the page is to say to which they come back."""
    stays: Callable[[dict[str, Any]], Awaitable[Reply]] | None = None
    """What they do with a page instead of going through it."""

    @property
    def kept(self) -> str:
        return self.store.kept

    async def serve(self, what: str, server: str, text: str) -> str:
        if what == self.store.fails:
            raise EditorRefused("it is locked")
        if what == "keep":
            self.store.keeping.set()
            if self.store.goes_on is not None:
                await self.store.goes_on.wait()
            self.store.each[server] = text
        if what == "judge":
            return "denied" if any(it in text for it in self.denied) else ""
        return self.store.each.get(server, "") if what == "kept" else ""

    async def browse(self, form: dict[str, Any]) -> Reply:
        self.shown.append(form)
        if self.stays is not None:
            return await self.stays(form)
        await through(form["url"])
        return Reply(action="accept")

    async def log_in(self) -> dict[str, Any]:
        await within(self.servers.order("logIn", "locked", self.browse, **self.page))
        return await within(self.servers.order("restart", "locked"))

    async def run(self) -> str:
        node = await within(self.servers.describe("locked:t0"))
        return (await within(self.servers.run(node, {}, lambda _: None))).text

    async def why(self, doing: Awaitable[Any]) -> str:
        with pytest.raises(NodeFailed) as failed:
            await doing
        return str(failed.value)

    async def state(self) -> tuple[str, str]:
        (it,) = await within(self.servers.states())
        return it["state"], it["account"]


async def through(url: str, **other: str) -> int:
    """What a browser does with the page: it is sent back at once."""
    async with httpx2.AsyncClient() as browser:
        sent = httpx2.URL((await browser.get(url)).headers["location"])
        return (await browser.get(sent.copy_merge_params(other))).status_code


@pytest.fixture
def at() -> Iterator[Authority]:
    with authority() as it:
        yield it


Windows = Callable[[], Person]


@pytest.fixture
async def another(at: Authority) -> AsyncIterator[Windows]:
    """Opens windows of one editor."""

    async def secret(_: str, __: str) -> None:
        return None

    store, opened = Store(), list[Person]()
    async with asyncio.TaskGroup() as group:

        def window() -> Person:
            me = Person(store)
            link = Link(group.create_task, me.serve)
            me.servers = Servers(lambda: [at.entry()], Launches(secret=secret, roots=tuple), link)
            opened.append(me)
            return me

        yield window
        for it in opened:
            await it.servers.close()


@pytest.fixture
def person(another: Windows) -> Person:
    return another()


@requirement("N-08")
async def test_what_is_kept_for_one_repositorys_server_is_not_sent_for_anothers(
    another: Windows, at: Authority
) -> None:
    person, entries = another(), [at.entry(workspace="/a")]
    person.servers._entries = lambda: entries
    await person.log_in()
    # Both say what they are called, and where they are.
    entries[:] = [at.entry(workspace="/b")]
    assert NEEDED in await person.why(person.run())
    assert at.of("/mcp")[-1]["token"] == ""
    entries[:] = [at.entry(workspace="/a")]
    assert await person.run() == "it ran"
    assert len(person.shown) == 1


@requirement("N-08")
async def test_nobody_is_logged_in_by_itself_and_somebody_is_by_their_own_wish(
    person: Person, at: Authority
) -> None:
    at.server = {"authorization_endpoint": f"{at.url.replace('127.0.0.1', 'localhost')}/authorize"}
    (note,) = (await within(person.servers.search("", 5))).notes
    assert note.startswith(NEEDED)
    assert await person.state() == ("locked", "out")
    assert person.shown == []
    assert at.of("/authorize") == []
    came = await person.log_in()
    assert (came["state"], came["account"]) == ("running", "in")
    (form,) = person.shown
    hosts = form["at"], form["to"], form["then"]
    assert hosts == ("127.0.0.1", "localhost", "127.0.0.1")
    (asked,) = at.of("/authorize")
    assert asked["code_challenge_method"] == "S256"
    assert asked["resource"] == f"{at.url}/mcp"
    assert await person.run() == "it ran"
    assert at.of("/mcp")[-1]["token"] == "access-1"  # noqa: S105 -- of a played server


async def test_what_is_kept_lets_the_next_window_in_and_no_other_address(
    person: Person, at: Authority
) -> None:
    await person.log_in()
    await person.servers.close()
    assert await person.run() == "it ran"
    assert len(person.shown) == 1
    person.store.kept = person.kept.replace("/mcp", "/other", 1)
    await person.servers.close()
    assert NEEDED in await person.why(person.run())
    assert at.of("/mcp")[-1]["token"] == ""


async def test_a_token_that_is_over_is_made_new_unasked(person: Person, at: Authority) -> None:
    at.expires = 1
    await person.log_in()
    at.expires = 3600
    old = json.loads(person.kept)["token"]["access_token"]
    assert await person.run() == "it ran"
    used, kept = at.of("/mcp")[-1]["token"], json.loads(person.kept)["token"]["access_token"]
    assert used == kept != old
    assert json.loads(person.kept)["until"] > time.time() + 3_000
    assert len(person.shown) == 1


async def test_a_token_that_is_refused_early_is_made_new_once(
    person: Person, at: Authority
) -> None:
    await person.log_in()
    at.good.clear()
    assert await person.run() == "it ran"
    assert len(at.of("/token")) == 2


async def test_what_was_revoked_needs_a_log_in_again(person: Person, at: Authority) -> None:
    await person.log_in()
    at.good.clear()
    at.renewable.clear()
    assert "it needs a log-in" in await person.why(person.run())
    assert await person.state() == ("locked", "out")
    assert json.loads(person.kept)["token"] is None
    await person.log_in()
    assert await person.run() == "it ran"


async def test_a_call_that_wants_more_is_not_run_and_the_next_log_in_asks_for_both(
    person: Person, at: Authority
) -> None:
    at.resource = {"scopes_supported": ["see"]}
    await person.log_in()
    at.scope = "change"
    assert "it wants a log-in that allows more" in await person.why(person.run())
    assert len(person.shown) == 1
    await person.log_in()
    assert at.of("/authorize")[-1]["scope"] == "see change"
    assert await person.run() == "it ran"


async def test_logging_out_forgets_all_of_it(person: Person, at: Authority) -> None:
    await person.log_in()
    await within(person.servers.order("logOut", "locked"))
    assert person.kept == ""
    assert await person.state() == ("idle", "out")
    assert NEEDED in await person.why(person.run())
    assert at.of("/mcp")[-1]["token"] == ""


async def test_who_does_not_open_the_page_is_not_logged_in(person: Person, at: Authority) -> None:
    async def stay(_: dict[str, Any]) -> Reply:
        return Reply(action="decline")

    person.stays = stay
    assert "you did not open its page" in await person.why(person.log_in())
    assert person.kept == ""
    assert at.of("/token") == []


async def test_a_page_that_refuses_is_told_of(person: Person, at: Authority) -> None:
    at.back = {"error": "access_denied", "code": ""}
    assert "its page refused it (access_denied)" in await person.why(person.log_in())
    assert at.of("/token") == []


async def test_whoever_comes_back_with_another_state_is_nobody_and_the_right_one_still_counts(
    person: Person, at: Authority
) -> None:
    told: list[int] = []

    async def forged(form: dict[str, Any]) -> Reply:
        told.append(await through(form["url"], state="forged", code="theirs"))
        told.append(await through(form["url"]))
        told.append(await through(form["url"]))
        return Reply(action="accept")

    person.stays = forged
    await person.log_in()
    assert told == [400, 200, 400]
    assert at.of("/token")[0]["code"] != "theirs"


@pytest.mark.parametrize("back", [{"iss": "https://else.example.com"}, {"iss": ""}])
async def test_a_code_of_another_issuer_is_given_to_nobody(
    person: Person, at: Authority, back: dict[str, str]
) -> None:
    at.back = back
    assert "You are not logged in to locked" in await person.why(person.log_in())
    assert at.of("/token") == []
    assert person.kept == ""


@pytest.mark.parametrize(
    ("resource", "server", "told"),
    [
        ({"resource": "https://else.example.com/mcp"}, {}, "is of another server"),
        ({}, {"issuer": "https://else.example.com"}, "You are not logged in"),
        ({}, {"authorization_endpoint": "javascript:alert(1)"}, "You are not logged in"),
        ({}, {"authorization_endpoint": "file:///etc/passwd"}, "You are not logged in"),
        ({}, {"authorization_endpoint": "http://else.example.com/a"}, "no address with https"),
        ({}, {"token_endpoint": "http://169.254.169.254/token"}, "no address with https"),
        ({"authorization_servers": ["http://10.0.0.1"]}, {}, "no address with https"),
        ({"authorization_servers": ["https://denied.example.com"]}, {}, "a rule of yours denies"),
        ({}, {"authorization_endpoint": "https://denied.example.com/a"}, "a rule of yours denies"),
    ],
)
async def test_nobody_goes_where_its_documents_must_not_lead(
    person: Person, at: Authority, resource: dict[str, Any], server: dict[str, Any], told: str
) -> None:
    person.denied = ("denied.example.com",)
    at.resource, at.server = resource, server
    assert told in await person.why(person.log_in())
    assert at.of("/token") == []
    assert person.kept == ""
    assert person.shown == []


async def test_a_log_in_that_nobody_comes_back_from_can_be_given_up_and_begun_anew(
    person: Person, at: Authority
) -> None:
    asked = asyncio.Event()

    async def stay(_: dict[str, Any]) -> Reply:
        asked.set()
        return Reply(action="accept")

    person.stays = stay
    task = asyncio.ensure_future(person.log_in())
    await within(asked.wait())
    assert "You are logging in to locked already" in await person.why(person.log_in())
    task.cancel()
    await asyncio.wait({task})
    person.stays = None
    # The hub hears of the end in its own time, before what follows it on the same pipe.
    assert (await person.log_in())["state"] == "running"


async def test_no_token_stands_in_what_is_shown_or_told(person: Person, at: Authority) -> None:
    await person.log_in()
    node = await within(person.servers.describe("locked:t0"))
    told = json.dumps([await within(person.servers.states()), node.text, node.said])
    assert "access-" not in told
    assert "refresh-" not in told
    at.codes.clear()
    at.good.clear()

    async def late(form: dict[str, Any]) -> Reply:
        at.back = {"code": "code-of-nobody"}
        await through(form["url"])
        return Reply(action="accept")

    person.stays = late
    why = await person.why(person.log_in())
    assert "it gave no token" in why
    assert "code-of-nobody" not in why


async def test_a_secret_that_was_agreed_goes_to_the_place_it_went_to_before_and_to_no_other(
    another: Windows, at: Authority
) -> None:
    person = another()
    person.servers._entries = lambda: [at.entry(client_id="agreed")]
    at.clients["agreed"] = Anywhere()
    await person.log_in()
    here, elsewhere = at.url, at.url.replace("127.0.0.1", "localhost")
    at.resource, at.server = {"authorization_servers": [elsewhere]}, {"issuer": elsewhere}
    at.back = {"iss": elsewhere}
    assert "it leads elsewhere than your `oauth` was used before" in await person.why(
        person.log_in()
    )
    assert len(at.of("/token")) == len(person.shown) == 1
    assert json.loads(person.kept)["server"]["issuer"].rstrip("/") == here
    await within(person.servers.order("logOut", "locked"))
    assert (await person.log_in())["account"] == "in"


def leads_elsewhere(at: Authority) -> None:
    """From now on one logs in at a place of another name."""
    elsewhere = at.url.replace("127.0.0.1", "localhost")
    at.resource = {"authorization_servers": [elsewhere]}
    at.server = {"issuer": elsewhere, "token_endpoint": f"{elsewhere}/token"}
    at.back = {"iss": elsewhere}


@requirement("N-08")
async def test_a_secret_that_was_agreed_stays_where_it_was_when_oauth_leaves_the_entry(
    another: Windows, at: Authority
) -> None:
    person = another()
    agreed = at.entry(client_id="agreed", client_secret="s3cret")  # noqa: S106 -- of a played server
    entries = [agreed]
    person.servers._entries = lambda: entries
    at.clients["agreed"] = Anywhere()
    await person.log_in()
    assert at.of("/token")[-1]["authorization"].startswith("Basic ")
    entries[:] = [at.entry()]
    leads_elsewhere(at)
    # It is a program that has nothing of the agreed one, not even after that one was made new.
    assert (await person.log_in())["account"] == "in"
    assert at.of("/token")[-1]["authorization"] == ""
    assert at.of("/authorize")[-1]["client_id"] != "agreed"
    at.good.clear()
    assert await person.run() == "it ran"
    entries[:] = [agreed]
    assert "it leads elsewhere than your `oauth` was used before" in await person.why(
        person.log_in()
    )
    assert len(person.shown) == 2


@requirement("N-08")
async def test_nor_does_it_go_elsewhere_under_another_name(another: Windows, at: Authority) -> None:
    person = another()
    entries = [at.entry(client_id="agreed", client_secret="s3cret")]  # noqa: S106 -- see above
    person.servers._entries = lambda: entries
    at.clients["agreed"] = at.clients["other"] = Anywhere()
    await person.log_in()
    entries[:] = [at.entry(client_id="other", client_secret="s3cret")]  # noqa: S106 -- see above
    leads_elsewhere(at)
    assert "it leads elsewhere than your `oauth` was used before" in await person.why(
        person.log_in()
    )
    assert len(at.of("/token")) == len(person.shown) == 1


@pytest.mark.parametrize(
    ("page", "back", "odd"),
    [
        ({}, "You are back. This page can be closed", "Nobody waits for this here."),
        (
            {"back": "お帰りなさい。", "odd": "誰も待っていません。"},
            "お帰り",
            "誰も待っていません。",
        ),
    ],
)
async def test_the_page_to_which_one_comes_back_speaks_the_language_of_the_editor(
    person: Person, page: dict[str, str], back: str, odd: str
) -> None:
    said: list[httpx2.Response] = []

    async def look(form: dict[str, Any]) -> Reply:
        async with httpx2.AsyncClient() as browser:
            sent = httpx2.URL((await browser.get(form["url"])).headers["location"])
            said.append(await browser.get(sent.copy_with(query=b"")))
            said.append(await browser.get(sent))
        return Reply(action="accept")

    person.page, person.stays = page, look
    await person.log_in()
    assert said[0].text.startswith(odd)
    assert said[1].text.startswith(back)
    assert {it.headers["content-type"] for it in said} == {"text/plain; charset=utf-8"}
