"""What hosts document is read, goes back as it came, and is whole or said to be broken off."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from agent.models.recorded import RECORDED, Recorded
from agent.models.scene import asking, ready, texts
from agent.models.test_handing_back import heard
from assent.agent.models import hosted_model as hosting
from assent.agent.models.conversation import Answered, Result, Said
from assent.agent.models.events import CallReady, Event, Stopped
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.provider import ModelFailed
from assent.agent.models.providers import provider_of
from assent.gate.settings.models.model import Dialect, Model

requirement = pytest.mark.requirement
each_host = pytest.mark.parametrize("it", RECORDED.values(), ids=RECORDED)


class Played(httpx2.AsyncBaseTransport):
    """A connection on which a recording comes, up to where it breaks off; all else is real."""

    def __init__(self, it: Recorded) -> None:
        self.it = it
        self.cut: int | None = None
        self.asked: list[dict[str, Any]] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(json.loads(await request.aread()))
        kind = "application/x-ndjson" if self.it.dialect == "ollama" else "text/event-stream"
        return httpx2.Response(200, headers={"content-type": kind}, stream=_Pieces(self))


class _Pieces(httpx2.AsyncByteStream):
    def __init__(self, played: Played) -> None:
        self.played = played

    async def __aiter__(self) -> AsyncIterator[bytes]:
        whole, cut = self.played.it.body, self.played.cut
        yield whole[: len(whole) if cut is None else cut]
        if cut is not None:
            raise httpx2.ReadError("the connection broke")


@pytest.fixture
def played(it: Recorded, monkeypatch: pytest.MonkeyPatch) -> Played:
    """Whoever asks this host hears the recording."""
    transport = Played(it)

    async def client(_: HostConnection) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=transport)

    monkeypatch.setattr(HostConnection, "client", client)
    return transport


def provider(it: Recorded) -> hosting.HostedModel:
    dialect = Dialect(it.dialect)
    model = Model(
        id="m", name="m", dialect=dialect, model=it.model, url=it.url, key="K", window=8_192
    )
    found = provider_of(model, "sk-1")
    assert isinstance(found, hosting.HostedModel)
    return found


async def reply(it: Recorded) -> tuple[list[Event], ModelFailed | None]:
    came: list[Event] = []
    try:
        async for event in provider(it).stream(asking(Said(text="Look."))):
            came.append(event)  # noqa: PERF401 -- it is wanted when this breaks off
    except ModelFailed as failure:
        return came, failure
    return came, None


@requirement("M-04")
@each_host
async def test_it_is_read_whole(it: Recorded, played: Played) -> None:
    came, failure = await reply(it)
    assert failure is None
    assert texts(came) == it.text
    assert tuple(ready(came)) == it.calls
    assert [event.reason for event in came if isinstance(event, Stopped)] == ["calls"]
    assert len(played.asked) == 1


@each_host
async def test_it_goes_back_as_it_came(it: Recorded, played: Played) -> None:
    said = heard((await reply(it))[0])
    (call,) = said.calls
    result = Answered(results=(Result(call=call.id, name=call.name, text="A line."),))
    turns = (Said(text="Look."), said, result)
    assert [event async for event in provider(it).stream(asking(*turns))]
    body = played.asked[-1]
    told = [it for it in body.get("messages", body.get("input")) if it.get("role") != "system"]
    assert tuple(told[1:-1]) == it.back


@each_host
async def test_wherever_it_breaks_off_it_says_so_and_no_call_is_made_twice_or_by_half(
    it: Recorded, played: Played
) -> None:
    (whole, _) = await reply(it)
    for cut in range(len(it.body)):
        played.cut = cut
        came, failure = await reply(it)
        assert texts(whole).startswith(texts(came)), cut
        made = [(event.name, event.arguments) for event in came if isinstance(event, CallReady)]
        assert made == list(it.calls[: len(made)]), cut
        ended = any(isinstance(event, Stopped) for event in came)
        assert ended == (failure is None), cut
        if failure is not None:
            assert failure.again > 0, (cut, str(failure))
            assert str(failure).endswith("."), cut
    assert len(played.asked) == len(it.body) + 1, "each was asked once"


def test_a_recording_of_each_dialect_is_there() -> None:
    assert {it.dialect for it in RECORDED.values()} == {str(it) for it in Dialect if it.has_host}
