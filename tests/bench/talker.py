"""A fake model in a process of its own, which does what the last prompt's words say.

It speaks the OpenAI dialect, and takes the time itself: of each request that has come, and of each
piece that it has handed to the system. The clock is the machine's, which all processes share.

    say                        a few words
    stream COUNT RATE          so many deltas, so many a second, by a timer
    call TOOL ARGUMENTS        one call, and its reply stays open for a moment
    calls COUNT PATH           so many calls that write files of their own below a path
    mixed COUNT                so many calls of several tools, which write, read and run

What was written down is at `/notes`, as JSON. The process ends when its input does.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from models.http11 import LAST_CHUNK, Heard, chunk, head, read_request, whole_answer
from models.spoken import OpenAI

__all__ = ["numbered"]

_OPEN_FOR: Final = 0.15
"""How long a reply stays open behind its call: longer than a call takes to begin."""
_PARAGRAPH: Final = 60
_FENCE: Final = 600
_FENCED: Final = 40


@dataclass(kw_only=True)
class Notes:
    """When what happened, in ns."""

    asked: list[int] = field(default_factory=list)
    """When each request was there."""
    written: list[int] = field(default_factory=list)
    """When each delta of the last stream was written."""
    called: list[int] = field(default_factory=list)
    """When the last byte of each single call was written, and the wall clock's time of it."""
    called_at: list[int] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Talk:
    """One reply."""

    writer: asyncio.StreamWriter
    notes: Notes
    speaker: OpenAI = field(default_factory=lambda: OpenAI("tiny"))

    async def send(self, piece: bytes) -> None:
        """Hand a piece to the system at once."""
        self.writer.write(chunk(piece))
        await self.writer.drain()


async def _say(talk: Talk, _: list[str]) -> None:
    await talk.send(talk.speaker.text("Here I am."))


async def _stream(talk: Talk, words: list[str]) -> None:
    count, rate = int(words[0]), float(words[1])
    talk.notes.written = written = []
    began = time.monotonic()
    async for number in _paced(count, rate, began):
        piece = chunk(talk.speaker.text(numbered(number)))
        written.append(time.monotonic_ns())
        talk.writer.write(piece)
        await talk.writer.drain()


async def _call(talk: Talk, words: list[str]) -> None:
    tool, arguments = words[0], " ".join(words[1:])
    *before, last = (it for it in talk.speaker.call({"call": tool, "arguments": arguments}) if it)
    for piece in before:
        await talk.send(piece)
    talk.notes.called.append(time.monotonic_ns())
    talk.notes.called_at.append(time.time_ns())
    await talk.send(last)
    await _moment(time.monotonic() + _OPEN_FOR)


async def _calls(talk: Talk, words: list[str]) -> None:
    for number in range(int(words[0])):
        given = {"path": f"{words[1]}-{number}.txt", "content": f"{words[1]} {number}\n"}
        for piece in talk.speaker.call({"call": "write_file", "arguments": given}):
            await talk.send(piece)


async def _mixed(talk: Talk, words: list[str]) -> None:
    # A model that says the same again and again is stopped, so each call is its own.
    mark = time.monotonic_ns()
    for number in range(int(words[0])):
        await talk.send(talk.speaker.text(f"Now for number {number} of {mark}. "))
        tool, given = _MIXED[number % len(_MIXED)]
        arguments = json.loads(json.dumps(given).replace("NUMBER", f"{mark}-{number}"))
        for piece in talk.speaker.call({"call": tool, "arguments": arguments}):
            await talk.send(piece)


_MIXED: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("read_file", {"path": "README.md"}),
    ("run_command", {"command": "seq 1500; echo NUMBER"}),
    ("write_file", {"path": "out/NUMBER.txt", "content": "a line of text\n" * 100}),
    ("search_text", {"pattern": "NUMBER", "path": "README.md"}),
)


_WAYS: Final[dict[str, Callable[[Talk, list[str]], Any]]] = {
    "say": _say,
    "stream": _stream,
    "call": _call,
    "calls": _calls,
    "mixed": _mixed,
}


def numbered(number: int) -> str:
    """A delta that ends with its number, such that all of them make a message as models write."""
    if number and number % _FENCE == 0:
        return f"\n\n```python\nx = {number} "
    if number > _FENCED and number % _FENCE < _FENCED:
        return f"\nx = {number} "
    if number > _FENCED and number % _FENCE == _FENCED:
        return f"\n```\n\nso {number} "
    if number and number % _PARAGRAPH == 0:
        return f"\n\nso {number} "
    return f"word {number} "


async def _paced(count: int, rate: float, began: float) -> AsyncIterator[int]:
    """Each number when its time has come; those that are late come at once."""
    for number in range(count):
        await _moment(began + number / rate)
        yield number


async def _moment(at: float) -> None:
    """Wait until the clock says so, by a timer; not at all where it does already."""
    if at > time.monotonic():
        rings = asyncio.Event()
        asyncio.get_running_loop().call_at(at, rings.set)
        await rings.wait()


async def _serve(notes: Notes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        heard = await read_request(reader)
        if heard.path == "/notes":
            told = json.dumps(asdict(notes)).encode()
            writer.write(whole_answer(200, told, {"content-type": "application/json"}))
        else:
            notes.asked.append(time.monotonic_ns())
            await _reply(heard, Talk(writer=writer, notes=notes))
        await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        # Whoever stops a turn hangs up.
        pass
    finally:
        writer.close()


async def _reply(heard: Heard, talk: Talk) -> None:
    last = heard.body["messages"][-1]
    # Notes of how things stand come before a prompt, in the same message.
    said = last["content"].rpartition("\n\n")[2] if last["role"] == "user" else ""
    words = said.split() or ["say"]
    talk.writer.write(head(200, {"content-type": talk.speaker.content_type}))
    await talk.send(talk.speaker.head())
    # Whoever shortens a conversation asks for notes of it, in words of its own.
    await _WAYS.get(words[0], _say)(talk, words[1:])
    await talk.send(talk.speaker.end())
    talk.writer.write(LAST_CHUNK)


async def _run() -> None:
    notes = Notes()
    server = await asyncio.start_server(
        lambda reader, writer: _serve(notes, reader, writer), "127.0.0.1", 0
    )
    async with server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)


if __name__ == "__main__":
    asyncio.run(_run())
