"""Whether a program on this machine listens at an address, by the kernel's list of sockets."""

from pathlib import Path
from typing import Final

__all__ = ["listens"]

_LISTS: Final = ("/proc/net/tcp", "/proc/net/tcp6")
_LISTENING: Final = "0A"


def listens(port: int) -> bool:
    """Whether a program listens at a TCP port of this machine; also where nobody can tell."""
    try:
        lines = [
            line.split() for path in _LISTS for line in Path(path).read_text().splitlines()[1:]
        ]
        return any(line[3] == _LISTENING and line[1].endswith(f":{port:04X}") for line in lines)
    except (OSError, IndexError):
        return True
