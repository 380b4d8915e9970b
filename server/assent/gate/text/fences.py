"""Quotes a text between fences that it does not contain, so that nothing in it ends the quote."""

import re
from typing import Final

__all__ = ["fenced"]

_TICKS: Final = re.compile("`+")


def fenced(text: str) -> str:
    """The text between two lines of more backticks than it has in a row.

    >>> print(fenced("a = 1"))
    ```
    a = 1
    ```
    """
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(text)), default=0))
    whole = text.removesuffix("\n")
    return f"{fence}\n{whole}\n{fence}"
