"""Tells the person in front of the terminal what is being done and how long it took.

Every line stands alone, so that it reads the same in a terminal and in a log.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager


def say(sentence: str) -> None:
    """Print one sentence at once, however the output is buffered."""
    print(sentence, flush=True)


@contextmanager
def step(what: str) -> Iterator[None]:
    """Announce a step, and complete the line with its duration or its failure."""
    print(f"{what} … ", end="", flush=True)
    begun = time.monotonic()
    try:
        yield
    except BaseException:
        say("failed")
        raise
    say(f"{time.monotonic() - begun:.0f} s")
