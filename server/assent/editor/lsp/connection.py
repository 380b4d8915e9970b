"""Runs the server on the connection to an editor, from its opening to its end.

The house stands before the first message is served, and falls before the process ends, whatever
ended the connection: `exit`, the end of the stream, a signal, broken framing. A house that does
not fall in time is left behind, so that no server outlives its editor.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final

from lsprotocol import types

from assent import __version__
from assent.editor.lsp.frames import Frames
from assent.editor.lsp.messages import CALLABLE, new_converter
from assent.editor.lsp.outbox import Limits, Outbox
from assent.editor.lsp.overrides import Ending, GateServer
from assent.editor.lsp.transport import AssentProtocol, Message
from assent.editor.lsp.wire import Wire
from assent.editor.protocol.shapes import Shape
from assent.gate.call.errors import EditorRefused
from assent.gate.values import field, frozen

__all__ = ["AssentServer", "Compose", "Handler", "House", "run"]

_FORCED_EXIT_DELAY_S: Final = 10.0
_CLOSE_TIMEOUT_S: Final = 1.0
"""Less than editors wait for the answer to `shutdown`."""
_FLUSH_TIMEOUT_S: Final = 1.0
"""How long the editor has to read the last answers."""

_READ_BYTES: Final = 64 * 1024
"""How much is read at once; asyncio's own 256 KiB would be mapped and unmapped at each read."""

_log = logging.getLogger(__name__)

Handler = Callable[[Any], Shape | Awaitable[Shape | None] | None]
"""Takes the parameters in their shape; an `async` one runs beside the others."""


async def _nothing() -> None:
    """Nothing is to be done."""


@frozen(kw_only=True)
class House:
    """What the editor finds behind the connection."""

    handlers: Mapping[str, Handler] = field(factory=dict)
    """By method: those of `METHODS`, and notifications of LSP such as `initialized`."""
    leaving: Callable[[], Awaitable[None]] = _nothing
    """Begun when the editor asks to shut down; it still answers what it is asked meanwhile."""
    caught_up: Callable[[int], None] = lambda _: None
    """Told how many messages of `Wire.stream` were lost, once the editor reads again."""
    missed: Callable[[], None] = lambda: None
    """Told where something that the editor said could not be understood."""


class AssentServer(GateServer):
    """The server of pygls, in which the handlers of a house are registered."""

    protocol: AssentProtocol  # pyright: ignore[reportIncompatibleVariableOverride] -- set once, by `protocol_cls`

    def __init__(self, *, frames: Frames, writer: int, limits: Limits | None = None) -> None:
        super().__init__(
            "assent",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=AssentProtocol,
            converter_factory=new_converter,
        )
        self._house = House()
        self._outbox = Outbox(
            writer,
            caught_up=self._tell_caught_up,
            broken=lambda because: self.protocol.end(1, because),
            limits=limits,
        )
        self.protocol.connect(self._outbox, frames)
        self.wire = Wire(self._outbox, self.protocol.send_request_async)
        self.opening: Message = {}
        """The parameters of `initialize`, as they came."""

    def welcome(self, opening: Message) -> None:
        """Take the opening, which has been answered already."""
        self.opening = opening["params"]
        self.protocol.adopt(opening)

    def serve(self, house: House) -> None:
        """Let the house serve what has come and what comes."""
        self._house = house
        self.protocol.missed = house.missed
        for name, handler in house.handlers.items():
            if name not in CALLABLE and name not in types.METHOD_TO_TYPES:
                raise ValueError(f"{name} is neither of the table nor of LSP")
            self.feature(name)(handler)
        self._serve_leaving()
        self.protocol.open_up()

    async def say_the_last(self) -> None:
        """Give the editor a while to read what is written, and write no more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_FLUSH_TIMEOUT_S):
                await self._outbox.drained()
        self._outbox.close()

    def _serve_leaving(self) -> None:
        @self.feature(types.SHUTDOWN)
        async def leave(*_: object) -> None:
            # What an editor waits for at its end is short, whatever becomes of it.
            try:
                async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                    await self._house.leaving()
            except Exception as error:  # noqa: BLE001 -- the editor leaves all the same
                self.report_server_error(error, types.SHUTDOWN)

    def _tell_caught_up(self, lost: int) -> None:
        _log.warning("The editor did not read for a while; %s messages were not sent.", lost)
        self._house.caught_up(lost)


Compose = Callable[[AssentServer], AbstractAsyncContextManager[House]]
"""Builds the house. It may already ask the editor; what the editor asks waits until it stands."""


async def run(
    compose: Compose, *, opening: Message, frames: Frames, reader: int, writer: int
) -> int:
    """Serve one editor until it leaves; what the process should exit with."""
    server = AssentServer(frames=frames, writer=writer)
    server.welcome(opening)
    ended = server.protocol.ended
    ended.add_done_callback(_end_in_time)
    _end_on_signals(server.protocol)
    _listen(reader, server.protocol)
    try:
        await _live(compose, server)
    except* EditorRefused:
        # What the house asked while it was built, of an editor that left meanwhile.
        if not ended.done():
            raise
    finally:
        server.protocol.end(1, "The server failed.")
    await server.say_the_last()
    return ended.result().code


async def _live(compose: Compose, server: AssentServer) -> None:
    try:
        async with compose(server) as house:
            server.serve(house)
            await server.protocol.ended
    finally:
        await server.protocol.finish()


def _listen(reader: int, protocol: AssentProtocol) -> None:
    """Hand what the editor says to the protocol, until either of them ends."""
    loop = asyncio.get_running_loop()
    protocol.feed(b"")
    if protocol.ended.done():
        return
    os.set_blocking(reader, False)
    loop.add_reader(reader, _hear, reader, protocol)
    protocol.ended.add_done_callback(lambda _: loop.remove_reader(reader))


def _hear(reader: int, protocol: AssentProtocol) -> None:
    try:
        data = os.read(reader, _READ_BYTES)
    except BlockingIOError:
        return
    except OSError:
        data = b""
    if data:
        protocol.feed(data)
    else:
        protocol.feed_end()


def _end_on_signals(protocol: AssentProtocol) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        because = f"The server was told to end by {number.name}."
        loop.add_signal_handler(number, protocol.end, 128 + number, because)


def _end_in_time(ended: asyncio.Future[Ending]) -> None:
    ending = ended.result()
    level = logging.WARNING if ending.code else logging.INFO
    _log.log(level, "The connection is over. %s", ending.because)
    ended.get_loop().call_later(_FORCED_EXIT_DELAY_S, _leave, ending.code or 1)


def _leave(code: int) -> None:
    _log.error(
        "The server did not end within %s seconds, and is left as it is.", _FORCED_EXIT_DELAY_S
    )
    logging.shutdown()
    os._exit(code)
