"""The connection: order, answers, cancellation, and what is done with noise."""

import asyncio
import json
from typing import Any

import orjson
import pytest

from assent.gate.call.errors import AgentFailed
from assent.hosting.connection.lines import lines
from assent.hosting.connection.peer import Asked, ErrorAnswer, Peer
from hosting.eliza.rig import BOUND


class Ear:
    """Hears and serves; a request waits until its gate is opened."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.gates: dict[object, asyncio.Event] = {}

    def hear(self, method: str, params: dict[str, Any]) -> None:
        if method == "bad":
            raise RuntimeError("bad notification")
        self.heard.append((method, params))

    async def serve(self, asked: Asked) -> None:
        self.heard.append(asked.method)
        if asked.method == "bad":
            raise RuntimeError("bad request")
        await self.gates.setdefault(asked.id, asyncio.Event()).wait()
        asked.answer({"to": asked.id})


class Line:
    """A writer that keeps what was written."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.transport = self

    def write(self, data: bytes) -> None:
        self.sent.append(json.loads(data))

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0


class Wired:
    def __init__(self, longest: int = 10_000) -> None:
        self.ear = Ear()
        self.line = Line()
        self.stream = asyncio.StreamReader()
        self.peer = Peer(
            reader=self.stream,
            writer=self.line,  # type: ignore[arg-type]
            listener=self.ear,
            longest=longest,
        )

    def feed(self, *messages: object) -> None:
        for message in messages:
            self.stream.feed_data(json.dumps(message).encode() + b"\n")

    async def run(self) -> None:
        """Listen to the end of what was fed; what still waits then is cancelled."""
        self.stream.feed_eof()
        async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
            await self.peer.listen(group)
            for _, task in list(self.peer._theirs.values()):
                task.cancel()


async def test_messages_are_handled_in_their_order_and_waiting_ones_hold_up_nothing() -> None:
    wired = Wired()
    wired.feed(
        {"method": "a", "params": {"n": 1}},
        {"id": 1, "method": "wait"},
        {"method": "b"},
        {"id": 2, "method": "wait too"},
        {"method": "c"},
    )
    await wired.run()
    assert wired.ear.heard == [("a", {"n": 1}), "wait", ("b", {}), "wait too", ("c", {})]


async def test_noise_is_answered_or_let_pass_and_ends_nothing() -> None:
    wired = Wired()
    wired.stream.feed_data(b"npm warn something\n\n   \n")
    wired.feed([{"id": 1, "method": "x"}], 5, "x", None)
    wired.feed({"id": True, "method": "x"}, {"id": 1.5, "method": "x"}, {"id": 7, "result": 1})
    wired.feed({"method": "bad"}, {"id": 3, "method": "bad"}, {"method": "last"})
    await wired.run()
    assert [(one["id"], one["error"]["code"]) for one in wired.line.sent] == [
        (None, -32700),
        (None, -32600),
        (None, -32600),
        (None, -32600),
        (None, -32600),
        (None, -32600),
        (None, -32600),
        (3, -32603),
    ]
    assert wired.ear.heard[-1] == ("last", {})


async def test_a_failure_in_handling_a_request_is_an_error_without_its_text() -> None:
    wired = Wired()
    wired.feed({"id": "x", "method": "bad"})
    await wired.run()
    assert wired.line.sent == [
        {
            "jsonrpc": "2.0",
            "id": "x",
            "error": {"code": -32603, "message": "Assent could not handle this request"},
        }
    ]


async def test_a_request_is_answered_once() -> None:
    wired = Wired()
    asked = Asked(id=1, method="x", params={}, send=wired.line.sent.append)
    assert asked.answer({"a": 1})
    assert not asked.answer({"a": 2})
    assert not asked.refuse(-1, "late")
    assert wired.line.sent == [{"id": 1, "result": {"a": 1}}]


