"""What a person is told when a model does not reply, and when it is asked again."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from agent.models.scene import DIALECTS, HELLO, Scene, nobody_there, texts
from assent.agent.models.provider import ModelFailed, WindowFull
from assent.gate.settings.models.hosts import host_of
from assent.gate.settings.models.model import Dialect, Model
from models.script import Step, cut, error, hold, leave, raw, status, text
from models.server import ModelServer
from tables import each_row

SECRET = "sk-secret"  # noqa: S105 -- it opens nothing


# What may pass.


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504, 520, 522, 524, 529])
async def test_what_may_pass_says_so_and_is_asked_once(scene: Scene, code: int) -> None:
    scene.server.reply(status(code, "Not now."))
    assert (await scene.refused()).again > 10
    assert len(scene.server.requests) == 1


async def test_what_will_not_pass_says_so(scene: Scene) -> None:
    for code in (400, 401, 403, 404, 413, 422):
        scene.server.reply(status(code, "No."))
        assert (await scene.refused()).again == 0


WHEN = {"date": "Mon, 01 Jan 2035 00:00:00 GMT", "retry-after": "Mon, 01 Jan 2035 00:00:20 GMT"}


@pytest.mark.parametrize(
    ("headers", "after"),
    [
        ({"retry-after": "7.5"}, 7.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        (WHEN, 20.0),
        ({"retry-after": "600"}, 600.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({**WHEN, "retry-after": "Mon, 01 Jan 2020 00:00:00 +9999999999999999"}, None),
        ({}, None),
    ],
)
async def test_when_a_host_wants_to_be_asked_again_is_told(
    scene: Scene, headers: dict[str, str], after: float | None
) -> None:
    scene.server.reply(status(503, headers=headers))
    assert (await scene.refused()).after == after


async def test_a_limit_of_google_says_when_in_its_details(openai: Scene) -> None:
    words = "You exceeded your current quota, please check your plan and billing details."
    retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
    error = {"code": 429, "message": words, "status": "RESOURCE_EXHAUSTED", "details": [retry]}
    openai.server.reply(status(429, body=json.dumps([{"error": error}])))
    refused = await openai.refused()
    assert refused.after == 34.5
    assert refused.again > 10
    assert "takes no more requests for now; try again in 34 seconds." in str(refused)


@pytest.mark.parametrize(("told", "passes"), [("true", True), ("false", False)])
async def test_a_host_that_says_whether_to_ask_again_knows_best(
    scene: Scene, told: str, passes: bool
) -> None:
    for code in (400, 503):
        scene.server.reply(status(code, "No.", headers={"x-should-retry": told}))
        assert ((await scene.refused()).again > 0) is passes


async def test_what_the_host_behind_a_host_says_is_told(openai: Scene) -> None:
    raw_words = json.dumps({"error": {"message": "prompt is too long: 9 tokens > 8 maximum"}})
    body = {"error": {"code": 400, "message": "Provider error", "metadata": {"raw": raw_words}}}
    openai.server.reply(status(400, body=json.dumps(body)))
    with pytest.raises(WindowFull):
        await openai.events()


@pytest.mark.parametrize("ending", [cut(), leave()])
async def test_a_connection_that_breaks_says_that_it_may_pass(scene: Scene, ending: Step) -> None:
    scene.server.reply(text("So"), ending)
    came, failure = await scene.breaking()
    assert texts(came) == "So"
    assert failure.again > 10
    assert "broke before the reply was whole" in str(failure)
    assert len(scene.server.requests) == 1, "whoever asks again knows what has come"


async def test_an_error_in_the_stream_says_whether_it_may_pass(anthropic: Scene) -> None:
    for kind, passes in (("overloaded_error", True), ("invalid_request_error", False)):
        anthropic.server.reply(text("So"), error("No.", kind=kind))
        _, failure = await anthropic.breaking()
        assert (failure.again > 0) is passes


async def test_what_nobody_can_use_is_worth_few_tries(openai: Scene) -> None:
    openai.server.reply(raw("data: {oops\n\n"))
    assert 0 < (await openai.refused()).again < 5


# Sentences.

HOSTS = {"openai": "{place}", "responses": "{place}", "anthropic": "{place}", "ollama": "Ollama"}


def host(scene: Scene) -> str:
    """What the host is called at an address of its own."""
    return HOSTS[scene.dialect].format(place=scene.server.url.removeprefix("http://"))


SAID = [
    (401, "invalid x-api-key", "{host} does not accept the key in MY_KEY."),
    (404, "model: tiny not found", "{none}"),
    (402, "Payment required", "{host} says that there is no credit left: Payment required."),
    (429, "billing", "{host} says that there is no credit left: billing."),
    (403, "Not from here.", "{host} refused the request: Not from here."),
    (400, "Not like this", "{host} refused the request: Not like this."),
    (400, "Hit by content_filter", "{host} refuses to reply to this: Hit by content_filter."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "said", "told"), SAID)
async def test_a_no_is_put_into_a_sentence(scene: Scene, code: int, said: str, told: str) -> None:
    scene.server.reply(status(code, said))
    none = {
        "ollama": "Ollama has no model tiny; get it with `ollama pull tiny`.",
    }.get(scene.dialect, f"{host(scene)} has no model tiny, or not for this key.")
    _, why = await scene.failed(key="MY_KEY")
    assert why == told.format(host=host(scene), none=none)
    assert len(scene.server.requests) == 1


async def test_a_limit_of_requests_is_told(scene: Scene) -> None:
    scene.server.reply(status(429, "Too many tokens a minute.", headers={"retry-after": "2"}))
    _, why = await scene.failed()
    assert why == f"{host(scene)} takes no more requests for now; try again in 2 seconds."


async def test_too_much_to_do_is_told(scene: Scene) -> None:
    for code in (503, 529):
        scene.server.reply(status(code, "Busy."))
        _, why = await scene.failed()
        assert why == f"{host(scene)} is overloaded; try again in a while."


async def test_a_key_that_nobody_named_is_missed(scene: Scene) -> None:
    scene.key = None
    scene.server.reply(status(401, "Missing key."))
    _, why = await scene.failed()
    assert why == f"{host(scene)} wants a key, and this model names none."


async def test_a_key_that_is_named_and_not_there_is_missed(scene: Scene) -> None:
    scene.key = " "
    scene.server.reply(status(401, "Missing key."))
    _, why = await scene.failed(key="MY_KEY")
    assert why == f"{host(scene)} wants a key: set MY_KEY, or store it in the editor."
    assert not {"authorization", "x-api-key"} & set(scene.server.requests[0].headers)


@pytest.mark.parametrize(
    ("dialect", "name", "key"),
    [("openai", "OpenAI", "OPENAI_API_KEY"), ("anthropic", "Anthropic", "ANTHROPIC_API_KEY")],
)
async def test_without_a_key_the_hosts_themselves_are_not_even_asked(
    server: ModelServer, dialect: str, name: str, key: str
) -> None:
    _, why = await Scene(server=server, dialect=dialect, key=None).failed(url="")
    assert why == f"{name} wants a key: set {key}, or store it in the editor."


async def test_what_cannot_be_a_key_is_not_sent(scene: Scene) -> None:
    for key in ("a\nb", "schlüssel", "a\x00b"):
        scene.key = key
        _, why = await scene.failed(key="MY_KEY")
        assert why == "What stands in MY_KEY cannot be a key."
    assert scene.server.requests == []


async def test_ollama_that_does_not_run_is_told_with_how_to_start_it(ollama: Scene) -> None:
    url = nobody_there()
    refused = await ollama.refused(url=url)
    assert str(refused) == f"Ollama is not running at {url}; start it with `ollama serve`."
    assert refused.again == 0


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
async def test_a_server_of_this_machine_that_does_not_run_is_told_at_once(
    server: ModelServer, dialect: str
) -> None:
    url, scene = nobody_there(), Scene(server=server, dialect=dialect)
    refused = await scene.refused(url=url)
    assert str(refused) == f"Nobody answers at {url}; start the server of tiny there."
    assert refused.again == 0


async def test_a_host_elsewhere_that_cannot_be_reached_may_be_later(server: ModelServer) -> None:
    scene = Scene(server=server, dialect="openai")
    refused = await scene.refused(url="http://no-such-host.invalid/v1")
    start = "no-such-host.invalid cannot be reached at http://no-such-host.invalid/v1: "
    assert str(refused).startswith(start)
    assert refused.again > 10


async def test_an_address_that_is_none_is_told(scene: Scene) -> None:
    for url in ("nonsense", "ftp://x", "http://", "http://x:99999", "http://[x", "http://x:me:0"):
        _, why = await scene.failed(url=url)
        assert why.endswith(f" cannot be asked: {url.rstrip('/')} is no address.")


@pytest.mark.parametrize(
    "page",
    [
        status(200, headers={"content-type": "text/html; charset=utf-8"}, body="<html>Hi"),
        status(404, headers={"content-type": "text/html"}, body="<!DOCTYPE html><html>No"),
        status(404, body="404 page not found"),
        status(405, body=""),
        status(302, headers={"location": "https://elsewhere.invalid/?token=s3cret"}, body=""),
    ],
)
async def test_what_does_not_speak_the_dialect_is_told(scene: Scene, page: Step) -> None:
    scene.server.reply(page)
    _, why = await scene.failed()
    assert f"What answers at {scene.server.url_for(scene.dialect)} does not speak as" in why
    assert why.endswith("Check the address.")
    assert "s3cret" not in why
    assert len(scene.server.requests) == 1, "nor is it followed"


@pytest.mark.parametrize("code", [502, 520, 524])
async def test_a_page_that_stands_before_a_tired_host_is_passed_over(
    scene: Scene, code: int
) -> None:
    scene.server.reply(status(code, body="<html>Bad gateway"))
    refused = await scene.refused()
    assert refused.again > 10
    assert "html" not in str(refused)


@pytest.mark.parametrize(
    ("bodies", "told"),
    [
        (
            [
                '{"message": "Not so."}', '{"detail": "Not so."}', '{"error": "Not so."}',
                '[{"error": {"message": "Not so."}}]', '{"error": {"error": "Not so."}}',
                "Not so.", '"Not so."',
            ],
            ": Not so.",
        ),
        (["", "{}", "[]", "null", "5", '{"error": null}', '{"error": {}}'], "."),
    ],
    ids=["with words", "without"],
)  # fmt: skip
async def test_a_no_is_read_however_it_is_put(scene: Scene, bodies: list[str], told: str) -> None:
    for body in bodies:
        scene.server.reply(status(400, body=body))
        _, why = await scene.failed()
        assert why == f"{host(scene)} refused the request{told}", body


async def test_a_host_that_says_nothing_for_too_long_is_left(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.agent.models.http_requests._SILENCE_TIMEOUT_S", 0.05)
    scene.server.reply(text("So."), hold("never"))
    came, failure = await scene.breaking()
    assert texts(came) == "So."
    assert str(failure) == f"{host(scene)} has said nothing for too long."
    assert 0 < failure.again < 5, "each silence is long"


# A conversation that is too long.

TOO_LONG = [
    (
        "You passed 9000 input tokens and requested 512 output tokens. However, the model's maximum"
        " input length of 8192 is shorter."
    ),
    "Prompt exceeds max length",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096",
    "Request too large for model: please reduce your message size and try again.",
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000",
    "prompt is too long: 213462 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000",
    "prompt too long; exceeded max context length by 5000 tokens",
    "the input length exceeds the context length",
    "the request exceeds the available context size, try increasing it",
    "request (4476 tokens) exceeds the available context size (4096 tokens)",
    "Your input exceeds the context window of this model",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    "Please reduce the length of the messages or completion",
    "Prompt contains 150000 tokens and 0 images, too large for model with 131072 maximum",
    "The input (150000 tokens) is longer than the model's context length (128000 tokens).",
    "Prompt has 150,000 tokens, but the configured context size is 128,000 tokens",
    "tokens to keep from the initial prompt is greater than the context length",
    "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
    (
        "Trying to keep the first 9000 tokens when context the overflows. However, the model is"
        " loaded with context length of only 4096 tokens"
    ),
    "Input is too long for requested model.",
    "invalid params, context window exceeds limit",
]


async def test_a_conversation_that_is_too_long_is_told_apart(scene: Scene) -> None:
    told = f"The conversation is longer than {scene.provider().name} can read."
    for count, said in enumerate(TOO_LONG, start=1):
        scene.server.reply(status(400, said))
        with pytest.raises(WindowFull, match=re.escape(told)):
            await scene.events()
        assert len(scene.server.requests) == count, "nor is it asked again without anything"


@pytest.mark.parametrize("code", [413, 500])
async def test_it_is_told_apart_by_its_kind_and_whatever_its_status(
    openai: Scene, code: int
) -> None:
    openai.server.reply(status(code, "No.", kind="context_length_exceeded"))
    with pytest.raises(WindowFull):
        await openai.events()


async def test_a_body_that_is_too_large_is_a_conversation_that_is_too_long(
    anthropic: Scene,
) -> None:
    no = "Request exceeds the maximum size"
    anthropic.server.reply(status(413, no, kind="request_too_large"))
    with pytest.raises(WindowFull):
        await anthropic.events()


async def test_it_is_told_apart_in_the_stream(openai: Scene) -> None:
    openai.server.reply(error("No.", kind="context_length_exceeded"))
    with pytest.raises(WindowFull):
        await openai.events()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (429, "Rate limit: the input token count per minute exceeds the limit of 30000"),
        (400, "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens"),
        (400, "Invalid parameter: messages"),
        (503, "Too many tokens, please wait before trying again."),
    ],
)
async def test_other_limits_are_not_taken_for_it(openai: Scene, code: int, said: str) -> None:
    # One of these seems to mind a member, which is then left out.
    for _ in range(2):
        openai.server.reply(status(code, said))
    assert not isinstance(await openai.refused(), WindowFull)
    openai.server._replies.clear()


# The key.


async def test_the_key_is_in_no_error_and_no_log(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    provider, shown = scene.provider(), list[str]()
    scene.server.reply(status(400, f"The key {SECRET} is odd.", kind=f"odd {SECRET}"))
    scene.server.reply(text("So"), error(f"Not with {SECRET}."))
    scene.server.reply(status(401, f"Incorrect API key provided: {SECRET}"))
    scene.server.reply(status(500, body=f"dump: authorization: Bearer {SECRET}"))
    scene.server.reply(cut())
    scene.server.reply(raw(f'data: {{"{SECRET}\n\n'))
    for _ in range(6):
        try:
            async for event in provider.stream(HELLO):
                shown.append(repr(event))
        except ModelFailed as failure:
            seen: BaseException | None = failure
            while seen is not None:
                shown += [str(seen), repr(seen)]
                # As a log would go on.
                hidden = seen.__suppress_context__
                seen = seen.__cause__ or (None if hidden else seen.__context__)
    assert len([it for it in shown if it.startswith("ModelFailed")]) == 6
    assert SECRET in str([it.headers for it in scene.server.requests]), "or it was never sent"
    assert not [it for it in [*shown, repr(provider), caplog.text] if SECRET in it]


async def test_what_is_secret_in_an_address_is_not_shown(server: ModelServer) -> None:
    place = nobody_there().removeprefix("http://")
    for dialect in DIALECTS:
        scene = Scene(server=server, dialect=dialect)
        for url in (
            f"http://me:s3cret@{place}/v1?token=s3cret",
            f"http://me:s3cret/s3cret@{place}",
            f"me:s3cret@{place}",
            f"http://[{place}#s3cret",
        ):
            _, why = await scene.failed(url=url)
            assert place in why
            assert "s3cret" not in why
            assert "s3cret" not in scene.provider(url=url).name


@each_row(
    ("url", "shown"),
    [
        ("https://gateway.denied.example/v1/@acme", "https://gateway.denied.example/v1/@acme"),
        ("https://me:pw@a.example:8443/v1/@acme?k=pw", "https://a.example:8443/v1/@acme"),
        ("https://me@ok.example@a.example/v1#pw", "https://a.example/v1"),
        ("https://a.example?x@b.example", "https://a.example"),
        ("https://a.example#/x@b.example", "https://a.example"),
        ("https://me:12/pw@a.example", "https://me:12/pw@a.example"),
        ("http://[::1]:8080/v1/a@b", "http://[::1]:8080/v1/a@b"),
        ("me:pw/pw@a.example/v1", "a.example/v1"),
        ("https://me:pw/pw@a.example/v1", "https://a.example/v1"),
    ],
)
def test_an_address_is_shown_by_the_host_that_is_asked(url: str, shown: str) -> None:
    model = Model(id="m", name="m", dialect=Dialect.OPENAI, model="m", url=url)
    host = host_of(model, None)
    assert host.shown == shown
    if host.reachable:
        assert urlsplit(shown).hostname == urlsplit(url).hostname


# Proxies.


@asynccontextmanager
async def proxy() -> AsyncIterator[tuple[str, list[bytes]]]:
    """A proxy that writes down what it is asked and hangs up."""
    asked: list[bytes] = []

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


@pytest.fixture
def behind(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has the environment name a proxy before everything."""

    def set_all(url: str) -> None:
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        for kind in ("http", "https", "all"):
            monkeypatch.setenv(f"{kind}_proxy", url)
            monkeypatch.setenv(f"{kind.upper()}_PROXY", url)

    return set_all


