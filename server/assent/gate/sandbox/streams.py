"""The input and the output of a command in a box, without the files that lie behind them.

A command can open a file again through a descriptor that it inherits, and then write what was
opened for reading, or cut off a log that was opened for more. So only terminals, pipes and
sockets are handed on; between anything else and the command a pipe is put.
"""

import os
import stat
import subprocess
import threading
from contextlib import suppress
from typing import IO, Final

__all__ = ["carry", "piped"]

_PIECE_BYTES: Final = 1 << 16


def piped() -> tuple[int | None, int | None, int | None]:
    """What `Popen` is to do with the three streams: a pipe, or None to hand on our own."""
    first, second, third = (
        None if _is_handed_on(number) else subprocess.PIPE for number in range(3)
    )
    return first, second, third


def carry(started: "subprocess.Popen[bytes]") -> list[threading.Thread]:
    """Copy between our streams and those pipes; the threads that end with the command's output."""
    if started.stdin is not None:
        threading.Thread(target=_copy_in, args=(started.stdin,), daemon=True).start()
    outputs = ((started.stdout, 1), (started.stderr, 2))
    threads = [
        threading.Thread(target=_copy_out, args=(pipe, number), daemon=True)
        for pipe, number in outputs
        if pipe is not None
    ]
    for thread in threads:
        thread.start()
    return threads


def _is_handed_on(number: int) -> bool:
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return True
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(number)


def _copy_in(pipe: IO[bytes]) -> None:
    with suppress(OSError), pipe:
        while piece := os.read(0, _PIECE_BYTES):
            pipe.write(piece)
            pipe.flush()


def _copy_out(pipe: IO[bytes], number: int) -> None:
    with suppress(OSError), pipe:
        while piece := os.read(pipe.fileno(), _PIECE_BYTES):
            while piece:
                piece = piece[os.write(number, piece) :]
