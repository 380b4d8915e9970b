"""Which lines of a text came from standard error, and the text with a mark before each."""

from collections.abc import Sequence
from typing import Final

__all__ = ["MARK", "PLAIN", "marked"]

MARK: Final = "2> "
"""As a shell names that stream; a person and a model see it without any colour."""
PLAIN: Final = "1> "
"""Before a line of output that begins with a mark itself."""


def marked(text: str, errors: Sequence[int]) -> str:
    r"""The text with its error lines marked; `errors` are pairs of a first line and one behind.

    >>> marked("one\ntwo\nthree\n", [1, 3])
    'one\n2> two\n2> three\n'

    Another line that begins as if it were marked gets a mark of its own, so it is none of them.

    >>> marked("2> made up", [])
    '1> 2> made up'
    """
    lines = text.split("\n")
    last = len(lines) - (not lines[-1])
    numbers = {
        number
        for first, end in zip(errors[::2], errors[1::2], strict=False)
        for number in range(first, min(end, last))
    }
    return "\n".join(_mark(line, number in numbers) + line for number, line in enumerate(lines))


def _mark(line: str, is_error: bool) -> str:  # noqa: FBT001 -- the one fact of it
    return MARK if is_error else PLAIN * line.startswith((MARK, PLAIN))