@pytest.mark.parametrize("spelled", ["127.0.0.1", "127.1", "2130706433", "localhost"])
async def test_no_proxy_stands_before_this_machine_however_it_is_spelled(
    openai: Scene, behind: Callable[[str], None], spelled: str
) -> None:
    async with proxy() as (url, asked):
        behind(url)
        openai.server.reply(text("So."))
        here = openai.server.url_for("openai").replace("127.0.0.1", spelled)
        assert texts(await openai.events(url=here)) == "So."
    assert asked == []


async def test_what_is_not_encrypted_goes_past_every_proxy(
    openai: Scene, behind: Callable[[str], None]
) -> None:
    async with proxy() as (url, asked):
        behind(url)
        _, why = await openai.failed(url="http://models.invalid/v1")
    assert asked == []
    assert "models.invalid" in why


async def test_a_proxy_of_the_environment_stands_before_all_others(
    openai: Scene, behind: Callable[[str], None]
) -> None:
    async with proxy() as (url, asked):
        behind(url)
        await openai.failed(url="https://models.invalid/v1")
    assert asked[0].startswith(b"CONNECT models.invalid:443")


async def test_what_nobody_thought_of_ends_in_a_sentence(
    openai: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def odd(*_: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr("assent.agent.models.http_requests._encoded", odd)
    _, why = await openai.failed()
    assert why.endswith("could not be read.")


async def test_a_proxy_that_cannot_be_used_is_told(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", "gopher://odd:1")
    scene = Scene(server=server, dialect="openai")
    _, why = await scene.failed(url="https://models.invalid/v1")
    assert why.startswith("models.invalid cannot be asked: ")


# What is no reply.


async def test_a_stream_of_nothing_is_no_reply(scene: Scene) -> None:
    scene.server.reply(status(200, body=""))
    refused = await scene.refused()
    assert "broke before the reply was whole" in str(refused)
    assert refused.again > 10


async def test_a_message_that_is_not_as_it_should_be_is_told(openai: Scene) -> None:
    openai.server.reply(raw('data: {"choices": "many"}\n\n'))
    _, why = await openai.failed()
    assert why.endswith("cannot be used: choices is not what it should be.")
