"""Teaches pygls' converter to read and write the messages of `METHODS` with pydantic.

`request_type` and `response_type` give pygls a class per method. What comes from the editor is
read only if it is exactly in shape, and no result of another method can be sent.
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
from assent.editor.protocol.methods import BY_NAME, METHODS
from assent.editor.protocol.shapes import Shape
from assent.gate.values import field, frozen

__all__ = ["CALLABLE", "Request", "Response", "new_converter", "request_type", "response_type"]

_SCALARS: Final = (str, int, bool, float)


CALLABLE: Final = frozenset(row.name for row in METHODS if row.sender == "client")
"""The methods that the editor may call."""


def _or_nothing(result: Shape | None) -> Shape:
    return Nothing() if result is None else result


@frozen(kw_only=True)
class Request:
    """A question by a method of ours; each method has a subclass."""

    row: ClassVar[Method]

    jsonrpc: str
    id: Key
    method: str
    params: Shape


@frozen(kw_only=True)
class Response:
    """The answer to a method of ours; each method has a subclass."""

    row: ClassVar[Method]
    result_types: ClassVar[tuple[type[Shape], ...]]

    jsonrpc: str
    id: Key
    result: Shape = field(converter=_or_nothing)

    def __attrs_post_init__(self) -> None:
        """Refuse a result that the method does not have."""
        if not isinstance(self.result, self.result_types):
            given = type(self.result).__name__
            raise TypeError(f"{self.row.name} was answered with a {given}")


@cache
def request_type(method: str) -> type[Request] | None:
    """The class of the questions by this method; None where the table has no such question."""
    row = BY_NAME.get(method)
    if row is None or not row.is_request:
        return None
    return type(Request.__name__, (Request,), {"row": row})


@cache
def response_type(method: str) -> type[Response] | None:
    """The class of the answers to this method; None where the table has no such question."""
    row = BY_NAME.get(method)
    if row is None or not row.is_request:
        return None
    return type(Response.__name__, (Response,), {"row": row, "result_types": _shapes(row.result)})


def new_converter() -> cattrs.Converter:
    """A converter for pygls that turns no string into a number and no number into a boolean."""
    converter: cattrs.Converter = default_converter()  # type: ignore[no-untyped-call]  # it is not
    for scalar in _SCALARS:
        converter.register_structure_hook(scalar, _read_scalar)
    converter.register_structure_hook_func(partial(_is_a, Request), _read_request)
    converter.register_structure_hook_func(partial(_is_a, Response), _read_response)
    converter.register_unstructure_hook_func(partial(_is_a, Request), _write_request)
    converter.register_unstructure_hook_func(partial(_is_a, Response), _write_response)
    return converter


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
        params=kind.row.params.__pydantic_validator__.validate_python(
            {} if params is None else params, by_alias=True, by_name=False
        ),
    )


def _read_response(message: dict[str, Any], kind: type[Response]) -> Response:
    result = kind.row.result_type.validate_python(message["result"], by_alias=True, by_name=False)
    return kind(jsonrpc=message["jsonrpc"], id=message["id"], result=result)


def _write_request(request: Request) -> dict[str, Any]:
    params = orjson.Fragment(written(request.params))
    head = {"jsonrpc": request.jsonrpc, "id": request.id, "method": request.method}
    return {**head, "params": params}


def _write_response(response: Response) -> dict[str, Any]:
    result = orjson.Fragment(written(response.result))
    return {"jsonrpc": response.jsonrpc, "id": response.id, "result": result}


def _read_scalar(value: Any, kind: type) -> Any:
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise TypeError(f"should be {kind.__name__}")
    return value
