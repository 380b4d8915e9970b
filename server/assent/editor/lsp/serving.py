"""Takes what the editor asks in the messages of `METHODS`, and answers each exactly once.

Whatever a question's handler does (return, raise, be cancelled before its first step), its key
gets one answer and is forgotten. Nothing is run on parameters that are not exactly in shape.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final

import orjson
from pydantic import ValidationError

from assent.editor.lsp.frames import framed
from assent.editor.lsp.outbox import Outbox
from assent.editor.lsp.refusals import (
    CANCELLED,
    FAILED,
    INTERNAL,
    INVALID,
    UNKNOWN,
    Key,
    refusal,
    what_is_wrong,
)
from assent.editor.lsp.wire import written
from assent.editor.protocol.chats import Nothing
from assent.editor.protocol.method import Method
from assent.editor.protocol.methods import METHODS
from assent.editor.protocol.shapes import Shape
from assent.gate.call.errors import AssentError
from assent.gate.values import frozen

__all__ = ["Handler", "Serving"]

Handler = Callable[[Any], Shape | Awaitable[Shape | None] | None]
"""Takes the parameters in their shape; an `async` one runs beside the others."""

_CANCELLED: Final = "Cancelled."
_NO_ROOM: Final = "The answer is too large to be sent now; ask again later, or for less."
_BROKEN: Final = "Something went wrong in the server; its log tells more."
_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class _Question:
    """One method that the editor may call, and all that is needed to serve it."""

    name: str
    params: type[Shape]
    results: tuple[type[Shape], ...]
    handler: Handler
    is_async: bool


class Serving:
    """The questions of the editor that are being served."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self.known: Final = {each.name: each for each in METHODS if each.sender == "client"}
        """Every method of ours that an editor may call, served or not."""
        self.running: Final[dict[Key, asyncio.Task[None]]] = {}
        """The questions that are not yet answered."""
        self._questions: dict[str, _Question] = {}
        self._notices: set[asyncio.Task[None]] = set()
        # Not a group, which would put two more callbacks on the way of every question.
        self._create_task = asyncio.get_running_loop().create_task

    def accept(self, handlers: Mapping[str, Handler]) -> None:
        """Serve these from now on, until `finish`."""
        for name, handler in handlers.items():
            self._questions[name] = _question(self.known[name], handler)

    def take(self, method: str, key: Key, raw: object) -> None:
        """Serve one question, whose key is of none that is running."""
        question = self._questions.get(method)
        if question is None:
            self.refuse(key, UNKNOWN, f"{method} is not served.")
            return
        try:
            params = question.params.__pydantic_validator__.validate_python(
                {} if raw is None else raw, by_alias=True, by_name=False
            )
        except ValidationError as error:
            self.refuse(key, INVALID, f"{method}: {what_is_wrong(error)}.")
            return
        if question.is_async:
            self.running[key] = self._create_task(self._await(question, key, params))
        else:
            self._run(question, key, params)

    def begin(self, notice: Coroutine[Any, Any, None]) -> None:
        """Run what a notification brought about, which nobody waits for."""
        task = self._create_task(notice)
        self._notices.add(task)
        task.add_done_callback(self._notices.discard)

    def cancel(self, key: Key) -> None:
        """The editor does not want the answer any more."""
        task = self.running.get(key)
        if task is None:
            return
        task.cancel()
        state = inspect.getcoroutinestate(task.get_coro())  # type: ignore[arg-type]  # it is one
        if state == inspect.CORO_CREATED:
            # It will never take its first step, so nothing within it can answer.
            del self.running[key]
            self.refuse(key, CANCELLED, _CANCELLED)

    async def finish(self) -> None:
        """Stop everything that still runs, and wait for it; each question gets its answer."""
        self._questions.clear()
        while tasks := {*self.running.values(), *self._notices}:
            for key in tuple(self.running):
                self.cancel(key)
            for notice in self._notices:
                notice.cancel()
            await asyncio.wait(tasks)

    def refuse(self, key: Key | None, code: int, sentence: str) -> None:
        """Answer with an error."""
        self._outbox.put(framed(refusal(key, code, sentence)))

    async def _await(self, question: _Question, key: Key, params: Shape) -> None:
        try:
            result = await question.handler(params)  # type: ignore[misc]  # `is_async` says so
            self._answer(question, key, result)
        except asyncio.CancelledError:
            self.refuse(key, CANCELLED, _CANCELLED)
            raise
        except Exception as error:  # noqa: BLE001 -- the supervisor of questions
            self._fail(question, key, error)
        finally:
            # Here and not in a callback of the task, which would be one more for each question.
            del self.running[key]

    def _run(self, question: _Question, key: Key, params: Shape) -> None:
        try:
            self._answer(question, key, question.handler(params))
        except Exception as error:  # noqa: BLE001 -- the supervisor of questions
            self._fail(question, key, error)

    def _answer(self, question: _Question, key: Key, result: object) -> None:
        shape = Nothing() if result is None else result
        if not isinstance(shape, question.results):
            raise TypeError(f"{question.name} was answered with a {type(result).__name__}")
        told = (b'{"jsonrpc":"2.0","id":', orjson.dumps(key), b',"result":', written(shape), b"}")
        frame = framed(b"".join(told))
        if self._outbox.has_room(len(frame)):
            self._outbox.put(frame)
        else:
            self.refuse(key, FAILED, _NO_ROOM)

    def _fail(self, question: _Question, key: Key, error: Exception) -> None:
        if isinstance(error, AssentError):
            self.refuse(key, FAILED, str(error))
            return
        _log.error("%s failed.", question.name, exc_info=error)
        self.refuse(key, INTERNAL, _BROKEN)


def _question(method: Method, handler: Handler) -> _Question:
    return _Question(
        name=method.name,
        params=method.params,
        results=_shapes(method.result),
        handler=handler,
        is_async=inspect.iscoroutinefunction(handler),
    )


def _shapes(result: Any) -> tuple[type[Shape], ...]:
    """The shapes that an answer may have; a union has several."""
    union = getattr(result, "__origin__", result)
    return tuple(getattr(union, "__args__", (union,)))
