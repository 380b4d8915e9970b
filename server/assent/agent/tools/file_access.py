"""Opens the files and folders that a call may read, by the judged path."""

import os
import stat
from typing import BinaryIO, Final

from assent.agent.tools.tool import ToolFailed
from assent.gate.call.calls import Target
from assent.gate.disk.files import open_resolved

__all__ = ["opened_file", "opened_folder", "sized"]

_UNITS: Final = (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000))
_ROUND_FROM: Final = 9.95
"""From here on a tenth does not matter."""


def opened_file(target: Target) -> BinaryIO:
    """An ordinary file, to read."""
    descriptor = _opened(target)
    facts = os.fstat(descriptor)
    if stat.S_ISREG(facts.st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(facts.st_mode):
        raise ToolFailed(f"{target.shown} is a folder; list_files shows what is in it.")
    raise ToolFailed(f"{target.shown} is not an ordinary file.")


def opened_folder(target: Target) -> int:
    """A descriptor of a folder."""
    descriptor = _opened(target)
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise ToolFailed(f"{target.shown} is not a folder.")


def sized(size: int) -> str:
    """A size in bytes, as people write it."""
    for unit, unit_size in _UNITS:
        if size >= unit_size:
            number = size / unit_size
            return f"{number:.1f} {unit}" if number < _ROUND_FROM else f"{number:,.0f} {unit}"
    return "1 byte" if size == 1 else f"{size} bytes"


def _opened(target: Target) -> int:
    try:
        return open_resolved(target.resolved)
    except FileNotFoundError as error:
        raise ToolFailed(f"{target.shown} does not exist.") from error
    except OSError as error:
        raise ToolFailed(f"{target.shown} cannot be opened: {error.strerror}.") from error
