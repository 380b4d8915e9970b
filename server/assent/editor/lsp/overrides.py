"""Overrides the parts of pygls that do not suit a gate.

pygls keeps the registry of handlers, runs them and answers. Each override says what pygls 2.1 does
instead, and `tests/editor/wire/test_overrides.py` shows that fault in pygls as it comes. Several
override members with an underscore, so the version of pygls is pinned.
"""

import asyncio
import logging
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from functools import partial
from inspect import Signature
from typing import Any, Final, NoReturn, TypeVar

import cattrs
import orjson
from lsprotocol import types
from pydantic import ValidationError
from pygls.exceptions import FeatureNotificationError, FeatureRequestError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from assent.editor.lsp.editor_requests import Asks
from assent.editor.lsp.frames import framed
from assent.editor.lsp.messages import request_type, response_type
from assent.editor.lsp.outbox import Outbox
from assent.editor.lsp.refusals import CANCELLED, FAILED, INTERNAL, Key, refusal, what_is_wrong
from assent.gate.call.errors import AssentError, EditorRefused
from assent.gate.values import frozen

__all__ = ["Ending", "GateProtocol", "GateServer"]

_DOCUMENTS: Final = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)
_SENTENCES: Final[dict[int, str]] = {
    INTERNAL: "Something went wrong in the server; its log tells more.",
    CANCELLED: "Cancelled.",
}
_NO_PARAMETERS: Final = Signature()
_NO_ROOM: Final = "The answer is too large to be sent now; ask again later, or for less."

_log = logging.getLogger(__name__)

Handler = Callable[..., Any]
F = TypeVar("F", bound=Handler)


@frozen(kw_only=True)
class Ending:
    """Why the connection is over."""

    code: int
    """What the process will exit with."""
    because: str


