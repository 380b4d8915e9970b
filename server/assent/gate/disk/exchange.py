"""Exchanges two files of a folder atomically, if the system can.

So nothing is lost of what somebody puts under a name in the last moment: it is not written over,
but comes out under the other name, and can be put back.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from errno import EINVAL, ENOSYS, ENOTSUP
from functools import cache
from typing import Final

__all__ = ["exchanged"]

_CALLS: Final = {"linux": ("renameat2", 2), "darwin": ("renameatx_np", 2)}
"""What the C library calls it, and the flag that asks for it (`RENAME_EXCHANGE`, `RENAME_SWAP`)."""
_CANNOT: Final = {EINVAL, ENOSYS, ENOTSUP}
"""What a file system answers that knows no such step."""


def exchanged(name: str, other: str, folder: int) -> bool:
    """Give two files of an opened folder each other's name; False where nothing can."""
    call = _call()
    if call is None:
        return False
    if call(folder, os.fsencode(name), folder, os.fsencode(other), _CALLS[sys.platform][1]) == 0:
        return True
    error = ctypes.get_errno()
    if error in _CANNOT:
        return False
    raise OSError(error, os.strerror(error))


@cache
def _call() -> Callable[..., int] | None:
    name, _ = _CALLS.get(sys.platform, ("", 0))
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None) if name else None
    if function is not None:
        function.argtypes = [
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_uint,
        ]
    return function
