"""Becomes another program that does not outlive the one that started it, nor loses its orphans.

`python launch.py program argument …`. The kernel keeps both promises across the exec: it ends the
program when its starter dies, even of a kill; and a process below it whose own parent dies becomes
its child, so that a walk from the program still finds it. Linux only.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Ask the kernel, then exec."""
    kernel = ctypes.CDLL(None, use_errno=True)
    for option, value in (
        (_PR_SET_PDEATHSIG, signal.SIGTERM),
        (_PR_SET_CHILD_SUBREAPER, 1),
    ):
        if kernel.prctl(option, value, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 -- becoming a program is the purpose


if __name__ == "__main__":
    main()
