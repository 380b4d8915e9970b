"""A port on which a program of a test can listen again and again."""

import socket
from os import getpid
from typing import Final

# The system gives no connection a port as low as these by itself.
_FIRST: Final = 20_000
_MANY: Final = 10_000


def free_port() -> int:
    """A port that nobody listens on, and that each process looks for at another place."""
    for number in range(_MANY):
        # Processes that are started together look far from one another.
        port = _FIRST + (getpid() * 101 + number) % _MANY
        with socket.socket() as tried:
            # A server may listen again where its connections have only just ended.
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError(f"No port from {_FIRST} on is free.")
