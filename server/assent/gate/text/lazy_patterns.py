"""Regular expressions that are compiled on first use, since one call uses few of them.

Compiling all would take as long as a person waits for the rest of an answer.
"""

import re
from typing import Any, cast

__all__ = ["late"]


def late(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, as soon as anything is asked of it."""
    return cast("re.Pattern[str]", _Late(text, flags))


class _Late:
    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        # What is found stands here from then on, so that each method is looked for once.
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found
