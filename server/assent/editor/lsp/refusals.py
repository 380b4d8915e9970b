"""The errors on the wire: their codes, sentences and bytes.

A sentence names the member that was wrong and never its value, a path or a line of code.
"""

from typing import Final

import orjson
from pydantic import ValidationError

__all__ = [
    "CANCELLED",
    "FAILED",
    "INTERNAL",
    "INVALID",
    "MALFORMED",
    "UNKNOWN",
    "UNREADABLE",
    "Key",
    "key_of",
    "refusal",
    "what_is_wrong",
]

UNREADABLE: Final = -32700
MALFORMED: Final = -32600
UNKNOWN: Final = -32601
INVALID: Final = -32602
INTERNAL: Final = -32603
CANCELLED: Final = -32800
FAILED: Final = -32803

Key = int | str
"""What a question is told apart by; the asker makes it up."""

_MIN_INTEGER: Final = -(2**63)
_MAX_INTEGER: Final = 2**64 - 1
_MAX_FAULTS_SHOWN: Final = 3
_MAX_MEMBER_LETTERS: Final = 64
_MAX_OWN_WORDS_LETTERS: Final = 3 * _MAX_MEMBER_LETTERS

_PLAINLY: Final = {
    "missing": "is missing",
    "extra_forbidden": "is not known",
    "model_type": "should be an object",
    "string_type": "should be a string",
    "string_unicode": "should be a string of whole characters",
    "int_type": "should be a whole number",
    "bool_type": "should be true or false",
    "list_type": "should be a list",
    "dict_type": "should be an object",
}


def key_of(message: dict[str, object]) -> Key | None:
    """The key that a message carries, if it is one that can be answered to."""
    key = message.get("id")
    # `True` and `1.0` would pass for `1` in a dictionary, and another's question be answered.
    if type(key) is int and _MIN_INTEGER <= key <= _MAX_INTEGER:
        return key
    return key if type(key) is str and _can_be_spelled(key) else None


def refusal(key: Key | None, code: int, sentence: str) -> bytes:
    """The body of an error answer."""
    error = {"code": code, "message": _spelled(sentence)}
    return orjson.dumps({"jsonrpc": "2.0", "id": key, "error": error})


def what_is_wrong(error: ValidationError) -> str:
    """The first few members that were wrong, in one sentence."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    clauses = [
        _fault(fault["loc"], fault["type"], fault["msg"]) for fault in faults[:_MAX_FAULTS_SHOWN]
    ]
    more = len(faults) - len(clauses)
    return ", ".join(clauses) + (f", and {more} more" if more > 0 else "")


def _fault(where: tuple[int | str, ...], kind: str, otherwise: str) -> str:
    member = ".".join(str(step)[:_MAX_MEMBER_LETTERS] for step in where) or "params"
    own_words = otherwise[:1].lower() + otherwise[1:_MAX_OWN_WORDS_LETTERS]
    return f"`{member}` {_PLAINLY.get(kind) or own_words}"


def _spelled(text: str) -> str:
    """The text without half characters, which an agent's words may have and JSON may not."""
    return text.encode("utf-8", "backslashreplace").decode()


def _can_be_spelled(text: str) -> bool:
    return text.isascii() or _spelled(text) == text
