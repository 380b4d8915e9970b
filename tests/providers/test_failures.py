"""What a person is told when a model does not reply, and when it is asked again."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from assent.providers.events import Event
from assent.providers.hosted import MOST_TRIES, Trying
from assent.providers.opening import provider_of
from assent.providers.provider import ModelFailed, WindowFull
from models.script import Step, cut, error, frame, hold, raw, status, text, usage
from models.server import PATIENCE, ModelServer
from providers.scene import DIALECTS, HELLO, Scene, nobody_there, stopped, texts

SECRET = "sk-secret"  # noqa: S105 -- it opens nothing


# Asked again.


@pytest.mark.parametrize("codes", [(429, 500, 502), (503, 504, 529)])
async def test_what_may_pass_is_tried_again(scene: Scene, codes: tuple[int, ...]) -> None:
    for code in codes:
        scene.server.reply(status(code, "Not now."))
    scene.server.reply(text("Here I am."))
    assert texts(await scene.events()) == "Here I am."
    assert scene.waits == [1.0, 2.0, 4.0]
    assert [it.endswith(f"(try {n} of 4).") for n, it in enumerate(scene.told, 2)] == [True] * 3


async def test_it_is_not_tried_for_ever(scene: Scene) -> None:
    for _ in range(MOST_TRIES):
        scene.server.reply(status(500, "Not now."))
    await scene.failed()
    assert len(scene.server.requests) == MOST_TRIES


async def test_what_will_not_pass_is_not_tried_again(scene: Scene) -> None:
    for count, code in enumerate((400, 401, 403, 404, 413, 422), start=1):
        scene.server.reply(status(code, "No."))
        await scene.failed()
        assert len(scene.server.requests) == count
    assert scene.told == []


async def test_a_host_that_says_when_is_asked_then(scene: Scene) -> None:
    scene.server.reply(status(429, headers={"retry-after": "7.5"}))
    when = {"date": "Mon, 01 Jan 2035 00:00:00 GMT", "retry-after": "Mon, 01 Jan 2035 00:00:20 GMT"}
    scene.server.reply(status(503, headers=when))
    scene.server.reply(status(503, headers={"retry-after": "soon"}))
    scene.server.reply(text("So."))
    await scene.events()
    assert scene.waits == [7.5, 20.0, 4.0]


async def test_a_host_that_wants_long_to_be_left_alone_is(scene: Scene) -> None:
    scene.server.reply(status(429, headers={"retry-after": "600"}))
    _, why = await scene.failed()
    assert why.endswith("takes no more requests for now; try again in 10 minutes.")
    assert scene.waits == []


async def test_a_connection_that_breaks_before_anything_was_said_is_tried_again(
    scene: Scene,
) -> None:
    scene.server.reply(cut())
    scene.server.reply(text("So."))
    assert texts(await scene.events()) == "So."
    assert "broke before the reply was whole" in scene.told[0]


async def test_an_error_in_the_stream_before_anything_was_said_is_tried_again(
    anthropic: Scene,
) -> None:
    anthropic.server.reply(error("Overloaded", kind="overloaded_error"))
    anthropic.server.reply(text("So."))
    assert texts(await anthropic.events()) == "So."
    assert "is overloaded" in anthropic.told[0]


async def test_nothing_is_tried_again_once_anything_was_said(scene: Scene) -> None:
    scene.server.reply(text("So"), error("Overloaded", kind="overloaded_error"))
    came, _ = await scene.failed()
    assert texts(came) == "So"
    assert len(scene.server.requests) == 1


async def test_being_stopped_while_it_waits_ends_it(openai: Scene) -> None:
    waiting = asyncio.Event()

    async def pause(_: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    openai.server.reply(status(429))
    provider = provider_of(openai.server.model("openai"), None, Trying(pause=pause))

    async def ask() -> list[Event]:
        return [event async for event in provider.stream(HELLO)]

    asked = asyncio.create_task(ask())
    async with asyncio.timeout(PATIENCE):
        await waiting.wait()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked


async def test_those_who_are_turned_away_together_do_not_come_back_together(
    server: ModelServer,
) -> None:
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    for chance in (0.0, 0.5, 1.0):
        server.reply(status(429))
        server.reply(text("So."))
        trying = Trying(pause=pause, chance=lambda it=chance: it)  # type: ignore[misc]
        provider = provider_of(server.model("openai"), None, trying)
        assert [event async for event in provider.stream(HELLO)]
    assert waits == [0.5, 0.75, 1.0]


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


async def test_a_limit_of_requests_is_told_when_trying_again_did_not_help(scene: Scene) -> None:
    for _ in range(MOST_TRIES):
        scene.server.reply(status(429, "Too many tokens a minute.", headers={"retry-after": "2"}))
    _, why = await scene.failed()
    assert why == f"{host(scene)} takes no more requests for now; try again in 2 seconds."


async def test_too_much_to_do_is_told_when_trying_again_did_not_help(scene: Scene) -> None:
    for code in (503, 529) * (MOST_TRIES // 2):
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
    _, why = await ollama.failed(url=url)
    assert why == f"Ollama is not running at {url}; start it with `ollama serve`."
    assert ollama.told == []


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
async def test_a_server_of_this_machine_that_does_not_run_is_told_at_once(
    server: ModelServer, dialect: str
) -> None:
    url, scene = nobody_there(), Scene(server=server, dialect=dialect)
    _, why = await scene.failed(url=url)
    assert why == f"Nobody answers at {url}; start the server of tiny there."
    assert scene.told == []


async def test_a_host_elsewhere_that_cannot_be_reached_is_tried_again(server: ModelServer) -> None:
    scene = Scene(server=server, dialect="openai")
    _, why = await scene.failed(url="http://no-such-host.invalid/v1")
    start = "no-such-host.invalid cannot be reached at http://no-such-host.invalid/v1: "
    assert why.startswith(start)
    assert len(scene.told) == MOST_TRIES - 1


async def test_an_address_that_is_none_is_told(scene: Scene) -> None:
    for url in ("nonsense", "ftp://x", "http://", "http://x:99999", "http://[x", "http://x:me:0"):
        _, why = await scene.failed(url=url)
        assert why.endswith(f" cannot be asked: {url.rstrip('/')} is no address.")
    assert scene.told == []


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


async def test_a_page_that_stands_before_a_tired_host_is_passed_over(scene: Scene) -> None:
    scene.server.reply(status(502, body="<html>Bad gateway"))
    scene.server.reply(text("So."))
    assert texts(await scene.events()) == "So."
    assert "html" not in scene.told[0]


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
    monkeypatch.setattr("assent.providers.posting._BETWEEN_BYTES", 0.05)
    scene.server.reply(text("So."), hold("never"))
    came, why = await scene.failed()
    assert texts(came) == "So."
    assert why == f"{host(scene)} has said nothing for too long."


# A conversation that is too long.

TOO_LONG = [
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
    assert openai.told == []


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
    for _ in range(MOST_TRIES):
        openai.server.reply(status(code, said))
    with pytest.raises(ModelFailed) as failure:
        await openai.events()
    assert not isinstance(failure.value, WindowFull)
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
    for _ in range(4):
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
    assert len([it for it in shown if it.startswith("Again")]) == 2
    assert len([it for it in shown if it.startswith("ModelFailed")]) == 4
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


async def test_no_proxy_stands_before_this_machine(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxy() as (url, asked):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, url)
        scene.server.reply(text("So."))
        assert texts(await scene.events()) == "So."
    assert asked == []


async def test_a_proxy_of_the_environment_stands_before_all_others(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    async with proxy() as (url, asked):
        monkeypatch.setenv("http_proxy", url)
        await Scene(server=server, dialect="openai").failed(url="http://models.invalid/v1")
    assert asked[0].startswith(b"POST http://models.invalid/v1/chat/completions")


async def test_a_proxy_that_cannot_be_used_is_told(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "gopher://odd:1")
    scene = Scene(server=server, dialect="openai")
    _, why = await scene.failed(url="http://models.invalid/v1")
    assert why.startswith("models.invalid cannot be asked: ")


# What was counted before a reply began does not begin it.


async def test_what_was_counted_does_not_keep_it_from_being_tried_again(openai: Scene) -> None:
    openai.server.reply(
        frame({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 0}}), cut()
    )
    openai.server.reply(text("So."), usage(5, 1))
    events = await openai.events()
    assert texts(events) == "So."
    assert stopped(events) == "done"


async def test_a_stream_of_nothing_is_no_reply(scene: Scene) -> None:
    for _ in range(MOST_TRIES):
        scene.server.reply(status(200, body=""))
    _, why = await scene.failed()
    assert "broke before the reply was whole" in why


async def test_a_message_that_is_not_as_it_should_be_is_told(openai: Scene) -> None:
    openai.server.reply(raw('data: {"choices": "many"}\n\n'))
    _, why = await openai.failed()
    assert why.endswith("cannot be used: choices is not what it should be.")
