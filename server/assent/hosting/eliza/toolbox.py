"""A small tool server that comes with Eliza, to try the gate with.

Speaks the Model Context Protocol over its standard input and output, one message to a line.
"""

import json
import sys
from typing import Any

__all__ = ["main"]

_VERSION = "2025-06-18"
_METHOD_NOT_FOUND = -32601


def _described(name: str, says: str, argument: str, kind: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": {argument: kind}, "required": [argument]}
    return {"name": name, "description": says, "inputSchema": schema}


_TOOLS = [
    _described("shout", "Gives a text back in capitals", "text", {"type": "string"}),
    _described("add", "Adds numbers", "numbers", {"type": "array", "items": {"type": "number"}}),
]


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and "id" in message and "method" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], **_answer(message)}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


def _answer(message: dict[str, Any]) -> dict[str, Any]:
    method, params = message["method"], message.get("params")
    if method == "initialize":
        info = {"name": "toolbox", "version": "1"}
        greeting = {"protocolVersion": _VERSION, "capabilities": {"tools": {}}, "serverInfo": info}
        return {"result": greeting}
    if method == "tools/list":
        return {"result": {"tools": _TOOLS}}
    if method == "tools/call":
        return {"result": _use(params if isinstance(params, dict) else {})}
    return {"error": {"code": _METHOD_NOT_FOUND, "message": f"{method} is not known"}}


def _use(params: dict[str, Any]) -> dict[str, Any]:
    given = params.get("arguments")
    given = given if isinstance(given, dict) else {}
    try:
        text = _said(params.get("name"), given)
    except (KeyError, TypeError) as error:
        return _tool_result(f"The arguments do not fit: {error}", is_error=True)
    return _tool_result(text or "There is no such tool.", is_error=not text)


def _said(name: object, given: dict[str, Any]) -> str:
    if name == "shout":
        return str(given["text"]).upper()
    if name == "add":
        return f"{sum(given['numbers']):g}"
    return ""


def _tool_result(text: str, *, is_error: bool) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


if __name__ == "__main__":
    main()
