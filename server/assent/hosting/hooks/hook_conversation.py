"""The conversation between a hook and the gate, from the greeting to the ruling.

A program that an agent runs as a server of tools greets as a hook does, and is let in once.

Whatever is not said as it should be breaks the conversation off, and then the hook refuses.
"""

import asyncio
import hmac
import os
from collections.abc import Callable, Coroutine, Mapping, MutableMapping
from typing import Final

import orjson

from assent.gate.call.errors import AssentError
from assent.hosting.hooks.gate_hook import MAX_MESSAGE_BYTES, proof_of
from assent.hosting.hooks.hook_channel import HookChannel
from assent.hosting.servers.message_seal import SealedMessages

__all__ = ["Broken", "converse"]

_HANDSHAKE_TIMEOUT_S: Final = 30.0
"""In seconds; after it only a person may take long."""
_NONCE_LETTERS: Final = 32


class Broken(AssentError):
    """A conversation that is not as it should be."""


async def converse(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    channels: MutableMapping[str, HookChannel],
    proven: Callable[[], object],
) -> None:
    """Have a hook's call ruled on, or let a program in that an agent runs as a server of tools.

    `proven` is told once it is surely one of these.
    """
    async with asyncio.timeout(_HANDSHAKE_TIMEOUT_S):
        channel, nonces, length = await _greeted(reader, writer, channels)
        proven()
        body = b"" if channel.rule is None else await _exactly(reader, length)
    if channel.pipe is not None:
        # Nobody else comes in by this key: from here on it seals what these two say.
        del channels[channel.name]
        channel.close()
        await channel.pipe(SealedMessages(reader, writer, channel.key, nonces))
        return
    asked = _read(body, "call", "proof")
    _insist(channel, "call", nonces, asked["call"], asked["proof"])
    assert channel.rule is not None  # noqa: S101 -- it is for hooks where it is for no pipe
    answer = await _unless_gone(reader, channel.rule(asked["call"]))
    if channels.get(channel.name) is not channel:
        raise Broken("its agent is gone")
    _send(writer, answer=answer, proof=proof_of(channel.key, "ruling", nonces, answer))
    await writer.drain()


async def _greeted(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, channels: Mapping[str, HookChannel]
) -> tuple[HookChannel, tuple[str, str], str]:
    """Which channel it came to, once both ends have proven the key, and how much it has to say."""
    hello = await _hear(reader, "name", "nonce", "tool")
    channel = channels.get(hello["name"])
    if channel is None or len(hello["nonce"]) != _NONCE_LETTERS:
        raise Broken("nobody knows it")
    nonces = (hello["nonce"], os.urandom(_NONCE_LETTERS // 2).hex())
    proof = proof_of(channel.key, "gate", nonces, hello["tool"])
    _send(writer, nonce=nonces[1], proof=proof)
    message = await _hear(reader, "length", "proof")
    _insist(channel, "hook", nonces, message["length"], message["proof"])
    if channels.get(channel.name) is not channel:
        # Two came by a key that lets one in, and this is the one that was later.
        raise Broken("nobody knows it any more")
    return channel, nonces, message["length"]


def _send(writer: asyncio.StreamWriter, **message: str) -> None:
    writer.write(orjson.dumps(message) + b"\n")


def _insist(
    channel: HookChannel, role: str, nonces: tuple[str, str], text: str, proof: str
) -> None:
    if not hmac.compare_digest(proof_of(channel.key, role, nonces, text).encode(), proof.encode()):
        raise Broken("it has not the key")


async def _hear(reader: asyncio.StreamReader, *members: str) -> dict[str, str]:
    """The next line, with these members and no others, each a text."""
    try:
        line = await reader.readline()
    except ValueError as error:
        raise Broken("it says too much") from error
    return _read(line, *members)


async def _exactly(reader: asyncio.StreamReader, length: str) -> bytes:
    """So many bytes, of somebody who has the key."""
    many = int(length) if length.isascii() and length.isdecimal() else -1
    if not 0 < many <= MAX_MESSAGE_BYTES:
        raise Broken("it says too much")
    try:
        return await reader.readexactly(many)
    except asyncio.IncompleteReadError as error:
        raise Broken("it broke off") from error


def _read(line: bytes, *members: str) -> dict[str, str]:
    try:
        message = orjson.loads(line)
    except ValueError as error:
        raise Broken("it does not speak as a hook does") from error
    if not isinstance(message, dict) or message.keys() != set(members):
        raise Broken("it does not speak as a hook does")
    if not all(isinstance(value, str) for value in message.values()):
        raise Broken("it does not speak as a hook does")
    return message


async def _unless_gone(reader: asyncio.StreamReader, ruling: Coroutine[None, None, str]) -> str:
    """The answer, unless the hook is ended before: then nobody waits for a person any more."""
    async with asyncio.TaskGroup() as group:
        ruled, left = group.create_task(ruling), group.create_task(reader.read(1))
        await asyncio.wait((ruled, left), return_when=asyncio.FIRST_COMPLETED)
        if not ruled.done():
            ruled.cancel()
        left.cancel()
    if ruled.cancelled():
        raise Broken("it left before it was answered")
    return ruled.result()
