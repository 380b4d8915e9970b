"""Log-ins that come to nothing: what is insisted on, and that it is told in our own words."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from assent.catalogue.mcp import gate_requests, log_in, log_in_callback
from assent.catalogue.mcp.account import Account
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.log_in_requests import LogInFailed
from catalogue.mcp.authority import Authority
from catalogue.mcp.test_logging_in import Person, Windows, another, at, person
from gate.admit.scene import within

__all__ = ["another", "at", "person"]

pytestmark = pytest.mark.long
requirement = pytest.mark.requirement


@requirement("N-08")
@pytest.mark.parametrize("methods", [None, [], ["plain"]])
async def test_who_does_not_say_that_they_want_the_proof_gets_no_code(
    person: Person, at: Authority, methods: list[str] | None
) -> None:
    at.server = {"code_challenge_methods_supported": methods}
    assert "does not say that it knows PKCE with S256" in await person.why(person.log_in())
    assert at.of("/register") == at.of("/authorize") == at.of("/token") == []
    assert person.shown == []


async def test_nor_where_the_program_was_agreed_beforehand(another: Windows, at: Authority) -> None:
    person = another()
    person.servers._entries = lambda: [at.entry(client_id="agreed")]
    at.server = {"code_challenge_methods_supported": ["plain"]}
    assert "does not say that it knows PKCE with S256" in await person.why(person.log_in())
    assert person.shown == []


@pytest.mark.parametrize("query", ["tenant=a&b=", "tenant=a&b=&", ""])
async def test_a_page_whose_address_has_a_query_is_asked_in_one_query(
    person: Person, at: Authority, query: str
) -> None:
    at.server = {"authorization_endpoint": f"{at.url}/authorize?{query}"}
    assert (await person.log_in())["account"] == "in"
    (form,) = person.shown
    asked = dict(parse_qsl(urlsplit(form["url"]).query, keep_blank_values=True))
    assert form["url"].count("?") == 1
    assert asked["response_type"] == "code"
    assert [asked.get("tenant"), asked.get("b")] == (["a", ""] if query else [None, None])


@pytest.mark.parametrize("twice", ["state=known", "redirect_uri=http://127.0.0.1:9/callback"])
async def test_a_page_whose_address_says_beforehand_what_we_say_is_not_opened(
    person: Person, at: Authority, twice: str
) -> None:
    at.server = {"authorization_endpoint": f"{at.url}/authorize?{twice}"}
    assert "what it says of how to log in cannot be read" in await person.why(person.log_in())
    assert person.shown == []


async def test_that_everybody_is_let_in_is_said_of_a_server_that_does_so_alone(
    person: Person, at: Authority
) -> None:
    at.lets_in = 503
    assert "it answered with HTTP 503 where it should say how to log in" in await person.why(
        person.log_in()
    )
    at.lets_in = 200
    assert "it lets everybody in" in await person.why(person.log_in())


def elsewhere(at: Authority) -> None:
    at.resource = {"resource": "https://else.example.com/mcp"}


def otherwise(at: Authority) -> None:
    at.server = {"issuer": "https://else.example.com"}


def from_another(at: Authority) -> None:
    at.back = {"iss": "https://else.example.com"}


def broken(at: Authority) -> None:
    at.resource_status = 503


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (elsewhere, "what it says of how to log in is of another server"),
        (otherwise, "the place where one logs in calls itself otherwise than it is called"),
        (from_another, "its page did not come back from the place where one logs in"),
        (broken, "its host does not say now how to log in; try again"),
    ],
)
async def test_what_the_package_says_of_it_is_said_in_words_of_ours(
    person: Person, at: Authority, make: Callable[[Authority], None], told: str
) -> None:
    make(at)
    why = await person.why(person.log_in())
    assert why == f"You are not logged in to locked: {told}."


async def test_a_port_that_is_taken_is_named(another: Windows, at: Authority) -> None:
    person = another()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        person.servers._entries = lambda: [at.entry(port=port)]
        why = await person.why(person.log_in())
    assert f"the port {port} to which its page comes back is taken" in why


async def nobody(_: dict[str, Any]) -> dict[str, Any]:
    raise AssertionError("nobody is to be asked")


async def tried(at: Authority, go: Callable[..., Any]) -> str:
    """Why a log-in fails for whose errands this is done."""
    launch = Launch(name="locked", url=f"{at.url}/mcp")
    async with asyncio.TaskGroup() as group:
        account = Account(launch, go, group, asyncio.Lock())
        with pytest.raises(LogInFailed) as failed:
            await within(log_in.log_in(account, nobody, log_in_callback.Words()))
    return str(failed.value)


async def test_an_editor_that_does_not_answer_is_not_told_of_as_somebody_who_stayed_away(
    at: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_requests, "_ANSWER_TIMEOUT_S", 0.01)
    silent = gate_requests.GateRequests(lambda _: None)
    assert await tried(at, silent.go) == "the editor did not answer in time"


@pytest.mark.parametrize("fault", [TimeoutError(), PermissionError("no")])
async def test_what_ails_this_machine_is_not_told_of_as_a_port_that_is_taken(
    at: Authority, fault: OSError
) -> None:
    async def fail(*_: str) -> str:
        raise fault

    assert await tried(at, fail) == "this machine did not let it; the log says more"
