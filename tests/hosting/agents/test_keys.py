"""The key of a server that an agent was handed: it lets one program in, once, and nobody else."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest
from attrs import define, field

from assent.hosting.hooks.gate_hook import KEY, PROOF_LETTERS, SOCKET, proof_of, said_by
from assent.hosting.hooks.hook_channel import HookChannel
from assent.hosting.hooks.hook_socket import HookSocket
from assent.hosting.servers.message_seal import SealedMessages
from hosting.eliza.rig import BOUND

GUESSED = bytes(32)


@define
class Came:
    """A program at the socket, which says what the test says; nothing of ours helps it."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    nonces: tuple[str, str] = ("", "")

    async def hello(self, name: str) -> bool:
        """Greet; whether anybody answers."""
        mine = os.urandom(16).hex()
        self._send(name=name, nonce=mine, tool="")
        line = await self._until_end(self.reader.readline())
        self.nonces = (mine, orjson.loads(line)["nonce"] if line else "")
        return bool(line)

    def prove(self, key: bytes) -> None:
        """Say that it has the key."""
        self._send(length="0", proof=proof_of(key, "hook", self.nonces, "0"))

    async def echoed(self, key: bytes) -> bool:
        """Whether whoever is behind the key answers it."""
        text = b"anybody there"
        proof = proof_of(key, said_by("pipe", 1), self.nonces, text.decode())
        self.writer.write(len(text).to_bytes(4, "big") + proof.encode() + text)
        came = await self._until_end(self.reader.read(4 + PROOF_LETTERS + len(text)))
        return came.endswith(text)

    def _send(self, **message: str) -> None:
        self.writer.write(orjson.dumps(message) + b"\n")

    async def _until_end(self, coming: object) -> bytes:
        async with asyncio.timeout(BOUND):
            try:
                return bytes(await coming)  # type: ignore[misc]  # a reader's
            except ConnectionError:
                return b""


@define
class Place:
    """A socket of the gate, and who was let in there."""

    socket: HookSocket
    let_in: list[SealedMessages] = field(factory=list)
    came: list[Came] = field(factory=list)

    async def channel(self) -> HookChannel:
        """The way to a server that says everything again."""
        return await self.socket.open(pipe=self._echo)

    async def program(self, channel: HookChannel) -> Came:
        """Somebody who has found the socket."""
        here = os.open(channel.folder, os.O_RDONLY)
        try:
            found = Came(*await asyncio.open_unix_connection(f"/proc/self/fd/{here}/{SOCKET}"))
        finally:
            os.close(here)
        self.came.append(found)
        return found

    async def gets_in(self, channel: HookChannel, name: str, key: bytes) -> bool:
        """Whether somebody who knows this name and this key is let in."""
        one = await self.program(channel)
        if not await one.hello(name):
            return False
        one.prove(key)
        return await one.echoed(key)

    async def _echo(self, stream: SealedMessages) -> None:
        self.let_in.append(stream)
        while (text := await stream.hear()) is not None:
            stream.say(text)


@pytest.fixture
async def place(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Place]:
    async with asyncio.TaskGroup() as group:
        it = Place(HookSocket(tmp_path / "state" / "sockets", group))
        yield it
        for one in it.came:
            one.writer.close()
        it.socket.close()
    # Whoever is turned away is turned away knowingly.
    assert [it for it in caplog.get_records("call") if it.levelno >= logging.ERROR] == []


async def test_who_kept_the_key_does_not_get_in_a_second_time(place: Place) -> None:
    channel = await place.channel()
    file = channel.folder / (channel.name + KEY)
    kept = file.read_bytes()
    assert await place.gets_in(channel, channel.name, kept)
    assert not file.exists()
    # Also where it is put back.
    file.write_bytes(kept)
    file.chmod(0o600)
    assert not await place.gets_in(channel, channel.name, kept)
    assert len(place.let_in) == 1


async def test_of_two_that_were_greeted_at_once_one_gets_in(place: Place) -> None:
    channel = await place.channel()
    first, second = await place.program(channel), await place.program(channel)
    assert await first.hello(channel.name)
    assert await second.hello(channel.name)
    first.prove(channel.key)
    assert await first.echoed(channel.key)
    second.prove(channel.key)
    assert not await second.echoed(channel.key)
    assert len(place.let_in) == 1


@pytest.mark.parametrize("key", [GUESSED, b""], ids=["guessed", "absent"])
async def test_who_has_another_key_or_none_is_not_let_in_and_spends_nothing(
    place: Place, key: bytes
) -> None:
    channel = await place.channel()
    assert not await place.gets_in(channel, channel.name, key)
    assert place.let_in == []
    assert await place.gets_in(channel, channel.name, channel.key)


async def test_what_somebody_else_said_to_get_in_is_no_key(place: Place) -> None:
    channel = await place.channel()
    first, second = await place.program(channel), await place.program(channel)
    assert await first.hello(channel.name)
    assert await second.hello(channel.name)
    # The proof of one conversation, said in another.
    second_own, second.nonces = second.nonces, first.nonces
    second.prove(channel.key)
    second.nonces = second_own
    assert not await second.echoed(channel.key)
    assert place.let_in == []


async def test_a_key_leads_to_its_own_server_alone(place: Place) -> None:
    one, other = await place.channel(), await place.channel()
    assert not await place.gets_in(one, one.name, other.key)
    assert not await place.gets_in(one, "", one.key)
    assert not await place.gets_in(one, one.name + "0", one.key)
    assert place.let_in == []


async def test_the_key_of_an_agents_hook_leads_to_no_server(place: Place) -> None:
    async def rule(_: str) -> str:
        return "{}"

    channel, hook = await place.channel(), await place.socket.open(rule)
    assert not await place.gets_in(channel, hook.name, hook.key)
    assert not await place.gets_in(channel, channel.name, hook.key)
    assert place.let_in == []


async def test_a_key_lets_nobody_in_once_its_session_is_over(place: Place) -> None:
    channel = await place.channel()
    place.socket.shut(channel)
    assert not await place.gets_in(channel, channel.name, channel.key)
    waits = await place.channel()
    greeted = await place.program(waits)
    assert await greeted.hello(waits.name)
    place.socket.shut(waits)
    greeted.prove(waits.key)
    assert not await greeted.echoed(waits.key)
    assert place.let_in == []
