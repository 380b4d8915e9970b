"""The inputs that a workspace's file asks for before a tool server starts: `${input:ID}`.

Only the person says it, in the editor; the file says no more than what is asked. It is kept for
the one server that it was said for, so that another address or program gets nothing of it.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from assent.gate.text.lazy_patterns import late
from assent.gate.text.lines import one_line
from assent.gate.values import field, frozen

__all__ = ["Inputs", "ServerInput", "inputs_in", "inputs_of", "kept_as", "put_in"]

_NAMED: Final = late(r"\$\{input:([^{}]*)\}")
_ID: Final = late(r"[A-Za-z0-9_.-]{1,64}")
_MAX_INPUTS: Final = 50
_MAX_OPTION_LETTERS: Final = 300
_NO_COMMAND: Final = (
    "what it asks for is made by a command of the editor, and no file of a workspace may run one"
)
_UNCLEAR: Final = "what it asks you for is not understood here"


@frozen(kw_only=True)
class ServerInput:
    """One thing that a person is asked for."""

    id: str
    says: str = ""
    """What the file says of it."""
    hidden: bool = False
    """Whether it is typed unseen."""
    options: tuple[str, ...] = ()
    """What it is chosen from; nothing where it is typed."""
    secret: str = ""
    """As what it is kept: of the server that gets it, and of what was asked."""


@frozen(kw_only=True)
class Inputs:
    """What a file asks for, by ids, and why some of it cannot be."""

    known: Mapping[str, ServerInput] = field(factory=dict)
    unfit: Mapping[str, str] = field(factory=dict)

    def why_not(self, id_: str) -> str:
        """Why nobody can be asked for this, a clause; nothing where they can.

        >>> inputs_of([{"type": "command", "id": "x"}]).why_not("x")[:35]
        'what it asks for is made by a comma'
        """
        return "" if id_ in self.known else self.unfit.get(id_, _UNCLEAR)


def inputs_of(given: object) -> Inputs:
    """What a file asks for; of an id that stands there twice nobody is asked.

    >>> inputs_of([{"type": "promptString", "id": "key", "password": True}]).known["key"].hidden
    True
    """
    known: dict[str, ServerInput] = {}
    unfit: dict[str, str] = {}
    for entry in given if isinstance(given, list) else ():
        id_ = str(entry.get("id")) if isinstance(entry, dict) else ""
        server_input = _input(id_, entry)
        if isinstance(server_input, ServerInput) and id_ not in {*known, *unfit}:
            known[id_] = server_input
        else:
            known.pop(id_, None)
            unfit[id_] = server_input if isinstance(server_input, str) else _UNCLEAR
    return Inputs(known=known, unfit=unfit)


def _input(id_: str, given: Any) -> ServerInput | str:
    """One of them, or why it is none."""
    if not isinstance(given, dict) or not _ID.fullmatch(id_):
        return _UNCLEAR
    says = given.get("description", "")
    match given.get("type"):
        case "command":
            return _NO_COMMAND
        case "promptString":
            options: tuple[str, ...] = ()
        case "pickString":
            options = _options(given.get("options"))
            if not options:
                return _UNCLEAR
        case _:
            return _UNCLEAR
    hidden = given.get("password", False)
    if not isinstance(says, str) or not isinstance(hidden, bool):
        return _UNCLEAR
    return ServerInput(
        id=id_, says=one_line(says, _MAX_OPTION_LETTERS), hidden=hidden, options=options
    )


def _options(given: object) -> tuple[str, ...]:
    """What can be chosen; nothing where it is not all understood."""
    if not isinstance(given, list) or len(given) > _MAX_INPUTS:
        return ()
    each = [option.get("value") if isinstance(option, dict) else option for option in given]
    fit = (
        option
        for option in each
        if isinstance(option, str) and len(option) <= _MAX_OPTION_LETTERS and option.isprintable()
    )
    options = tuple(option for option in fit if option.strip())
    return options if len(options) == len(each) else ()


def inputs_in(value: Any) -> set[str]:
    """The ids that a value names.

    >>> inputs_in(["--key", "${input:key}", {"A": "x ${input:b}"}]) == {"key", "b"}
    True
    """
    return set(_NAMED.findall(json.dumps(value, ensure_ascii=False)))


def put_in(text: str, said: Mapping[str, str]) -> str:
    """A text with what was said, to the letter.

    >>> put_in("Bearer ${input:key}", {"key": "${input:b}"})
    'Bearer ${input:b}'
    """
    return _NAMED.sub(lambda match: said.get(match[1], match[0]), text)


def kept_as(bound: Any) -> str:
    """Under which name something that was said is kept: of all that it is bound to."""
    data = json.dumps(bound, sort_keys=True).encode()
    return f"serverInput.{hashlib.sha256(data).hexdigest()[:32]}"
