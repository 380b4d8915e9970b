"""Regular expressions that are compiled on first use, since one call uses few of them.

Compiling all would take as long as a person waits for the rest of an answer.
"""

import re
from collections.abc import Callable
from typing import Any, Final, cast

__all__ = ["late"]


def late(text: str, flags: int = 0, *, needs: str = "") -> re.Pattern[str]:
    r"""What `re.compile` gives, as soon as anything is asked of it.

    One of the words of `needs` stands in each match. Text that has none of them is not searched:
    looking for a plain word takes a hundredth of the time.

    >>> late(r"frobs? (\w+)", needs="frob").findall("to frob this")
    ['this']
    >>> late(r"\w+", needs="frob").search("to do this") is None
    True
    """
    return cast("re.Pattern[str]", _Late(text, flags, tuple(needs.split())))


class _Late:
    def __init__(self, text: str, flags: int, needs: tuple[str, ...]) -> None:
        self._text, self._flags, self._needs = text, flags, needs

    def __getattr__(self, name: str) -> Any:
        # What is found stands here from then on, so that each method is looked for once.
        method = getattr(re.compile(self._text, self._flags), name)
        if self._needs and name in _WITHOUT:
            method = _if_needed(method, self._needs, *_WITHOUT[name])
        setattr(self, name, method)
        return method


_WITHOUT: Final[dict[str, tuple[int, Callable[[str], Any]]]] = {
    "search": (0, lambda _: None),
    "findall": (0, lambda _: []),
    "finditer": (0, lambda _: iter(())),
    "sub": (1, lambda text: text),
}
"""Which argument of a method is the text, and what it gives where nothing is found there."""


def _if_needed(
    method: Callable[..., Any], needs: tuple[str, ...], at: int, without: Callable[[str], Any]
) -> Callable[..., Any]:
    def looked(*given: Any) -> Any:
        text = given[at]
        return method(*given) if any(map(text.__contains__, needs)) else without(text)

    return looked
