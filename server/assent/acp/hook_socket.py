"""Where the hooks of agents ask: a socket in a folder of its own, and a key for each agent.

Who connects has the same user id whoever it is, so that proves nothing: each end proves a key
that lies beside the socket, in a folder that asks in every mode whoever would look into it. A
conversation that is not as it should be is broken off, and then the hook refuses.
"""

import asyncio
import contextlib
import hmac
import logging
import os
import shlex
import shutil
import socket
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Final

import orjson
from attrs import define, field, frozen

from assent.acp import gate_hook
from assent.acp.gate_hook import KEY, LARGEST, SOCKET, proof_of
from assent.errors import AssentError
from assent.settings.private_files import alone_in, make_private

__all__ = ["Door", "HookSocket", "Rule", "is_offered"]

_LOG = logging.getLogger(__name__)

Rule = Callable[[str], Coroutine[None, None, str]]
"""Takes a call as a hook was given it, and says what the hook is to print."""

_UNANSWERED: Final = "'Assent: the gate did not answer, so this was not run.'"
_HANDSHAKE: Final = 30.0
"""In seconds; after it only a person may take long."""
_MOST: Final = 1_000
"""So many conversations are under way at most; whoever comes then is refused by its hook."""
_LONGEST_PATH: Final = 100
_NONCE: Final = 32


def is_offered() -> bool:
    """Whether this system has such sockets."""
    return hasattr(socket, "AF_UNIX") and sys.platform != "win32"


class _Broken(AssentError):
    """A conversation that is not as it should be."""


@frozen(kw_only=True, eq=False)
class Door:
    """What one agent's hooks need, and who rules on what comes through."""

    folder: Path
    name: str
    key: bytes = field(repr=False)
    rule: Rule

    def line(self, tool: str, seconds: float) -> str:
        """The command line of the hook: one that is missing or breaks refuses, too."""
        hook = (sys.executable, "-I", "-S", gate_hook.__file__)
        words = shlex.join((*hook, str(self.folder), self.name, tool, f"{seconds:g}"))
        return f"{words} || {{ echo {_UNANSWERED} >&2; exit 2; }}"

    def put(self, files: Mapping[str, str]) -> str:
        """Files that the agent is to read, in a folder beside the key; that folder's path."""
        for name, text in files.items():
            path = self._own / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return str(self._own)

    @property
    def _own(self) -> Path:
        return self.folder / f"{self.name}.d"

    def close(self) -> None:
        """Nobody is ruled on here any more."""
        shutil.rmtree(self._own, ignore_errors=True)
        (self.folder / (self.name + KEY)).unlink(missing_ok=True)


@define(eq=False)
class HookSocket:
    """One for each server; it is there from the first agent on that has hooks."""

    _parent: Path
    _group: asyncio.TaskGroup
    _folder: Path | None = None
    _server: asyncio.Server | None = None
    _doors: dict[str, Door] = field(factory=dict)
    _heard: set[asyncio.StreamWriter] = field(factory=set)
    """Those of the conversations that are under way."""
    _opening: asyncio.Lock = field(factory=asyncio.Lock)

    async def open(self, rule: Rule) -> Door:
        """Let the hooks of one more agent ask; raises `OSError` where there can be no socket."""
        async with self._opening:
            folder = self._folder = self._folder or await self._listen()
        name, key = os.urandom(8).hex(), os.urandom(32)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        file = os.open(folder / (name + KEY), flags, 0o600)
        try:
            os.write(file, key)
        finally:
            os.close(file)
        door = self._doors[name] = Door(folder=folder, name=name, key=key, rule=rule)
        return door

    def shut(self, door: Door) -> None:
        """Let the hooks of one agent ask nothing more."""
        self._doors.pop(door.name, None)
        door.close()

    def close(self) -> None:
        """Nobody asks any more."""
        self._doors.clear()
        if self._server is not None:
            self._server.close()
        for writer in self._heard:
            writer.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    async def _listen(self) -> Path:
        make_private(self._parent.parent)
        with alone_in(self._parent):
            _clear(self._parent)
            folder = self._parent / os.urandom(4).hex()
            folder.mkdir(mode=0o700)
            listening = _bound(folder)
        self._server = await asyncio.start_unix_server(self._welcome, sock=listening, limit=LARGEST)
        return folder

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._heard) >= _MOST:
            writer.close()
            return
        self._heard.add(writer)
        self._group.create_task(self._attend(reader, writer))

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One conversation; whatever goes wrong in it, the hook is left without an answer."""
        try:
            await self._converse(reader, writer)
        except (_Broken, OSError, TimeoutError) as error:
            _LOG.warning("a hook was turned away: %s", error)
        except Exception:  # noqa: BLE001 -- the supervisor of a conversation: no failure allows
            _LOG.exception("a hook could not be answered")
        finally:
            self._heard.discard(writer)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HANDSHAKE):
            hello = await _hear(reader, "name", "nonce", "tool")
            door = self._doors.get(hello["name"])
            if door is None or len(hello["nonce"]) != _NONCE:
                raise _Broken("nobody knows it")
            nonces = (hello["nonce"], os.urandom(_NONCE // 2).hex())
            proof = proof_of(door.key, "gate", nonces, hello["tool"])
            _send(writer, nonce=nonces[1], proof=proof)
            asked = await _hear(reader, "call", "proof")
        expected = proof_of(door.key, "call", nonces, asked["call"])
        if not hmac.compare_digest(expected.encode(), asked["proof"].encode()):
            raise _Broken("it has not the key")
        answer = await _unless_gone(reader, door.rule(asked["call"]))
        if self._doors.get(door.name) is not door:
            raise _Broken("its agent is gone")
        _send(writer, answer=answer, proof=proof_of(door.key, "ruling", nonces, answer))
        await writer.drain()


def _send(writer: asyncio.StreamWriter, **message: str) -> None:
    writer.write(orjson.dumps(message) + b"\n")


async def _hear(reader: asyncio.StreamReader, *members: str) -> dict[str, str]:
    """The next line, with these members and no others, each a text."""
    try:
        line = await reader.readline()
        message = orjson.loads(line)
    except ValueError as error:
        raise _Broken("it does not speak as a hook does") from error
    if not isinstance(message, dict) or message.keys() != set(members):
        raise _Broken("it does not speak as a hook does")
    if not all(isinstance(value, str) for value in message.values()):
        raise _Broken("it does not speak as a hook does")
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
        raise _Broken("it left before it was answered")
    return ruled.result()


def _bound(folder: Path) -> socket.socket:
    """The socket; under a path that the system does not find too long."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        path = str(folder / SOCKET)
        is_long = len(os.fsencode(path)) > _LONGEST_PATH and sys.platform.startswith("linux")
        listening.bind(f"/proc/self/fd/{inside}/{SOCKET}" if is_long else path)
        listening.listen()
    except BaseException:
        listening.close()
        raise
    finally:
        os.close(inside)
    listening.setblocking(False)
    return listening


def _clear(parent: Path) -> None:
    """Remove what servers left behind that were killed."""
    for folder in parent.iterdir():
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as one:
            try:
                one.connect(str(folder / SOCKET))
            except ConnectionRefusedError:
                shutil.rmtree(folder, ignore_errors=True)
