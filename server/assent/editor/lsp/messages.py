"""How pygls' converter reads and writes the messages of `METHODS`: by their shapes, with pydantic.

`request_type` and `response_type` give pygls a class per method. A request cannot be made of
parameters that are not exactly in shape, nor a response with a result of another method.
"""

from enum import Enum
from functools import cache, partial
from typing import Any, ClassVar, Final

import cattrs
import orjson
from pygls.protocol import default_converter

from assent.editor.lsp.refusals import Key
from assent.editor.lsp.wire import written
from assent.editor.protocol.chats import Nothing
from assent.editor.protocol.method import Method
from assent.editor.protocol.methods import BY_NAME
from assent.editor.protocol.shapes import Shape
from assent.gate.values import field, frozen

__all__ = ["Request", "Response", "new_converter", "request_type", "response_type"]

_SCALARS: Final = (str, int, bool, float)


@frozen(kw_only=True)
class Request:
    """A question of the editor; each method has a subclass of its own."""

    params_type: ClassVar[type[Shape]]

    jsonrpc: str
    id: Key
    method: str
    params: Shape


@frozen(kw_only=True)
class Response:
    """The answer to a question of the editor; each method has a subclass of its own."""

    result_types: ClassVar[tuple[type[Shape], ...]]

    jsonrpc: str
    id: Key
    result: Shape = field(converter=lambda result: Nothing() if result is None else result)

    def __attrs_post_init__(self) -> None:
        """Refuse a result that the method does not have."""
        if not isinstance(self.result, self.result_types):
            given = type(self.result).__name__
            raise TypeError(f"{type(self).__name__} cannot carry the result {given}")


@cache
def request_type(method: str) -> type[Request] | None:
    """The class of the questions by this method; None where the editor may not ask by it."""
    row = _row(method)
    name = f"Request[{method}]"
    return row and type(name, (Request,), {"params_type": row.params})


@cache
def response_type(method: str) -> type[Response] | None:
    """The class of the answers to this method; None where the editor may not ask by it."""
    row = _row(method)
    name = f"Response[{method}]"
    return row and type(name, (Response,), {"result_types": _shapes(row.result)})


def new_converter() -> cattrs.Converter:
    """A converter for pygls that turns no string into a number and no number into a boolean."""
    converter: cattrs.Converter = default_converter()  # type: ignore[no-untyped-call]  # it is not
    for scalar in _SCALARS:
        converter.register_structure_hook(scalar, _read_scalar)
    converter.register_structure_hook_func(partial(_is_a, Request), _read_request)
    converter.register_unstructure_hook_func(partial(_is_a, Response), _write_response)
    return converter


def _row(method: str) -> Method | None:
    row = BY_NAME.get(method)
    return row if row is not None and row.sender == "client" else None


def _shapes(result: Any) -> tuple[type[Shape], ...]:
    """The shapes that a result may have; a union has several."""
    union = getattr(result, "__origin__", result)
    return tuple(getattr(union, "__args__", (union,)))


def _is_a(base: type, kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, base)


def _read_request(message: dict[str, Any], kind: type[Request]) -> Request:
    params = message.get("params")
    return kind(
        jsonrpc=message["jsonrpc"],
        id=message["id"],
        method=message["method"],
        params=kind.params_type.__pydantic_validator__.validate_python(
            {} if params is None else params, by_alias=True, by_name=False
        ),
    )


def _write_response(response: Response) -> dict[str, Any]:
    result = orjson.Fragment(written(response.result))
    return {"jsonrpc": response.jsonrpc, "id": response.id, "result": result}


def _read_scalar(value: Any, kind: type) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise TypeError(f"should be {kind.__name__}")
    return value
