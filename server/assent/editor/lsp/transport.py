"""The connection to one editor: checks every message before pygls sees it.

A message passes if its method is served, its key is free and the server is not shutting down. A
question that does not pass is answered at once, and no message stops the reading of the next. A
stream whose framing is broken ends the connection, and so does its end.
"""

import json
import logging
from collections.abc import Callable
from typing import Any, Final

import orjson
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from assent.editor.lsp.frames import MAX_FRAME_BYTES, BrokenFraming, Frames, TooLarge
from assent.editor.lsp.messages import CALLABLE
from assent.editor.lsp.outbox import Outbox
from assent.editor.lsp.overrides import GateProtocol
from assent.editor.lsp.refusals import (
    CANCELLED,
    FAILED,
    INVALID,
    MALFORMED,
    UNKNOWN,
    UNREADABLE,
    key_of,
)
from assent.editor.lsp.too_large import envelope_of
from assent.editor.protocol.fingerprint import PROTOCOL_HASH

__all__ = ["AssentProtocol", "Message"]

Message = dict[str, Any]

_VERSIONS: Final = "The extension and its server are of different versions; reload the window."
_TOO_LARGE: Final = f"A message may have {MAX_FRAME_BYTES:,} bytes, and this one had more."
_AT_ONCE: Final = frozenset({types.CANCEL_REQUEST, types.SHUTDOWN, types.EXIT})
"""What does not wait for the house."""

_log = logging.getLogger(__name__)


