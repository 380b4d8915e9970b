"""pygls with what a gate cannot live with mended, and nothing else changed.

Kept are its registry, its lifecycle and lsprotocol's types. Mended are: structuring of every
nested object, coercion (`"false"` to true), futures that stay, one space of keys for both sides,
tracebacks in answers, toasts, and an `exit` that leaves the house standing. Leans on underscore
members of pygls 2.1, hence the pin and the tests over a real process.
"""

from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum
from typing import Any, Final

import cattrs
import orjson
from lsprotocol import types
from pygls.protocol import LanguageServerProtocol, default_converter

from assent.editor.lsp.asks import Asks
from assent.editor.lsp.frames import framed
from assent.editor.lsp.outbox import Outbox
from assent.editor.lsp.refusals import INTERNAL, Key, refusal
from assent.gate.call.errors import EditorRefused

__all__ = ["KEEPING", "MendedProtocol", "strict_converter"]

KEEPING: Final = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)
"""What pygls answers by keeping the text of whatever is open. Here the house says what is kept."""

_PLAIN = (str, int, bool, float)


class MendedProtocol(LanguageServerProtocol):
    """The sending half of pygls' protocol, and its way of running handlers."""

    outbox: Outbox
    asks: Asks

    def structure_message(self, data: dict[str, Any]) -> dict[str, Any]:
        """Leave a message as it is: pygls would structure every object within it, too."""
        return data

    def send_request(
        self,
        method: str,
        params: Any = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: Key | None = None,  # never used: the keys are ours to choose
    ) -> Future[Any]:
        """Ask the editor by a method of LSP. Cancelling the future tells the editor so."""
        kind = self.get_message_type(method)
        if kind is None:
            raise TypeError(f"{method} is no method of LSP")
        future: Future[Any] = Future()
        key = self.asks.open(method, future, lambda raw: self._read_result(method, raw))
        future.add_done_callback(lambda done: self._after(key, done, callback))
        self._send_data(kind(id=key, method=method, params=params, jsonrpc=self.VERSION))
        return future

    def _after(self, key: int, future: Future[Any], callback: Callable[[Any], None] | None) -> None:
        if self.asks.give_up(key):
            self.notify(types.CANCEL_REQUEST, types.CancelParams(id=key))
        elif callback is not None and not future.cancelled() and future.exception() is None:
            callback(future.result())

    def _read_result(self, method: str, raw: Any) -> Any:
        envelope = {"jsonrpc": self.VERSION, "id": 0, "result": raw}
        kind: Any = self.get_result_type(method)
        try:
            return self._converter.structure(envelope, kind).result
        except Exception as error:  # noqa: BLE001 -- cattrs raises whatever a hook does
            wrong = "; ".join(cattrs.transform_error(error))
            raise EditorRefused(f"The editor's answer to {method} is wrong: {wrong}.") from None

    def _execute_handler(
        self,
        msg_id: Key,
        handler: Callable[..., Any],
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _send_response(
        self, msg_id: Key, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        if error is None:
            super()._send_response(msg_id, result)
            return
        ours = "Something went wrong in the server; its log tells more."
        sentence = ours if error.code == INTERNAL else error.message
        self.outbox.put(framed(refusal(msg_id, error.code, sentence)))

    def _send_data(self, data: Any) -> None:
        self.outbox.put(framed(orjson.dumps(data, default=self._serialize_message)))


def strict_converter() -> cattrs.Converter:
    """The converter of pygls, that takes no string for a number and no number for a truth."""
    converter: cattrs.Converter = default_converter()  # type: ignore[no-untyped-call]  # it is not
    for kind in _PLAIN:
        converter.register_structure_hook(kind, _exactly)
    return converter


def _exactly(value: Any, kind: type) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise TypeError(f"should be {kind.__name__}")
    return value
