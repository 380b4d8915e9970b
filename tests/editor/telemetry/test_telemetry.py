"""What is counted of calls, what never leaves, and how a collector in trouble is told of."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from assent.editor.telemetry import collector, otlp
from assent.editor.telemetry.allowed_words import TOOLS
from assent.editor.telemetry.collector import Collector
from assent.editor.telemetry.meter import MAX_SPANS, Meter
from assent.editor.telemetry.spans import Span
from assent.gate.call.calls import AgentId, CallId
from assent.gate.call.lifecycle import State
from assent.gate.call.verdicts import Actor
from assent.gate.journal.events import CallMoved
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.layers import Problems
from assent.gate.settings.shapes import HookSetting
from assent.gate.settings.telemetry import TELLS_NOTHING, telemetry_of
from editor.wire import collector as played
from editor.wire.editor import Editor
from gate.ruling.samples import running
from gate.settings.near import Near, near
from models.http11 import whole_answer
from tables import each_row

JSON = {"content-type": "application/json"}
RUN = otlp.Run(id="r", began=1)


def meter(**more: Any) -> Meter:
    ticks = itertools.count(0, 1_000_000_000)
    return Meter(frozenset({"assent"}), clock=lambda: next(ticks), wall=lambda: 5, **more)


def passes(it: Meter, *, agent: str = "assent", tool: str = "shell", call: str = "1") -> None:
    """A call is asked about, allowed by a person, and runs."""
    made = evolve(running("cat /etc/numbat"), agent=AgentId(agent), tool=tool, id=CallId(call))
    for state in (State.PROPOSED, State.WAITING, State.RUNNING, State.SUCCEEDED):
        by = Actor.USER if state is State.RUNNING else None
        it.hear(CallMoved(call=made, state=state, by=by, because="Since the numbat said so."))


def test_names_that_an_agent_chooses_are_sent_as_other() -> None:
    it = meter()
    passes(it, agent="numbat", tool="numbat")
    told = json.dumps([otlp.metrics(RUN, it.series, 0, 9), otlp.traces(RUN, it.spans)])
    assert "numbat" not in told
    assert told.count('"other"') >= 3


def test_the_kinds_of_tools_that_are_named_are_those_of_the_settings() -> None:
    schema = HookSetting.model_json_schema()["properties"]["tools"]["items"]
    assert set(schema["enum"]) == TOOLS


def test_a_call_told_anew_where_it_stands_is_counted_once() -> None:
    it, call = meter(), running("ls")
    steps = [State.PROPOSED, State.PROPOSED, State.WAITING, State.WAITING, State.REFUSED]
    for state in [State.RUNNING, *steps, State.REFUSED]:
        it.hear(CallMoved(call=call, state=state, by=Actor.USER))
    assert list(it.series.decisions.values()) == [1]
    assert [span.name for span in it.spans] == ["call", "ruling", "answering"]


def test_what_no_collector_takes_has_a_bound_and_is_counted() -> None:
    it = meter()
    for number in range(MAX_SPANS // 4 + 10):
        passes(it, call=str(number))
    assert (len(it.spans), it.series.dropped) == (MAX_SPANS, 40)
    it.put_back(list(it.spans))
    assert len(it.spans) == MAX_SPANS


@each_row(
    "endpoint",
    [
        "file:///etc/passwd",
        "http://collector.example.org:4318",
        "http://192.168.1.7:4318",
        "http://169.254.169.254",
        "https://me:secret@c.example.org",
        "https://c.example.org/?token=x",
        "https://c.example.org#x",
        "http://localhost.evil.example:4318",
        "http://127.0.0.1@evil.example",
        "https://evil.example\\@127.0.0.1",
        "localhost:4318",
        "http://localhost.:4318",
        "http://a.localhost:4318",
        "http://ｌocalhost:4318",
        "http://127.1:4318",
        "http://2130706433:4318",
        "http://0x7f.0.0.1:4318",
        "http://127.0.0.01:4318",
        "http://127.0.0.1.:4318",
        "http://①27.0.0.1:4318",
        "http://127.0.0.256:4318",
        "http://0.0.0.0:4318",
        " https://c.example.org",
        5,
    ],
)
def test_an_endpoint_that_others_could_listen_to_or_that_is_none_is_sent_nothing(
    endpoint: object,
) -> None:
    problems = Problems()
    found = telemetry_of({"endpoint": endpoint, "details": True}, Complaints(problems))
    assert found == TELLS_NOTHING
    (sentence,) = problems.sentences
    assert "secret" not in sentence


HERE = ["http://127.0.0.1:4318/", "http://localhost:4318", "http://[::1]:4318"]
HERE += ["HTTP://LocalHost/otlp", "http://127.9.255.0"]


@each_row("endpoint", [*HERE, "https://c.example/o"])
def test_an_endpoint_on_this_machine_or_in_secret_is_one(endpoint: str) -> None:
    problems = Problems()
    found = telemetry_of({"endpoint": endpoint}, Complaints(problems))
    assert (found.endpoint, problems.sentences) == (endpoint.rstrip("/"), ())


@each_row("endpoint", HERE)
async def test_no_proxy_stands_before_an_endpoint_on_this_machine(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    it = Collector(endpoint, meter(), RUN, lambda: 0, asyncio.create_task, lambda: None)
    client = await it._line.client()
    assert not client.trust_env
    await it.finish()


@pytest.fixture
async def heard() -> AsyncIterator[played.Collector]:
    async with played.collecting() as it:
        yield it


def beside(heard: played.Collector, told: list[str]) -> Collector:
    it: Collector = Collector(
        endpoint=heard.url,
        meter=meter(),
        run=RUN,
        tickets=lambda: 3,
        spawn=asyncio.create_task,
        tell=lambda: told.append(it.trouble),
    )
    return it


async def test_trouble_is_told_once_and_nothing_is_lost_by_it(heard: played.Collector) -> None:
    told: list[str] = []
    it = beside(heard, told)
    passes(it.meter)
    heard.says = lambda path: whole_answer(500 if path == "/v1/traces" else 200, b"{}", JSON)
    for _ in range(3):
        await it._send()
    assert len(told) == 1
    assert "does not get all (traces: it answered 500)" in told[0]
    heard.says = lambda _: whole_answer(200, b"{}", JSON)
    before = len(heard.bodies)
    await it._send()
    assert told[1:] == [""]
    del heard.bodies[:before]
    assert [span["name"] for span in heard.spans()] == ["call", "ruling", "answering", "running"]
    heard.says = lambda _: b""
    await it._send()
    assert told[1:] == [""], "and what comes back is not told again"
    await it.finish()


async def test_what_a_collector_will_never_take_is_not_offered_again(
    heard: played.Collector,
) -> None:
    it = beside(heard, [])
    passes(it.meter)
    heard.says = lambda path: whole_answer(400 if path == "/v1/traces" else 200, b"{}", JSON)
    await it._send()
    assert (len(it.meter.spans), it.meter.series.dropped) == (0, 4)
    assert "numbat" not in it.trouble
    await it.finish()


async def test_what_was_missed_is_told_with_what_comes_next(heard: played.Collector) -> None:
    it = beside(heard, [])
    heard.says = lambda _: whole_answer(503, b"", JSON)
    passes(it.meter)
    await it._send()
    passes(it.meter, call="2")
    heard.says = lambda _: whole_answer(200, b'{"partialSuccess": {}}', JSON)
    await it._send()
    assert heard.decisions() == {("ask", "allowed", "user"): 2}
    assert heard.last("assent.tickets.open")["gauge"]["dataPoints"][0]["asInt"] == "3"
    await it.finish()


PLAIN = {"content-type": "text/plain"}
GONE = [whole_answer(404, b"nope", PLAIN), whole_answer(404, b"{}", JSON)]


@pytest.mark.parametrize("gone", GONE)
@pytest.mark.parametrize("what", ["metrics", "traces"])
async def test_a_collector_that_takes_but_one_is_sent_that_alone(
    heard: played.Collector, what: str, gone: bytes
) -> None:
    told: list[str] = []
    it = beside(heard, told)
    taken = whole_answer(200, b"{}", JSON)
    heard.says = lambda path: gone if path == f"/v1/{what}" else taken
    for number in range(3):
        passes(it.meter, call=str(number))
        await it._send()
    paths = [path for path, _ in heard.bodies]
    assert (paths.count(f"/v1/{what}"), len(paths)) == (1, 4)
    (sentence,) = told
    assert f"does not get all (it takes no {what}). Everything else works as ever." in sentence
    assert "tried again" not in sentence
    assert len(it.meter.spans) == 0
    assert it.meter.series.dropped == (12 if what == "traces" else 0)
    assert it._timer is None, "or it is offered again"
    await it.finish()


@pytest.mark.parametrize("gone", GONE)
async def test_where_neither_is_taken_both_are_tried_again(
    heard: played.Collector, gone: bytes
) -> None:
    told: list[str] = []
    it = beside(heard, told)
    passes(it.meter)
    heard.says = lambda _: gone
    await it._send()
    await it._send()
    assert "gets nothing (it takes no metrics; it takes no traces)" in told[0]
    assert (len(told), len(it.meter.spans)) == (1, 4)
    heard.says = lambda _: whole_answer(200, b"{}", JSON)
    await it._send()
    assert (told[1:], len(it.meter.spans)) == ([""], 0)
    await it.finish()


async def test_metrics_that_are_refused_keep_no_span_back(heard: played.Collector) -> None:
    it = beside(heard, [])
    passes(it.meter)
    heard.says = lambda path: whole_answer(500 if path == "/v1/metrics" else 200, b"{}", JSON)
    await it._send()
    assert len(heard.spans()) == 4
    assert "does not get all (metrics: it answered 500)" in it.trouble
    await it.finish()


REJECTS = [("metrics", b'{"rejectedDataPoints": "1"}', 0), ("traces", b'{"rejectedSpans": 2}', 2)]


@pytest.mark.parametrize(("what", "partly", "dropped"), REJECTS)
async def test_what_a_collector_rejects_is_told_as_that_and_not_sent_again(
    heard: played.Collector, what: str, partly: bytes, dropped: int
) -> None:
    it = beside(heard, [])
    passes(it.meter)
    partial = whole_answer(200, b'{"partialSuccess": %s}' % partly, JSON)
    taken = whole_answer(202, b"", JSON)
    heard.says = lambda path: partial if path == f"/v1/{what}" else taken
    await it._send()
    assert f"does not get all (it rejected some of the {what})" in it.trouble
    assert (len(it.meter.spans), it.meter.series.dropped) == (0, dropped)
    assert it._timer is None
    await it.finish()


@pytest.mark.parametrize("number", [b"[1]", b"{}", b"true", b'"many"', b"-1", b"1.5", b"null"])
async def test_a_number_of_rejected_spans_that_is_none_rejects_nothing(
    heard: played.Collector, number: bytes
) -> None:
    it = beside(heard, [])
    passes(it.meter)
    said = b'{"partialSuccess": {"rejectedSpans": %s, "rejectedDataPoints": %s}}'
    heard.says = lambda _: whole_answer(200, said % (number, number), JSON)
    await it._send()
    assert (it.trouble, len(heard.spans()), len(it.meter.spans)) == ("", 4, 0)
    await it.finish()


async def test_a_goodbye_waits_for_what_is_under_way(
    heard: played.Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "_GOODBYE_TIMEOUT_S", 60.0)
    it = beside(heard, [])
    passes(it.meter)
    it.note()
    under_way = asyncio.create_task(it._send_due())
    await heard.came.wait()
    assert not under_way.done()
    await it.finish()
    assert under_way.done()
    assert (len(heard.spans()), it.trouble) == (4, "")
    assert sorted(path for path, _ in heard.bodies) == ["/v1/metrics", "/v1/traces"], "but once"


async def test_long_spans_go_in_more_messages(heard: played.Collector) -> None:
    it = beside(heard, [])
    long = Span(trace="t", id="1", name="call", began=1, ended=2, words={"p": ["x" * 1_024] * 50})
    it.meter.keep([evolve(long, id=str(number)) for number in range(5)])
    await it._send()
    assert [span["spanId"] for span in heard.spans()] == list("01234")
    assert [path for path, _ in heard.bodies].count("/v1/traces") == 5
    await it.finish()


def banners(house: Near) -> list[str]:
    return [it for it in house.banners if "collector" in it]


async def test_a_window_says_when_its_collector_gets_nothing_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = Editor(layers={"user": {"telemetry": {"endpoint": "http://127.0.0.1:9"}}})
    async with near(tmp_path, editor, monkeypatch) as house:
        await house.begin()
        metering = house.built.rules.metering
        assert banners(house) == [], "as long as nothing happened"
        for state in (State.PROPOSED, State.REFUSED):
            metering.pass_on(CallMoved(call=running("ls"), state=state, by=Actor.RULE))
        assert metering._collector is not None
        await metering._collector._send()
        (banner,) = banners(house)
        assert "(nothing answers there)" in banner
        await metering.finish()