class AssentProtocol(GateProtocol):
    """Admits what the editor says, and hands it to pygls."""

    def connect(self, outbox: Outbox, frames: Frames) -> None:
        """Begin to speak. What comes before `open_up` is kept, in order."""
        self.start(outbox)
        self._frames = frames
        self._held: list[Message] | None = []
        self._is_foreign = False
        self.missed: Callable[[], None] = lambda: None  # Told what nobody could understand.

    def adopt(self, opening: Message) -> None:
        """Go through pygls' own `initialize` for an opening that has been answered already."""
        options = opening["params"].get("initializationOptions")
        protocol_hash = options.get("protocolHash") if isinstance(options, dict) else None
        self._is_foreign = protocol_hash is not None and protocol_hash != PROTOCOL_HASH
        for _ in self.lsp_initialize(self._opening_of(opening["params"])):
            raise AssertionError("a house is built after initialize, not before")

    def open_up(self) -> None:
        """Serve what has come meanwhile, in order, and from now on at once."""
        held, self._held = self._held or [], None
        for message in held:
            self.admit(message)

    def feed(self, data: bytes) -> None:
        """Take bytes of the stream."""
        try:
            for body in self._frames.feed(data):
                if self.ended.done():
                    return
                self._take(body)
        except BrokenFraming as error:
            self.end(1, str(error))

    def feed_end(self) -> None:
        """The stream has ended."""
        where = "within a message" if self._frames.within_a_frame else "between two messages"
        self.end(0 if self._shutdown else 1, f"The editor closed the stream {where}.")

    def admit(self, message: Message) -> None:
        """Pass the message on, keep it until the house stands, or refuse it."""
        method = message.get("method")
        if method is None and "id" in message:
            self.asks.settle(message)
        elif not isinstance(method, str):
            self._refuse(message, MALFORMED, "A message must name its method.")
        elif self._shutdown and method != types.EXIT:
            self._refuse(message, MALFORMED, "The server is shutting down.")
        elif self._held is not None and method not in _AT_ONCE:
            self._held.append(message)
        elif "id" in message:
            self._take_question(method, message)
        else:
            self._take_notice(method, message)

    def _take(self, body: bytes) -> None:
        if isinstance(body, TooLarge):
            self._take_too_large(body)
            return
        try:
            message = orjson.loads(body)
        except orjson.JSONDecodeError:
            self._take_unreadable(body)
            return
        if not isinstance(message, dict):
            self.refuse(None, MALFORMED, "A message must be one object.")
        elif message.get("jsonrpc") != self.VERSION:
            self._refuse(message, MALFORMED, "A message must be of JSON-RPC 2.0.")
        else:
            self.admit(message)

    def _take_unreadable(self, body: bytes) -> None:
        """Nobody shall wait in vain: whose message it was, a laxer reader may still find out."""
        try:
            lax = json.loads(body)
        except (ValueError, RecursionError):
            lax = None
        if not isinstance(lax, dict):
            self.refuse(None, UNREADABLE, "That is not valid JSON.")
        elif "method" not in lax and "id" in lax:
            self.asks.settle({"id": lax["id"], "error": {"message": "it was not valid JSON"}})
        else:
            self._refuse(lax, UNREADABLE, "That is not valid JSON.")
        if not isinstance(lax, dict) or "id" not in lax:
            self.missed()

    def _take_too_large(self, body: TooLarge) -> None:
        """It was passed by: whoever waits for an answer is told, and the next one is read."""
        message = envelope_of(body)
        if "method" not in message and "id" in message:
            self.asks.settle({"id": message["id"], "error": {"message": "it was too large"}})
        elif "method" in message and "id" not in message:
            _log.warning("A message was not taken: %s", _TOO_LARGE)
            self.missed()
        else:
            self.refuse(key_of(message), INVALID, _TOO_LARGE)

    def _refuse(self, message: Message, code: int, sentence: str) -> None:
        if "id" in message and "method" in message:
            self.refuse(key_of(message), code, sentence)
        else:
            _log.warning("A message was not taken: %s", sentence)

    def _take_question(self, method: str, message: Message) -> None:
        key = key_of(message)
        if key is None:
            self._refuse(message, MALFORMED, "An id must be a string or a whole number.")
        elif key in self._request_futures:
            self._refuse(message, MALFORMED, "A question with this id is still open.")
        elif method == types.INITIALIZE:
            self._refuse(message, MALFORMED, "The server is initialized already.")
        elif self._is_foreign and method in CALLABLE:
            self._refuse(message, FAILED, _VERSIONS)
        elif not (self._is_served(method) and self.get_result_type(method)):
            self._refuse(message, UNKNOWN, "The server does not know this method.")
        else:
            self._pass_on(message)

    def _take_notice(self, method: str, message: Message) -> None:
        if method == types.CANCEL_REQUEST:
            self._cancel(message.get("params"))
        elif self._is_served(method) and not self.get_result_type(method):
            self._pass_on(message)
        elif not method.startswith("$/"):
            self._refuse(message, UNKNOWN, "The server does not know this method.")

    def _is_served(self, method: str) -> bool:
        return method in self.fm.builtin_features or method in self.fm.features

    def _pass_on(self, message: Message) -> None:
        """Let pygls serve the message if its parameters are in shape."""
        try:
            typed = self.structure_message(message)
        except JsonRpcInvalidParams as error:
            self._refuse(message, INVALID, error.message)
            if "id" not in message:
                self.missed()
            return
        self.handle_message(typed)

    def _cancel(self, params: object) -> None:
        key = key_of(params) if isinstance(params, dict) else None
        if key is None:
            return
        held = self._held or []
        for message in [message for message in held if key_of(message) == key]:
            held.remove(message)
            self._refuse(message, CANCELLED, "Cancelled.")
        self._handle_cancel_notification(key)

    def _opening_of(self, params: Message) -> types.InitializeParams:
        try:
            return self._converter.structure(params, types.InitializeParams)
        except Exception:  # noqa: BLE001 -- cattrs raises whatever a hook does
            # A newer editor may be capable of things that lsprotocol has no word for.
            _log.warning("The editor's capabilities could not be read; they count as none.")
        known = {"processId", "rootUri", "workspaceFolders", "initializationOptions"}
        kept = {name: value for name, value in params.items() if name in known}
        return self._converter.structure({**kept, "capabilities": {}}, types.InitializeParams)
