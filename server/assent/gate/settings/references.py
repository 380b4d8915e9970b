"""Values of an agent's variables that stand elsewhere: `${secret:NAME}` and `${env:NAME}`.

What is written, told and compared is the reference; what it stands for is had when the agent is
started, and is nowhere else.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, cast

from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["NAME", "Reference", "filled", "has_odd", "references_in"]

NAME: Final = r"[A-Za-z_][A-Za-z0-9_]{0,127}"

_REFERENCE: Final = late(rf"\$\{{(secret|env):({NAME})\}}")
_BEGUN: Final = late(r"\$\{(?:secret|env):")


@frozen(order=True)
class Reference:
    """A value that is named and not written."""

    kind: Literal["secret", "env"]
    name: str


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
    return any(
        len(_BEGUN.findall(value)) != len(_REFERENCE.findall(value)) for value in env.values()
    )


def filled(env: Mapping[str, str], values: Mapping[Reference, str]) -> dict[str, str]:
    """The variables with what their references stand for, to the letter.

    >>> filled({"A": "x-${env:B}"}, {Reference("env", "B"): "${env:C}"})
    {'A': 'x-${env:C}'}
    """
    return {
        name: _REFERENCE.sub(lambda match: values[_reference(match[1], match[2])], value)
        for name, value in env.items()
    }


def _list_references(value: str) -> Iterator[Reference]:
    return (_reference(*groups) for groups in _REFERENCE.findall(value))


def _reference(kind: str, name: str) -> Reference:
    return Reference(cast('Literal["secret", "env"]', kind), name)
