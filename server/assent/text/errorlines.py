"""Which lines of a text came on standard error, and that text with a mark before each of them."""

from collections.abc import Sequence
from typing import Final

__all__ = ["MARK", "marked"]

MARK: Final = "2> "
"""As a shell names that stream; a person and a model see it without any colour."""


def marked(text: str, errors: Sequence[int]) -> str:
    r"""The text with its error lines marked; `errors` are pairs of a first line and one behind.

    >>> marked("one\ntwo\nthree\n", [1, 3])
    'one\n2> two\n2> three\n'
    """
    lines = text.split("\n")
    last = len(lines) - (not lines[-1])
    numbers = {
        number
        for first, end in zip(errors[::2], errors[1::2], strict=False)
        for number in range(first, min(end, last))
    }
    return "\n".join(MARK * (number in numbers) + line for number, line in enumerate(lines))