async def test_a_withdrawn_request_is_cancelled_and_answered_as_such() -> None:
    wired = Wired()
    wired.feed(
        {"id": 1, "method": "wait"},
        {"method": "$/cancel_request", "params": {"requestId": 99}},
        {"method": "$/cancel_request", "params": {"requestId": 1}},
    )
    await wired.run()
    assert [(one["id"], one["error"]["code"]) for one in wired.line.sent] == [(1, -32800)]


async def test_our_own_request_that_is_cancelled_is_withdrawn() -> None:
    wired = Wired()
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(wired.peer.ask("session/prompt", {}))
        await asyncio.sleep(0)
        asking.cancel()
    assert [one["method"] for one in wired.line.sent] == ["session/prompt", "$/cancel_request"]
    assert wired.line.sent[1]["params"] == {"requestId": wired.line.sent[0]["id"]}


async def test_answers_find_who_asked_whatever_their_order() -> None:
    wired = Wired()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        one = group.create_task(wired.peer.ask("a", {}))
        two = group.create_task(wired.peer.ask("b", {}))
        bad = group.create_task(failing(wired.peer))
        await asyncio.sleep(0)
        wired.feed({"id": 3, "error": {"code": -5, "message": "no"}})
        wired.feed({"id": 2, "result": "two"}, {"id": 1, "result": "one"}, {"id": 1, "result": "!"})
        wired.stream.feed_eof()
        await wired.peer.listen(group)
    assert (one.result(), two.result()) == ("one", "two")
    assert (bad.result().code, bad.result().message) == (-5, "no")


async def test_after_the_agent_is_gone_nothing_is_sent_and_nobody_waits() -> None:
    wired = Wired()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        asking = group.create_task(gone(wired.peer))
        await asyncio.sleep(0)
        wired.peer.leave("It is gone.")
    assert asking.result() == "It is gone."
    assert await gone(wired.peer) == "It is gone."
    wired.peer.tell("x", {})
    assert len(wired.line.sent) == 1


async def test_the_same_id_twice_at_once_ends_the_connection() -> None:
    wired = Wired()
    wired.feed({"id": 1, "method": "wait"}, {"id": 1, "method": "wait"})
    with pytest.raises(ExceptionGroup) as failed:
        await wired.run()
    assert failed.group_contains(AgentFailed, match="two questions at once")


async def test_a_line_that_is_too_long_ends_the_connection() -> None:
    wired = Wired(longest=100)
    wired.stream.feed_data(b"x" * 101)
    with pytest.raises(ExceptionGroup) as failed:
        await wired.run()
    assert failed.group_contains(AgentFailed, match="longer than 100 bytes")


async def test_lines_come_whole_however_they_were_cut() -> None:
    stream = asyncio.StreamReader()
    for piece in (b"a", b"b\nc", b"\n\n", b"d" * 70_000, b"\n", b"rest without an end"):
        stream.feed_data(piece)
    stream.feed_eof()
    assert [line async for line in lines(stream)] == [b"ab", b"c", b"", b"d" * 70_000]


async def failing(peer: Peer) -> ErrorAnswer:
    with pytest.raises(ErrorAnswer) as failed:
        await peer.ask("c", {})
    return failed.value


async def gone(peer: Peer) -> str:
    with pytest.raises(AgentFailed) as failed:
        await peer.ask("c", {})
    return str(failed.value)


async def test_an_answer_that_cannot_be_sent_leaves_the_request_open_for_an_error() -> None:
    sent: list[dict[str, Any]] = []

    def send(body: dict[str, Any]) -> None:
        sent.append(json.loads(orjson.dumps(body)))

    asked = Asked(id=1, method="x", params={}, send=send)
    with pytest.raises(TypeError):
        asked.answer({"because": "\udcff"})
    assert asked.refuse(-1, "so")
    assert sent == [{"id": 1, "error": {"code": -1, "message": "so"}}]
    assert not asked.answer({})
