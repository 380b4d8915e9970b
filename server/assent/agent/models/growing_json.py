"""Text that grows, piece by piece, into one complete JSON object: a call's arguments.

A whole object cannot become another by what follows it, so that a call may start while its stream
is still open. Each character is looked at once, however small the pieces are, and the object is
read once, at the end that was found for it.
"""

import json
import math
import re
from typing import Final, NoReturn

from assent.gate.values import define, field

__all__ = ["BLANK", "GrowingJson", "object_of", "written"]

BLANK: Final = " \t\n\r"
"""What JSON passes over."""

_OUTSIDE: Final = re.compile(r'["{}\[\]]')
_INSIDE: Final = re.compile(r'["\\]')


def object_of(text: str) -> dict[str, object] | None:
    """The JSON object that this text is; None where it is none, or nested beyond reading."""
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_number)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def written(value: object) -> str:
    """Arguments as their JSON text, where a host sent what they mean; nothing for none."""
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _number(text: str) -> float:
    """A number; one beyond all bounds could never be written again."""
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


@define
class GrowingJson:
    """The text so far, and whether it is a whole object."""

    _pieces: list[str] = field(factory=list)
    _depth: int = 0
    _in_text: bool = False
    _escaped: bool = False
    whole: bool = False
    """Whether it is an object, and complete."""
    _hopeless: bool = False
    """Whether it can be no object any more, whatever follows."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)

    @property
    def is_empty(self) -> bool:
        """Whether it is a whole object without a member."""
        return self.whole and not object_of(self.text)

    def fits(self, piece: str) -> bool:
        """Take a piece; False where it stands behind an object that was whole."""
        self._pieces.append(piece)
        if self.whole:
            return not piece.strip(BLANK)
        if self._hopeless or not self._begun(piece):
            return True
        end = self._end(piece)
        if end is None:
            return True
        self._pieces[-1] = piece[:end]
        self.whole = object_of(self.text) is not None
        self._hopeless = not self.whole
        self._pieces.append(piece[end:])
        return self._hopeless or not piece[end:].strip(BLANK)

    def _begun(self, piece: str) -> bool:
        """Whether there is anything yet, and that may be an object."""
        if self._depth:
            return True
        first = piece.lstrip(BLANK)[:1]
        self._hopeless = first not in {"", "{"}
        return first == "{"

    def _end(self, piece: str) -> int | None:
        """Where in the piece the outermost brace closes."""
        at = 0
        if self._escaped and piece:
            self._escaped, at = False, 1
        while match := (_INSIDE if self._in_text else _OUTSIDE).search(piece, at):
            at = match.end()
            match match.group():
                case '"':
                    self._in_text = not self._in_text
                case "\\":
                    self._escaped = at == len(piece)
                    at += 1
                case "{" | "[":
                    self._depth += 1
                case _:
                    self._depth -= 1
                    if not self._depth:
                        return at
        return None
