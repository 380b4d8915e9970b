"""A fake model server: speaks all the dialects over a real socket, by a script.

In a test:

    async with ModelServer() as server:
        server.reply(call("read_file", {"path": "a"}), hold("tail"), text("Reading."))
        server.reply(text("Done."), when="what a tool answered")   # only for such a last turn
        …                                    # the agent talks to server.model("anthropic")
        await server.held("tail")            # the stream stands open behind the call
        server.release("tail")
        second = await server.asked(2)       # the second request, once it has come
        assert "what a tool answered" in second.last
        await second.closed.wait()           # the client went away before the reply was over

Each request takes the first reply that is left and fits; where none is, the host refuses it and
says so in `server.faults`. The steps are in `models.script`. `server.tags` are the models that
Ollama lists, and `server.shown` is what it shows of each.

As a process, which ends when its input does:

    python -m models.server [script.json]    # with `tests` in PYTHONPATH; prints its URL

    POST /control/script                     # more replies, as JSON
    POST /control/release/<hold>
    GET  /control/held/<hold>                # answers once the stream has come there
    GET  /control/asked/<n>                  # answers once n requests came: the n-th
    GET  /control/requests                   # all of them

Every wait is bounded.
"""

import asyncio
import contextlib
import json
import ssl
import sys
from collections import defaultdict
from enum import Enum
from pathlib import Path
from typing import Any, Final, Self

from attrs import define, field, frozen

from assent.gate.settings.models.model import Dialect, Model
from models.embedder import vector_of
from models.http11 import LAST_CHUNK, Heard, chunk, head, read_request, whole_answer
from models.script import Step
from models.spoken import SPEAKERS, Speaker

__all__ = ["PATIENCE", "Asked", "Making", "ModelServer"]

PATIENCE: Final = 10.0
_LABELS: Final = {
    "role",
    "type",
    "cache_control",
    "id",
    "call_id",
    "tool_use_id",
    "tool_call_id",
}
_JSON: Final = {"content-type": "application/json"}


