"""Sends the messages of `METHODS` to the editor, for the rest of the server.

Only what the table knows can be said, and only in its shape. Used on the loop's thread only.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import orjson
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from assent.editor.lsp.frames import MAX_FRAME_BYTES, framed
from assent.editor.lsp.outbox import Outbox
from assent.editor.protocol.method import Method
from assent.editor.protocol.methods import METHODS
from assent.editor.protocol.shapes import Shape

__all__ = ["Wire", "unwritten", "written"]

Result = TypeVar("Result", bound=Shape)
Value = TypeVar("Value")


class Wire:
    """The messages that the server sends."""

    def __init__(self, outbox: Outbox, ask: Callable[[str, Shape], Awaitable[Any]]) -> None:
        self._outbox = outbox
        self._ask = ask
        ours = [method for method in METHODS if method.sender == "server"]
        self._notices = {method.name: _opened(method) for method in ours if not method.is_request}
        self._questions = {method.name: method.params for method in ours if method.is_request}

    def notify(self, method: str, params: Shape) -> None:
        """Tell the editor something that it must not miss."""
        self._outbox.put(self._notice(method, params))

    def stream(self, method: str, params: Shape, most: int = MAX_FRAME_BYTES) -> bytes | None:
        """Tell the editor something that may be lost where it does not read.

        Lost is everything from one message on until the editor has caught up; then the house is
        told once. What is sent after that shows a replica its gap by the sequence number.

        The parameters as they were sent; None where they take more than they may, and were not.
        """
        prefix, kind = self._notices[method]
        body = written(_checked(params, kind))
        if len(body) > most:
            return None
        self._outbox.offer(framed(b"".join((prefix, body, b"}"))))
        return body

    async def request(self, method: str, params: Shape, result: type[Result]) -> Result:
        """Ask the editor, and wait as long as it takes; cancelling tells the editor so.

        Raises `EditorRefused` where the editor refuses, is gone or answers in another shape, and
        its subclass `NotOffered` where the editor does not know the question.
        """
        return _checked(await self._ask(method, _checked(params, self._questions[method])), result)

    def _notice(self, method: str, params: Shape) -> bytes:
        prefix, kind = self._notices[method]
        return framed(b"".join((prefix, written(_checked(params, kind)), b"}")))


def written(shape: Shape) -> bytes:
    """The shape as JSON, by the names on the wire."""
    try:
        return shape.__pydantic_serializer__.to_json(shape, by_alias=True)
    except PydanticSerializationError:
        # Half a character, which UTF-8 cannot spell, can be spelled as an escape.
        return json.dumps(shape.model_dump(by_alias=True), separators=(",", ":")).encode()


def unwritten(adapter: TypeAdapter[Value], data: bytes) -> Value:
    """What `written` made JSON of."""
    try:
        return adapter.validate_json(data, by_alias=True, by_name=False)
    except ValidationError:
        # Half a character is read by the laxer reader alone.
        return adapter.validate_python(json.loads(data), by_alias=True, by_name=False)


def _opened(method: Method) -> tuple[bytes, type[Shape]]:
    head = b'{"jsonrpc":"2.0","method":%b,"params":' % orjson.dumps(method.name)
    return head, method.params


def _checked(shape: Any, kind: type[Result]) -> Result:
    if type(shape) is not kind and not isinstance(shape, kind):
        raise TypeError(f"{type(shape).__name__} was given where {kind.__name__} belongs")
    return shape
