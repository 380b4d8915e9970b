"""The one place where the host waits: it asks again and again, and never for ever.

No caller sleeps for a fixed time; each names the condition it needs and a bound.
"""

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

_PAUSE = 0.03


def until(condition: Callable[[], Value | None], *, within: float, what: str) -> Value:
    """The first truthy value of the condition, or a TimeoutError that says what was missing."""
    deadline = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise TimeoutError(f"After {within:g} s still not so: {what}.")
        time.sleep(_PAUSE)
