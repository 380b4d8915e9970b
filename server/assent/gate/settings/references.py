"""Values of an agent's variables that stand elsewhere: `${secret:NAME}` and `${env:NAME}`.

What is written, told and compared is the reference; what it stands for is had when the agent is
started, and is nowhere else. The files of a workspace name variables as `${NAME}` and
`${NAME:-default}`; once these are read, they stand as `${env:NAME}` and `${env:NAME:-default}`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, cast

from assent.gate.text.lazy_patterns import late
from assent.gate.values import field, frozen

__all__ = ["NAME", "Reference", "filled", "has_odd", "references_in"]

NAME: Final = r"[A-Za-z_][A-Za-z0-9_]{0,127}"

_WRITTEN: Final = late(rf"\$\{{(secret|env):({NAME})\}}")
"""As it stands in settings."""
_REFERENCE: Final = late(rf"\$\{{(secret|env):({NAME})(?::-([^{{}}]*))?\}}")
_BEGUN: Final = late(r"\$\{(?:secret|env):")


@frozen(order=True)
class Reference:
    """A value that is named and not written."""

    kind: Literal["secret", "env"]
    name: str
    default: str | None = field(default=None, order=False, repr=False)
    """What it stands for where that variable is not set, or is empty."""


def references_in(env: Mapping[str, str]) -> tuple[Reference, ...]:
    """What these variables name, each once.

    >>> references_in({"A": "x ${secret:KEY} ${env:B}", "C": "${secret:KEY} ${HOME}"})
    (Reference(kind='env', name='B'), Reference(kind='secret', name='KEY'))
    """
    return tuple(
        sorted({reference for value in env.values() for reference in _list_references(value)})
    )


def has_odd(env: Mapping[str, str]) -> bool:
    """Whether something begins as a reference does and is none.

    >>> has_odd({"A": "${secret:}"}), has_odd({"A": "${secret:A}"})
    (True, False)
    """
    return any(len(_BEGUN.findall(value)) != len(_WRITTEN.findall(value)) for value in env.values())


def filled(
    env: Mapping[str, str],
    values: Mapping[Reference, str],
    between: Callable[[str], str] = str,
) -> dict[str, str]:
    """The variables with what their references stand for, to the letter.

    `between` fills in the rest of each text, and nothing of what a reference stands for.

    >>> filled({"A": "x-${env:B}"}, {Reference("env", "B"): "${env:C}"})
    {'A': 'x-${env:C}'}
    """
    return {name: _filled(value, values, between) for name, value in env.items()}


def _filled(text: str, values: Mapping[Reference, str], between: Callable[[str], str]) -> str:
    parts, begin = [], 0
    for match in _REFERENCE.finditer(text):
        parts += [between(text[begin : match.start()]), values[_reference(match)]]
        begin = match.end()
    return "".join([*parts, between(text[begin:])])


def _list_references(value: str) -> Iterator[Reference]:
    return map(_reference, _REFERENCE.finditer(value))


def _reference(match: re.Match[str]) -> Reference:
    return Reference(cast('Literal["secret", "env"]', match[1]), match[2], match[3])
