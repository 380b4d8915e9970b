"""The one place where the host waits: it asks again and again, and never for ever.

No caller sleeps for a fixed time; each names the condition it needs and a bound.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Value = TypeVar("Value")

_PAUSE = 0.03
_PRESSES = 3
_TAKEN_WITHIN = 5.0


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


def press_until(press: Callable[[], object], condition: Callable[[], bool], *, what: str) -> None:
    """Press a key as a person does it, who presses it again when nothing comes of it.

    While a list closes, or a dialog gives the focus back, a key goes nowhere.
    """
    for _ in range(_PRESSES - 1):
        press()
        with suppress(TimeoutError):
            until(condition, within=_TAKEN_WITHIN, what=what)
            return
    press()
    until(condition, within=_TAKEN_WITHIN, what=what)