@frozen(kw_only=True, eq=False)
class Asked:
    """A request to the model."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    closed: asyncio.Event = field(factory=asyncio.Event)
    """Set when the client went away before the reply was over."""
    over: asyncio.Event = field(factory=asyncio.Event)
    """Set when all was sent."""

    @property
    def last(self) -> str:
        """All texts of the last turn: what was said, or what tools answered."""
        messages = self.body.get("messages", self.body.get("input", []))
        answered = [at for at, it in enumerate(messages) if _is_replied(it)]
        return "\n".join(_texts(messages[answered[-1] + 1 :] if answered else messages))

    def told(self) -> dict[str, Any]:
        """The request as JSON."""
        events = {"closed": self.closed.is_set(), "over": self.over.is_set()}
        plain = {"path": self.path, "headers": self.headers, "body": self.body}
        return {**plain, **events, "last": self.last}


@frozen(kw_only=True)
class _Reply:
    steps: tuple[Step, ...]
    when: str = ""
    head: bool = True
    """Whether it begins as its dialect begins one."""


class Making(Enum):
    """How a picture or speech comes."""

    WHOLE = 1
    CUT = 2
    NEVER = 3


_MAKERS: Final = frozenset({"/v1/images/generations", "/v1/audio/speech"})


class _Cut(Exception):
    """The script breaks the connection off."""


@define
class ModelServer:
    """One host, with all its dialects; an asynchronous context manager."""

    at_once: int | None = None
    """The most bytes that are sent in one piece."""
    tags: list[dict[str, Any]] = field(factory=lambda: [{"name": "tiny"}])
    shown: dict[str, Any] = field(
        factory=lambda: {"model_info": {"tiny.context_length": 8192}, "capabilities": ["tools"]}
    )
    tls: ssl.SSLContext | None = None
    """What it proves with who it is; it speaks in the clear without."""
    listed: list[dict[str, Any]] = field(factory=lambda: [{"id": "tiny"}])
    """What the OpenAI dialect lists."""
    beside: dict[str, Any] = field(factory=dict)
    """What is answered at further paths."""
    also: dict[str, str] = field(factory=dict)
    """Other paths at which a dialect is spoken, by the dialect's own."""
    requests: list[Asked] = field(factory=list)
    """The requests to the model, in order."""
    others: list[Heard] = field(factory=list)
    """All other requests."""
    embedded: list[str] = field(factory=list)
    """The texts of which vectors were made."""
    made: object = None
    """What is answered to who wants a picture or speech: bytes as they are, else as JSON."""
    making: Making = Making.WHOLE
    """How that comes."""
    gone: asyncio.Event = field(factory=asyncio.Event)
    """Whether whoever wanted it has gone before it came."""
    alike: dict[str, str] = field(factory=dict)
    """To a word another that means the same to it."""
    faults: list[str] = field(factory=list)
    """What was asked and not foreseen."""
    url: str = ""
    _replies: list[_Reply] = field(factory=list)
    _holds: defaultdict[str, asyncio.Event] = field(factory=lambda: defaultdict(asyncio.Event))
    _held: set[str] = field(factory=set)
    _happened: asyncio.Condition = field(factory=asyncio.Condition)
    _tasks: set[asyncio.Task[Any]] = field(factory=set)
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        self.url = (
            f"http{'s' if self.tls else ''}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def model(self, dialect: str, name: str = "tiny", **rest: Any) -> Model:
        """A model of this host, as it would be configured."""
        told = {"id": f"{dialect}/{name}", "name": name, "url": self.url_for(dialect), **rest}
        return Model(dialect=Dialect(dialect), model=name, **told)

    def url_for(self, dialect: str) -> str:
        """Where a dialect is spoken, as people configure it."""
        return f"{self.url}/v1" if dialect in {"openai", "responses"} else self.url

    def reply(self, *steps: Step, when: str = "", head: bool = True) -> None:
        """Add a reply; `when` is a part of the last turn that it waits for."""
        self._replies.append(_Reply(steps=steps, when=when, head=head))

    def script(self, replies: list[Any]) -> None:
        """Add replies from JSON."""
        for it in replies:
            told = it if isinstance(it, dict) else {"steps": it}
            self.reply(*told["steps"], when=told.get("when", ""))

    def release(self, name: str) -> None:
        """Let a stream go on that stands at this hold, or will come to it."""
        self._holds[name].set()

    async def held(self, name: str) -> None:
        """Wait until a stream has come to this hold."""
        await self._until(lambda: name in self._held)

    async def asked(self, count: int = 1) -> Asked:
        """The request of that number, counted from 1, once it has come."""
        await self._until(lambda: len(self.requests) >= count)
        return self.requests[count - 1]

    async def _until(self, holds: Any) -> None:
        async with asyncio.timeout(PATIENCE), self._happened:
            await self._happened.wait_for(holds)

    async def _tell(self) -> None:
        async with self._happened:
            self._happened.notify_all()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            # Whoever only looks whether there is a host says nothing.
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                await self._answer(await read_request(reader), reader, writer)
        except asyncio.CancelledError:
            # The server ends; to the loop's own callback that would be a failure.
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answer(
        self, heard: Heard, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if heard.path in _MAKERS:
            await self._make(heard, reader, writer)
            return
        speaker = SPEAKERS.get(self.also.get(heard.path, heard.path))
        if speaker is None:
            writer.write(await self._answer_other(heard))
            await writer.drain()
            return
        asked = Asked(path=heard.path, headers=heard.headers, body=heard.body)
        self.requests.append(asked)
        reply = self._take(asked)
        await self._tell()
        answering = asyncio.create_task(
            self._stream(reply, speaker(heard.body["model"]), writer, asked)
        )
        leaving = asyncio.create_task(reader.read(1))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                asked.closed.set()
        finally:
            answering.cancel()
            leaving.cancel()
            done = await asyncio.gather(answering, leaving, return_exceptions=True)
        self.faults += [repr(it) for it in done if isinstance(it, Exception) and not _gone(it)]

    def _take(self, asked: Asked) -> _Reply:
        for at, reply in enumerate(self._replies):
            if not reply.when or reply.when in asked.last:
                return self._replies.pop(at)
        self.faults.append(f"no reply is left for: {asked.last}")
        over = {"status": 400, "message": "The script of the fake model is over."}
        return _Reply(steps=(over,))

    async def _stream(
        self, reply: _Reply, speaker: Speaker, writer: asyncio.StreamWriter, asked: Asked
    ) -> None:
        try:
            async with asyncio.timeout(PATIENCE * 6):
                await self._say_all(reply, speaker, writer)
            asked.over.set()
        except _Cut:
            writer.transport.abort()

    async def _say_all(self, reply: _Reply, speaker: Speaker, writer: asyncio.StreamWriter) -> None:
        steps = list(reply.steps)
        if steps and "status" in steps[0]:
            refused = steps.pop(0)
            kind = {"content-type": speaker.content_type if refused["status"] == 200 else ""}
            headers = {**kind, **refused.get("headers", {})}
            if refused["status"] != 200 or refused.get("body") is not None:
                writer.write(whole_answer(refused["status"], _body(refused, speaker), headers))
                await writer.drain()
                return
            writer.write(head(200, headers))
        else:
            writer.write(head(200, {"content-type": speaker.content_type}))
        if reply.head:
            await self._send(speaker.head(), writer)
        for step in steps:
            match step:
                case {"hold": name}:
                    self._held.add(name)
                    await self._tell()
                    await self._holds[name].wait()
                case {"cut": _}:
                    await writer.drain()
                    raise _Cut
                case {"leave": _}:
                    writer.write(LAST_CHUNK)
                    return
                case _:
                    for piece in speaker.say(step):
                        await self._send(piece, writer)
                    if "error" in step:
                        writer.write(LAST_CHUNK)
                        return
        await self._send(speaker.end(), writer)
        writer.write(LAST_CHUNK)
        await writer.drain()

    async def _send(self, sent: bytes, writer: asyncio.StreamWriter) -> None:
        size = self.at_once or max(1, len(sent))
        for at in range(0, len(sent), size):
            writer.write(chunk(sent[at : at + size]))
            await writer.drain()

    async def _make(
        self, heard: Heard, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.others.append(heard)
        if self.making is Making.NEVER:
            self._held.add("making")
            await self._tell()
            await reader.read()
            self.gone.set()
            return
        is_raw = isinstance(self.made, bytes)
        body = self.made if isinstance(self.made, bytes) else json.dumps(self.made).encode()
        whole = whole_answer(200, body, {"content-type": "audio/wav"} if is_raw else _JSON)
        writer.write(whole[: len(whole) // 2] if self.making is Making.CUT else whole)
        await writer.drain()

    async def _answer_other(self, heard: Heard) -> bytes:
        answer: object
        match heard.path.strip("/").split("/"):
            case ["control", *rest]:
                answer = await self._control(rest, heard.body)
                return whole_answer(200, json.dumps(answer).encode(), _JSON)
            case ["api", "tags"]:
                answer = {"models": self.tags}
            case ["api", "show"]:
                answer = self.shown
            case ["api", "embed"]:
                answer = {"embeddings": self._embedded(heard.body)}
            case ["v1", "embeddings"]:
                made = enumerate(self._embedded(heard.body))
                answer = {"data": [{"index": at, "embedding": it} for at, it in made][::-1]}
            case ["v1", "models"]:
                answer = {"object": "list", "data": self.listed}
            case _ if heard.path in self.beside:
                answer = self.beside[heard.path]
            case _:
                self.others.append(heard)
                return whole_answer(404, b"404 page not found", {"content-type": "text/plain"})
        self.others.append(heard)
        if "status" in self.shown and heard.path == "/api/show":
            told = json.dumps({"error": self.shown.get("error", "no such model")}).encode()
            return whole_answer(self.shown["status"], told, _JSON)
        return whole_answer(200, json.dumps(answer).encode(), _JSON)

    def _embedded(self, body: Any) -> list[list[float]]:
        self.embedded += body["input"]
        return [vector_of(it, self.alike) for it in body["input"]]

    async def _control(self, words: list[str], body: Any) -> object:
        match words:
            case ["script"]:
                self.script(body)
            case ["release", name]:
                self.release(name)
            case ["held", name]:
                await self.held(name)
            case ["asked", number]:
                return (await self.asked(int(number))).told()
            case ["requests"]:
                return [asked.told() for asked in self.requests]
        return {"faults": self.faults}


def _body(refused: Step, speaker: Speaker) -> bytes:
    if refused.get("body") is not None:
        return str(refused["body"]).encode()
    return json.dumps(speaker.refusal(refused.get("message", ""), refused.get("kind", ""))).encode()


def _texts(value: object) -> list[str]:
    """Every text in a JSON value, in order, but for those that only say what is what."""
    match value:
        case str():
            return [value]
        case dict():
            return [it for name in value if name not in _LABELS for it in _texts(value[name])]
        case list():
            return [it for each in value for it in _texts(each)]
        case _:
            return []


def _is_replied(told: dict[str, Any]) -> bool:
    """Whether the model said this itself, as a message or as an item."""
    if "role" in told:
        return bool(told["role"] == "assistant")
    return told["type"] != "function_call_output"


def _gone(error: Exception) -> bool:
    """Whether somebody only hung up."""
    return isinstance(error, ConnectionError)


async def _run(replies: list[Any]) -> None:
    """Serve until the input closes, so that nothing is left of it when its starter ends."""
    async with ModelServer() as server:
        server.script(replies)
        print(server.url, flush=True)  # noqa: T201 -- this is how its starter finds it
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, sys.stdin.buffer.read)


if __name__ == "__main__":
    asyncio.run(_run(json.loads(Path(sys.argv[1]).read_text("utf-8")) if sys.argv[1:] else []))
