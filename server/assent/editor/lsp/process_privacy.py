"""Keeps other processes of the same person from looking into this one.

A command that a person once allowed runs with all their rights, and would otherwise find models'
keys in our environment or memory. The editor's own process is not ours to close.
"""

import sys
from typing import Final

__all__ = ["keep_private"]

_PR_SET_DUMPABLE: Final = 4


def keep_private() -> None:
    """On Linux, let nobody but the system's owner read this process."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes  # noqa: PLC0415 -- needed here alone

    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
