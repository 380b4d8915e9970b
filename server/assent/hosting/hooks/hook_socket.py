"""The socket where agents' hooks ask, in a private folder, with a key for each agent.

Who connects has the same user id whoever it is, so that proves nothing: each end proves a key
that lies beside the socket, in a folder that asks in every mode whoever would look into it. A
conversation that is not as it should be is broken off, and then the hook refuses. Whoever has not
proven the key is one of few, and no more than a line of theirs is held.

Where the folder was removed, hooks find nobody and refuse; the next agent gets another folder.
"""

import asyncio
import contextlib
import logging
import os
import shutil
import socket
import sys
from functools import partial
from pathlib import Path
from typing import Final

from assent.gate.settings.private_files import alone_in, make_private
from assent.gate.values import define, field
from assent.hosting.hooks.gate_hook import KEY, SOCKET
from assent.hosting.hooks.hook_channel import HookChannel, Pipe, Rule
from assent.hosting.hooks.hook_conversation import Broken, converse
from assent.hosting.servers.message_seal import Unsealed

__all__ = ["HookSocket", "is_offered"]

_LOG = logging.getLogger(__name__)

_MAX_CONVERSATIONS: Final = 1_000
"""So many conversations are under way at most; whoever comes then is refused by its hook."""
_MAX_STRANGERS: Final = 64
"""So many have not proven the key yet at most; the one that came first makes room for another."""
_MAX_LINE_BYTES: Final = 16 * 1024
"""In bytes: what is read of whoever has not proven the key."""
_MAX_PATH_BYTES: Final = 100


def is_offered() -> bool:
    """Whether this system has such sockets."""
    return hasattr(socket, "AF_UNIX") and sys.platform != "win32"


@define(eq=False)
class HookSocket:
    """One for each server; it is there from the first agent on that has hooks."""

    _parent: Path
    _group: asyncio.TaskGroup
    _folder: Path | None = None
    _bound: tuple[int, int] | None = None
    """Which file the socket is."""
    _server: asyncio.Server | None = None
    _channels: dict[str, HookChannel] = field(factory=dict)
    _heard: set[asyncio.StreamWriter] = field(factory=set)
    """Those of the conversations that are under way."""
    _strangers: dict[asyncio.StreamWriter, None] = field(factory=dict)
    """Those of whoever has not proven the key yet, the first that came first."""
    _opening: asyncio.Lock = field(factory=asyncio.Lock)

    async def open(
        self, rule: Rule | None = None, name: str = "", pipe: Pipe | None = None
    ) -> HookChannel:
        """Let the hooks of one more agent ask, or one program in that it runs as a server of tools.

        Raises `OSError` where there can be no socket.

        The name is what they know it by; where none is given, it is one that nobody guesses.
        """
        async with self._opening:
            if not self._is_there():
                self._leave()
                await self._listen()
            folder = self._folder
        assert folder is not None  # noqa: S101 -- it has just been made, or is there
        name, key = name or os.urandom(8).hex(), os.urandom(32)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        file = os.open(folder / (name + KEY), flags, 0o600)
        try:
            os.write(file, key)
        finally:
            os.close(file)
        channel = self._channels[name] = HookChannel(
            folder=folder, name=name, key=key, rule=rule, pipe=pipe
        )
        return channel

    def leads_here(self, channel: HookChannel) -> bool:
        """Whether hooks still find the gate through a channel."""
        return self._channels.get(channel.name) is channel and self._is_there()

    def shut(self, channel: HookChannel) -> None:
        """Let the hooks of one agent ask nothing more."""
        self._channels.pop(channel.name, None)
        channel.close()

    def close(self) -> None:
        """Nobody asks any more."""
        self._leave()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _is_there(self) -> bool:
        """Whether the socket lies where it was put, and not another in its place."""
        if self._folder is None:
            return False
        try:
            facts = (self._folder / SOCKET).lstat()
        except OSError:
            return False
        return (facts.st_dev, facts.st_ino) == self._bound

    def _leave(self) -> None:
        """Answer nobody who asks where hooks were to ask until now."""
        self._channels.clear()
        if self._server is not None:
            self._server.close()
        for writer in self._heard:
            writer.close()

    async def _listen(self) -> None:
        make_private(self._parent.parent)
        with alone_in(self._parent):
            _clear(self._parent)
            folder = self._parent / os.urandom(4).hex()
            folder.mkdir(mode=0o700)
            listening = _bound(folder)
            facts = (folder / SOCKET).lstat()
        self._server = await asyncio.start_unix_server(
            self._welcome, sock=listening, limit=_MAX_LINE_BYTES
        )
        self._folder, self._bound = folder, (facts.st_dev, facts.st_ino)

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._heard) >= _MAX_CONVERSATIONS:
            writer.close()
            return
        self._heard.add(writer)
        self._strangers[writer] = None
        if len(self._strangers) > _MAX_STRANGERS:
            # Who has the key is done in a moment, so this is the one that only waits.
            first = next(iter(self._strangers))
            del self._strangers[first]
            first.close()
        self._group.create_task(self._attend(reader, writer))

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One conversation; whatever goes wrong in it, the hook is left without an answer."""
        try:
            proven = partial(self._strangers.pop, writer, None)
            await converse(reader, writer, self._channels, proven)
        except (Broken, Unsealed, OSError, TimeoutError) as error:
            _LOG.warning("a hook was turned away: %s", error)
        except Exception:  # noqa: BLE001 -- the supervisor of a conversation: no failure allows
            _LOG.exception("a hook could not be answered")
        finally:
            self._heard.discard(writer)
            self._strangers.pop(writer, None)
            writer.close()


def _bound(folder: Path) -> socket.socket:
    """The socket; under a path that the system does not find too long."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        path = str(folder / SOCKET)
        is_long = len(os.fsencode(path)) > _MAX_PATH_BYTES and sys.platform.startswith("linux")
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
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            # Whoever listens there without ever taking anybody in would have us wait.
            client.setblocking(False)
            try:
                client.connect(str(folder / SOCKET))
            except ConnectionRefusedError:
                shutil.rmtree(folder, ignore_errors=True)