class GateProtocol(LanguageServerProtocol):
    """pygls' protocol with the overrides of a gate."""

    outbox: Outbox
    asks: Asks
    ended: asyncio.Future[Ending]

    def start(self, outbox: Outbox) -> None:
        """Answer and ask by this outbox. pygls' own copies of open texts are switched off."""
        self.outbox = outbox
        self.asks = Asks()
        self.ended = asyncio.get_running_loop().create_future()
        for method in _DOCUMENTS:
            self.fm.builtin_features.pop(method, None)

    def end(self, code: int, because: str) -> None:
        """The connection is over, whoever ended it."""
        if not self.ended.done():
            # Who asked is told first, and not merely stopped when the house falls.
            self.asks.abandon()
            self.ended.set_result(Ending(code=code, because=because))

    async def finish(self) -> None:
        """Stop every handler that still runs, and wait for it; each question gets its answer."""
        self.fm.features.clear()
        while running := self._running():
            for task in running:
                task.cancel()
            await asyncio.wait(running)

    # What a message is made of.

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]  # cached
        """Add our messages; pygls would make namedtuples of their parameters."""
        return request_type(method) or super().get_message_type(method)

    def get_result_type(self, method: str) -> type[Any] | None:  # type: ignore[override]  # cached
        """Add our messages; pygls would send any result of theirs."""
        return response_type(method) or super().get_result_type(method)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read one whole message, and say which member is wrong.

        pygls calls this for every object within a message too, and answers nothing where it fails.
        """
        method = data["method"]
        kind: Any = self.get_message_type(method)
        try:
            return self._converter.structure(data, kind)
        except Exception as error:  # noqa: BLE001 -- cattrs raises whatever a hook does
            wrong = _wrong(error)
        raise JsonRpcInvalidParams(f"{method}: {wrong}.")

    # How a handler runs, and how a question is answered.

    def _handle_request(self, msg_id: Key, method_name: str, params: Any) -> None:
        """Note the type of the answer, which pygls does for its own questions alone."""
        self._result_types[msg_id] = self.get_result_type(method_name)
        super()._handle_request(msg_id, method_name, params)

    def _execute_handler(
        self,
        msg_id: Key,
        handler: Handler,
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Answer in the handler's last step, and forget it when it has ended.

        pygls answers a turn of the loop later, behind what the handler has set off, and keeps the
        future of every notification for good.
        """
        if asyncio.iscoroutinefunction(handler):
            handler, callback = _answering(handler, callback)
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(partial(self._forget, msg_id))

    def _forget(self, msg_id: Key, future: Any) -> None:
        # The key may be of another question by now.
        if self._request_futures.get(msg_id) is future:
            del self._request_futures[msg_id]

    def _handle_cancel_notification(self, msg_id: Key) -> None:
        """Keep the key until the handler has ended: pygls frees it for another question at once."""
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.cancel()

    def _send_handler_result(self, future: Any, *, msg_id: Key) -> None:
        """Answer what the house refuses in its words; to pygls it is a fault like any other."""
        error = None if future.cancelled() else future.exception()
        if isinstance(error, AssentError):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=types.ResponseError(code=FAILED, message=str(error)))
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    def _check_handler_result(self, future: Any) -> None:
        """Report the error itself: pygls reports another in its place, without the traceback."""
        if not future.cancelled() and (error := future.exception()) is not None:
            self._server.report_server_error(error, FeatureNotificationError)

    def _send_response(
        self, msg_id: Key, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        """Answer by the method's type if there is room; pygls adds the traceback to an error."""
        kind: Any = self._result_types.pop(msg_id, None)
        if error is None:
            frame = self._frame(kind(id=msg_id, result=result, jsonrpc=self.VERSION))
            if self.outbox.has_room(len(frame)):
                self.outbox.put(frame)
                return
            error = types.ResponseError(code=FAILED, message=_NO_ROOM)
        self.refuse(msg_id, error.code, _SENTENCES.get(error.code, error.message))

    def refuse(self, key: Key | None, code: int, sentence: str) -> None:
        """Answer with an error."""
        self.outbox.put(framed(refusal(key, code, sentence)))

    def _send_data(self, data: Any) -> None:
        """Put a message into the outbox; pygls writes it to a stream that may block."""
        self.outbox.put(self._frame(data))

    def _frame(self, data: Any) -> bytes:
        return framed(orjson.dumps(data, default=self._serialize_message))

    def _running(self) -> list[asyncio.Task[Any]]:
        futures: Iterable[object] = self._request_futures.values()
        return [each for each in futures if isinstance(each, asyncio.Task)]

    # What the server asks.

    def send_request(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: such a question could not be cancelled."""
        raise TypeError("the editor is asked by `send_request_async`")

    async def send_request_async(  # pyright: ignore[reportIncompatibleMethodOverride] -- awaited
        self,
        method: str,
        params: Any = None,
        msg_id: Key | None = None,  # never used: the keys are ours to choose
    ) -> Any:
        """Ask the editor, and wait; cancelling tells the editor so.

        pygls keeps both sides' keys in one place, so that an answer could end a handler, and
        forgets no question that nobody waits for any more.
        """
        kind = self.get_message_type(method)
        if kind is None:
            raise TypeError(f"{method} is neither of the table nor of LSP")
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        key = self.asks.open(method, waiting, partial(self._read_result, method))
        try:
            self._send_data(kind(id=key, method=method, params=params, jsonrpc=self.VERSION))
            return await waiting
        finally:
            # The question is still open where whoever waited was cancelled.
            if self.asks.give_up(key):
                self.notify(types.CANCEL_REQUEST, types.CancelParams(id=key))

    def _read_result(self, method: str, raw: Any) -> Any:
        envelope = {"jsonrpc": self.VERSION, "id": 0, "result": raw}
        kind: Any = self.get_result_type(method)
        try:
            return self._converter.structure(envelope, kind).result
        except Exception as error:  # noqa: BLE001 -- cattrs raises whatever a hook does
            wrong = _wrong(error)
        raise EditorRefused(f"The editor's answer to {method} is wrong: {wrong}.")

    # How the connection ends.

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Take no more questions, and let those that run go on: pygls cancels them."""
        self._shutdown = True
        handler = self.fm.features.get(types.SHUTDOWN)
        if handler is not None:
            yield handler, args, None

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]  # pygls takes both kinds
        """Let the house end in order: pygls leaves the process at once."""
        if self._shutdown:
            self.end(0, "The editor said goodbye.")
        else:
            self.end(1, "The editor left without asking to shut down.")


class GateServer(LanguageServer):
    """pygls' server with the overrides of a gate."""

    def feature(self, feature_name: str, options: Any = None) -> Callable[[F], F]:
        """Register methods of objects too, which pygls cannot.

        pygls also gives the server to a handler whose parameter is declared as `object`.
        """
        register = super().feature(feature_name, options)

        def keep(handler: F) -> F:
            registered = partial(handler)
            # Without annotations pygls prints the handler's object, and every object inside it.
            registered.__annotations__ = {}
            # pygls would else read the whole signature of each handler at each start.
            registered.__signature__ = _NO_PARAMETERS  # type: ignore[attr-defined]
            register(registered)
            return handler

        return keep

    def report_server_error(self, error: BaseException, source: Any) -> None:
        """Write a line to the log; pygls shows it to the person."""
        # What a question fails of is logged where it is answered.
        if source is not FeatureRequestError:
            _log.error("A message could not be served (%s).", source, exc_info=error)


def _wrong(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return what_is_wrong(error)
    return "; ".join(cattrs.transform_error(error))


def _answering(
    handler: Handler, callback: Callable[[Any], None]
) -> tuple[Handler, Callable[[Any], None]]:
    """Make the handler call back in its last step; the task calls back only if it was cancelled.

    A task that is cancelled before its first step never runs the handler. Whatever happens, the
    callback is called once.
    """
    outcome: Future[Any] = Future()

    async def run(*args: Any, **kwargs: Any) -> None:
        try:
            outcome.set_result(await handler(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 -- the callback makes an answer of it
            outcome.set_exception(error)
        callback(outcome)

    def end(task: asyncio.Task[Any]) -> None:
        if not outcome.done():
            callback(task)

    return run, end
